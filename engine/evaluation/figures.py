"""A measured result as a picture: panels of curves, a record that matplotlib, a terminal or a table can draw.

matplotlib is the extra `figures` and is imported only when a picture is saved.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from engine.errors import MissingExtraError, OutputError, how_to_install
from engine.evaluation.tables import Table, table
from engine.writing import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

ENDINGS = (".png", ".svg", ".pdf")
"""Kinds of file a picture can be saved as."""
PANEL_INCHES = (5.2, 4.0)
"""Width and height of one panel."""

Kind = Literal["line", "points", "bars"]


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a panel."""

    label: str
    """What it is, for the legend; empty: it needs none."""
    x: tuple[float, ...]
    """(n_points,) where; for bars, the place of each category, from 0."""
    y: tuple[float, ...]
    """(n_points,) how much."""
    low: tuple[float, ...] = ()
    """(n_points,) lower ends of the confidence intervals; empty: none are drawn."""
    high: tuple[float, ...] = ()
    """(n_points,) upper ends."""
    kind: Kind = "line"
    """How it is drawn."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes and what is drawn in it."""

    title: str
    """Above it."""
    x_label: str
    """What runs to the right, with its unit."""
    y_label: str
    """What runs upwards, with its unit."""
    curves: tuple[Curve, ...]
    """In the order of the legend."""
    log_x: bool = False
    """Whether equal steps to the right are equal factors."""
    y_range: tuple[float, float] | None = None
    """Least and greatest value shown; `None`: what the curves need."""
    categories: tuple[str, ...] = ()
    """Names of the places 0, 1, 2 … on the x axis; empty: it is a scale."""

    def to_table(self) -> Table:
        """Return its points in long form: one row a point, curve after curve."""
        rows = [
            (curve.label, self._place(x), y, low, high)
            for curve in self.curves
            for x, y, low, high in zip(
                curve.x,
                curve.y,
                curve.low or [None] * len(curve.x),
                curve.high or [None] * len(curve.x),
                strict=True,
            )
        ]
        return table(self.title, ["curve", "x", "y", "low", "high"], rows, f"x: {self.x_label}. y: {self.y_label}.")

    def _place(self, x: float) -> str | float:
        return self.categories[int(x)] if self.categories else x


@dataclass(frozen=True, slots=True)
class Figure:
    """Panels side by side."""

    title: str
    """Above all of them; empty: none."""
    panels: tuple[Panel, ...]
    """From left to right; at least one."""
    note: str = ""
    """Below: what a reader must know."""

    def to_dict(self) -> dict[str, Any]:
        """Return title, the points of each panel and note, ready for JSON."""
        panels = [panel.to_table().to_dict() for panel in self.panels]
        return {"title": self.title, "panels": panels, "note": self.note}

    def save(self, path: Path | str) -> Path:
        """Draw the picture and write it, PNG, SVG or PDF by the file's ending; return the path.

        The same record gives the same file.

        Raises:
            MissingExtraError: matplotlib is not installed.
            OutputError: the ending is another one, or the file cannot be written.
        """
        path = check_ending(Path(os.path.expanduser(path)))
        drawing = self._draw()
        with replacing(path) as part:
            _save(drawing, part)
        return path

    def _draw(self) -> Drawing:
        drawing = new_drawing(PANEL_INCHES[0] * len(self.panels), PANEL_INCHES[1])
        for axes, panel in zip(drawing.subplots(1, len(self.panels), squeeze=False)[0], self.panels, strict=True):
            _draw_panel(axes, panel)
        if self.title:
            drawing.suptitle(_literal(self.title))
        if self.note:
            drawing.supxlabel(_literal(self.note), fontsize="small")
        return drawing


def check_ending(path: Path) -> Path:
    """Return a picture's path; raise `OutputError` when its ending is none of `ENDINGS`."""
    if path.suffix.lower() not in ENDINGS:
        raise OutputError(f"{path.name}: a picture is not written in that form.", f"End it in {' or '.join(ENDINGS)}.")
    return path


def new_drawing(wide: float, high: float) -> Drawing:
    """Return an empty matplotlib drawing of so many inches, without a window and without global state.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure as Drawing
    except ImportError:
        raise MissingExtraError(
            "Pictures need matplotlib, which is not installed.", f"Install it: {how_to_install('matplotlib')}"
        ) from None
    return Drawing(figsize=(wide, high), dpi=150, layout="constrained")


def _draw_panel(axes: Axes, panel: Panel) -> None:
    axes.set_title(_literal(panel.title))
    axes.set_xlabel(_literal(panel.x_label))
    axes.set_ylabel(_literal(panel.y_label))
    bars = [curve for curve in panel.curves if curve.kind == "bars"]
    for curve in panel.curves:
        if curve.kind == "bars":
            _draw_bars(axes, curve, bars.index(curve), len(bars))
        else:
            _draw_line(axes, curve)
    if panel.log_x:
        axes.set_xscale("log")
    if panel.y_range:
        axes.set_ylim(*panel.y_range)
    if panel.categories:
        axes.set_xticks(range(len(panel.categories)), [_literal(name) for name in panel.categories])
    if any(curve.label for curve in panel.curves):
        axes.legend(fontsize="small")
    axes.grid(visible=True, alpha=0.3)


def _draw_line(axes: Axes, curve: Curve) -> None:
    line = "-" if curve.kind == "line" else ""
    (drawn,) = axes.plot(curve.x, curve.y, marker="o", markersize=4, linestyle=line, label=_literal(curve.label))
    if curve.low and curve.high:
        axes.fill_between(curve.x, curve.low, curve.high, color=drawn.get_color(), alpha=0.15, linewidth=0)


def _draw_bars(axes: Axes, curve: Curve, at: int, of: int) -> None:
    wide = 0.8 / of
    places = [x + (at - (of - 1) / 2) * wide for x in curve.x]
    axes.bar(places, curve.y, wide, label=_literal(curve.label))
    if curve.low and curve.high:
        below = [y - low for y, low in zip(curve.y, curve.low, strict=True)]
        above = [high - y for y, high in zip(curve.y, curve.high, strict=True)]
        axes.errorbar(places, curve.y, [below, above], linestyle="", color="black", linewidth=1, capsize=2)


def _save(drawing: Drawing, path: Path) -> None:
    from matplotlib import rc_context

    # Neither the date nor a random mark belongs into a file that two runs should agree on.
    metadata: dict[str, Any] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower(), {})
    # A name in a script that the font lacks is drawn as boxes, which is no reason to stop.
    with warnings.catch_warnings(), rc_context({"svg.hashsalt": "planet-tui", "svg.fonttype": "none"}):
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        drawing.savefig(path, metadata=metadata)


def _literal(text: str) -> str:
    r"""Return a text in which matplotlib sees no formula.

    >>> _literal("5 $ and 6 $")
    '5 \\$ and 6 \\$'
    """
    return text.replace("$", r"\$")
