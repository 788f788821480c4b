"""Measure questions to a large folder, by lists and as they are typed: `python docs/measure_lists.py FOLDER`.

Takes 200 of its headings as questions. The index is kept where the app keeps its own; the best of three runs counts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np  # noqa: E402

from engine.indexing.ivf import ann_recall, automatic_probes  # noqa: E402
from engine.library import Library  # noqa: E402
from engine.pipeline import ask  # noqa: E402
from engine.storage.strings import text_of  # noqa: E402
from planet_tui import paths  # noqa: E402

QUESTIONS = 200
LETTERS = 3
"""Of the last word that have been typed."""


def main(folder: str) -> None:
    """Print one line a measurement."""
    library = Library.open(folder, cache=paths.cache_folder())
    library.warm()
    lsa = library.lsa
    if lsa is None or lsa.lists is None:
        raise SystemExit("The folder is so small that every vector is compared.")
    paths_of = {text_of(path).split(" > ")[-1] for path in library.snapshot.columns.sections}
    headings = sorted(name for name in paths_of if 2 <= len(name.split()) <= 8 and library.index.analyzer(name))
    questions = Random(1).sample(headings, QUESTIONS)
    vectors = [vector for question in questions if (vector := lsa.embed(question)).any()]
    exact = [lsa.lists.search(vector, 100, lsa.lists.n_lists) for vector in vectors]
    probes = automatic_probes(lsa.lists.n_lists)
    found = [lsa.lists.search(vector, 100, probes) for vector in vectors]
    scanned = np.mean([lsa.lists.scanned(vector, probes) for vector in vectors]) / lsa.n_vectors
    print(f"{len(library.chunks):,} chunks, {lsa.n_dims} dimensions, {lsa.lists.n_lists} lists")  # noqa: T201
    ten, hundred = ann_recall(found, exact, 10), ann_recall(found, exact, 100)
    print(f"{scanned:.1%} scanned; found {ten:.3f} of the first 10, {hundred:.3f} of the first 100")  # noqa: T201
    begun = [question[: len(question) - max(0, len(question.split()[-1]) - LETTERS)] for question in questions]
    show("every vector", [lambda v=v: lsa.lists.search(v, 100, lsa.lists.n_lists) for v in vectors])
    show("lists", [lambda v=v: lsa.lists.search(v, 100, probes) for v in vectors])
    show("BM25, first 10", [lambda q=q: library.bm25.search(q, 10) for q in questions])
    show("BM25, first 100", [lambda q=q: library.bm25.search(q, 100) for q in questions])
    show("whole trace", [lambda q=q: ask(library, q) for q in questions])
    show("whole trace, typing", [lambda q=q: ask(library, q, typing=True) for q in begun])


def show(name: str, runs: list[Callable[[], object]]) -> None:
    """Time each run, the best of three, and print the middle one and the 95th of a hundred."""
    best = []
    for run in runs:
        seconds = []
        for _ in range(3):
            start = perf_counter()
            run()
            seconds.append(perf_counter() - start)
        best.append(min(seconds))
    middle, late = np.percentile(best, [50, 95]) * 1000
    print(f"{name}: {middle:.2f} ms, p95 {late:.2f} ms")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
