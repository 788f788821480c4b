"""The ready chunks -> an index of their words, and questions to it: planet-tui and its peers."""

import sqlite3

from tests.benchmarks.meter import Meter


def planet(place):
    """Index, then ask by BM25; tf-idf's weights are made of the same postings, at the first use."""
    import scipy.sparse as _  # noqa: F401

    from engine.indexing.bm25 import BM25
    from engine.indexing.inverted_index import InvertedIndex, Prefix
    from engine.indexing.tfidf import Tfidf

    chunks, queries, meter = place.read("chunks"), place.read("queries"), Meter()
    with meter.measure("index"):
        index = InvertedIndex(chunks)
    bm25, tfidf = BM25(index), Tfidf(index)
    with meter.measure("tf-idf weights"):
        tfidf.search(queries[0])

    def ask_as_typed(query):
        *words, last = query.split()
        return bm25.search([*index.analyzer(" ".join(words)), Prefix(last.lower())])

    meter.latency("BM25", bm25.search, queries)
    meter.latency("prefix", ask_as_typed, as_typed(queries))
    meter.latency("tf-idf", tfidf.search, queries)
    return meter.figures


def tantivy(place):
    """Index with the writer's defaults and two threads, commit, ask."""
    import tantivy as package
    from tantivy import Index, Occur, Query, SchemaBuilder

    chunks, queries, meter = place.read("chunks"), place.read("queries"), Meter()
    schema = SchemaBuilder().add_unsigned_field("id", stored=True).add_text_field("body").build()
    folder = place.peer("tantivy", fresh=True)
    with meter.measure("index"):
        index = Index(schema, path=str(folder))
        writer = index.writer(num_threads=2)
        for at, chunk in enumerate(chunks):
            writer.add_document(package.Document(id=at, body=[chunk]))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
    searcher = index.searcher()

    def ask(query):
        found = searcher.search(index.parse_query(query, ["body"]), 10).hits
        return [searcher.doc(address)["id"] for _, address in found]

    def ask_as_typed(query):
        *words, last = query.lower().split()
        parts = [(Occur.Should, Query.regex_query(schema, "body", f"{last}.*"))]
        parts += [(Occur.Should, Query.term_query(schema, "body", word)) for word in words]
        return searcher.search(Query.boolean_query(parts), 10).hits

    meter.latency("BM25", ask, queries)
    meter.latency("prefix", ask_as_typed, as_typed(queries))
    meter.figures["disk MB"] = sum(file.stat().st_size for file in folder.rglob("*")) / 1e6
    return meter.figures


def fts5(place):
    """Index in one transaction with a write-ahead log, ask by OR."""
    chunks, queries, meter = place.read("chunks"), place.read("queries"), Meter()
    file = place.peer("fts5", fresh=True) / "index.db"
    with meter.measure("index"):
        database = sqlite3.connect(file)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("CREATE VIRTUAL TABLE chunks USING fts5(body)")
        database.executemany("INSERT INTO chunks(rowid, body) VALUES (?, ?)", enumerate(chunks, 1))
        database.commit()

    def ask(match):
        sql = "SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY rank LIMIT 10"
        return database.execute(sql, (match,)).fetchall()

    meter.latency("BM25", ask, [" OR ".join(f'"{word}"' for word in query.split()) for query in queries])
    words = [query.split() for query in as_typed(queries)]
    typed = [" OR ".join([*(f'"{word}"' for word in some), f'"{last}"*']) for *some, last in words]
    meter.latency("prefix", ask, typed)
    database.close()
    meter.figures["disk MB"] = sum(each.stat().st_size for each in file.parent.iterdir()) / 1e6
    return meter.figures


def sklearn(place):
    """Fit `TfidfVectorizer`, ask by a product with the transposed matrix."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    chunks, queries, meter = place.read("chunks"), place.read("queries"), Meter()
    with meter.measure("index"):
        vectorizer = TfidfVectorizer(sublinear_tf=True)
        matrix = vectorizer.fit_transform(chunks)
    turned = matrix.T.tocsr()

    def ask(query):
        scores = vectorizer.transform([query]) @ turned
        best = np.argpartition(-scores.data, min(10, scores.nnz - 1))[:10] if scores.nnz else np.zeros(0, int)
        return scores.indices[best[np.argsort(-scores.data[best])]]

    meter.latency("tf-idf", ask, queries)
    return meter.figures


def bm25s(place):
    """Tokenise without a stemmer, index, ask with the NumPy backend."""
    import bm25s as package

    chunks, queries, meter = place.read("chunks"), place.read("queries"), Meter()
    with meter.measure("index"):
        retriever = package.BM25()
        retriever.index(package.tokenize(chunks, show_progress=False), show_progress=False)

    def ask(query):
        tokens = package.tokenize(query, show_progress=False)
        return retriever.retrieve(tokens, k=min(10, len(chunks)), show_progress=False)

    meter.latency("BM25", ask, queries)
    retriever.save(place.peer("bm25s", fresh=True))
    return meter.figures


def as_typed(queries):
    """Return the queries as they stand when three letters of the last word are typed."""
    cut = [query.rsplit(" ", 1) for query in queries]
    return [f"{words} {last[:3]}" for words, last in cut]
