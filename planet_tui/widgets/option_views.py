"""Settings on screen: the list of them with their values, and what one of them means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from engine.settings import Option
from planet_tui.plain import one_line
from planet_tui.widgets.flow import Flow, FlowView
from planet_tui.widgets.wrapping import fit

NAMES, VALUES, MEANINGS = 18, 16, 24
"""Cells of the columns; meanings are left out where they would have fewer."""
STALE = {
    "nothing": "A change holds at once.",
    "index": "A change has the passages cut and indexed again, in the background.",
    "folder": "A change has the folder read again, in the background.",
}
"""What has to be made again, by `Option.rebuild`."""


class OptionsView(FlowView):
    """One line a setting, under the name of its group; the items are the settings' names."""

    def __init__(self, options: Sequence[Option], read: Callable[[str], Any], *, id: str) -> None:  # noqa: A002
        """Take the settings and what returns a value by name."""
        super().__init__(id=id)
        self.border_title = "Settings"
        self.border_subtitle = "enter changes · h l step · d default · t test the model · esc back"
        self._options, self._read = options, read

    def compose_flow(self, flow: Flow) -> None:
        """List name, value and meaning, with a mark where the value is not the default."""
        for group, options in groupby(self._options, key=lambda option: option.group):
            flow.heading(group, self.style("heading"))
            for option in options:
                value = self._read(option.name)
                changed = value != option.default
                room = flow.width - NAMES - 2
                valued = min(room, VALUES) if room >= VALUES + MEANINGS else room
                flow.line(
                    ("● " if changed else "  ", self.style("accent")),
                    (f"{option.name:<{NAMES}}", None),
                    (fit(shown(value), valued), self.style("strong") if changed else None),
                    (fit(f" {option.help}", room - valued), self.style("dim")),
                    item=option.name,
                )


class OptionHelp(FlowView, can_focus=False):
    """Meaning, range, default and price of one setting, and what is to be said of it."""

    def __init__(self, *, id: str) -> None:  # noqa: A002
        """Start empty."""
        super().__init__(id=id)
        self._option: Option | None = None
        self._said = ("", False)

    def show(self, option: Option, said: str = "", *, bad: bool = False) -> None:
        """Explain a setting; `said` stands first."""
        self._option, self._said = option, (said, bad)
        self.border_title = option.name
        self.lay_out_again()

    def compose_flow(self, flow: Flow) -> None:
        """Write it down."""
        option, (said, bad) = self._option, self._said
        if said:
            flow.paragraph(one_line(said), self.style("bad" if bad else "accent"), lead=("! " if bad else "… ", None))
        if option is None:
            return
        flow.paragraph(f"{option.help}.")
        allowed = "true or false" if isinstance(option.default, bool) else option.range or "any text"
        flow.paragraph(f"{allowed}; default {shown(option.default)}", self.style("dim"))
        flow.paragraph(STALE[option.rebuild], self.style("dim"))


def shown(value: object) -> str:
    """Write a value as a person would.

    >>> shown(True), shown(""), shown(0.75)
    ('true', '(none)', '0.75')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return one_line(f"{value:g}" if isinstance(value, float) else str(value)) or "(none)"
