"""The top line: which folder, how much of it, and how ready each stage is."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from planet_tui.plain import one_line
from planet_tui.widgets.wrapping import bar, fit, fit_end

if TYPE_CHECKING:
    from engine.records import Progress

STABLE_SHARE = 0.03
"""Share of a stage before which its pace says nothing about the rest."""
STABLE_AFTER = 2.0
"""Seconds, likewise."""


class StatusLine(Static):
    """Facts in one line; the least important go first when it gets narrow."""

    def __init__(self, *, id: str) -> None:  # noqa: A002
        """Start with nothing known."""
        super().__init__(id=id)
        self._folder = ""
        self._facts: tuple[str, ...] = ()
        self._work_name = ""
        self._progress: Progress | None = None
        self._began = monotonic()
        self._alert = ""

    def show(
        self,
        *,
        folder: str,
        facts: tuple[str, ...],
        work: str,
        progress: Progress | None,
        alert: str = "",
    ) -> None:
        """Take the folder, facts from most to least important, what is being done, and how far that has come."""
        self._folder, self._facts, self._alert = one_line(folder), facts, one_line(alert)
        if (progress and progress.stage) != (self._progress and self._progress.stage):
            self._began = monotonic()
        self._work_name, self._progress = work, progress
        self.update(self._draw())

    def on_resize(self) -> None:
        """Draw for the new width."""
        self.update(self._draw())

    def _draw(self) -> Content:
        width = self.size.width or 80
        right = self._work()
        name = " planet-tui " if width >= 60 else " "
        room = width - len(name) - len(right) - 1
        shown = list(self._facts)
        while shown and len("  ".join(shown)) + 16 > room:
            shown.pop()
        facts = "  ".join(shown)
        middle = f" {fit_end(self._folder, max(5, room - len(facts) - 4))}   {facts}"
        return Content.assemble(
            (name, "bold $primary"), fit(middle, max(0, room)), (right, "$warning" if self._alert else "$accent"), " "
        )

    def _work(self) -> str:
        if self._alert:
            return self._alert
        progress = self._progress
        if progress is None:
            return f"{self._work_name} …" if self._work_name else ""
        if not progress.total:
            return f"{progress.stage} …"
        share = progress.done / progress.total
        return f"{progress.stage} {bar(share, 8)} {share:4.0%}{self._time_left(share)}"

    def _time_left(self, share: float) -> str:
        """Estimate the rest of the stage from its pace so far."""
        spent = monotonic() - self._began
        return time_left(spent / share * (1 - share)) if share >= STABLE_SHARE and spent > STABLE_AFTER else ""


def time_left(seconds: float) -> str:
    """Say how long something will take, no more exactly than it is known; empty: a moment.

    >>> time_left(8.2), time_left(84), time_left(1441), time_left(0.2)
    (' 8 s left', ' 80 s left', ' 24 min left', '')
    """
    if seconds < 1:
        return ""
    if seconds < 100:
        return f" {seconds if seconds < 20 else round(seconds, -1):.0f} s left"
    return f" {seconds / 60:.0f} min left"
