"""A note as its reader sees it: headings, bullets, bars and code drawn from the blocks, only where they are seen."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from engine.records import Block, Document, Span
from planet_tui.plain import plain
from planet_tui.widgets.lines import LinesView
from planet_tui.widgets.wrapping import Line, Mark, styled, wrap

WIDEST = 100
"""Longest line in cells: wider ones are hard to read."""


class DocumentLine(NamedTuple):
    """One line on screen: a range of the text inside a block."""

    start: int
    end: int
    block: int
    """Index of the block; -1: an empty line between blocks."""
    first: bool
    """Whether it is its block's first line."""


class DocumentView(LinesView):
    """One note; no cursor: `j` and `k` scroll."""

    def __init__(self, *, id: str) -> None:  # noqa: A002
        """Start without a note."""
        super().__init__(id=id)
        self._document: Document | None = None
        self._text = ""
        self._passage: Span | None = None
        self._terms: tuple[Span, ...] = ()
        self._starts: list[int] = []
        self._gone_to = (-1, -1)

    def show(self, document: Document, terms: tuple[Span, ...], passage: Span | None) -> None:
        """Show a note with the question's terms and one passage marked, scrolled to the passage."""
        self._document, self._text = document, plain(document.text)
        self._terms, self._passage = terms, passage
        self._starts = [span.start for span in terms]
        self.lay_out_again()
        if passage is not None:
            self.call_after_refresh(self.jump, passage.start)

    def jump(self, offset: int, *, top: float = 0.3) -> None:
        """Scroll so that a character of the text stands at the share `top` of the height, once it is laid out."""
        self.seek(lambda: self._reach(offset, top))

    def _reach(self, offset: int, top: float) -> bool:
        if self.is_growing and (not self._lines or self._lines[-1].start <= offset):
            return False
        index = bisect_right(self._lines, offset, key=lambda line: line.start) - 1
        while index > 0 and self._lines[index].block < 0:
            index -= 1
        self.show_line(max(0, index), top=top)
        self._gone_to = (offset, self.scroll_offset.y)
        self.refresh()
        return True

    @property
    def place(self) -> int:
        """Where the reader is: at what was gone to last, else, after scrolling, at the top of the window."""
        offset, row = self._gone_to
        return offset if row == self.scroll_offset.y else self.top_offset

    @property
    def top_offset(self) -> int:
        """The first character of the window."""
        self._ensure_layout()
        if not self._lines:
            return 0
        index = min(self.scroll_offset.y, len(self._lines) - 1)
        return int(self._lines[index].start)

    def lay_out(self, width: int) -> Iterator[DocumentLine]:
        """Wrap every block inside its indent."""
        document = self._document
        if document is None:
            return
        end = 0
        for index, block in enumerate(document.blocks or (Block("paragraph", 0, len(self._text)),)):
            if index and "\n\n" in self._text[end : block.start]:
                yield DocumentLine(end, end, -1, False)
            room = min(width - 1, WIDEST) - 2 - len(_lead(block))
            for number, line in enumerate(wrap(self._text, room, block.start, block.end)):
                yield DocumentLine(*line, index, number == 0)
            end = block.end

    def draw(self, line: DocumentLine, width: int) -> Text:
        """Draw a line with its gutter: a bar beside the passage, a mark beside the heading that was gone to."""
        inside = self._passage is not None and line.start < self._passage.end and line.end > self._passage.start
        if line.block < 0 or self._document is None:
            return Text("")
        blocks = self._document.blocks
        block = blocks[line.block] if blocks else Block("paragraph", 0, len(self._text))
        here = block.kind == "heading" and block.start <= self._gone_to[0] <= block.end
        gutter = Text(no_wrap=True, end="")
        gutter.append("┃ " if inside else "▸ " if here else "  ", self.style("accent"))
        lead = _lead(block)
        gutter.append(lead if line.first or block.kind == "quote" else " " * len(lead), self.style("dim"))
        return gutter.append_text(styled(self._text, line.start, line.end, self._marks(line), self._block_style(block)))

    def _marks(self, line: Line | DocumentLine) -> list[Mark]:
        marks = []
        if self._passage is not None:
            marks.append(Mark(*self._passage, self.style("passage")))
        first = max(0, bisect_right(self._starts, line.start) - 1)
        for span in self._terms[first:]:
            if span.start >= line.end:
                break
            marks.append(Mark(*span, self.style("term")))
        return marks

    def _block_style(self, block: Block) -> Style | None:
        names = {"heading": "heading", "code": "code", "math": "code", "quote": "dim"}
        return self.style(names[block.kind]) if block.kind in names else None


def _lead(block: Block) -> str:
    """What stands before a block's first line: a bullet, a bar, hash marks.

    >>> _lead(Block("item", 0, 3, level=2))
    '  • '
    """
    if block.kind == "item":
        return "  " * max(0, block.level - 1) + "• "
    if block.kind == "quote":
        return "│ " * max(1, block.level)
    if block.kind == "heading":
        return "#" * block.level + " "
    return "  " if block.kind == "code" else ""
