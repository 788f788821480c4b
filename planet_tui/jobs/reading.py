"""Folders -> a library, stage by stage; what changes in them -> the library after that."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

from engine.roots import Roots
from engine.settings import Settings
from planet_tui import paths

if TYPE_CHECKING:
    from engine.library import Library
    from engine.records import Report, ShouldStop


LOOK_EVERY = 10
"""Seconds between two looks at a folder that cannot be watched."""


def build_library(
    roots: Roots,
    settings: Settings,
    before: Library | None,
    cache: Path | None,
    ready: Callable[[Library], None],
    report: Report,
    should_stop: ShouldStop,
) -> None:
    """Build a library stage by stage and hand each stage to `ready`.

    Args:
        roots: the notes.
        settings: what to build with.
        before: a library whose documents are still true, so that only chunks and indexes are made again;
            `None`: read the folder.
        cache: where the index is kept; `None`: nowhere.
        ready: called with the library at each stage.
        report: called with the progress about ten times a second.
        should_stop: asked at least every 100 ms.

    Raises:
        FolderError: the folder cannot be read.
        Cancelled: `should_stop` returned true.
    """
    from engine.library import Library

    if before is None:
        stages = Library.stages(roots, settings, cache=cache, workers=workers(), report=report, should_stop=should_stop)
    else:
        stages = before.rebuilt(settings, cache=cache, report=report, should_stop=should_stop)
    for library in stages:
        # The notes live as long as the app: kept out of the cycle collector, which would stop the interface to
        # walk through millions of objects again and again.
        gc.freeze()
        ready(library)
        if library.stage != "documents" and not library.pending:
            library.warm()


def drop_damaged(roots: Roots, settings: Settings, cache: Path, should_stop: ShouldStop) -> bool:
    """Remove what a cache holds of folders and is not what was written; return whether any was.

    Reads all that is kept: opening looks at a few bytes of it.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    from engine.storage.shelf import Slot

    return Slot.of(cache, roots, settings).drop_damaged(should_stop)


def follow_folder(
    library: Library,
    cache: Path | None,
    ready: Callable[[Library], None],
    should_stop: ShouldStop,
    *,
    failed: bool = False,
) -> None:
    """Wait for changes in a library's folder and hand the library as it is after each to `ready`.

    Args:
        library: as it is now.
        cache: where the index is kept; `None`: nowhere.
        ready: called with each later state.
        should_stop: asked ten times a second; then this returns.
        failed: whether the folder could not be read: then it is tried again after a while, and that it can be read is
            told, changed or not.

    Raises:
        FolderError: the folder cannot be read any more.
        Cancelled: `should_stop` returned true while something was read.
    """
    for touched in chain(_later(should_stop) if failed else (), _changes(library.roots, should_stop)):
        for state in library.refreshed(touched=touched, cache=cache, workers=workers(), should_stop=should_stop):
            library, failed = state, False
            ready(state)
            state.warm()
        if failed:
            failed = False
            ready(library)


def _later(should_stop: ShouldStop) -> Iterator[None]:
    """Yield `None` once, after a while, unless `should_stop` returns true."""
    for _ in range(LOOK_EVERY * 10):
        sleep(0.1)
        if should_stop():
            return
    yield None


def _changes(roots: Roots, should_stop: ShouldStop) -> Iterator[list[str] | None]:
    """Yield the paths that have changed below folders when they are quiet again, until `should_stop` returns true.

    `None`: one cannot be watched, is gone or has come back, and anything may have changed.
    """
    try:
        while not should_stop():
            there = _there(roots)
            for touched in _touched(there or roots.folders, should_stop):
                if _there(roots) != there:
                    yield None
                    break
                if touched:
                    yield touched
    except (OSError, RuntimeError) as error:  # the system watches no more folders: look now and then
        logging.getLogger("planet_tui").warning("not watching %s: %s", roots.folders, error)
        while not should_stop():
            yield from _later(should_stop)


def _touched(folders: Sequence[Path], should_stop: ShouldStop) -> Iterator[list[str]]:
    """Yield the paths that have changed below folders; none, after every `LOOK_EVERY` seconds in which nothing has."""
    from watchfiles import watch

    quiet = 0
    for changes in watch(*folders, debounce=500, rust_timeout=100, yield_on_timeout=True, raise_interrupt=False):
        if should_stop():
            return
        quiet = 0 if changes else quiet + 1
        if changes or quiet % (LOOK_EVERY * 10) == 0:
            yield [path for _, path in changes]


def _there(roots: Roots) -> tuple[Path, ...]:
    return tuple(folder for folder in roots.folders if paths.is_folder(folder))


def open_library(roots: Roots, settings: Settings, *, reader: str | None = None, report: Report) -> Library:
    """Return the library of folders, complete; raise as `Library.open`."""
    from engine.library import Library

    return Library.open(roots, settings, reader=reader, cache=paths.cache_folder(), workers=workers(), report=report)


def workers() -> int:
    """Return how many processes may read notes at once: one a core, where there are more cores than one."""
    return min(4, os.cpu_count() or 1)
