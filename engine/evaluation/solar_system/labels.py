"""The labelled questions about the ten articles: 60 that one place answers, 4 that need two, 4 that none can."""

from __future__ import annotations

from pathlib import Path

from engine.evaluation.labelled import Labelled
from engine.evaluation.labels import FILE_NAME, check_labels, load_questions
from engine.evaluation.solar_system.articles import load_articles

QUESTIONS = Path(__file__).with_name(FILE_NAME)
"""The file of questions; `planet-tui evaluate FOLDER --questions` takes it as well."""

NAME = "ten articles on the Solar System"


def load_solar_system(folder: Path | None = None) -> Labelled:
    """Read the articles and their questions; `stale` names the spans that another revision has lost.

    Args:
        folder: where the articles are; `None`: with the labelled collections.

    Raises:
        FolderError: an article is missing.
    """
    documents = load_articles(folder)
    questions = load_questions(QUESTIONS)
    return Labelled(NAME, documents, questions, check_labels(questions, documents))
