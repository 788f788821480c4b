"""Work that waits on a network: run to its end, or stopped within 100 ms; and how long a server asks to wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

from engine.errors import Cancelled
from engine.records import ShouldStop

POLL = 0.05
"""Seconds between two looks at `should_stop`."""

T = TypeVar("T")


def run_watched(work: Coroutine[Any, Any, T], should_stop: ShouldStop | None) -> T:
    """Run a coroutine to its end in a thread without an event loop; raise `Cancelled` once `should_stop` says so."""
    return _run(_watched(work, should_stop))


async def _watched(work: Coroutine[Any, Any, T], should_stop: ShouldStop | None) -> T:
    """Await `work`; cancel it and raise `Cancelled` once `should_stop` returns true."""
    task = asyncio.ensure_future(work)
    while not task.done():
        await asyncio.wait({task}, timeout=POLL)
        if should_stop is not None and not task.done() and should_stop():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            raise Cancelled
    return task.result()


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a loop of its own. Unlike `asyncio.run` it does not wait for a name lookup that hangs."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def retry_after(header: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> float | None:
    """Return the seconds a `Retry-After` header asks to wait, at least 0; `None` when it says nothing.

    >>> retry_after("2"), retry_after("soon")
    (2.0, None)
    """
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - now()).total_seconds())
