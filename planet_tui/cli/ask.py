"""Answer a question from a folder of notes: the answer, a check on each sentence, the sources.

The exit status is 0 when the question was answered, 3 when the notes do not hold the answer, 1 when the work
failed, 2 when the command was not understood. The check compares words: it cannot see negation or paraphrase. Where
nothing is sure enough to be the answer, the closest sentence is shown beside the refusal, with where it stands and how
sure it is (`closest` in the JSON).

Examples:
  planet-tui ask ~/notes "How long is a year on Venus?"
  planet-tui ask --sample "How long is a year on Venus?" --json
  planet-tui ask ~/notes "What did we decide?" --sources 3 --threshold 0.4
  planet-tui ask ~/notes 'What did we decide? tag:meeting -path:archive/'
  echo "How long is a year on Venus?" | planet-tui ask --sample -
  planet-tui ask ~/notes "What did we decide?" --generator hosted
  planet-tui ask ~/notes "What did we decide?" --also ~/wiki --exclude 'archive/'

Filters in the question: "exact phrase", -word, path:, tag:, title:, and each of these with - in front.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from engine.records import Check, Trace
from engine.roots import Roots
from engine.settings import Settings
from planet_tui.cli.arguments import (
    add_folders,
    add_options,
    add_reader,
    add_words,
    take_question,
    take_roots,
    take_settings,
)
from planet_tui.cli.output import ABSTAINED, DONE, GrowingText, ProgressLine, paint, place, say, say_json, warn, warn_of
from planet_tui.jobs import open_library
from planet_tui.plain import one_line, plain

if TYPE_CHECKING:
    from engine.answering import Generator

WORDS = "FOLDER QUESTION"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_words(parser, WORDS, "a folder of Markdown, then the question; `-` reads it from standard input")
    add_options(
        parser,
        "generator",
        "max_words",
        "dimensions",
        "lists",
        "probes",
        "routing",
        "sources",
        "template",
        "strategy",
        "threshold",
    )
    add_folders(parser)
    add_reader(parser)
    parser.add_argument("--json", action="store_true", help="print every stage as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Answer and print; return the exit status."""
    roots, words = take_roots(arguments)
    question = take_question(words)
    settings = take_settings(arguments)
    growing = GrowingText() if sys.stdout.isatty() and not arguments.json else None
    generator = hosted(settings, growing) if settings.generator == "hosted" else None

    from engine.pipeline import ask

    with ProgressLine() as report:
        library = open_library(roots, settings, reader=arguments.reader, report=report)
    with growing or nullcontext():
        trace = ask(library, question, generator=generator)
    warn_of(library.notices)
    for warning in trace.warnings:
        warn(warning)
    if arguments.json:
        say_json(trace.to_dict())
    else:
        _show(trace, roots, growing.shown if growing else "")
    return ABSTAINED if trace.answer.abstained else DONE


def hosted(settings: Settings, on_text: Callable[[str], None] | None = None) -> Generator:
    """Return the hosted model of the settings; a missing address is said at once, before anything is read.

    Args:
        settings: those in force.
        on_text: takes the answer as far as it has come.
    """
    from engine.answering.hosted import hosted_generator, hosted_settings

    return hosted_generator(
        *hosted_settings(settings, os.environ),
        timeout=settings.timeout,
        time_limit=settings.time_limit,
        report=lambda wait: warn(wait) if wait else None,
        on_text=on_text,
    )


def _show(trace: Trace, roots: Roots, shown: str) -> None:
    """Print a trace; `shown`: what of the answer stands on the terminal already."""
    answer = trace.answer
    if shown:
        say(paint(plain(answer.text[len(shown) :]), "bold"))
    if answer.abstained:
        say(paint("○ not answered", "yellow") + ("" if shown else f"  {plain(answer.text)}"))
        _show_why_not(trace, roots)
    elif not shown:
        say(paint(plain(answer.text), "bold"))
    if answer.confidence is not None and not answer.abstained:
        say(paint(f"  {plain(answer.reason)}", "dim"))
    if trace.checks:
        say()
        for check in trace.checks:
            _show_check(check)
        say(paint("  The check compares words: it cannot see negation or paraphrase.", "dim"))
    if trace.prompt.sources:
        say("\nSources read:" if answer.abstained else "\nSources:")
        for source in trace.prompt.sources:
            chunk = source.chunk
            notes = [f"{chunk.date}, {source.version}"] if source.version else []
            notes += ["looks like an instruction to a model"] if source.suspicious else []
            marks = paint("".join(f"  ! {note}" for note in notes), "yellow")
            where = place(roots.path_of(chunk.document), chunk.line)
            say(f"  [{source.number}] {where}  {one_line(chunk.header)}{marks}")


def _show_why_not(trace: Trace, roots: Roots) -> None:
    """Print what a refusal would have quoted, where it stands and how sure it is; else why there is no answer."""
    closest, reason = trace.answer.closest, trace.answer.reason
    if closest is None:
        if reason:
            say(f"  {plain(reason)}")
        return
    say(f"  {paint(f'{closest.lead}: {one_line(closest.quoted)} – {closest.said}', 'dim')}")
    for chunk in trace.prompt.cited(closest.sources):
        say(paint(f"  {place(roots.path_of(chunk.document), chunk.line)}  {one_line(chunk.header)}", "dim"))


def _show_check(check: Check) -> None:
    flag = paint("✓ supported", "green") if check.supported else paint("✗ not supported", "red")
    cited = " ".join(f"[{number}]" for number in check.citations) or "no citation"
    say(f"{flag}  support {check.support:.2f}  {cited}  {one_line(check.sentence)}")
    if check.reason:
        say(f"  {one_line(check.reason)}")
