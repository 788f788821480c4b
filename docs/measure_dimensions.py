"""Measure what LSA and the fused lists find at several numbers of dimensions: `python docs/measure_dimensions.py`.

Prints the tables of docs/lsa-dimensions.md. Needs the labelled collections (see `engine.evaluation.collections`); with
the folder that holds the notes of `wiki-notes` (`python docs/measure_dimensions.py FOLDER`) also what a large
collection loses. One decomposition serves every row: its first r dimensions are the decomposition in r dimensions.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from time import process_time

# One core for the algebra, so that the times of one machine compare; it counts only before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from engine.evaluation.collection_report import collection_library, evaluate_collection  # noqa: E402
from engine.evaluation.collections import Collection, JudgedQuestion, data_folder, read_collection  # noqa: E402
from engine.evaluation.metrics import average_precision, ndcg, recall_at_k  # noqa: E402
from engine.indexing.bm25 import BM25  # noqa: E402
from engine.indexing.exact import exact_search  # noqa: E402
from engine.indexing.inverted_index import InvertedIndex  # noqa: E402
from engine.indexing.lsa import LSA  # noqa: E402
from engine.library import Library  # noqa: E402
from engine.pipeline import find  # noqa: E402
from engine.ranking.fusion import reciprocal_rank_fusion  # noqa: E402
from engine.records import Ranking  # noqa: E402
from engine.settings import Settings  # noqa: E402

DIMENSIONS = (32, 64, 96, 128, 160, 192, 256, 384)
FEW = (64, 96, 128, 192, 256)
SHOWN = {"scifact": "ndcg@10", "squad-v1.1-train60": "ndcg@10", "hotpotqa100": "ndcg@10"}
DEPTH = 100
QUESTIONS = 1000
MANY = 2000

Metric = Callable[[JudgedQuestion, Sequence[int]], float]
METRICS: dict[str, tuple[str, Metric]] = {
    "cranfield": ("MAP", lambda question, ids: average_precision(question.gains, ids)),
    "cisi": ("MAP", lambda question, ids: average_precision(question.gains, ids)),
    "scifact": ("nDCG@10", lambda question, ids: ndcg(question.gains, ids, 10)),
    "squad-v1.1-train60": ("recall@5", lambda question, ids: recall_at_k(question.gains, ids, 5)),
    "squad-v1.1-dev": ("recall@5", lambda question, ids: recall_at_k(question.gains, ids, 5)),
    "xquad/en": ("recall@5", lambda question, ids: recall_at_k(question.gains, ids, 5)),
}


def main() -> None:
    """Print one table row a collection, list and metric."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("The labelled collections are not here; PLANET_TUI_DATA names their folder.")
    rows = [("collection", "texts", "metric", "list", "BM25", *map(str, DIMENSIONS)), ("---",) * (5 + len(DIMENSIONS))]
    for name in METRICS:
        rows += measure(read_collection(folder / name), name)
    print("\n".join(f"| {' | '.join(row)} |" for row in rows))  # noqa: T201
    for name, figure in SHOWN.items():
        show(name, adaptive(read_collection(folder / name), figure))
    if len(sys.argv) > 1:
        show("wiki-notes", notes(Path(sys.argv[1]), folder / "wiki-notes" / "questions.jsonl"))


def show(name: str, found: dict[str, list[float]]) -> None:
    """Print a row a list, its figure at each of `FEW` numbers of dimensions."""
    for kind, figures in found.items():
        print(f"| {name} | {kind} | {' | '.join(f'{figure:.3f}' for figure in figures)} |", flush=True)  # noqa: T201


def adaptive(collection: Collection, figure: str) -> dict[str, list[float]]:
    """Return a figure of LSA and of the list that the app fuses, at each of `FEW` numbers of dimensions."""
    questions = collection.questions[:: 5 if len(collection.questions) > MANY else 1]
    collection = dataclasses.replace(collection, questions=questions)
    library = collection_library(collection, Settings(dimensions=max(FEW), stemming="none"))
    found: dict[str, list[float]] = {"lsa": [], "fused": []}
    for r in FEW:
        assert library.lsa is not None
        shorter = dataclasses.replace(library, lsa=library.lsa.truncated(r))
        report = evaluate_collection(collection, shorter).retrieval.retrievers
        for kind in found:
            found[kind].append(report[kind][figure])
    return found


def notes(folder: Path, labels: Path) -> dict[str, list[float]]:
    """Return how often a passage of the right note is the first, at each of `FEW` numbers of dimensions."""
    library = Library.open(folder, Settings(dimensions=max(FEW), stemming="none"))
    questions = [json.loads(line) for line in labels.open(encoding="utf-8")][::5]
    found: dict[str, list[float]] = {"lsa": [], "fused": []}
    for r in FEW:
        assert library.lsa is not None
        shorter = dataclasses.replace(library, lsa=library.lsa.truncated(r))
        rankings = [find(shorter, question["question"]).rankings for question in questions]
        for kind, figures in found.items():
            first = [library.chunks[each[kind].ids[0]].document if each[kind].ids else "" for each in rankings]
            figures.append(fmean(a == b["doc"] for a, b in zip(first, questions, strict=True)))
    return found


def measure(collection: Collection, name: str) -> list[tuple[str, ...]]:
    """Return the collection's rows: LSA, fused, and the seconds of one core that fitting took."""
    metric_name, metric = METRICS[name]
    questions = collection.questions[:: max(1, len(collection.questions) // QUESTIONS)]
    index = InvertedIndex(collection.texts)
    bm25 = BM25(index)
    sparse = [bm25.search(question.text, DEPTH) for question in questions]
    lsa = LSA(index, max(DIMENSIONS))
    queries = [lsa.embed(question.text) for question in questions]

    def mean(rankings: Sequence[Ranking]) -> str:
        return f"{fmean(metric(q, ranking.ids) for q, ranking in zip(questions, rankings, strict=True)):.3f}"

    dense_cells, fused_cells, seconds = [], [], []
    for r in DIMENSIONS:
        rows = lsa.embeddings[:, :r]
        norms = (rows**2).sum(axis=1, keepdims=True) ** 0.5
        norms[norms == 0] = 1
        dense = [exact_search(rows / norms, query[:r], DEPTH) for query in queries]
        fused = [reciprocal_rank_fusion(pair) for pair in zip(sparse, dense, strict=True)]
        dense_cells.append(mean(dense))
        fused_cells.append(mean(fused))
        start = process_time()
        LSA(index, r)
        seconds.append(f"{process_time() - start:.2f}")
    head = (name, str(index.n_chunks), metric_name)
    return [
        (*head, "LSA", mean(sparse), *dense_cells),
        (*head, "fused", "", *fused_cells),
        (name, str(index.n_chunks), "fit, s", "", "", *seconds),
    ]


if __name__ == "__main__":
    main()
