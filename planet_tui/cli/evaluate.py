"""Measure retrievers and answers on labelled questions: recall, MRR, nDCG, MAP; right, wrong and refused.

The questions are those of FOLDER's questions.toml, or of the file named. Labels that no longer stand in the notes
are listed on standard error. With --collection a test collection (BEIR, TREC, SQuAD) takes the place of FOLDER, and
retrievers alone are measured.

Examples:
  planet-tui evaluate --sample
  planet-tui evaluate ~/notes --questions ~/labels.toml --verbose
  planet-tui evaluate ~/notes --max-words 100 --json
  planet-tui evaluate ~/notes --compare k1=1.2,b=0.4
  planet-tui evaluate ~/notes --report report.md --traces traces.jsonl
  planet-tui evaluate --collection ~/data/scifact --runs runs
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import LabelsError
from engine.records import Question
from engine.settings import Settings
from planet_tui import paths
from planet_tui.cli.arguments import UsageError, add_options, add_words, changed, take_folder, take_settings
from planet_tui.cli.output import DONE, ProgressLine, say, say_json, warn, warn_of
from planet_tui.jobs import open_library
from planet_tui.plain import plain

if TYPE_CHECKING:
    from engine.answering import Generator
    from engine.evaluation.comparison import Comparison
    from engine.evaluation.retrieval import OnRankings

WORDS = "FOLDER"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_words(parser, WORDS, "a folder of Markdown")
    parser.add_argument("--questions", metavar="FILE", help="labelled questions (default: questions.toml in FOLDER)")
    parser.add_argument("--collection", metavar="DIR", help="measure retrievers on a test collection instead")
    add_options(parser, "generator", "max_words", "dimensions", "lists", "probes", "sources", "threshold")
    parser.add_argument(
        "--compare",
        metavar="CHANGES",
        help="also measure with other settings, such as k1=1.2,b=0.4, and test each figure",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="also print every interval, and each question that went wrong and why"
    )
    parser.add_argument("--report", metavar="FILE", help="also write the report: .md, .csv or .json")
    parser.add_argument("--traces", metavar="FILE", help="also write every stage of every question as JSON lines")
    parser.add_argument("--runs", metavar="DIR", help="also write the rankings as TREC run files")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; return the exit status."""
    if arguments.report:
        from engine.evaluation.report_tables import check_report_ending

        check_report_ending(arguments.report)
    settings = take_settings(arguments)
    other = changed(settings, arguments.compare) if arguments.compare else None
    if arguments.collection:
        return _measure_collection(arguments, settings, other)
    return _measure_folder(arguments, settings, other)


def _measure_folder(arguments: argparse.Namespace, settings: Settings, other: Settings | None) -> int:
    folder, more = take_folder(arguments)
    if more:
        raise UsageError(f"More than one folder: {more}", "`planet-tui evaluate --help` shows how it is used")
    generator = _generator(settings)

    from engine.evaluation.comparison import compare_reports, library_with
    from engine.evaluation.report import evaluate
    from engine.evaluation.report_tables import save_report, to_text
    from engine.evaluation.runs import chunk_name
    from engine.evaluation.traces import trace_file

    questions = _questions(folder, arguments.questions)
    with ProgressLine() as progress:
        library = open_library(folder, settings, report=progress)
    traces = trace_file(arguments.traces) if arguments.traces else nullcontext()
    with traces as on_row, _runs(arguments.runs, lambda chunk: chunk_name(library.chunks[chunk])) as on_rankings:
        result = evaluate(library, questions, generator=generator, on_row=on_row, on_rankings=on_rankings)
    warn_of(library.notices)
    for notice in result.notices:
        warn(f"{notice.path}: {notice.problem}")
    if arguments.report:
        save_report(result, arguments.report)
    comparison = None
    if other is not None:
        with ProgressLine() as progress:
            changed_library = library_with(library, other, report=progress)
        comparison = compare_reports(result, evaluate(changed_library, questions, generator=generator))
    _print(arguments, result.to_dict, lambda: to_text(result, arguments.verbose), comparison)
    return DONE


def _measure_collection(arguments: argparse.Namespace, settings: Settings, other: Settings | None) -> int:
    if arguments.words or arguments.sample or arguments.questions or arguments.traces:
        raise UsageError(
            "--collection stands alone: it takes no FOLDER, --sample, --questions or --traces",
            "`planet-tui evaluate --help` shows how it is used",
        )
    from engine.evaluation.collection_report import collection_library, evaluate_collection, text_names
    from engine.evaluation.collections import read_collection
    from engine.evaluation.comparison import compare_retrieval, library_with
    from engine.evaluation.report_tables import collection_text, save_report

    collection = read_collection(paths.expanded(arguments.collection))
    with ProgressLine() as progress:
        library = collection_library(collection, settings, report=progress)
    names = text_names(collection, library)
    with _runs(arguments.runs, names.__getitem__) as on_rankings:
        result = evaluate_collection(collection, library, on_rankings)
    if arguments.report:
        save_report(result, arguments.report)
    comparison = None
    if other is not None:
        # What has to do with reading and cutting notes does not apply to texts that are one chunk each.
        kept = {name: getattr(library.settings, name) for name in ("chunker", "max_file_mb")}
        after = evaluate_collection(collection, library_with(library, other.replace(**kept)))
        comparison = compare_retrieval(result.retrieval, after.retrieval, result.settings, after.settings)
    _print(arguments, result.to_dict, lambda: collection_text(result, arguments.verbose), comparison)
    return DONE


def _print(
    arguments: argparse.Namespace,
    to_dict: Callable[[], dict[str, Any]],
    to_text: Callable[[], str],
    comparison: Comparison | None,
) -> None:
    if arguments.json:
        say_json(to_dict() | ({"comparison": comparison.to_dict()} if comparison else {}))
        return
    say(plain(to_text()))
    if comparison:
        say("\n" + plain(comparison.to_table().to_text()))


@contextmanager
def _runs(folder: str | None, name_of: Callable[[int], str]) -> Iterator[OnRankings | None]:
    """Yield what writes run files into the folder named; `None` when there is none."""
    from engine.evaluation.report import NAMES
    from engine.evaluation.runs import run_files

    if folder is None:
        yield None
        return
    with run_files(folder, list(NAMES), name_of) as write:
        yield write


def _generator(settings: Settings) -> Generator | None:
    """Set the hosted model up before the folder is read, so that a missing address is said at once."""
    from engine.answering.hosted import hosted_generator, hosted_settings

    if settings.generator != "hosted":
        return None
    return hosted_generator(*hosted_settings(settings, os.environ), timeout=settings.timeout)


def _questions(folder: Path, named: str | None) -> tuple[Question, ...]:
    """Read the file named, or the folder's own and those that the app was given about it."""
    from engine.evaluation.labels import FILE_NAME, find_questions, load_questions

    if named:
        return load_questions(paths.expanded(named))
    own, given = find_questions(folder), paths.labels_file(folder)
    files = [path for path in (own, given if given.is_file() else None) if path is not None]
    if not files:
        raise LabelsError(
            f"{folder} holds no {FILE_NAME}", "Write labelled questions into it, or name a file: --questions"
        )
    return tuple(question for path in files for question in load_questions(path))
