"""Run an experiment on labelled notes, print its tables and draw its figure.

  worked-example   every number of four chunks and one question, step by step
  chunking         how to cut: recall, words of the prompt, evidence cut, headers
  retrievers       BM25, tf-idf, LSA and their fusion; what fusion moves
  vectors          what searching vectors by lists finds and costs, clustered or not
  routing          searching the best leading sections first, then their notes
  prompts          which passages get into the prompt, by budget and strategy
  answers          quoted answers against the threshold; summaries instead of search
  grounding        a model that answers from memory, and one that mixes two sources
  pitfalls         fifteen mistakes by number: each figure with the mistake and without
  query-training   a trained question vector, on questions held out
  libraries        agreement with scikit-learn and ir_measures

Without FOLDER the bundled planet notes are used. The questions are those of the folder's questions.toml, or of the
file named. What an experiment varies by itself (sizes, dimensions, probes, thresholds) is held to one value by its
option.

Examples:
  planet-tui experiment worked-example
  planet-tui experiment chunking ~/notes --questions ~/labels.toml --figure chunking.png
  planet-tui experiment retrievers --dimensions 32 --json
  planet-tui experiment retrievers ~/articles --articles --max-words 100
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from engine.settings import Settings
from planet_tui import paths
from planet_tui.cli.arguments import (
    UsageError,
    add_options,
    add_words,
    existing_folder,
    given_options,
    output_path,
    take_settings,
)
from planet_tui.cli.output import DONE, ProgressLine, say, say_json, warn
from planet_tui.plain import plain

if TYPE_CHECKING:
    from engine.evaluation.labelled import Labelled

WORDS = "NAME [FOLDER]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_words(parser, WORDS, "an experiment, and a folder of Markdown")
    parser.add_argument("--questions", metavar="FILE", help="labelled questions (default: questions.toml in FOLDER)")
    parser.add_argument(
        "--articles",
        action="store_true",
        help="use the labelled questions on ten Solar System articles; FOLDER holds the articles "
        "(default: where PLANET_TUI_DATA says)",
    )
    parser.add_argument("--figure", type=output_path, metavar="FILE", help="also draw the figure: .png, .svg or .pdf")
    parser.add_argument(
        "--vectors",
        type=int,
        default=100_000,
        metavar="N",
        help="synthetic vectors of `vectors` (0: none; default 100000)",
    )
    add_options(parser, "max_words", "dimensions", "lists", "probes", "sources", "threshold")
    parser.add_argument("--json", action="store_true", help="print tables and the figure's points as JSON")


def first_words() -> tuple[str, ...]:
    """Return the experiments by name, for the completion of a shell."""
    from engine.evaluation.experiments.catalogue import EXPERIMENTS

    return tuple(EXPERIMENTS)


def run(arguments: argparse.Namespace) -> int:
    """Run the experiment and print; return the exit status."""
    from engine.evaluation.experiments.catalogue import EXPERIMENTS, Task
    from engine.evaluation.figures import check_ending

    name, folder = _take_words(arguments)
    if name not in EXPERIMENTS:
        raise UsageError(f"Unknown experiment: {name}", f"Known: {', '.join(EXPERIMENTS)}")
    settings = take_settings(arguments)
    if arguments.figure and not EXPERIMENTS[name].drawn:
        raise UsageError(f"{name} has no figure", "Leave --figure out")
    if arguments.figure:
        check_ending(Path(arguments.figure))
    with ProgressLine() as report:
        task = Task(
            lambda: _load(arguments, folder, settings),
            settings,
            frozenset(given_options(arguments)),
            max(0, arguments.vectors),
            report,
        )
        outcome = EXPERIMENTS[name].run(task)
    for notice in outcome.notices:
        warn(f"{notice.path}: {notice.problem}")
    if arguments.json:
        say_json({"experiment": name, **outcome.to_dict()})
    else:
        say(plain(outcome.to_text()))
    if arguments.figure and outcome.figure is not None:
        saved = outcome.figure.save(arguments.figure)
        warn(f"The figure is in {saved}")
    return DONE


def _load(arguments: argparse.Namespace, folder: Path | None, settings: Settings) -> Labelled:
    from engine.evaluation.labelled import load_labelled
    from engine.evaluation.solar_system.labels import load_solar_system

    if arguments.articles:
        return load_solar_system(folder)
    questions = paths.expanded(arguments.questions) if arguments.questions else None
    return load_labelled(folder or paths.sample_notes(), questions, max_file_mb=settings.max_file_mb)


def _take_words(arguments: argparse.Namespace) -> tuple[str, Path | None]:
    """Return the experiment's name, and the folder if one is named."""
    words = list(arguments.words)
    if not words:
        raise UsageError("NAME is missing", "`planet-tui experiment --help` lists the experiments")
    name, *more = words
    if len(more) > 1 or (more and arguments.sample):
        raise UsageError(f"Too many words: {' '.join(more)}", "`planet-tui experiment --help` shows how it is used")
    if arguments.articles and (arguments.sample or arguments.questions):
        raise UsageError("--articles has notes and questions of its own", "Leave --sample and --questions out")
    return name, existing_folder(more[0]) if more else None
