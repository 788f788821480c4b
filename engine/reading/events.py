"""Turns Markdown into the text a person reads, with blocks, headings, links, tags and a line map.

pyromark (pulldown-cmark) yields events with byte ranges, in source order; `TextReader` walks them once. This is
where reading spends its time, so the loop treats the commonest events itself and looks the others up in a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate, islice
from typing import Any, NamedTuple

from engine.reading.html import html_lines
from engine.reading.inlines import Event, InlineReader, Where
from engine.records import BlockKind

_BATCH = 10_000
"""Events between two checkpoints: some 20 milliseconds."""

_HEADING_ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}$")
_BLANK_LINES = re.compile(r"(?:[ \t]*\n)+")

_Handlers = dict[str, Callable[[Any, Where], None]]


class Heading(NamedTuple):
    """A heading that opens a section: one that stands in no list or quote."""

    level: int
    """1 to 6."""
    start: int
    """Where it starts in the text."""
    text: str
    """Its words."""


class TextReader(InlineReader):
    """Reads one source; afterwards its attributes hold what was found.

    Attributes:
        headings: In order of position.
    """

    def __init__(self, source: str) -> None:
        r"""Take a source without lone surrogates whose lines end in `\n`."""
        super().__init__(source)
        self.headings: list[Heading] = []
        self._checkpoint: Callable[[], object] = lambda: None
        self._lists = self._quotes = self._cells = 0  # how many are open

    def read(self, checkpoint: Callable[[], object]) -> None:
        """Read to the end, calling `checkpoint` every few milliseconds; what that raises ends the reading."""
        self._checkpoint = checkpoint
        starts, ends, leaves = self._starts(), self._ends(), self._leaves()
        checkpoint()
        while self._read_batch(starts, ends, leaves):
            checkpoint()
        self._between_blocks()

    def _read_batch(self, starts: _Handlers, ends: _Handlers, leaves: _Handlers) -> bool:
        event = None
        append = self.parts.append
        for event, where in islice(self._events, _BATCH):
            if event.__class__ is str:
                self._break(event)
                continue
            kind, value = event.popitem()
            if kind == "Text":
                if not (value := self._fill_gap(value) if self._gap else value):
                    continue  # the parser yields empty ones, too
                if (at := where["start"]) > self._line_end:
                    self._go_to(at)
                append(value)
                self.length += len(value)
                if "#" in value:
                    self._collect_tags(where)
                continue
            if kind == "End":
                handler = ends.get(value if value.__class__ is str else next(iter(value)))
            elif kind == "Start":
                handler = starts.get(value if value.__class__ is str else next(iter(value)))
            else:
                handler = leaves.get(kind)
            if handler:
                handler(value, where)
        return event is not None

    def _starts(self) -> _Handlers:
        return {
            "Heading": self._start_heading,
            "BlockQuote": self._start_quote,
            "List": self._start_list,
            "Item": self._start_item,
            "FootnoteDefinition": self._start_footnote,
            "Table": self._start_table,
            "TableHead": self._start_row,
            "TableRow": self._start_row,
            "TableCell": self._start_cell,
            "CodeBlock": self._read_code,
            "HtmlBlock": self._read_html,
            "Link": self._start_link,
            "Image": self._start_image,
        }

    def _ends(self) -> _Handlers:
        return {
            "Paragraph": self._between_blocks,
            "Heading": self._end_heading,
            "BlockQuote": self._end_quote,
            "List": self._end_list,
            "Item": self._leave,
            "FootnoteDefinition": self._leave,
            "TableHead": self._between_blocks,
            "TableRow": self._between_blocks,
            "Link": self._end_link,
            "Image": self._end_link,
        }

    def _leaves(self) -> _Handlers:
        return {
            "Code": self._literal,
            "InlineMath": self._inline_math,
            "DisplayMath": self._display_math,
            "InlineHtml": self._inline_html,
        }

    # Blocks

    def _start_heading(self, value: Event, _where: Where) -> None:
        if len(self._inside) == 1:
            self._open("heading", int(value["Heading"]["level"][1]))
        else:
            self._between_blocks()

    def _end_heading(self, _value: Event, where: Where) -> None:
        if self._kind == "heading" and self._start >= 0:
            if self.parts[-1].endswith("}"):
                self._drop_attributes(where)
            self._trim()
            self.headings.append(Heading(self._level, self._start, "".join(self.parts[self._first_part :])))
        self._between_blocks()

    def _drop_attributes(self, where: Where) -> None:
        """Drop `{#id .class}` behind the words of a heading, unless it is all of them."""
        attributes = _HEADING_ATTRIBUTES.search(self.parts[-1])
        written = attributes and attributes[0].strip().encode() in self._source[where["start"] : where["end"]]
        if attributes and written and (attributes.start() or len(self.parts) - 1 > self._first_part):
            self.parts[-1] = self.parts[-1][: attributes.start()]
            self.length -= len(attributes[0])

    def _enter(self, kind: BlockKind, level: int) -> None:
        self._open(kind, level)
        self._inside.append((kind, level))

    def _leave(self, _value: Event, _where: Where) -> None:
        self._between_blocks()
        self._inside.pop()
        self._between_blocks()

    def _start_quote(self, _value: Event, _where: Where) -> None:
        self._quotes += 1
        self._enter("quote", self._quotes)
        self._opens_quote = True

    def _end_quote(self, value: Event, where: Where) -> None:
        self._quotes -= 1
        self._opens_quote = False
        self._leave(value, where)

    def _start_list(self, _value: Event, _where: Where) -> None:
        self._between_blocks()
        self._group += not self._lists
        self._lists += 1

    def _end_list(self, _value: Event, _where: Where) -> None:
        self._lists -= 1

    def _start_item(self, _value: Event, _where: Where) -> None:
        self._enter("item", self._lists)

    def _start_footnote(self, _value: Event, _where: Where) -> None:
        self._enter("paragraph", 0)

    def _start_table(self, _value: Event, _where: Where) -> None:
        self._group += 1

    def _start_row(self, _value: Event, where: Where) -> None:
        self._open("row")
        self._row_at = where["start"]
        self._cells = 0

    def _start_cell(self, _value: Event, _where: Where) -> None:
        if self._cells:
            self._tabs += 1
            self._gap = "\t"
        self._cells += 1

    def _read_code(self, value: Event, _where: Where) -> None:
        self._open("math" if value["CodeBlock"] == {"Fenced": "math"} else "code")
        for event, where in self._events:
            if "Text" not in event:
                break
            self._write_code(event["Text"].rstrip(), where["start"])
        self._between_blocks()

    def _write_code(self, code: str, at: int) -> None:
        if not code:
            return
        self._begin()
        if at > self._line_end:
            self._go_to(at)
        blank = _BLANK_LINES.match(code)
        skipped = blank.end() if blank else 0
        line = self._line + code.count("\n", 0, skipped)
        rows = code[skipped:].split("\n")
        offsets = accumulate((len(row) + 1 for row in rows[:-1]), initial=self.length)
        self._mark_line(next(offsets), line)
        self.line_offsets += offsets
        self.line_numbers += range(line + 1, line + len(rows))
        self._write(code[skipped:])

    def _read_html(self, _value: Event, _where: Where) -> None:
        self._between_blocks()
        html: list[str] = []
        for event, where in self._events:
            if "Html" not in event:
                break
            if not html and where["start"] > self._line_end:
                self._go_to(where["start"])
            html.append(event["Html"])
        for index, gap, text in html_lines("".join(html)):
            self._checkpoint()
            self._write_line(text, index, gap)
        self._between_blocks()
