"""Drives the real app: opens it on a folder, waits for its jobs, reads what stands on its panes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.app import App
from textual.pilot import Pilot

from engine.settings import Settings
from planet_tui.app import PlanetApp
from planet_tui.screens.panes import Panes
from planet_tui.settings import AppSettings, Loaded
from planet_tui.widgets.lines import LinesView

SAMPLE = Path(__file__).parents[2] / "sample_docs"
VENUS = "How long is a year on Venus?"


def make_app(
    folder: Path | list[Path] = SAMPLE,
    question: str = "",
    *,
    cache: Path | None = None,
    live: bool = False,
    **changes: object,
) -> PlanetApp:
    """Return an app with default settings and no files of its own but a cache, where one is named."""
    settings = AppSettings(engine=Settings()).replace(**changes)
    return PlanetApp(folder, Loaded(settings), cache=cache, live=live, question=question)


@asynccontextmanager
async def running(app: PlanetApp, size: tuple[int, int] = (160, 50)) -> AsyncIterator[Pilot[None]]:
    """Run an app until its first question is answered with every retriever."""
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        await settle(pilot)
        yield pilot


async def settle(pilot: Pilot[None]) -> None:
    """Wait until no job runs, every pane is filled and every message is handled."""
    for _ in range(2):
        await pilot.pause(0.1)
        while is_busy(pilot.app):
            await pilot.pause(0.02)
        await pilot.pause()


def is_busy(app: App[None]) -> bool:
    """Return whether a job runs, but for the one that follows the folder, or a pane is still to be filled."""
    panes = (pane for screen in app.screen_stack for pane in screen.query(Panes))
    working = any(worker.is_running and worker.group != "follow" for worker in app.workers)
    return working or any(pane.is_showing for pane in panes)


async def ask(pilot: Pilot[None], question: str) -> None:
    """Put a question into the question line and press enter."""
    await pilot.press("slash")
    pilot.app.screen.query_one("#question").value = question
    await pilot.press("enter")
    await settle(pilot)


def text_of(app: PlanetApp, pane: str) -> str:
    """Return every line of a pane, seen or scrolled away."""
    view = app.screen.query_one(f"#{pane}", LinesView)
    width = view.size.width or 80
    return "\n".join(view.draw(line, width).plain for line in view.lay_out(width))


def flat(text: str) -> str:
    """Return a text with its line breaks and runs of spaces as single spaces."""
    return " ".join(text.split())
