"""Measure retrievers and answers on labelled questions: recall, MRR, nDCG, MAP; right, wrong and refused.

The questions are those of FOLDER's questions.toml, or of the file named. Labels that no longer stand in the notes
are listed on standard error.

Examples:
  planet-tui evaluate --sample
  planet-tui evaluate ~/notes --questions ~/labels.toml --verbose
  planet-tui evaluate ~/notes --max-words 100 --json
  planet-tui evaluate ~/notes --report report.md --traces traces.jsonl
"""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path

from engine.errors import LabelsError
from planet_tui import paths
from planet_tui.cli.arguments import UsageError, add_options, add_words, take_folder, take_settings
from planet_tui.cli.output import DONE, ProgressLine, say, say_json, warn, warn_of
from planet_tui.plain import plain

WORDS = "FOLDER"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_words(parser, WORDS, "a folder of Markdown")
    parser.add_argument("--questions", metavar="FILE", help="labelled questions (default: questions.toml in FOLDER)")
    add_options(parser, "max_words", "dimensions", "sources", "threshold")
    parser.add_argument(
        "--verbose", action="store_true", help="also print every interval, and each question that went wrong and why"
    )
    parser.add_argument("--report", metavar="FILE", help="also write the report: .md, .csv or .json")
    parser.add_argument("--traces", metavar="FILE", help="also write every stage of every question as JSON lines")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; return the exit status."""
    folder, more = take_folder(arguments)
    if more:
        raise UsageError(f"More than one folder: {more}", "`planet-tui evaluate --help` shows how it is used")
    settings = take_settings(arguments)

    from engine.evaluation.labels import load_questions
    from engine.evaluation.report import evaluate
    from engine.evaluation.report_tables import check_report_ending, save_report, to_text
    from engine.evaluation.traces import trace_file
    from engine.library import Library

    if arguments.report:
        check_report_ending(arguments.report)
    questions = load_questions(_questions_file(folder, arguments.questions))
    with ProgressLine() as report:
        library = Library.open(folder, settings, report=report)
    with trace_file(arguments.traces) if arguments.traces else nullcontext() as on_row:
        result = evaluate(library, questions, on_row=on_row)
    warn_of(library.notices)
    for notice in result.notices:
        warn(f"{notice.path}: {notice.problem}")
    if arguments.report:
        save_report(result, arguments.report)
    if arguments.json:
        say_json(result.to_dict())
    else:
        say(plain(to_text(result, arguments.verbose)))
    return DONE


def _questions_file(folder: Path, named: str | None) -> Path:
    from engine.evaluation.labels import FILE_NAME, find_questions

    path = paths.expanded(named) if named else find_questions(folder)
    if path is None:
        raise LabelsError(
            f"{folder} holds no {FILE_NAME}", "Write labelled questions into it, or name a file: --questions"
        )
    return path
