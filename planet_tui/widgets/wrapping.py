"""Text into lines that fit a width in terminal cells, as ranges, so that marks keep their offsets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len, get_character_cell_size
from rich.style import Style
from rich.text import Text

LETTERS_A_CELL = 16
"""Characters looked at for each cell of a line: combining marks take none."""

TAB = " │ "
"""How the tab between two cells of a table row is drawn."""


class Line(NamedTuple):
    """One line on screen: `text[start:end]`."""

    start: int
    end: int


class Mark(NamedTuple):
    """A style on a range of the text; later marks lie over earlier ones."""

    start: int
    end: int
    style: Style


def wrap(text: str, width: int, start: int = 0, end: int | None = None) -> Iterator[Line]:
    """Break `text[start:end]` at line breaks and, greedily, at spaces, into lines of at most `width` cells, one by one.

    A word wider than a line is cut. Wide characters (two cells) may be followed by a break. White space at
    a break is left out of the lines.

    >>> list(wrap("one two three", 8))
    [Line(start=0, end=7), Line(start=8, end=13)]
    """
    end = len(text) if end is None else end
    width = max(2, width)
    while start <= end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        narrow = text.isascii() or text[start:stop].isascii()
        yield from (_wrap_narrow if narrow and "\t" not in text[start:stop] else _wrap_wide)(text, width, start, stop)
        start = stop + 1


def _wrap_narrow(text: str, width: int, start: int, end: int) -> Iterator[Line]:
    """Every character takes one cell: a break is the last space that a line can reach."""
    while end - start > width:
        cut = text.rfind(" ", start, start + width + 1)
        if cut <= start:
            yield Line(start, start + width)
            start += width
        else:
            yield Line(start, cut)
            start = cut + 1
    yield Line(start, end)


def _wrap_wide(text: str, width: int, start: int, end: int) -> Iterator[Line]:
    """Characters take 0 to 3 cells: walk them, remembering the last place where a line may end."""
    used, cut, resume = 0, -1, -1
    position = start
    while position < end:
        character = text[position]
        cells = len(TAB) if character == "\t" else get_character_cell_size(character)
        if used + cells > width and position > start:
            if character == " ":
                cut, resume = position, position + 1
            elif cut <= start:
                cut = resume = position
            yield Line(start, cut)
            start = position = resume
            used, cut = 0, -1
            continue
        used += cells
        if character in " \t":
            cut, resume = position, position + 1
        elif cells == 2:
            cut = resume = position + 1
        position += 1
    yield Line(start, end)


def styled(text: str, start: int, end: int, marks: Iterable[Mark] = (), style: Style | None = None) -> Text:
    """Return `text[start:end]` as one drawable line, tabs drawn as bars, with every mark that touches it."""
    marks = [mark for mark in marks if mark.start < end and mark.end > start]
    cuts = sorted({start, end, *(min(max(edge, start), end) for mark in marks for edge in mark[:2])})
    line = Text(no_wrap=True, end="", style=style or "")
    for left, right in zip(cuts, cuts[1:], strict=False):
        over = [mark.style for mark in marks if mark.start <= left and mark.end >= right]
        line.append(text[left:right].replace("\t", TAB), Style.combine(over) if over else None)
    return line


def fit(text: str, width: int) -> str:
    """Cut a one-line text to exactly `width` cells: an ellipsis where it was cut, spaces where it was short.

    >>> fit("Neptune", 5), fit("Io", 4)
    ('Nept…', 'Io  ')
    """
    if width <= 0:
        return ""
    text = text[: width * LETTERS_A_CELL]  # measuring megabytes would take seconds
    wide = cell_len(text)
    if wide <= width:
        return text + " " * (width - wide)
    kept, used = [], 0
    for character in text:
        cells = get_character_cell_size(character)
        if used + cells > width - 1:
            break
        kept.append(character)
        used += cells
    return "".join(kept) + "…" + " " * (width - 1 - used)


def fit_end(text: str, width: int) -> str:
    """Cut the start off a one-line text of more than `width` cells, with an ellipsis: a path is known by its end.

    >>> fit_end("/home/me/notes", 8), fit_end("notes", 8)
    ('…e/notes', 'notes')
    """
    text = text[-width * LETTERS_A_CELL :]
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[1:]
    return f"…{text}"


def bar(share: float, width: int) -> str:
    """Draw a share of 0 to 1 as a horizontal bar of `width` cells, in eighths.

    >>> bar(0.5, 4), bar(0.07, 4)
    ('██  ', '▎   ')
    """
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + ("▏▎▍▌▋▊▉"[rest - 1] if rest else "")).ljust(width)


def spread(total: int, weights: Sequence[float]) -> list[int]:
    """Share `total` cells out by weight: whole numbers that sum to `total`, at least 1 for a weight above 0.

    >>> spread(10, [8, 1, 1])
    [8, 1, 1]
    """
    sum_of_weights = sum(weights) or 1.0
    shares = [max(1, int(total * weight / sum_of_weights)) if weight > 0 else 0 for weight in weights]
    order = sorted(range(len(weights)), key=lambda index: -weights[index])
    for index in order:
        shares[index] = max(min(shares[index], 1), shares[index] + total - sum(shares))
        if sum(shares) == total:
            break
    return shares
