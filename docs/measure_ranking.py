"""Print the tables of docs/evaluation.md, run from the root: `python docs/measure_ranking.py [wiki-notes]`.

Needs the labelled collections (PLANET_TUI_DATA); with the folder that holds the notes of `wiki-notes` also the second
table. Collections of many questions are asked every fifth.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from statistics import fmean

from engine.evaluation.collection_report import collection_library, evaluate_collection
from engine.evaluation.collections import data_folder, read_collection
from engine.evaluation.report import NAMES
from engine.library import Library
from engine.pipeline import find
from engine.settings import Settings

FIGURES = {
    "scifact": ("ndcg@10",),
    "squad-v1.1-train60": ("recall@1", "recall@5"),
    "squad-v1.1-dev": ("recall@1", "recall@5"),
    "cranfield": ("map",),
    "cisi": ("map",),
    "hotpotqa100": ("ndcg@10",),
    "xquad/en": ("ndcg@10",),
    "xquad/de": ("ndcg@10",),
    "xquad/es": ("ndcg@10",),
    "xquad/zh": ("ndcg@10",),
}
MANY, STEP = 2_000, 5


def say(line: str) -> None:
    """Print at once: the whole takes minutes."""
    print(line, flush=True)  # noqa: T201


def collections(data: Path) -> None:
    """Print every retriever's figure with and without stems; of the fused list with its interval."""
    say(f"| collection | figure | stems | {' | '.join(NAMES.values())} | interval of fused | lean |")
    say("|---|---|---|" + "---|" * (len(NAMES) + 2))
    for name, figures in FIGURES.items():
        collection = read_collection(data / name)
        if len(collection.questions) > MANY:
            collection = dataclasses.replace(collection, questions=collection.questions[::STEP])
        for stemming in ("none", "auto"):
            library = collection_library(collection, Settings(stemming=stemming))
            report = evaluate_collection(collection, library)
            lean = None if library.lsa is None else library.lsa.lean
            for figure in figures:
                cells = [f"{report.retrieval.retrievers[each][figure]:.3f}" for each in NAMES]
                sure = report.intervals["fused"][figure]
                told = "–" if lean is None else f"{lean:.2f}"
                row = (name, figure, "no" if stemming == "none" else "yes", *cells)
                say(f"| {' | '.join(row)} | {sure.low:.3f} to {sure.high:.3f} | {told} |")


def notes(folder: Path, labels: Path) -> None:
    """Print how often a passage of the right note is the first, among the first five, and there with the answer."""
    library = Library.open(folder, Settings(stemming="auto"))
    questions = [json.loads(line) for line in labels.open(encoding="utf-8")][::24]
    settings = {"fused": library.settings, "RRF": library.settings.replace(fusion="rrf")}
    say(
        f"| {len(questions)} questions on {len(library.chunks):,} passages | right note at 1 | at 5 | with the answer |"
    )
    say("|---|---|---|---|")
    for name, key in (("BM25", "bm25"), ("LSA", "lsa"), ("RRF", "fused"), ("fused", "fused")):
        chosen = library.with_settings(settings.get(name, library.settings))
        found = [find(chosen, question["question"]).rankings[key].ids[:5] for question in questions]
        five = [([library.chunks[chunk] for chunk in ids], each) for ids, each in zip(found, questions, strict=True)]
        right = [[chunk for chunk in chunks if chunk.document == each["doc"]] for chunks, each in five]
        first = fmean(chunks[:1] == own[:1] != [] for (chunks, _), own in zip(five, right, strict=True))
        answered = fmean(
            any(answer["text"] in chunk.text for chunk in own for answer in each["answers"])
            for own, (_, each) in zip(right, five, strict=True)
        )
        say(f"| {name} | {first:.3f} | {fmean(map(bool, right)):.3f} | {answered:.3f} |")


if __name__ == "__main__":
    where = data_folder()
    if where is None:
        sys.exit("PLANET_TUI_DATA names no folder with the collections")
    collections(where)
    if len(sys.argv) > 1:
        notes(Path(sys.argv[1]), where / "wiki-notes" / "questions.jsonl")
