"""The labelled questions about the ten articles: 60 that one place answers, 4 that need two, 4 that none can."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.evaluation.labels import FILE_NAME, check_labels, load_questions
from engine.evaluation.solar_system.articles import load_articles
from engine.records import Document, Notice, Question

QUESTIONS = Path(__file__).with_name(FILE_NAME)
"""The file of questions; `planet-tui evaluate FOLDER --questions` takes it as well."""


@dataclass(frozen=True)
class LabelledArticles:
    """Documents with the questions that judge whatever is built over them."""

    documents: dict[str, Document]
    """By id, in the order of their ids."""
    questions: tuple[Question, ...]
    """In the order of the file."""
    stale: tuple[Notice, ...]
    """Labelled spans that the articles at hand do not hold: another revision. Figures are too low by them."""

    @property
    def n_pieces(self) -> int:
        """Pieces of evidence."""
        return sum(len(question.evidence) for question in self.questions)


def load_solar_system(folder: Path | None = None) -> LabelledArticles:
    """Read the articles and their questions.

    Args:
        folder: where the articles are; `None`: with the labelled collections.

    Raises:
        FolderError: an article is missing.
    """
    documents = load_articles(folder)
    questions = load_questions(QUESTIONS)
    return LabelledArticles(documents, questions, check_labels(questions, documents))
