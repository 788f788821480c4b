"""List or remove the indexes that are kept so that folders open at once. They can all be made again.

An index of an older format is made again when its folder is opened next; until then it takes room.

Examples:
  planet-tui cache list
  planet-tui cache clear                every index
  planet-tui cache clear ~/notes        the indexes that hold notes of this folder
  planet-tui cache clear --unused 30    those that have not been opened for 30 days
  planet-tui cache clear --older        those of an older format
"""

from __future__ import annotations

import argparse
import os
import time
from datetime import datetime
from typing import TYPE_CHECKING

from planet_tui import paths
from planet_tui.cli.arguments import UsageError
from planet_tui.cli.output import DONE, FAILED, say, say_json, warn
from planet_tui.plain import one_line

if TYPE_CHECKING:
    from engine.storage.shelf import Kept

WORDS = "list | clear [FOLDER…]"
DAY = 86_400
"""Seconds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument("words", nargs="*", metavar=WORDS, help="what to do; folders: only their indexes are removed")
    parser.add_argument("--unused", type=int, metavar="DAYS", help="remove those only that were not opened for so long")
    parser.add_argument("--older", action="store_true", help="remove those only that are of an older format")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def run(arguments: argparse.Namespace) -> int:
    """List or remove; return the exit status."""
    action, *rest = arguments.words or ["list"]
    if action == "list" and not rest and arguments.unused is None and not arguments.older:
        return _list(as_json=arguments.json)
    if arguments.unused is not None and arguments.unused < 0:
        raise UsageError(f"--unused = {arguments.unused} is below 0", "It takes a number of days")
    if action == "clear":
        return _clear(rest, arguments.unused, older=arguments.older)
    raise UsageError(f"{' '.join(arguments.words)!r} is not something to do with the cache", f"It is {WORDS}")


def _list(*, as_json: bool) -> int:
    from engine.storage.shelf import kept_indexes

    kept = list(kept_indexes(paths.cache_folder()))
    if as_json:
        say_json({"indexes": [{**each._asdict(), "path": str(each.path)} for each in kept]})
        return DONE
    for each in kept:
        say(f"{_size(each.bytes):>9}  {each.n_notes:>7,} notes  {_words(each)}")
    total = _size(sum(each.bytes for each in kept))
    say(f"{total:>9}  in {len(kept)} index{'es' * (len(kept) != 1)} under {one_line(str(paths.cache_folder()))}")
    return DONE


def _words(kept: Kept) -> str:
    """Say when an index was used, what it is of, and whether it is of use."""
    said = [datetime.fromtimestamp(kept.used).isoformat(" ", "minutes")]
    said.append(one_line(", ".join(kept.folders)) or "of no use any more")
    if kept.exclude:
        said.append(f"without {one_line(' '.join(kept.exclude))}")
    if kept.folders and kept.is_old:
        said.append(f"older format, unused since {said[0].split()[0]}")
    return "  ".join(said)


def _clear(folders: list[str], unused: int | None, *, older: bool) -> int:
    from engine.storage.shelf import discard, kept_indexes

    wanted = {os.path.realpath(paths.expanded(folder)) for folder in folders}
    since = time.time() - DAY * (unused or 0)
    kept = [
        each
        for each in kept_indexes(paths.cache_folder())
        if (not wanted or wanted.intersection(each.folders))
        and (unused is None or each.used <= since)
        and (not older or each.is_old)
    ]
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
