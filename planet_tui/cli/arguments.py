"""What commands have in common in their words: a folder, options made from the settings, one kind of complaint."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from engine.errors import EngineError, FolderError, QuestionError
from engine.roots import Roots
from engine.settings import Settings, describe
from planet_tui import paths, settings
from planet_tui.cli.output import warn, write
from planet_tui.plain import plain
from planet_tui.settings import AppSettings
from planet_tui.settings_folders import FolderSettings

PREFIX = "setting_"
"""What the destination of an option that is a setting starts with."""

LONGEST_QUESTION = 20_000
"""Characters of a question, as in the app; a longer one is refused."""


class UsageError(EngineError):
    """The words do not make a command."""


class Parser(argparse.ArgumentParser):
    """An argument parser that shows its description as written and raises `UsageError`."""

    def __init__(self, program: str, words: str, description: str) -> None:
        """Take what starts the command, the words that follow (`FOLDER QUESTION`), and the help text."""
        super().__init__(
            prog=program,
            usage=" ".join(part for part in (program, words, "[options]") if part),
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def _print_message(self, message: str, file: object = None) -> None:
        """Print the help; argparse's own would keep silent where it cannot be written."""
        write(message)

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong with the words."""
        raise UsageError(message[:1].upper() + message[1:], f"`{self.prog} --help` shows how it is used")


def split_words(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what stands before `--`, and the words after it, which are no options.

    >>> split_words(["notes", "--json", "--", "-5 degrees?"])
    (['notes', '--json'], ['-5 degrees?'])
    """
    words = list(argv)
    border = words.index("--") if "--" in words else len(words)
    return words[:border], words[border + 1 :]


def add_words(parser: argparse.ArgumentParser, metavar: str, help: str) -> None:  # noqa: A002
    """Add the words of the command: `FOLDER` and what follows it."""
    parser.add_argument("words", nargs="*", metavar=metavar, help=help)
    parser.add_argument("--sample", action="store_true", help="use the bundled planet notes; leave FOLDER out")


def output_path(name: str) -> str:
    """Return a path that something is written to, with `~` written out, as argparse reads an option.

    Raises:
        argparse.ArgumentTypeError: it starts with a user whom nobody knows: a folder of that name would be made.
    """
    path = str(paths.expanded(name))
    if path.startswith("~"):
        raise argparse.ArgumentTypeError(f"there is no user {path.split('/')[0]}; ./{path} is a path from here")
    return path


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add an option for each setting named: `max_words` becomes `--max-words`."""
    placeholder = {int: "N", float: "X", str: "NAME"}
    for option in describe():
        if option.name in names:
            allowed = f"{option.range}; " if option.range else ""
            parser.add_argument(
                "--" + option.name.replace("_", "-"),
                dest=PREFIX + option.name,
                type=type(option.default),
                metavar=placeholder[type(option.default)],
                help=f"{option.help} ({allowed}default {option.default}, or what the settings file says)",
            )


def add_reader(parser: argparse.ArgumentParser) -> None:
    """Add `--as NAME`: answer as for somebody who may not read everything."""
    parser.add_argument(
        "--as",
        dest="reader",
        metavar="NAME",
        help="leave out notes whose front matter has an `access` list without this name (default: read every note)",
    )


def add_excludes(parser: argparse.ArgumentParser) -> None:
    """Add `--exclude PATTERN`: leave out notes for this run."""
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave out what a pattern of .gitignore names, such as 'archive/' or '*.tmp.md' (may be repeated)",
    )


def add_folders(parser: argparse.ArgumentParser) -> None:
    """Add what chooses the notes beside the words: `--also FOLDER` and `--exclude PATTERN`."""
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="FOLDER",
        help="another folder of Markdown, searched as one library with the first (may be repeated)",
    )
    add_excludes(parser)


def take_roots(arguments: argparse.Namespace) -> tuple[Roots, str]:
    """Return the first word and what `--also` names as folders, and the other words as one text.

    Raises:
        UsageError: no folder is named.
        FolderError: none of them is there.
        SettingsError: a pattern is none, or the settings file knows no such library.
    """
    named, words = ([], arguments.words) if arguments.sample else (arguments.words[:1], arguments.words[1:])
    return _roots(arguments, [*named, *arguments.also]), " ".join(words)


def take_all_roots(arguments: argparse.Namespace) -> Roots:
    """Return every word as a folder; raise as `take_roots`."""
    return _roots(arguments, arguments.words)


def _roots(arguments: argparse.Namespace, names: Sequence[str]) -> Roots:
    sample = [paths.sample_notes()] if arguments.sample else []
    if not sample and not any(names):
        raise UsageError("FOLDER is missing", "Name a folder of Markdown, or give --sample for the bundled notes")
    file = file_settings(arguments)
    roots = existing_roots(names, file.folders, sample)
    return file.folders.with_excludes(excluding(roots, arguments.exclude))


def excluding(roots: Roots, patterns: Sequence[str]) -> Roots:
    """Return folders that leave out more.

    Raises:
        SettingsError: a pattern is none.
    """
    if not patterns:
        return roots
    from engine.reading.ignoring import check_patterns

    check_patterns(patterns)
    return dataclasses.replace(roots, roots=tuple(r._replace(exclude=(*r.exclude, *patterns)) for r in roots))


def existing_roots(names: Sequence[str], known: FolderSettings, more: Sequence[Path] = ()) -> Roots:
    """Return the folders of these names, and `more`, as one library; `@work` stands for the folders of that name.

    One of several may be missing, as on a disk that is not plugged in; a single word more is rather a mistake.

    Raises:
        FolderError: none of them is there.
        SettingsError: there is no library of such a name.
        UsageError: a word beside a folder is none, or empty.
    """
    found = list(more)
    for name in names:
        if not name:  # as of a variable that is not set: that is no wish for the current folder
            raise UsageError("A folder without a name", "Give its path; . is the current one")
        is_library = name.startswith("@") and not paths.exists(paths.expanded(name))
        found += map(paths.expanded, known.library(name[1:])) if is_library else [paths.expanded(name)]
    if found and not any(map(paths.is_folder, found)):
        return Roots.of(existing_folder(str(found[0])))
    for folder in found:
        check_current_folder(folder)
        if folder.name == str(folder) and not paths.is_folder(folder):
            raise UsageError(
                f"{folder} is no folder", "Quote a name with spaces; `planet-tui --help` lists the commands"
            )
    return Roots.of(found)


def existing_folder(name: str) -> Path:
    """Return the folder of this name; a typing error is best met before anything is read or drawn.

    Raises:
        FolderError: there is no such folder, or it is a file.
    """
    folder = paths.expanded(name)
    if paths.is_folder(folder):
        check_current_folder(folder)
        return folder
    what = "is not a folder" if paths.exists(folder) else "does not exist"
    raise FolderError(f"{name} {what}", "Name a folder of Markdown; `planet-tui --help` lists the commands")


def check_current_folder(folder: Path) -> None:
    """Raise where a relative path starts from a current folder that is gone.

    Raises:
        FolderError: it was removed while the shell stood in it.
    """
    try:
        folder.absolute()
    except FileNotFoundError:
        raise FolderError("The current folder does not exist any more", "Go to another one: cd ~") from None


def take_question(words: str) -> str:
    """Return the question: the words themselves, or standard input for `-`, with nothing a terminal would obey.

    Raises:
        QuestionError: it is empty, or too long to be one.
    """
    question = plain(sys.stdin.read(LONGEST_QUESTION + 1) if words == "-" else words).strip()
    if not question:
        raise QuestionError("The question is empty", "Write it after FOLDER, or `-` to read it from standard input")
    if len(question) > LONGEST_QUESTION:
        raise QuestionError(f"The question is longer than {LONGEST_QUESTION:,} characters", "Cut it to what is asked")
    return question


def take_settings(arguments: argparse.Namespace) -> Settings:
    """Return the settings file's engine settings, changed by the options that were given.

    Raises:
        SettingsError: an option's value is out of its range.
    """
    return file_settings(arguments).engine.replace(**given_options(arguments))


def file_settings(arguments: argparse.Namespace) -> AppSettings:
    """Return what the settings file says; it is read, and what is odd about it said, once for a command."""
    if not hasattr(arguments, "file_settings"):
        loaded = settings.load(paths.config_file())
        for notice in loaded.notices:
            warn(f"{notice.path}: {notice.problem}")
        arguments.file_settings = loaded.settings
    found: AppSettings = arguments.file_settings
    return found


def given_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that were given as options, by name."""
    return {
        name.removeprefix(PREFIX): value
        for name, value in vars(arguments).items()
        if name.startswith(PREFIX) and value is not None
    }


def changed(settings: Settings, changes: str) -> Settings:
    """Return the settings with changes written as `k1=1.2,b=0.4`.

    Raises:
        UsageError: it is not written like that, or a value is of another kind.
        SettingsError: a name is unknown, or a value is out of its range.

    >>> changed(Settings(), "k1=1.2, headers=false").headers
    False
    """
    kinds = {option.name: type(option.default) for option in describe()}
    given: dict[str, Any] = {}
    for part in changes.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not name:
            raise UsageError(f"{part.strip()!r} is no change of a setting", "Write NAME=VALUE, several with commas")
        given[name] = _read_value(name, value, kinds.get(name, str))
    return settings.replace(**given)


def _read_value(name: str, value: str, kind: type) -> Any:  # noqa: ANN401
    """Return a setting's value from its text."""
    if kind is bool and value.lower() in ("true", "false"):
        return value.lower() == "true"
    try:
        return value if kind in (str, bool) else kind(value)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise UsageError(f"{name} = {value!r}: it takes {wanted}", "`planet-tui settings show` lists them") from None
