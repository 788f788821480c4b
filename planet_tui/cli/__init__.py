"""The command line: words after `planet-tui` -> output and an exit status, never a traceback.

`planet-tui [FOLDER]` opens the app; `planet-tui COMMAND …` runs one of the modules here, which is imported only
then. A command's module opens with its help text and has `WORDS`, `add_arguments(parser)`, `run(arguments) -> int`.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from io import TextIOWrapper

from engine.errors import EngineError, FolderError, OutputError, QuestionError, SchemaError, SettingsError
from engine.roots import Roots
from planet_tui import __version__, paths
from planet_tui.cli.arguments import (
    Parser,
    UsageError,
    add_excludes,
    excluding,
    existing_roots,
    file_settings,
    split_words,
)
from planet_tui.cli.output import DONE, FAILED, INTERRUPTED, NOBODY_READS, WRONG_USE, say, warn, write
from planet_tui.settings_folders import FolderSettings

COMMANDS = {
    "ask": "answer a question from a folder of notes, with sources and a check on each sentence",
    "search": "list passages as PATH:LINE, for editors and scripts",
    "evaluate": "measure retrievers and answers on labelled questions",
    "experiment": "show by numbers what chunking, retrievers, fusion, thresholds and grounding do",
    "context": "let the hosted model write a line about every chunk, to index it with",
    "extract": "check the fields of a model's reply, or ask for the fields of a text",
    "doctor": "say what is installed, where things are kept, and whether the hosted model answers",
    "corpus": "fetch encyclopedia articles into a folder as notes",
    "index": "make a folder's index, or bring it up to date",
    "cache": "list or remove the indexes that are kept",
    "completion": "print a script that lets a shell complete commands and options",
    "settings": "show every setting, or where the settings file is",
}
"""Each command, its module's name, and what it does."""

OpenApp = Callable[[Roots | None], int]


def run(argv: Sequence[str], open_app: OpenApp) -> int:
    """Do what the words say and return the exit status.

    Args:
        argv: the words after `planet-tui`.
        open_app: opens the app on folders (`None`: the last ones) and returns its exit status.
    """
    _prepare_streams()
    try:
        status = _dispatch(argv, open_app)
        write(flush=True)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return NOBODY_READS
    except EngineError as error:
        _flush()
        warn(error.message, error.hint)
        return WRONG_USE if isinstance(error, (UsageError, QuestionError, SchemaError, SettingsError)) else FAILED
    except OSError as error:
        warn(*_refused(error))
        return FAILED
    except MemoryError as error:
        warn(
            f"There is not enough memory: {str(error) or 'this machine has no more'}",
            "Ask for less, or for fewer notes",
        )
        return FAILED
    except Exception as error:
        warn(f"Something went wrong: {type(error).__name__}: {error}", _log(error))
        return FAILED
    return status


def _prepare_streams() -> None:
    """Make the three streams usable: a closed one leads nowhere, and no character is too odd for one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _refused(error: OSError) -> tuple[str, str]:
    """Return what the system refused, and a hint: most often it is no fault of the program."""
    why = error.strerror or type(error).__name__
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
    return f"The system refused something: {where}{why}", _log(error)


def _dispatch(argv: Sequence[str], open_app: OpenApp) -> int:
    if argv and argv[0] in COMMANDS:
        return _run_command(argv[0], argv[1:])
    try:
        arguments = app_parser().parse_args(argv)
    except SystemExit:  # the help was printed
        return DONE
    if arguments.version:
        say(f"planet-tui {__version__}")
        return DONE
    return open_app(_named(arguments))


def _named(arguments: argparse.Namespace) -> Roots | None:
    """Return the folders that are named for the app; `None`: none is."""
    sample = [paths.sample_notes()] if arguments.sample else []
    if not arguments.folders and not sample:
        if arguments.exclude:
            raise UsageError("--exclude needs a FOLDER", "Name the folder that it holds for")
        return None
    is_known = any(name.startswith("@") for name in arguments.folders)
    known = file_settings(arguments).folders if is_known else FolderSettings()
    try:
        roots = existing_roots(arguments.folders, known, sample)
    except FolderError as error:
        raise FolderError(error.message, _meant(arguments.folders[0]) or error.hint) from None
    whole = (root._replace(folder=root.folder.absolute()) for root in roots)
    return excluding(dataclasses.replace(roots, roots=tuple(whole)), arguments.exclude)


def _meant(word: str) -> str:
    """Return a hint for what looks like a command with a typing error; empty: nothing is close.

    >>> _meant("serch")
    'Did you mean `planet-tui search`? `planet-tui --help` lists the commands'
    """
    from difflib import get_close_matches

    close = get_close_matches(word, COMMANDS, n=1)
    return f"Did you mean `planet-tui {close[0]}`? `planet-tui --help` lists the commands" if close else ""


def _run_command(name: str, argv: Sequence[str]) -> int:
    module = importlib.import_module(f"planet_tui.cli.{name}")
    parser = Parser(f"planet-tui {name}", module.WORDS, module.__doc__ or "")
    module.add_arguments(parser)
    options, words = split_words(argv)
    try:
        arguments = parser.parse_intermixed_args(options)
    except SystemExit:  # the help was printed
        return DONE
    arguments.words = [*getattr(arguments, "words", ()), *words]
    status: int = module.run(arguments)
    return status


def app_parser() -> Parser:
    """Return the parser of `planet-tui` without a command."""
    commands = "\n".join(f"  {name:<12}{does}" for name, does in COMMANDS.items())
    parser = Parser(
        "planet-tui",
        "[FOLDER… | COMMAND …]",
        "Ask a folder of Markdown, offline, and see every stage of the answer.\n\n"
        f"Commands (planet-tui COMMAND --help says more):\n{commands}\n\n"
        "Examples:\n"
        "  planet-tui ~/notes         open a folder\n"
        "  planet-tui ~/notes ~/wiki  open both as one library\n"
        "  planet-tui @work           open the folders that the settings file lists under [libraries.work]\n"
        "  planet-tui                 open the folder opened last, else the bundled planet notes\n"
        "  planet-tui --sample        open the bundled planet notes\n"
        "  planet-tui ./ask           open a folder that has the name of a command",
    )
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="folders of Markdown to open in the app")
    add_excludes(parser)
    parser.add_argument("--sample", action="store_true", help="open the bundled planet notes")
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    return parser


def _log(error: Exception) -> str:
    """Write the traceback to the log and return a hint that says where it is."""
    try:
        log = paths.log_file()
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8", errors="replace") as file:
            file.write(f"{datetime.now().isoformat(timespec='seconds')}\n")
            file.writelines(traceback.format_exception(error))
    except (OSError, EngineError):
        return "Please report it with the command that you ran."
    return f"Please report it; the details are in {log}."


def _flush() -> None:
    """Print what is printed so far; what cannot be is forgotten."""
    try:
        write(flush=True)
    except (OutputError, BrokenPipeError):
        _forget_stdout()


def _forget_stdout() -> None:
    """Point standard output nowhere, so that the interpreter does not fail to flush it on the way out."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
