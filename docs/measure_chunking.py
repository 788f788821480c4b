"""Measure chunkers: `python docs/measure_chunking.py` prints the tables of docs/chunking.md.

Needs the labelled collections for all but the sample notes (see `engine.evaluation.collections`).
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

# One core for the algebra, so that the times of one machine compare; it counts only before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from engine.chunking.corpus import chunk_corpus, chunker_for  # noqa: E402
from engine.chunking.words import count_words  # noqa: E402
from engine.evaluation.collections import data_folder  # noqa: E402
from engine.evaluation.cuts import Piece, cut_counts, pieces_of  # noqa: E402
from engine.evaluation.labels import load_questions  # noqa: E402
from engine.evaluation.tables import Column, Table, table  # noqa: E402
from engine.indexing.bm25 import BM25  # noqa: E402
from engine.indexing.inverted_index import InvertedIndex  # noqa: E402
from engine.reading.folder import load_markdown_folder  # noqa: E402
from engine.records import Document, Span  # noqa: E402
from engine.settings import Settings  # noqa: E402

WINDOWS = [(words, overlap) for words in (20, 50, 100, 200) for overlap in (0, words // 10, words // 4)]
SIZES = (30, 60, 100)
QUESTIONS = 2_000


def main() -> None:
    """Print every table as Markdown."""
    sample = {document.id: document for document in load_markdown_folder(ROOT / "sample_docs").documents}
    questions = load_questions(ROOT / "sample_docs" / "questions.toml")
    show(cuts("Cuts of the evidence of the sample notes", sample, list(pieces_of(questions, sample))))
    folder = data_folder()
    if folder is None:
        raise SystemExit("The labelled collections are not here; PLANET_TUI_DATA names their folder.")
    articles, asked = squad_articles(folder / "squad-v1.1-dev")
    show(cuts("Cuts of the answers of SQuAD 1.1", articles, [[place] for _, place in asked]))
    show(chunkers("SQuAD 1.1, articles of several paragraphs", articles, asked[:: max(1, len(asked) // QUESTIONS)]))
    show(joints("Paragraphs of different articles told apart", articles))


def show(measured: Table) -> None:
    """Print a table."""
    print(measured.to_markdown(level=3) + "\n")  # noqa: T201


def cuts(title: str, documents: Mapping[str, Document], pieces: Sequence[Piece]) -> Table:
    """Return what windows of several sizes and overlaps cut, counted and by the formula."""
    columns = ["window", "overlap", "pieces", "cut", Column("formula", form=".1f")]
    rows = [
        [count.words, count.overlap, count.n_pieces, count.counted, count.expected]
        for count in cut_counts(documents, pieces, WINDOWS)
    ]
    return table(title, columns, rows)


def chunkers(title: str, documents: Mapping[str, Document], asked: Sequence[tuple[str, tuple[str, Span]]]) -> Table:
    """Return how often BM25 finds the answer's place whole, for several chunkers and limits."""
    # These articles have no sections.
    names = ("sentences", "semantic", "windows")
    columns = [
        "chunker",
        "words",
        Column("chunks", form=","),
        Column("mean words", form=".0f"),
        "whole",
        "recall@1",
        "recall@5",
        Column("words of five", form=".0f"),
        Column("seconds", form=".1f"),
    ]
    rows = []
    for name in names:
        for words in SIZES if name != "sections" else SIZES[-1:]:
            started = process_time()
            chunks = chunk_corpus(documents.values(), chunker_for(Settings(chunker=name, max_words=words)))
            seconds = process_time() - started
            bm25 = BM25(InvertedIndex(chunks))
            whole = at_one = at_five = read = 0
            spans: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)
            for chunk in chunks:
                spans[chunk.document].append((chunk.start, chunk.end, chunk.id))
            for question, (document, span) in asked:
                right = {at for start, end, at in spans[document] if start <= span.start and span.end <= end}
                ranked = bm25.search(question, 5).ids
                whole += bool(right)
                at_one += bool(right.intersection(ranked[:1]))
                at_five += bool(right.intersection(ranked))
                read += sum(count_words(chunks[at].text) for at in ranked)
            mean = sum(count_words(chunk.text) for chunk in chunks) / len(chunks)
            shares = (share / len(asked) for share in (whole, at_one, at_five))
            rows.append([name, words, len(chunks), mean, *shares, read / len(asked), seconds])
    return table(f"{title}: {len(asked):,} questions, BM25", columns, rows)


def joints(title: str, articles: Mapping[str, Document]) -> Table:
    """Return how well borders of chunks meet the joints between paragraphs of different articles.

    Paragraphs are dealt in turn from every article and joined by spaces, 20 to a document.
    """
    dealt = [
        text for turn in zip(*(d.text.split("\n\n")[:5] for d in articles.values()), strict=False) for text in turn
    ]
    rows: list[list[str | int | float]] = []
    for name in ("sentences", "semantic"):
        for words in SIZES:
            chunker = chunker_for(Settings(chunker=name, max_words=words))
            met = borders = wanted = 0
            for at in range(0, len(dealt), 20):
                paragraphs = [" ".join(text.split()) for text in dealt[at : at + 20] if text.strip()]
                text = " ".join(paragraphs)
                ends = {len(" ".join(paragraphs[:n])) for n in range(1, len(paragraphs))}
                cut = {span.end for span in chunker(Document("a", "a", text))} - {len(text)}
                met, borders, wanted = met + len(ends & cut), borders + len(cut), wanted + len(ends)
            rows.append([name, words, wanted, borders, met, met / borders, met / wanted])
    return table(title, ["chunker", "words", "joints", "borders", "met", "precision", "recall"], rows)


def squad_articles(folder: Path) -> tuple[dict[str, Document], list[tuple[str, tuple[str, Span]]]]:
    """Return the articles, a blank line between their paragraphs, and (question, place of its first answer) pairs."""
    paragraphs: dict[str, str] = {}
    titles: dict[str, str] = {}
    for entry in lines(folder / "corpus.jsonl"):
        paragraphs[entry["id"]], titles[entry["id"]] = entry["text"], entry["title"]
    texts: defaultdict[str, str] = defaultdict(str)
    starts = {}
    for name, text in paragraphs.items():
        starts[name] = len(texts[titles[name]])
        texts[titles[name]] += text + "\n\n"
    asked = []
    for entry in lines(folder / "qa.jsonl"):
        start = starts[entry["doc"]] + entry["answers"][0]["start"]
        asked.append((entry["question"], (titles[entry["doc"]], Span(start, start + len(entry["answers"][0]["text"])))))
    return {title: Document(title, title, text) for title, text in texts.items()}, asked


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the entries of a JSON lines file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    main()
