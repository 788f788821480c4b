"""Curves -> lines of text: drawn in dots of braille, with a sign of its own at the points of each curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor
from typing import NamedTuple

MARKS = "●▲■◆★✚"
"""A sign a curve, so that colour is not all that tells them apart."""
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot of a braille cell, by row and column."""
LEFT = 5
"""Cells for the figures beside the vertical axis."""


class Points(NamedTuple):
    """One curve, from left to right."""

    x: Sequence[float]
    y: Sequence[float]


class Cell(NamedTuple):
    """One character of the drawing."""

    sign: str
    curve: int | None
    """The curve it belongs to; `None`: an axis."""


def plot(curves: Sequence[Points], width: int, height: int, ticks: Sequence[float]) -> list[list[Cell]]:
    """Draw curves over common axes; later curves lie over earlier ones.

    Args:
        curves: at least one with a point.
        width: cells of a line; at least 12.
        height: lines; at least 4, of which the last is the horizontal axis.
        ticks: places on the horizontal axis that are named.

    Returns:
        (height, width) cells.
    """
    xs, ys = [x for curve in curves for x in curve.x], [y for curve in curves for y in curve.y]
    across, up = _range(xs), y_range(ys)
    wide, high = width - LEFT, height - 1
    cells = [[Cell(" ", None)] * wide for _ in range(high)]
    signs = [[0] * wide for _ in range(high)]
    places = [
        [(_place(x, across, wide * 2 - 1), high * 4 - 1 - _place(y, up, high * 4 - 1)) for x, y in zip(*c, strict=True)]
        for c in curves
    ]
    for number, points in enumerate(places):
        for start, end in zip(points, points[1:], strict=False):
            for column, row in _line(start, end):
                signs[row // 4][column // 2] |= _DOTS[row % 4][column % 2]
                cells[row // 4][column // 2] = Cell(chr(0x2800 + signs[row // 4][column // 2]), number)
    for number, points in enumerate(places):
        for column, row in points:
            cells[row // 4][column // 2] = Cell(MARKS[number % len(MARKS)], number)
    rows = [[*_label(up, row, high), *line] for row, line in enumerate(cells)]
    return [*rows, _axis(ticks, across, wide)]


def y_range(values: Sequence[float]) -> tuple[float, float]:
    """Return tenths between which all values lie; values are 0 or more.

    >>> y_range([0.53, 0.91]), y_range([1.0]), y_range([0.0])
    ((0.5, 1.0), (0.9, 1.0), (0.0, 0.1))
    """
    low, high = floor(min(values) * 10 + 1e-9), ceil(max(values) * 10 - 1e-9)
    if low == high:
        low, high = max(0, low - 1), max(1, high)
    return low / 10, high / 10


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if low < high else (low - 1, high + 1)


def _place(value: float, span: tuple[float, float], last: int) -> int:
    return round((value - span[0]) / (span[1] - span[0]) * last)


def _line(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the dots of a straight line, both ends included."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    for step in range(steps + 1):
        yield tuple(round(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True))  # type: ignore[misc]


def _label(up: tuple[float, float], row: int, high: int) -> list[Cell]:
    """Name the top, the middle and the bottom of the vertical axis."""
    shown = {0: up[1], high - 1: up[0]} | (
        {(high - 1) // 2: up[1] - (up[1] - up[0]) * ((high - 1) // 2) / (high - 1)} if high > 6 else {}
    )
    text = f"{shown[row]:.2f}┤" if row in shown else "    │"
    return [Cell(sign, None) for sign in text]


def _axis(ticks: Sequence[float], across: tuple[float, float], wide: int) -> list[Cell]:
    line = list(" " * (LEFT + wide))
    for tick in ticks:
        name = f"{tick:g}"
        at = min(LEFT + _place(tick, across, wide * 2 - 1) // 2, LEFT + wide - len(name))
        line[at : at + len(name)] = name
    return [Cell(sign, None) for sign in line]
