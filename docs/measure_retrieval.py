"""Measure approximate search and title matches: `python docs/measure_retrieval.py [FOLDER]`.

Prints the tables of docs/retrieval.md: what the lists find on synthetic vectors, what a search costs, and where the
note of a title stands that is asked for, with and without the lift. The last needs a folder of notes, and SQuAD
(see `engine.evaluation.collections`) for questions that are no titles.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from time import perf_counter

# One core for the algebra, as in the app; it counts only before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np  # noqa: E402

from engine.evaluation.collections import data_folder  # noqa: E402
from engine.evaluation.experiments.vectors import clustered_vectors, vectors  # noqa: E402
from engine.indexing.exact import exact_search  # noqa: E402
from engine.indexing.ivf import IVF  # noqa: E402
from engine.library import Library  # noqa: E402
from engine.ranking.search import search_all  # noqa: E402
from engine.reading.plain_text import build_document  # noqa: E402
from engine.records import Ranking  # noqa: E402
from engine.settings import Settings  # noqa: E402

Relevant = Callable[[int], bool]


def main(folder: str = "") -> None:
    """Print every table."""
    for table in vectors().tables():
        say(f"{table.to_markdown()}\n")
    times()
    if folder:
        titles(folder)
    if data_folder() is not None:
        squad()


def say(text: str) -> None:
    """Print a text at once: the next table takes a while."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def times(n_vectors: int = 170_000, n_dims: int = 128) -> None:
    """Print what building and searching cost."""
    drawn = clustered_vectors(n_vectors + 200, n_dims, np.random.default_rng(0))
    queries, rows = drawn[:200], drawn[200:]
    start = perf_counter()
    ivf = IVF(rows)
    say(f"{n_vectors:,} × {n_dims}, {ivf.n_lists} lists: built in {perf_counter() - start:.2f} s")
    say(f"  every vector: {_milliseconds(lambda query: exact_search(rows, query, 10), queries):.2f} ms a query")
    for probes in (1, 8, 32):
        took = _milliseconds(lambda query, p=probes: ivf.search(query, 10, p), queries)
        say(f"  {probes} probes: {took:.2f} ms a query")


def titles(folder: str) -> None:
    """Print where the note stands whose title is asked for, alone and inside a question."""
    library = Library.open(folder)
    notes = sorted({chunk.document for chunk in library.chunks})
    chosen = random.Random(1).sample(notes, min(300, len(notes)))
    for form in ("{}", "how to use {} in a program"):
        asked = [(form.format(library.documents[note].title), _named(library, note)) for note in chosen]
        _compare(library, f"{len(notes):,} notes, asked “{form}”", asked)


def squad() -> None:
    """Print where the paragraph that answers stands, each paragraph a note under its article's title."""
    data = data_folder()
    assert data is not None
    lines = [json.loads(line) for line in (data / "squad-v1.1-dev" / "corpus.jsonl").open(encoding="utf-8")]
    documents = {line["id"]: build_document(line["id"], line["text"], title=line["title"]) for line in lines}
    *_, library = Library.from_documents(dict(sorted(documents.items())), Settings(max_words=200), Path("squad"))
    questions = [json.loads(line) for line in (data / "squad-v1.1-dev" / "qa.jsonl").open(encoding="utf-8")][::3]
    asked = [(question["question"], _of(library, question["doc"])) for question in questions]
    _compare(library, f"SQuAD 1.1 dev, {len(asked):,} questions", asked)


def _compare(library: Library, name: str, asked: list[tuple[str, Relevant]]) -> None:
    say(f"| {name} | @1 | @3 | @10 | MRR |\n|---|---|---|---|---|")
    for rule, lift in (("plain RRF", None), ("with the lift", library.titles)):
        ranks = []
        for text, relevant in asked:
            terms = library.index.analyzer(text)
            parts = library.bm25, library.lsa, library.settings.replace(fusion="rrf"), library.duplicates
            ranks.append(_first(search_all(terms, *parts, titles=lift)["fused"], relevant))
        shares = [fmean(rank <= k for rank in ranks) for k in (1, 3, 10)]
        say(f"| {rule} | {' | '.join(f'{share:.3f}' for share in shares)} | {fmean(1 / rank for rank in ranks):.3f} |")


def _first(ranking: Ranking, relevant: Relevant) -> float:
    return next((float(hit.rank) for hit in ranking.hits if relevant(hit.chunk)), float("inf"))


def _of(library: Library, note: str) -> Relevant:
    return lambda chunk: library.chunks[chunk].document == note


def _named(library: Library, note: str) -> Relevant:
    """Any note of the same title will do."""
    return lambda chunk: library.chunks[chunk].title == library.documents[note].title


def _milliseconds(search: Callable[[np.ndarray], object], queries: np.ndarray) -> float:
    start = perf_counter()
    for query in queries:
        search(query)
    return (perf_counter() - start) / len(queries) * 1000


if __name__ == "__main__":
    main(*sys.argv[1:2])
