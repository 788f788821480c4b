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
import sys
from getpass import getpass
from itertools import groupby

import tomli_w

from planet_tui import paths, settings
from planet_tui.cli.output import DONE, paint, say, warn
from planet_tui.plain import one_line

WORDS = "path | show | key"


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
    values = loaded.settings.to_dict()
    for group, options in groupby(settings.describe(), key=lambda option: option.group):
        say(f"[{group}]")
        for option in options:
            line = tomli_w.dumps({option.name: values[option.name]}).strip()
            allowed = f" ({option.range})" if option.range else ""
            changed = "" if values[option.name] == option.default else f", default {option.default!r}"
            say(f"{one_line(line)}  {paint(f'# {option.help}{allowed}{changed}', 'dim')}")
        say()
    return DONE


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
