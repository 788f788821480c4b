"""Labelled collections on disk -> texts, questions and which texts are relevant to each.

Reads `corpus.jsonl` {id, title, text}, and either `queries.jsonl` {id, text} with `qrels.tsv` (question id, text
id, grade, tab-separated) or `qa.jsonl` {question, doc}. The collections are not part of the project: they lie in
the folder that PLANET_TUI_DATA names, or in `shared/data` beside the checkout.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question and the texts that answer it."""

    text: str
    """The question."""
    gains: Mapping[int, float]
    """The gain of each relevant text, by its place in the collection; never empty."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Texts and judged questions."""

    name: str
    """The folder's name."""
    texts: tuple[str, ...]
    """Title, line break, text; a text's id is its place here."""
    questions: tuple[JudgedQuestion, ...]
    """Those with at least one relevant text."""


def data_folder() -> Path | None:
    """Return where the collections lie; `None` when they are not on this machine."""
    beside = Path(__file__).parents[2].parent / "shared" / "data"
    folder = Path(os.environ.get("PLANET_TUI_DATA", beside))
    return folder if folder.is_dir() else None


def read_collection(folder: Path) -> Collection:
    """Read a collection.

    Raises:
        OSError: a file is missing.
        KeyError: a judgement names a text or a question that is not there.
    """
    corpus = list(_lines(folder / "corpus.jsonl"))
    place_of = {entry["id"]: place for place, entry in enumerate(corpus)}
    texts = tuple(f"{entry['title']}\n{entry['text']}" for entry in corpus)
    judged = _questions if (folder / "qa.jsonl").exists() else _queries
    return Collection(folder.name, texts, tuple(judged(folder, place_of)))


def _questions(folder: Path, place_of: Mapping[str, int]) -> Iterator[JudgedQuestion]:
    for entry in _lines(folder / "qa.jsonl"):
        yield JudgedQuestion(entry["question"], {place_of[entry["doc"]]: 1.0})


def _queries(folder: Path, place_of: Mapping[str, int]) -> Iterator[JudgedQuestion]:
    gains: dict[str, dict[int, float]] = {entry["id"]: {} for entry in _lines(folder / "queries.jsonl")}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        question, text, grade = line.split("\t")
        gains[question][place_of[text]] = float(grade)
    for entry in _lines(folder / "queries.jsonl"):
        if gains[entry["id"]]:
            yield JudgedQuestion(entry["text"], gains[entry["id"]])


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
