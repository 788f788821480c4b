"""A library and its labelled questions -> what the Evaluate screen shows, and reports of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.roots import Folders, Roots
from engine.settings import Settings
from planet_tui import paths

if TYPE_CHECKING:
    from engine.evaluation.figures import Panel
    from engine.evaluation.report import EvaluationReport
    from engine.library import Library
    from engine.records import Question, Report, ShouldStop


@dataclass(frozen=True)
class Evaluation:
    """A measured library, as the Evaluate screen shows it."""

    library: Library
    """What was measured."""
    settings: Settings
    """With these settings."""
    questions: tuple[Question, ...]
    """On these labels."""
    report: EvaluationReport
    """The record that the command line prints."""
    recall: Panel
    """Recall by depth, a curve a retriever."""
    outcome: tuple[str, ...]
    """How the answers came out and where the others were lost, in sentences."""


def labelled_questions(folders: Folders) -> tuple[Question, ...]:
    """Return the questions of each folder's own file of labels, and those labelled in the app; empty: there are none.

    Raises:
        LabelsError: a file of labels cannot be read or is not as agreed.
    """
    from engine.evaluation.labels import find_questions, load_questions, within

    roots = Roots.of(folders)
    return tuple(
        within(prefix, question)
        for folder, prefix in zip(roots.folders, roots.prefixes, strict=True)
        for path in (find_questions(folder), paths.labels_file(folder))
        if path is not None and path.is_file()
        for question in load_questions(path)
    )


def evaluate_notes(
    library: Library, settings: Settings, before: Evaluation | None, report: Report, should_stop: ShouldStop
) -> Evaluation | None:
    """Measure every retriever and the quoted answers on a folder's labelled questions.

    Args:
        library: at stage `bm25` or later.
        settings: those in force.
        before: what was measured last; it is returned where nothing has changed since.
        report: told the progress.
        should_stop: asked before each question.

    Returns:
        `None`: the folder has no labelled questions.

    Raises:
        LabelsError: the labels cannot be read.
        Cancelled: `should_stop` returned true.
    """
    from engine.evaluation.report import evaluate
    from engine.evaluation.report_figures import recall_panel
    from engine.evaluation.report_tables import answer_lines

    questions = labelled_questions(library.roots)
    if not questions:
        return None
    same = before is not None and before.library is library
    if before is not None and same and (before.settings, before.questions) == (settings, questions):
        return before
    measured = evaluate(library.with_settings(settings), questions, report=report, should_stop=should_stop)
    outcome = tuple(line for line in answer_lines(measured) if line)
    return Evaluation(library, settings, questions, measured, recall_panel(measured.retrieval), outcome)


def save_evaluation(evaluation: Evaluation, path: Path) -> Path:
    """Write a report (.md, .csv, .json) or its picture (.svg, .png, .pdf), by the ending; return where it is.

    Raises:
        OutputError: the ending is another one, or the file cannot be written.
        MissingExtraError: a picture needs matplotlib.
    """
    from engine.evaluation.figures import ENDINGS as PICTURES
    from engine.evaluation.report_figures import report_figure
    from engine.evaluation.report_tables import save_report

    path = path.expanduser()
    if path.suffix.lower() in PICTURES:
        return report_figure(evaluation.report, paths.names(evaluation.library.roots.folders)).save(path)
    return save_report(evaluation.report, path)
