"""The sample notes with their questions, and three notes of one sentence each."""

from pathlib import Path

import pytest

from engine.evaluation.labelled import Labelled, load_labelled
from engine.reading.markdown import parse_markdown
from engine.records import Evidence, Question

SAMPLE = Path(__file__).parents[4] / "sample_docs"


@pytest.fixture(scope="session")
def sample() -> Labelled:
    return load_labelled(SAMPLE)


@pytest.fixture
def tiny() -> Labelled:
    notes = {
        "io.md": "# Io\n\nIo is a moon.\n\n## Fire\n\nVolcanoes cover it. Some of them are active now.",
        "titan.md": "# Titan\n\nTitan is a moon of Saturn with an atmosphere.\n\n## Sea\n\nIts lakes hold methane.",
        "venus.md": "# Venus\n\nVenus is a planet without any moon.",
    }
    questions = (
        Question("What covers Io?", (Evidence((("io.md", "Volcanoes cover it"),)),), references=("Volcanoes",)),
        Question("Which moon has an atmosphere?", (Evidence((("titan.md", "with an atmosphere"),)),)),
        Question("Who walked on Titan?", unanswerable=True),
    )
    documents = {name: parse_markdown(text, name) for name, text in notes.items()}
    return Labelled("three notes", documents, questions)
