"""Show every setting with its value, meaning and range, or where the settings file is.

Examples:
  planet-tui settings path
  planet-tui settings show
  "$EDITOR" "$(planet-tui settings path)"
"""

from __future__ import annotations

import argparse
from itertools import groupby

import tomli_w

from planet_tui import paths, settings
from planet_tui.cli.output import DONE, paint, say, warn
from planet_tui.plain import one_line

WORDS = "path | show"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("what", choices=("path", "show"), help="print the file's path, or every setting as TOML")


def run(arguments: argparse.Namespace) -> int:
    """Print; return the exit status."""
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
