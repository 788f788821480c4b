"""Say what this installation is made of, where it keeps things, and whether the hosted model answers.

The exit status is 1 when something that is set up does not work. No key is ever printed.

Examples:
  planet-tui doctor
  planet-tui doctor > report.txt
  LLM_BASE_URL=http://localhost:11434/v1 LLM_MODEL=llama3.2 planet-tui doctor
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from engine.errors import EngineError, SettingsError, how_to_install
from engine.records import Notice
from engine.settings import Settings
from planet_tui import __version__, paths, settings
from planet_tui.cli.output import DONE, FAILED, has_colour, paint, say
from planet_tui.plain import one_line
from planet_tui.settings import AppSettings

WORDS = ""
PACKAGES = ("textual", "numpy", "scipy", "httpx")
"""Whose versions matter most when something looks wrong."""
FOLDERS = {
    "data": paths.data_folder,
    "state": paths.state_folder,
    "cache": paths.cache_folder,
    "sample notes": paths.sample_notes,
}


class Finding(NamedTuple):
    """One line of the report."""

    name: str
    """What was looked at."""
    said: str
    """What was found."""
    good: bool | None = None
    """Whether it works; `None`: there is nothing to judge."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare nothing: the command takes no words."""


def run(arguments: argparse.Namespace) -> int:
    """Print the report; return the exit status."""
    loaded = settings.load(paths.config_file())
    failed = False
    for title, findings in (
        ("Versions", versions()),
        ("Places", places(loaded.notices)),
        ("Notes", notes(loaded.settings)),
        ("Indexes", indexes()),
        ("Extras", extras()),
        ("Terminal", terminal()),
        ("Prompt", counter(loaded.settings.engine)),
        ("Hosted model", hosted_model(loaded.settings.engine)),
    ):
        say(paint(title, "bold"))
        for finding in findings:
            failed |= finding.good is False
            sign = {True: paint("✓", "green"), False: paint("✗", "red"), None: " "}[finding.good]
            say(f"  {sign} {finding.name:<14}{one_line(finding.said)}")
    return FAILED if failed else DONE


def versions() -> Iterator[Finding]:
    """Say which versions run."""
    yield Finding("planet-tui", __version__)
    yield Finding("Python", f"{platform.python_version()} on {platform.platform()}")
    for package in PACKAGES:
        yield Finding(package, version(package))


def places(notices: Sequence[Notice]) -> Iterator[Finding]:
    """Say where the settings and folders are, whether they can be used, and what is odd about the settings."""
    file = paths.config_file()
    yield Finding("settings", str(file) + ("" if file.exists() else " – not made yet"), not notices)
    for notice in notices:
        yield Finding("", notice.problem, False)
    for name, place in FOLDERS.items():
        folder = place()
        nearest = next((path for path in (folder, *folder.parents) if path.exists()), folder)
        usable = os.access(nearest, os.R_OK if place is paths.sample_notes else os.R_OK | os.W_OK)
        yield Finding(name, str(folder) + ("" if usable else " – no access"), usable)


def notes(chosen: AppSettings) -> Iterator[Finding]:
    """Say which folders are opened when none is named, which together, and what of each is left out."""
    from engine.reading.ignoring import check_patterns

    last = ", ".join(paths.shown(Path(folder)) + _missing(folder) for folder in chosen.last_folders)
    yield Finding("opened last", last or "none yet: the sample notes are opened")
    for name, folders in chosen.folders.libraries.items():
        good = bool(folders) and not any(map(_missing, folders))
        yield Finding(f"@{name}", ", ".join(each + _missing(each) for each in folders) or "no folder", good)
    for folder, patterns in chosen.folders.exclude.items():
        try:
            check_patterns(patterns)
        except SettingsError as error:
            yield Finding("exclude", f"{folder}: {error.message}", False)
        else:
            yield Finding("exclude", f"{folder}: {' '.join(patterns)}", True)


def indexes() -> Iterator[Finding]:
    """Say whether the indexes in the cache are what was written, which opening them does not look at."""
    from engine.storage.shelf import damaged, kept_indexes

    for kept in kept_indexes(paths.cache_folder()):
        if kept.is_old:
            continue  # it is made again, not opened
        intact = not damaged(kept.path)
        said = f"{kept.n_notes:,} notes of {', '.join(kept.folders) or 'folders not known'}"
        hint = "" if intact else " – damaged: after `planet-tui cache clear` it is made again"
        yield Finding(kept.path.name[:12], said + hint, intact)


def extras() -> Iterator[Finding]:
    """Say which optional packages are installed."""
    for extra, packages in sorted(_extras().items()):
        found = [_version_of(package) for package in packages]
        missing = [package for package, number in zip(packages, found, strict=True) if not number]
        said = ", ".join(f"{package} {number}" for package, number in zip(packages, found, strict=True) if number)
        yield Finding(extra, f"not installed: {how_to_install(*missing)}" if missing else said)


def counter(chosen: Settings) -> Iterator[Finding]:
    """Say what counts the tokens of a prompt."""
    from engine.answering.tokens import token_counter

    try:
        token_counter(chosen.tokenizer)
    except EngineError as error:
        yield Finding("tokens", f"{error.message}. {error.hint}", False)
    else:
        yield Finding("tokens", f"counted by {chosen.tokenizer or 'words and marks'}", True)


def terminal() -> Iterator[Finding]:
    """Say what the terminal shows."""
    size = shutil.get_terminal_size()
    variables = " ".join(
        f"{name}={os.environ[name]}" for name in ("TERM", "COLORTERM", "NO_COLOR") if name in os.environ
    )
    yield Finding("colours", ("yes" if has_colour(sys.stdout) else "no") + f" ({variables or 'no variable set'})")
    yield Finding("size", f"{size.columns} × {size.lines}")
    yield Finding("encoding", f"{sys.stdout.encoding}: ✓ ▲ ░ 火")


def hosted_model(chosen: Settings) -> Iterator[Finding]:
    """Ask the hosted model for a word, where one is set up."""
    from engine.answering.hosted import check_hosted, hosted_address
    from engine.keys import where_key_is

    base_url, model = hosted_address(chosen, os.environ)
    yield Finding("key", where_key_is(os.environ) or "none")
    if not base_url and not model:
        yield Finding("endpoint", "none is set up; answers are quoted from your notes")
        return
    start = perf_counter()
    try:
        reply = check_hosted(chosen, os.environ)
    except EngineError as error:
        yield Finding("endpoint", f"{error.message} {error.hint}", False)
    else:
        yield Finding("endpoint", f"{model} answered in {perf_counter() - start:.1f} s: {reply[:40]}", True)


def _missing(folder: str) -> str:
    return "" if paths.is_folder(paths.expanded(folder)) else " (missing)"


def _extras() -> dict[str, list[str]]:
    """Return the packages of each extra, as the checkout declares them, else as the installed package does."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    found: dict[str, list[str]] = {}
    if project.is_file():
        declared = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
        found = {extra: [_name(requirement) for requirement in needed] for extra, needed in declared.items()}
    else:
        for requirement in requires("planet-tui") or ():
            if extra := re.search(r"extra\s*==\s*['\"]([\w-]+)", requirement):
                found.setdefault(extra[1], []).append(_name(requirement))
    found.pop("dev", None)
    return found


def _name(requirement: str) -> str:
    """Return the package of a requirement.

    >>> _name("matplotlib>=3.9; extra == 'figures'")
    'matplotlib'
    """
    return re.split(r"[^\w.-]", requirement)[0]


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
