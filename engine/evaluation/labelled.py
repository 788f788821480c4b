"""Documents with labelled questions about them: what an experiment is made over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.contents import Stage
from engine.errors import LabelsError
from engine.evaluation.labels import FILE_NAME, check_labels, find_questions, load_questions, relevant_chunks
from engine.evaluation.retrieval import Judged
from engine.library import Library
from engine.reading.folder import load_markdown_folder
from engine.records import Document, Notice, Question, Report
from engine.settings import Settings


@dataclass(frozen=True)
class Labelled:
    """Documents and the questions that judge whatever is built over them."""

    name: str
    """The folder's name, or what the collection is called."""
    documents: Mapping[str, Document]
    """By id, in the order of their ids."""
    questions: tuple[Question, ...]
    """In the order of their file."""
    stale: tuple[Notice, ...] = ()
    """Labelled spans that the documents do not hold: figures are too low by them."""

    @property
    def n_pieces(self) -> int:
        """Pieces of evidence."""
        return sum(len(question.evidence) for question in self.questions)

    @property
    def answerable(self) -> tuple[Question, ...]:
        """The questions that have evidence."""
        return tuple(question for question in self.questions if question.evidence)

    def library(self, settings: Settings, stage: Stage = "lsa", report: Report | None = None) -> Library:
        """Return the documents cut and indexed as the settings say, as far as `stage`."""
        stages = Library.from_documents(self.documents, settings, Path(self.name), report=report)
        return next(library for library in stages if library.stage == stage)

    def judged(self, library: Library) -> tuple[Judged, ...]:
        """Return each answerable question with the chunks of a library that are relevant to it."""
        return tuple(
            Judged(question.text, tuple(relevant_chunks(question, library.chunks, self.documents)), question.gains)
            for question in self.answerable
        )


def load_labelled(folder: Path, file: Path | None = None, *, max_file_mb: float = 10.0) -> Labelled:
    """Read a folder of notes and its labelled questions.

    Args:
        folder: the notes.
        file: the questions; `None`: `questions.toml` in the folder.
        max_file_mb: larger notes are skipped.

    Raises:
        FolderError: the folder cannot be read.
        LabelsError: there is no file of questions, it cannot be used, or none of its questions has evidence.
    """
    path = file or find_questions(folder)
    if path is None:
        raise LabelsError(f"{folder} holds no {FILE_NAME}", "Write labelled questions into it, or name a file.")
    questions = load_questions(path)
    if not any(question.evidence for question in questions):
        raise LabelsError(f"{path} holds no question that the notes answer.", "Give questions [[question.evidence]].")
    found = load_markdown_folder(folder, max_file_mb=max_file_mb)
    documents = {document.id: document for document in found.documents}
    return Labelled(folder.resolve().name, documents, questions, check_labels(questions, documents))
