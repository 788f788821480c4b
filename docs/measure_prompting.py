"""Measure strategies and routing on labelled questions: `python docs/measure_prompting.py`.

Prints the tables of docs/prompting.md. Needs the labelled collections (see `engine.evaluation.collections`) and the
notes of `vaults/wiki-notes.tar.xz`, unpacked into the folder that is named as the first word; without it they are
left out.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

# One core for the algebra; it counts only before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from engine.evaluation.collections import data_folder  # noqa: E402
from engine.evaluation.experiments.prompts import strategies  # noqa: E402
from engine.evaluation.experiments.routing import routing  # noqa: E402
from engine.evaluation.labelled import Labelled, load_labelled  # noqa: E402
from engine.evaluation.solar_system.labels import load_solar_system  # noqa: E402
from engine.reading.folder import load_markdown_folder  # noqa: E402
from engine.reading.markdown import parse_markdown  # noqa: E402
from engine.records import Document, Evidence, Question  # noqa: E402
from engine.text.sentences import sentence_spans  # noqa: E402

QUESTIONS = 500
"""Most questions of a collection, evenly spread."""


def main() -> None:
    """Print every table."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("The labelled collections are not here; PLANET_TUI_DATA names their folder.")
    sample = load_labelled(Path(__file__).parents[1] / "sample_docs")
    solar = load_solar_system()
    squad = squad_articles(folder / "squad-v1.1-dev")
    for labelled in (sample, solar, squad):
        show(strategies(labelled).tables())
    for labelled in (sample, solar, squad):
        show(routing(labelled).tables())
    if sys.argv[1:]:
        show(routing(wiki_notes(Path(sys.argv[1]), folder / "wiki-notes" / "questions.jsonl")).tables())


def show(tables: tuple[Any, ...]) -> None:
    """Print tables as Markdown."""
    for table in tables:
        print(table.to_markdown() + "\n", flush=True)  # noqa: T201


def squad_articles(folder: Path) -> Labelled:
    """Return the articles of SQuAD as notes, a section a paragraph; the evidence is the sentence with the answer."""
    documents: dict[str, Document] = {}
    paragraph_of: dict[str, tuple[str, str]] = {}
    for title, paragraphs in groupby(lines(folder / "corpus.jsonl"), key=lambda entry: entry["title"]):
        name, parts = f"{title}.md", [f"# {title}"]
        for number, paragraph in enumerate(paragraphs):
            parts += [f"## §{number}"] * (number > 0) + [paragraph["text"]]
            paragraph_of[paragraph["id"]] = paragraph["text"], name
        documents[name] = parse_markdown("\n\n".join(parts), name)
    questions = []
    for entry in spread(list(lines(folder / "qa.jsonl"))):
        text, name = paragraph_of[entry["doc"]]
        start = entry["answers"][0]["start"]
        held = next((text[a:b] for a, b in sentence_spans(text) if a <= start < b), "")
        if held and held in documents[name].text:
            questions.append(Question(entry["question"], (Evidence(((name, held),)),)))
    return Labelled("SQuAD 1.1, half of the development set", documents, tuple(questions))


def wiki_notes(folder: Path, file: Path) -> Labelled:
    """Return long articles as notes; the evidence is the answer, wherever in its note it stands."""
    documents = {document.id: document for document in load_markdown_folder(folder).documents}
    questions = [
        Question(entry["question"], (Evidence(tuple((entry["doc"], answer["text"]) for answer in entry["answers"])),))
        for entry in spread([entry for entry in lines(file) if entry["doc"] in documents])
    ]
    return Labelled("wiki-notes", documents, tuple(questions))


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def spread(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return at most `QUESTIONS` entries, evenly spread."""
    return entries[:: max(1, len(entries) // QUESTIONS)][:QUESTIONS]


if __name__ == "__main__":
    main()
