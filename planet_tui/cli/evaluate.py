"""Measure retrievers and answers on labelled questions: recall, MRR, nDCG, MAP; right, wrong and refused.

The questions are those of FOLDER's questions.toml, or of the file named. Labels that no longer stand in the notes
are listed on standard error. With --collection a test collection (BEIR, TREC, SQuAD) takes the place of FOLDER, and
retrievers alone are measured.

Examples:
  planet-tui evaluate --sample
  planet-tui evaluate ~/notes --questions ~/labels.toml --verbose
  planet-tui evaluate ~/notes --max-words 100 --json
  planet-tui evaluate ~/notes --compare k1=1.2,b=0.4
  planet-tui evaluate ~/notes --tune --save
  planet-tui evaluate ~/notes --report report.md --traces traces.jsonl --figures .
  planet-tui evaluate ~/notes --judge
  planet-tui evaluate --collection ~/data/scifact --runs runs
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from engine.errors import LabelsError
from engine.records import Progress, Question, Trace
from engine.roots import Roots
from engine.settings import Settings
from planet_tui import paths
from planet_tui.cli.arguments import (
    UsageError,
    add_excludes,
    add_options,
    add_words,
    changed,
    output_path,
    take_all_roots,
    take_settings,
)
from planet_tui.cli.ask import hosted
from planet_tui.cli.output import DONE, ProgressLine, say, say_json, warn, warn_of
from planet_tui.jobs import labelled_questions, open_library
from planet_tui.plain import plain
from planet_tui.settings import load, save

if TYPE_CHECKING:
    from engine.answering import Generator
    from engine.evaluation.answers import AnswerRow, OnRow
    from engine.evaluation.judge_report import JudgeReport, Judging
    from engine.evaluation.report import EvaluationReport
    from engine.evaluation.retrieval import OnRankings
    from engine.evaluation.tables import Table
    from engine.evaluation.tuning.record import Tuning
    from engine.evaluation.tuning.threshold import TunedThreshold
    from engine.library import Library

T = TypeVar("T")

WORDS = "FOLDER…"
LABELS_SHOWN = 20
"""Labels that do not stand in the notes are listed up to this number."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_words(parser, WORDS, "folders of Markdown")
    add_excludes(parser)
    parser.add_argument("--questions", metavar="FILE", help="labelled questions (default: questions.toml in FOLDER)")
    parser.add_argument("--collection", metavar="DIR", help="measure retrievers on a test collection instead")
    add_options(parser, "generator", "max_words", "dimensions", "lists", "probes", "sources", "threshold")
    parser.add_argument(
        "--compare",
        metavar="CHANGES",
        help="also measure with other settings, such as k1=1.2,b=0.4, and test each figure",
    )
    parser.add_argument(
        "--tune",
        action="store_true",
        help="also tune k1, b, the weights of the fusion and the threshold, cross-validated by note",
    )
    parser.add_argument("--save", action="store_true", help="with --tune: keep settings that help beyond noise")
    parser.add_argument("--limit", type=_limit, metavar="N", help="ask N of the questions, evenly spaced")
    parser.add_argument(
        "--verbose", action="store_true", help="also print every interval, and each question that went wrong and why"
    )
    parser.add_argument("--report", type=output_path, metavar="FILE", help="also write the report: .md, .csv or .json")
    parser.add_argument(
        "--traces", type=output_path, metavar="FILE", help="also write every stage of every question as JSON lines"
    )
    parser.add_argument("--runs", type=output_path, metavar="DIR", help="also write the rankings as TREC run files")
    parser.add_argument(
        "--figures", type=output_path, metavar="DIR", help="also draw recall and the IVF trade-off: DIR/evaluation.png"
    )
    parser.add_argument("--judge", action="store_true", help="also let the hosted model judge each answer")
    parser.add_argument("--person", metavar="FILE", help="a person's verdicts, compared with the judge's (JSON lines)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; return the exit status."""
    if arguments.report:
        from engine.evaluation.report_tables import check_report_ending

        check_report_ending(arguments.report)
    if arguments.person and not arguments.judge:
        raise UsageError("--person goes with --judge", "`planet-tui evaluate --help` shows how it is used")
    if arguments.save and not arguments.tune:
        raise UsageError("--save goes with --tune", "`planet-tui evaluate --help` shows how it is used")
    settings = take_settings(arguments)
    other = changed(settings, arguments.compare) if arguments.compare else None
    if arguments.collection:
        return _measure_collection(arguments, settings, other)
    return _measure_folder(arguments, settings, other)


def _measure_folder(arguments: argparse.Namespace, settings: Settings, other: Settings | None) -> int:
    roots = take_all_roots(arguments)
    # Before anything is read, so that a missing address or package is said at once.
    generator = hosted(settings) if settings.generator == "hosted" else None
    model = hosted(settings) if arguments.judge else None
    if arguments.figures:
        from engine.evaluation.figures import new_drawing

        new_drawing(1, 1)

    from engine.evaluation.comparison import compare_reports, library_with
    from engine.evaluation.report import evaluate
    from engine.evaluation.report_tables import save_report, to_text
    from engine.evaluation.runs import chunk_name
    from engine.evaluation.tuning.search import tune_library
    from engine.evaluation.tuning.threshold import tune_threshold

    questions = evenly(_questions(roots, arguments.questions), arguments.limit)
    with ProgressLine() as progress:
        library = open_library(roots, settings, report=progress)
    judging = None if model is None else _judging(model, library, questions)
    with (
        _on_row(arguments.traces, judging, len(questions)) as on_row,
        _runs(arguments.runs, lambda chunk: chunk_name(library.chunks[chunk])) as on_rankings,
        ProgressLine() as progress,
    ):
        report = None if judging else progress
        result = evaluate(
            library, questions, generator=generator, on_row=on_row, on_rankings=on_rankings, report=report
        )
    warn_of(library.notices)
    for notice in result.notices[:LABELS_SHOWN]:
        warn(f"{notice.path}: {notice.problem}")
    if len(result.notices) > LABELS_SHOWN:
        warn(f"… and {len(result.notices) - LABELS_SHOWN} labels more; --json lists all of them")
    if arguments.report:
        save_report(result, arguments.report)
    if arguments.figures:
        _save_figure(result, library, questions, arguments.figures)
    more_results: dict[str, _Result] = {}
    if other is not None:
        with ProgressLine() as progress:
            changed_library = library_with(library, other, report=progress)
            after = evaluate(changed_library, questions, generator=generator, report=progress)
        more_results["comparison"] = compare_reports(result, after)
    if arguments.tune:
        with ProgressLine() as progress:
            tuning = tune_library(library, questions, report=progress)
        more_results["tuning"] = tuning
        threshold = tune_threshold(result.answers.rows, questions, settings.threshold)
        if threshold is not None:
            more_results["tuned_threshold"] = threshold
        _keep_tuned(tuning, threshold, arguments)
    if judging is not None:
        more_results["judge"] = _judged(judging, settings, result.answers.figures(), arguments.person)
    _print(arguments, result.to_dict, lambda: to_text(result, arguments.verbose), more_results)
    return DONE


def _measure_collection(arguments: argparse.Namespace, settings: Settings, other: Settings | None) -> int:
    alone = ("words", "sample", "questions", "traces", "judge", "figures")
    if any(getattr(arguments, name) for name in alone):
        raise UsageError(
            "--collection measures retrievers alone: it goes with --compare, --tune, --limit, --report, --runs, "
            "--verbose and --json",
            "`planet-tui evaluate --help` shows how it is used",
        )
    from engine.evaluation.collection_report import collection_library, evaluate_collection, text_names
    from engine.evaluation.collections import read_collection
    from engine.evaluation.comparison import compare_retrieval, library_with
    from engine.evaluation.report_tables import collection_text, save_report
    from engine.evaluation.tuning.search import tune_collection

    collection = read_collection(paths.expanded(arguments.collection))
    for notice in collection.notices:
        warn(f"{notice.path}: {notice.problem}")
    collection = replace(collection, questions=evenly(collection.questions, arguments.limit))
    with ProgressLine() as progress:
        library = collection_library(collection, settings, report=progress)
    names = text_names(collection, library)
    with _runs(arguments.runs, names.__getitem__) as on_rankings, ProgressLine() as progress:
        result = evaluate_collection(collection, library, on_rankings, report=progress)
    if arguments.report:
        save_report(result, arguments.report)
    more_results: dict[str, _Result] = {}
    if other is not None:
        # What has to do with reading and cutting notes does not apply to texts that are one chunk each.
        kept = {name: getattr(library.settings, name) for name in ("chunker", "max_file_mb")}
        with ProgressLine() as progress:
            changed_library = library_with(library, other.replace(**kept), report=progress)
            after = evaluate_collection(collection, changed_library, report=progress)
        comparison = compare_retrieval(result.retrieval, after.retrieval, result.settings, after.settings)
        more_results["comparison"] = comparison
    if arguments.tune:
        with ProgressLine() as progress:
            tuning = tune_collection(collection, library, report=progress)
        more_results["tuning"] = tuning
        _keep_tuned(tuning, None, arguments)
    _print(arguments, result.to_dict, lambda: collection_text(result, arguments.verbose), more_results)
    return DONE


class _Result(Protocol):
    """What stands beside the report: a comparison, a judge's verdicts."""

    def to_dict(self) -> dict[str, Any]: ...

    def tables(self) -> tuple[Table, ...]: ...


def _print(
    arguments: argparse.Namespace,
    to_dict: Callable[[], dict[str, Any]],
    to_text: Callable[[], str],
    more: Mapping[str, _Result],
) -> None:
    if arguments.json:
        say_json(to_dict() | {name: result.to_dict() for name, result in more.items()})
        return
    say(plain(to_text()))
    for made in (made for result in more.values() for made in result.tables()):
        say("\n" + plain(made.to_text()))


def evenly(items: Sequence[T], limit: int | None) -> tuple[T, ...]:
    """Return at most `limit` of the items, evenly spaced; `None`: all.

    >>> evenly("abcdefgh", 3), evenly("ab", 3)
    (('a', 'c', 'f'), ('a', 'b'))
    """
    if limit is None or limit >= len(items):
        return tuple(items)
    return tuple(items[at * len(items) // limit] for at in range(limit))


def _limit(word: str) -> int:
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"{word!r} is no number of questions")
    return int(word)


def _keep_tuned(tuning: Tuning, threshold: TunedThreshold | None, arguments: argparse.Namespace) -> None:
    """Write the tuned settings into the settings file, where that is wanted and they help."""
    if not arguments.save:
        return
    names = (*tuning.changes, "tuned_on") if tuning.helps else ()
    new: dict[str, Any] = {name: getattr(tuning.tuned, name) for name in names}
    if threshold is not None and threshold.helps:
        new["threshold"] = threshold.after
    if not new:
        warn("The settings stay as they are: on questions left out the gain is not beyond noise")
        return
    path = paths.config_file()
    before = load(path).settings
    for notice in save(path, before, before.replace(**new)):
        warn(f"{notice.path}: {notice.problem}")
    warn(f"{', '.join(new)} are kept in {path}")


@contextmanager
def _on_row(file: str | None, judging: Judging | None, total: int) -> Iterator[OnRow | None]:
    """Yield what is told of each question: the file of traces, the judge, or both; `None`: nobody."""
    from engine.evaluation.traces import trace_file

    if file is None and judging is None:
        yield None
        return
    with trace_file(file) if file else nullcontext() as write, ProgressLine() as progress:

        def on_row(row: AnswerRow, trace: Trace) -> None:
            if write is not None:
                write(row, trace)
            if judging is not None:
                judging(row, trace)
                progress(Progress("judging", len(judging.judged), total))

        yield on_row


def _judging(model: Generator, library: Library, questions: Sequence[Question]) -> Judging:
    from engine.evaluation.judge import Judge
    from engine.evaluation.judge_report import Judging
    from engine.indexing.lsa import LSA

    return Judging(Judge(model, (LSA(library.index) if library.lsa is None else library.lsa).embed), questions)


def _judged(judging: Judging, settings: Settings, lexical: Mapping[str, float], person: str | None) -> JudgeReport:
    from engine.answering.hosted import hosted_address
    from engine.evaluation.judge_report import judge_report, load_person

    said = load_person(paths.expanded(person)) if person else None
    return judge_report(hosted_address(settings, os.environ)[1], judging.judged, lexical, said)


def _save_figure(report: EvaluationReport, library: Library, questions: Sequence[Question], folder: str) -> None:
    from engine.evaluation.labelled import Labelled
    from engine.evaluation.report_figures import evaluation_figure

    labelled = Labelled(paths.names(library.roots.folders), library.documents, tuple(questions))
    evaluation_figure(report, labelled).save(paths.expanded(folder) / "evaluation.png")


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


def _questions(roots: Roots, named: str | None) -> tuple[Question, ...]:
    """Read the file named, or each folder's own and those that the app was given about it."""
    from engine.evaluation.labels import FILE_NAME, load_questions

    if named:
        return load_questions(paths.expanded(named))
    questions = labelled_questions(roots)
    if not questions:
        folders = ", ".join(map(str, roots.folders))
        raise LabelsError(
            f"{folders} holds no {FILE_NAME}", "Write labelled questions into it, or name a file: --questions"
        )
    return questions
