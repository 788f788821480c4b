"""Items of a long job -> the same items, with the progress told and a chance to stop before each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from engine.records import Progress, Report, ShouldStop
from engine.storage.building import checkpoint

T = TypeVar("T")


def stepping(
    items: Sequence[T], stage: str, report: Report | None = None, should_stop: ShouldStop | None = None
) -> Iterator[T]:
    """Yield the items; before each, raise `Cancelled` where `should_stop` returns true, and tell how many are done.

    >>> list(stepping("ab", "reading", lambda progress: print(progress.done, "of", progress.total)))
    0 of 2
    1 of 2
    ['a', 'b']
    """
    look = checkpoint(should_stop)
    for done, item in enumerate(items):
        look()
        if report is not None:
            report(Progress(stage, done, len(items)))
        yield item
