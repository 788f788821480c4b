"""Check the fields of a model's reply, or let a hosted model find the fields of a text.

REPLY is a file, or `-` for standard input (as without it). Its first JSON object is held against the schema; with
`--generator hosted` the file is the text, and the model of the settings is asked for its fields, up to three times.
The schema is a JSON list of fields, or a JSON Schema of an object. The exit status is 0 when the fields are right, 1
when they are not or the work failed, 2 when the command or the schema was not understood.

Examples:
  planet-tui extract --schema invoice.json reply.txt
  echo 'Here: {"total": 42}' | planet-tui extract --schema invoice.json --json
  planet-tui extract --schema invoice.json letter.md --generator hosted
"""

from __future__ import annotations

import argparse
import json
import sys

from engine.answering.extraction import Attempt, extract, read_reply
from engine.answering.fields import Field
from engine.answering.schema_files import parse_schema
from engine.errors import FolderError, SchemaError
from planet_tui import paths
from planet_tui.cli.arguments import UsageError, add_options, take_settings
from planet_tui.cli.ask import hosted
from planet_tui.cli.output import DONE, FAILED, paint, say, say_json, warn
from planet_tui.plain import one_line, plain

WORDS = "--schema FILE [REPLY]"
LONGEST = 16_000_000
"""Characters of a reply, text or schema; a longer one is refused."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument("words", nargs="*", metavar="REPLY", help="a file with the reply or text; `-`: standard input")
    parser.add_argument("--schema", metavar="FILE", help="the fields: a JSON list of them, or a JSON Schema")
    add_options(parser, "generator")
    parser.add_argument("--json", action="store_true", help="print fields, problems and attempts as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check or extract, and print; return the exit status."""
    if not arguments.schema:
        raise UsageError("--schema is missing", "Name a JSON file with the fields")
    if len(arguments.words) > 1:
        raise UsageError("More than one file is named", "`planet-tui extract --help` shows how it is used")
    settings = take_settings(arguments)
    fields = _schema(arguments.schema)
    text = _read(arguments.words[0] if arguments.words else "-")
    if arguments.setting_generator == "hosted":
        attempts = extract(hosted(settings), text, fields).attempts
    else:
        attempts = (read_reply(text, fields),)
    last = attempts[-1]
    if arguments.json:
        found = None if last.problems else last.object
        say_json({
            "fields": found,
            "problems": list(last.problems),
            "attempts": [{"reply": attempt.reply, "problems": list(attempt.problems)} for attempt in attempts],
        })  # fmt: skip
    else:
        _show(last, len(attempts))
    return FAILED if last.problems else DONE


def _schema(name: str) -> tuple[Field, ...]:
    try:
        return parse_schema(_read(name))
    except FolderError as error:
        raise SchemaError(error.message, "--schema names a JSON file with the fields.") from None


def _read(name: str) -> str:
    """Return the text of a file or of standard input."""
    if name == "-":
        text = sys.stdin.read(LONGEST + 1)
    else:
        try:
            with paths.expanded(name).open(encoding="utf-8-sig", errors="replace") as file:
                text = file.read(LONGEST + 1)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise FolderError(f"{name} cannot be read: {why}", "Name a file, or `-` for standard input") from None
    if len(text) > LONGEST:
        raise FolderError(f"{name} is longer than {LONGEST:,} characters", "Cut it to the part that matters")
    return text


def _show(last: Attempt, n_attempts: int) -> None:
    if n_attempts > 1:
        warn(f"{n_attempts} replies were asked for")
    if not last.problems:
        say(plain(json.dumps(last.object, indent=2, ensure_ascii=False)))
        return
    say(paint("✗ rejected", "red"))
    for problem in last.problems:
        say(f"  {one_line(problem)}")
