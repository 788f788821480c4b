"""Questions typed letter by letter into the app: how soon the lists follow, and how long the event loop is held.

A key counts until its lists are drawn. By processor time a turn of the loop is what the loop's own thread computed in
it: what other processes took from the clock meanwhile is no part of it.
"""

import asyncio
import time
from asyncio.events import Handle
from contextlib import contextmanager

import numpy as np

from planet_tui import __main__ as _  # noqa: F401  (sets what Textual reads when it is imported)
from planet_tui.app import PlanetApp, put_keys_first
from planet_tui.settings import AppSettings, Loaded
from planet_tui.widgets.question_bar import QuestionBar
from tests.benchmarks.place import Place

TYPED = 5
"""Questions."""
TICK = 0.001
"""Seconds that the event loop is asked to wait: whatever it waits more, something held it."""


def typed(place: Place):
    """Type into the app with the kept index; no terminal is drawn on."""
    return asyncio.run(_type(place))


@contextmanager
def _turns():
    """Collect the processor seconds of every turn of the event loop."""
    run, seconds = Handle._run, []

    def timed(self):
        start = time.thread_time()
        run(self)
        seconds.append(time.thread_time() - start)

    Handle._run = timed
    try:
        yield seconds
    finally:
        Handle._run = run


async def _type(place):
    from textual.events import Key

    put_keys_first()
    app = PlanetApp(place.notes, Loaded(AppSettings(), ()), cache=place.cache)
    async with app.run_test(size=(120, 40)) as pilot:
        while app.session.library is None or app.session.library.stage != "lsa" or app.screen._building:
            await asyncio.sleep(0.05)
        await pilot.pause()
        held, taken, computed = [], [], []
        watching = asyncio.create_task(_watch(held))
        bar = app.screen.query_one(QuestionBar)
        with _turns() as turns:
            for query in place.read("queries")[:TYPED]:
                bar.value = ""
                for at, letter in enumerate(query, 1):
                    start, cpu = time.perf_counter(), time.process_time()
                    app.post_message(Key("space" if letter == " " else letter, letter))
                    await _followed(app, query[:at])
                    taken.append(time.perf_counter() - start)
                    computed.append(time.process_time() - cpu)
        watching.cancel()
    low, high = np.percentile(taken, [50, 95]) * 1000
    ticks = np.array(held) * 1000
    return {
        "keystroke p50 ms": low,
        "keystroke p95 ms": high,
        "keystroke p95 CPU ms": float(np.percentile(computed, 95) * 1000),
        "loop turn p99 CPU ms": float(np.percentile(turns, 99) * 1000),
        "loop turn longest CPU ms": max(turns) * 1000,
        "loop held p99 ms": float(np.percentile(ticks, 99)),
        "loop held longest ms": float(ticks.max()),
    }


async def _followed(app, question):
    """Wait until the lists are drawn that answer what has been typed."""
    while not (trace := app.screen._trace) or trace.question != question:
        await asyncio.sleep(TICK)
    drawn = asyncio.Event()
    app.screen.call_after_refresh(drawn.set)
    await drawn.wait()


async def _watch(held):
    while True:
        start = time.perf_counter()
        await asyncio.sleep(TICK)
        held.append(time.perf_counter() - start - TICK)
