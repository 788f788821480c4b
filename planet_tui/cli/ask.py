"""Answer a question from a folder of notes: the answer, a check on each sentence, the sources.

The exit status is 0 when the question was answered, 3 when the notes do not hold the answer, 1 when the work
failed, 2 when the command was not understood. The check compares words: it cannot see negation or paraphrase.

Examples:
  planet-tui ask ~/notes "How long is a year on Venus?"
  planet-tui ask --sample "How long is a year on Venus?" --json
  planet-tui ask ~/notes "What did we decide?" --sources 3 --threshold 0.4
  echo "How long is a year on Venus?" | planet-tui ask --sample -
  planet-tui ask ~/notes "What did we decide?" --generator hosted
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import QuestionError
from engine.records import Check, Trace
from engine.settings import Settings
from planet_tui.cli.arguments import add_options, add_reader, add_words, take_folder, take_settings
from planet_tui.cli.output import ABSTAINED, DONE, ProgressLine, paint, place, say, say_json, warn, warn_of
from planet_tui.plain import one_line, plain

if TYPE_CHECKING:
    from engine.answering import Generator

WORDS = "FOLDER QUESTION"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_words(parser, WORDS, "a folder of Markdown, then the question; `-` reads it from standard input")
    add_options(parser, "generator", "max_words", "dimensions", "lists", "probes", "sources", "threshold")
    add_reader(parser)
    parser.add_argument("--json", action="store_true", help="print every stage as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Answer and print; return the exit status."""
    folder, words = take_folder(arguments)
    question = plain(sys.stdin.read() if words == "-" else words).strip()
    if not question:
        raise QuestionError("The question is empty", "Write it after FOLDER, or `-` to read it from standard input")
    settings = take_settings(arguments)
    generator = hosted(settings) if settings.generator == "hosted" else None

    from engine.library import Library
    from engine.pipeline import ask

    with ProgressLine() as report:
        library = Library.open(folder, settings, reader=arguments.reader, report=report)
    trace = ask(library, question, generator=generator)
    warn_of(library.notices)
    for warning in trace.warnings:
        warn(warning)
    if arguments.json:
        say_json(trace.to_dict())
    else:
        _show(trace, folder)
    return ABSTAINED if trace.answer.abstained else DONE


def hosted(settings: Settings) -> Generator:
    """Return the hosted model of the settings; a missing address is said at once, before anything is read."""
    from engine.answering.hosted import hosted_generator, hosted_settings

    base_url, api_key, model = hosted_settings(settings, os.environ)
    return hosted_generator(base_url, api_key, model, timeout=settings.timeout)


def _show(trace: Trace, folder: Path) -> None:
    answer = trace.answer
    if answer.abstained:
        say(f"{paint('○ not answered', 'yellow')}  {plain(answer.text)}")
        if answer.reason:
            say(f"  {plain(answer.reason)}")
    else:
        say(paint(plain(answer.text), "bold"))
    if trace.checks:
        say()
        for check in trace.checks:
            _show_check(check)
        say(paint("  The check compares words: it cannot see negation or paraphrase.", "dim"))
    if trace.prompt.sources:
        say("\nSources read:" if answer.abstained else "\nSources:")
        for source in trace.prompt.sources:
            chunk = source.chunk
            say(f"  [{source.number}] {place(folder, chunk.document, chunk.line)}  {one_line(chunk.header)}")


def _show_check(check: Check) -> None:
    flag = paint("✓ supported", "green") if check.supported else paint("✗ not supported", "red")
    cited = " ".join(f"[{number}]" for number in check.citations) or "no citation"
    say(f"{flag}  support {check.support:.2f}  {cited}  {one_line(check.sentence)}")
    if check.reason:
        say(f"  {one_line(check.reason)}")
