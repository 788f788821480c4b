"""The row of pane names on a small terminal: number keys and clicks switch."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static


class PaneTabs(Static):
    """Names with their number keys; the one on show is reversed."""

    shown: reactive[str] = reactive("")

    class Switched(Message):
        """A name was clicked."""

        def __init__(self, pane: str) -> None:
            """Keep the pane's id."""
            self.pane = pane
            super().__init__()

    def __init__(self, panes: tuple[tuple[str, str], ...], *, id: str) -> None:  # noqa: A002
        """Take (pane id, name) in the order of the number keys."""
        super().__init__(id=id)
        self._panes = panes

    def watch_shown(self) -> None:
        """Draw again."""
        self.update(self._draw())

    def on_resize(self) -> None:
        """Draw for the new width."""
        self.update(self._draw())

    def on_click(self, event: events.Click) -> None:
        """Switch to the pane whose name was clicked."""
        at = event.x
        for (pane, _), label in zip(self._panes, self._labels(), strict=True):
            if 0 <= at < len(label):
                self.post_message(self.Switched(pane))
            at -= len(label)

    def _labels(self) -> list[str]:
        full = [f" {number} {name} " for number, (_, name) in enumerate(self._panes, 1)]
        if sum(map(len, full)) <= self.size.width:
            return full
        return [
            f" {number} {name} " if pane == self.shown else f" {number} "
            for number, (pane, name) in enumerate(self._panes, 1)
        ]

    def _draw(self) -> Content:
        styles = ["reverse bold" if pane == self.shown else "" for pane, _ in self._panes]
        return Content.assemble(*zip(self._labels(), styles, strict=True))
