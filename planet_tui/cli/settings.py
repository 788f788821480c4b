"""Show every setting with its value, meaning and range, or where the settings file is; keep the key of a model.

`key` asks for the key of the hosted model, unseen, and puts it into the system's keyring (the extra `keyring`); an
empty one removes it. PLANET_TUI_API_KEY and LLM_API_KEY go before it.

Examples:
  planet-tui settings path
  planet-tui settings show
  planet-tui settings key
  "$EDITOR" "$(planet-tui settings path)"
"""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from getpass import getpass
from itertools import groupby
from typing import Any

import tomli_w

from engine.settings import Option
from planet_tui import paths, settings
from planet_tui.cli.output import DONE, paint, say, warn
from planet_tui.plain import one_line, plain
from planet_tui.settings import AppSettings
from planet_tui.settings_versions import KEY, VERSION

WORDS = "path | show | key"
WIDEST = 100
"""Characters of a line that says what a setting means."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument(
        "what", choices=("path", "show", "key"), help="print the file's path, or every setting as TOML; or keep a key"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print; return the exit status."""
    if arguments.what == "key":
        return _keep_key()
    path = paths.config_file()
    if arguments.what == "path":
        say(one_line(str(path)))
        return DONE
    loaded = settings.load(path)
    for notice in loaded.notices:
        warn(f"{notice.path}: {notice.problem}")
    _show(loaded.settings)
    return DONE


def _show(shown: AppSettings) -> None:
    """Print settings as a file of them, each below what it means."""
    values = shown.to_dict()
    say(toml({KEY: VERSION}))
    for group, options in groupby(settings.describe(), key=lambda option: option.group):
        say(f"[{group}]")
        for option in options:
            for line in _comment(option, is_default=values[option.name] == option.default):
                say(paint(line, "dim"))
            say(toml({option.name: values[option.name]}))
    for table, entries in shown.folders.to_dict().items():
        for name, entry in entries.items():
            say(toml({table: {name: entry}}))


def _comment(option: Option, *, is_default: bool) -> list[str]:
    """Return what an option means, what it may be and what it is by default, in lines that fit the terminal."""
    allowed = f" ({option.range})" if option.range else ""
    default = toml({"": option.default}).partition(" = ")[2].strip()
    said = f"{option.help}{allowed}" + ("" if is_default else f", default {default}")
    width = min(shutil.get_terminal_size().columns, WIDEST) - 2
    return [f"# {line}" for line in textwrap.wrap(said, max(width, 20), break_on_hyphens=False)]


def toml(table: dict[str, Any]) -> str:
    """Return a table as TOML, with nothing that a terminal would obey."""
    return plain(tomli_w.dumps(table))


def _keep_key() -> int:
    """Ask for the key without echo, or read it from a pipe, and put it into the keyring."""
    from engine.keys import store_key

    try:
        key = getpass("Key of the hosted model (empty removes it): ") if sys.stdin.isatty() else sys.stdin.readline()
    except EOFError:
        return DONE
    store_key(key)
    say("The key is in the system's keyring." if key.strip() else "The system's keyring holds no key.")
    return DONE
