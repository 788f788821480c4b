"""List or remove the indexes that are kept so that folders open at once. They can all be made again.

Examples:
  planet-tui cache list
  planet-tui cache clear              every index
  planet-tui cache clear ~/notes      the indexes of one folder
"""

from __future__ import annotations

import argparse
import os
from datetime import datetime

from planet_tui import paths
from planet_tui.cli.arguments import UsageError
from planet_tui.cli.output import DONE, FAILED, say, say_json, warn
from planet_tui.plain import one_line

WORDS = "list | clear [FOLDER]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument("words", nargs="*", metavar=WORDS, help="what to do; a folder: only its indexes are removed")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def run(arguments: argparse.Namespace) -> int:
    """List or remove; return the exit status."""
    action, *rest = arguments.words or ["list"]
    if action == "list" and not rest:
        return _list(as_json=arguments.json)
    if action == "clear" and len(rest) < 2:
        return _clear(rest[0] if rest else None)
    raise UsageError(f"{' '.join(arguments.words)!r} is not something to do with the cache", f"It is {WORDS}")


def _list(*, as_json: bool) -> int:
    from engine.storage.shelf import kept_indexes

    kept = list(kept_indexes(paths.cache_folder()))
    if as_json:
        say_json({"indexes": [{**each._asdict(), "path": str(each.path)} for each in kept]})
        return DONE
    for each in kept:
        names = ", ".join(each.folders) or "of no use any more"
        day = datetime.fromtimestamp(each.used).isoformat(" ", "minutes")
        say(f"{_size(each.bytes):>9}  {each.n_notes:>7,} notes  {day}  {one_line(names)}")
    total = _size(sum(each.bytes for each in kept))
    say(f"{total:>9}  in {len(kept)} index{'es' * (len(kept) != 1)} under {one_line(str(paths.cache_folder()))}")
    return DONE


def _clear(folder: str | None) -> int:
    from engine.storage.shelf import discard, kept_indexes

    wanted = None if folder is None else os.path.realpath(paths.expanded(folder))
    kept = [each for each in kept_indexes(paths.cache_folder()) if wanted is None or wanted in each.folders]
    left = [each for each in kept if not discard(each.path)]
    freed = sum(each.bytes for each in kept if each not in left)
    say(f"{len(kept) - len(left)} removed, {_size(freed)} freed")
    for each in left:
        warn(f"{each.path} cannot be removed", "Is it yours, and not in use?")
    return FAILED if left else DONE


def _size(n_bytes: float) -> str:
    """Return a size as people say it.

    >>> _size(900), _size(1_250_000)
    ('900 B', '1.2 MB')
    """
    for unit in ("B", "kB", "MB"):
        if n_bytes < 1000:
            return f"{n_bytes:.0f} {unit}" if unit == "B" else f"{n_bytes:.1f} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:.1f} GB"
