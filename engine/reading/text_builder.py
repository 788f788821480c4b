"""The text that grows while a note is read: its blocks, what parts them, and the source line of every character."""

from __future__ import annotations

import re
import sys

from engine.reading.source import joins_without_space
from engine.records import Block, BlockKind

_TIGHT = frozenset(("item", "row"))
"""Kinds of blocks of which neighbours in one list or table are parted by a line break only."""
_CALLOUT = re.compile(r"\[![^\]\[]+\][+-]?[ \t]*")


class TextBuilder:
    """Text in pieces, written from front to back.

    Blocks and gaps are written when the words that follow come, so that an empty block leaves no trace.

    Attributes:
        parts: The text, in pieces; none is empty.
        length: Characters in `parts`.
        blocks: The finished blocks, in order.
        line_offsets, line_numbers: See `Document`.
    """

    def __init__(self, source: str) -> None:
        r"""Take a source without lone surrogates whose lines end in `\n`."""
        self.parts: list[str] = []
        self.length = 0
        self.blocks: list[Block] = []
        self.line_offsets = [0]
        self.line_numbers = [1]

        self._source = source.encode()
        self._line = 1
        self._line_end = self._end_of_line(0)

        # The block at hand.
        self._kind: BlockKind = "paragraph"
        self._level = 0
        self._group = 0  # which list or table it belongs to
        self._start = -1  # in the text; below 0: it has no words yet
        self._first_part = 0
        self._gap = "\n\n"  # what its next words are parted by from those before; empty: nothing
        self._tabs = 0  # cells of its row that have ended since its last words
        self._row_at = 0  # where its row starts in the source
        self._previous: tuple[BlockKind, int] = ("paragraph", 0)  # kind and group of the block before
        self._inside: list[tuple[BlockKind, int]] = [("paragraph", 0)]  # what words belong to, innermost last
        self._opens_quote = self._in_callout_title = False

    # Lines

    def _end_of_line(self, at: int) -> int:
        end = self._source.find(b"\n", at)
        return end if end >= 0 else sys.maxsize

    def _go_to(self, at: int) -> None:
        """Move to the source line that holds byte `at`, a later one than the line at hand."""
        self._line += self._source.count(b"\n", self._line_end, at)
        self._line_end = self._end_of_line(at)
        if self.line_offsets[-1] == self.length:
            self.line_numbers[-1] = self._line
        else:
            self.line_offsets.append(self.length)
            self.line_numbers.append(self._line)

    def _mark_line(self, offset: int, line: int) -> None:
        if self.line_offsets[-1] == offset:
            self.line_numbers[-1] = line
        else:
            self.line_offsets.append(offset)
            self.line_numbers.append(line)

    # Blocks

    def _open(self, kind: BlockKind, level: int = 0) -> None:
        """Close the block at hand; the next words start one of `kind`."""
        if self._start >= 0:
            self._close()
        self._gap = "\n\n"
        self._tabs = 0
        self._in_callout_title = False
        self._kind, self._level = kind, level

    def _between_blocks(self, _value: object = None, _where: object = None) -> None:
        """Words that follow belong to the innermost list item or quote, or else to a paragraph."""
        if self._start >= 0:
            self._close()  # after which the words of a list item are plain paragraphs
        self._gap = "\n\n"
        self._tabs = 0
        self._in_callout_title = False
        self._kind, self._level = self._inside[-1]

    def _close(self) -> None:
        if self.parts[-1][-1].isspace():
            self._trim()
        self.blocks.append(Block(self._kind, self._start, self.length, self._level))
        self._start = -1
        self._previous = (self._kind, self._group)
        if self._kind == "item":
            self._inside[-1] = ("paragraph", 0)

    def _begin(self) -> None:
        """Open the block at hand here, apart from the one before."""
        if self.length:
            tight = self._kind in _TIGHT and self._previous == (self._kind, self._group)
            gap = "\n" if tight else "\n\n"
            self.parts.append(gap)
            self.length += len(gap)
        self._start = self.length
        self._first_part = len(self.parts)
        self._gap = ""

    # Words

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def _write_line(self, text: str, index: int, gap: str) -> None:
        """Write words of the source line `index` lines below the one at hand."""
        self._gap = self._gap or gap
        if self._gap and not (text := self._fill_gap(text)):
            return
        self._mark_line(self.length, self._line + index)
        self._write(text)

    def _fill_gap(self, value: str) -> str:
        """Write what parts `value` from the text before it; return `value` as it stands there."""
        value = value.lstrip()
        if self._opens_quote:
            value = self._quote_opening(value)
        if not value:
            return ""
        gap = self._gap
        if self._start < 0:
            self._begin()
            if not self._tabs:
                return value
            gap = ""
            self._go_to(self._row_at)  # a row that opens with an empty cell
        elif self._tabs or (gap == " " and joins_without_space(self.parts[-1][-1], value)):
            gap = ""
        elif self.parts[-1][-1].isspace():
            self._trim()
        if self._tabs:
            gap, self._tabs = "\t" * self._tabs, 0
        if gap:
            self._write(gap)
        self._gap = ""
        return value

    def _quote_opening(self, value: str) -> str:
        self._opens_quote = self._in_callout_title = False
        if not (marker := _CALLOUT.match(value)):
            return value
        self._in_callout_title = True
        return value[marker.end() :]

    def _trim(self) -> None:
        kept = ""
        while not kept:
            last = self.parts.pop()
            kept = last.rstrip()
            self.length -= len(last) - len(kept)
        self.parts.append(kept)
        # A line that held nothing else is no line of the text.
        while self.line_offsets[-1] > self.length:
            self.line_offsets.pop()
            self.line_numbers.pop()
