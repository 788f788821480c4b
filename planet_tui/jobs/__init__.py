"""The only part of the app that runs the engine: plain functions from inputs to records.

A screen starts them in thread workers. The engine, and NumPy with it, is imported inside, after the first frame.
"""

from __future__ import annotations

import logging

from planet_tui.jobs.asking import (
    ask_hosted,
    ask_question,
    check_model,
    explain_chunk,
    hosted_problem,
    mark_terms,
    note_links,
    read_document,
)
from planet_tui.jobs.marking import Marked, Marking, evidence_choices, mark_evidence, mark_unanswerable, take_mark_back
from planet_tui.jobs.measuring import Evaluation, evaluate_notes, labelled_questions, save_evaluation
from planet_tui.jobs.reading import build_library, drop_damaged, follow_folder, open_library, workers

__all__ = [
    "Evaluation",
    "Marked",
    "Marking",
    "ask_hosted",
    "ask_question",
    "build_library",
    "check_model",
    "drop_damaged",
    "evaluate_notes",
    "evidence_choices",
    "explain_chunk",
    "follow_folder",
    "hosted_problem",
    "labelled_questions",
    "log_fault",
    "mark_evidence",
    "mark_terms",
    "mark_unanswerable",
    "note_links",
    "open_library",
    "read_document",
    "save_evaluation",
    "take_mark_back",
    "workers",
]


def log_fault(error: Exception) -> None:
    """Write an error of ours, with its traceback, to the log file."""
    logging.getLogger("planet_tui").error("fault", exc_info=error)
