"""Questions typed letter by letter into the app: how soon the lists follow, and how long the event loop is held."""

import asyncio
import time

import numpy as np

from planet_tui.app import PlanetApp
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


async def _type(place):
    app = PlanetApp(place.notes, Loaded(AppSettings(), ()), cache=place.cache)
    async with app.run_test(size=(120, 40)) as pilot:
        while app.session.library is None or app.session.library.stage != "lsa" or app.screen._building:
            await asyncio.sleep(0.05)
        await pilot.pause()
        held, taken = [], []
        watching = asyncio.create_task(_watch(held))
        bar = app.screen.query_one(QuestionBar)
        for query in place.read("queries")[:TYPED]:
            bar.value = ""
            for letter in query:
                start = time.perf_counter()
                bar.insert_text_at_cursor(letter)
                await _followed(app, bar)
                taken.append(time.perf_counter() - start)
        watching.cancel()
    low, high = np.percentile(taken, [50, 95]) * 1000
    ticks = np.array(held) * 1000
    return {
        "keystroke p50 ms": low,
        "keystroke p95 ms": high,
        "loop held p99 ms": float(np.percentile(ticks, 99)),
        "loop held longest ms": float(ticks.max()),
    }


async def _followed(app, bar):
    """Wait until what is on the screen answers what stands in the line."""
    while not (trace := app.screen._trace) or trace.question != bar.value:
        await asyncio.sleep(TICK)
    await asyncio.sleep(0)


async def _watch(held):
    while True:
        start = time.perf_counter()
        await asyncio.sleep(TICK)
        held.append(time.perf_counter() - start - TICK)
