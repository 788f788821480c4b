"""What a piece of text means (`dim`, `good`, `source3`) -> how it is drawn in a theme.

One table for all panes: what is a source's colour in the prompt is its colour in the lists.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

INKS = {
    "dim": ("text-muted", ""),
    "bar": ("primary-darken-3", ""),
    "strong": ("", "bold"),
    "accent": ("accent", ""),
    "term": ("warning", "bold"),
    "passage": ("passage-background", "ground"),
    "good": ("success", "bold"),
    "bad": ("error", "bold"),
    "warn": ("warning", ""),
    "heading": ("primary", "bold"),
    "code": ("secondary", ""),
}
"""By name: the theme's variable, and whether it is `bold`, or the `ground` on which text stands."""

SOURCES = {
    True: ("#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#98c379", "#e06c75", "#d19a66", "#abb2bf"),
    False: ("#986801", "#1f5fbf", "#8b1f96", "#0b7285", "#3b7d23", "#c0312f", "#a64b00", "#555b66"),
}
"""Colours of source numbers on dark and on light themes, before they repeat."""


_MADE: dict[str, Mapping[str, Style]] = {}


def inks_of(theme: Theme) -> Mapping[str, Style]:
    """Return every style by name; they are made once for a theme's name."""
    if theme.name not in _MADE:
        colours = theme.to_color_system().generate() | theme.variables
        inks = {name: _style(colours.get(variable, ""), how) for name, (variable, how) in INKS.items()}
        sources = {f"source{at}": _style(colour, "bold") for at, colour in enumerate(SOURCES[theme.dark])}
        _MADE[theme.name] = inks | sources
    return _MADE[theme.name]


def source_ink(inks: Mapping[str, Style], number: int) -> Style:
    """Return the colour of a source number, the same in every pane."""
    return inks[f"source{(number - 1) % len(SOURCES[True])}"]


def _style(colour: str, how: str) -> Style:
    """Make a style of a colour; a variable that is no colour, such as `auto 60%`, leaves the text as it is."""
    try:
        ink = Color.parse(colour).rich_color if colour else None
    except ValueError:
        ink = None
    return Style(bgcolor=ink) if how == "ground" else Style(color=ink, bold=how == "bold" or None)
