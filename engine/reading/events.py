"""Turns Markdown into the text a person reads, with blocks, headings, links, tags and a line map.

pyromark (pulldown-cmark) yields events with byte ranges, in source order; `TextReader` walks them once. This is
where reading spends its time, so the loop treats the commonest events itself and looks the others up in a table.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

import pyromark

from engine.reading.html import breaks_line, html_lines
from engine.reading.source import joins_without_space
from engine.records import Block, BlockKind, Link

_Options = pyromark.Options
_PARSER: Final = pyromark.Markdown(
    options=_Options.ENABLE_TABLES
    | _Options.ENABLE_FOOTNOTES
    | _Options.ENABLE_STRIKETHROUGH
    | _Options.ENABLE_TASKLISTS
    | _Options.ENABLE_MATH
    | _Options.ENABLE_WIKILINKS
)
_BATCH = 20_000
"""Events between two checkpoints: some 20 milliseconds."""

_TIGHT = frozenset(("item", "row"))
"""Kinds of blocks of which neighbours in one list or table are parted by a line break only."""
_CALLOUT = re.compile(r"\[![^\]\[]+\][+-]?[ \t]*")
_IMAGE_SIZE = re.compile(rb"\|\s*\d+(?:x\d+)?\s*\]\]$")
_HEADING_ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}$")
_TAG = re.compile(
    r"(?<![^\s(,;（，。、；：])#([^\s!-,.:-@\[-^`{-~\u2000-\u200c\u200e-\u206f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]+)"
)
_BLANK_LINES = re.compile(r"(?:[ \t]*\n)+")

Event = Any
"""A `pyromark.event.Event`: a dictionary with one key, or the name of a break."""
Where = dict[str, int]
"""`start` and `end` of an event in the source, in bytes."""
Handler = Callable[[Any, Where], None]


class Heading(NamedTuple):
    """A heading that opens a section: one that stands in no list or quote."""

    level: int
    """1 to 6."""
    start: int
    """Where it starts in the text."""
    text: str
    """Its words."""


class TextReader:
    """Reads one source; afterwards its attributes hold what was found.

    Attributes:
        parts: The text, in pieces.
        length: Characters in `parts`.
        blocks, headings, links, tags: In order of position.
        line_offsets, line_numbers: See `Document`.
    """

    def __init__(self, source: str) -> None:
        r"""Take a source without lone surrogates whose lines end in `\n`."""
        self.parts: list[str] = []
        self.length = 0
        self.blocks: list[Block] = []
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self.tags: list[str] = []
        self.line_offsets = [0]
        self.line_numbers = [1]

        self._source = source.encode()
        self._events: Iterator[tuple[Event, Where]] = iter(_PARSER.events_with_range(source, merge_text=True))  # type: ignore[arg-type]
        self._line = 1
        self._line_end = -1  # the first words find their line

        # The block at hand. Its separator is written when its first words come, so an empty block leaves no trace.
        self._gap = "\n\n"
        self._start = -1
        self._first_part = 0
        self._kind: BlockKind = "paragraph"
        self._level = 0
        self._group = 0
        self._previous: tuple[BlockKind, int] = ("paragraph", 0)
        self._inside: list[tuple[BlockKind, int]] = [("paragraph", 0)]
        self._lists = self._quotes = 0
        self._cells = self._tabs = self._row_at = 0
        self._opens_quote = self._in_callout_title = False
        self._open_links: list[tuple[int, str, bool] | None] = []

    def read(self, checkpoint: Callable[[], object]) -> None:
        """Read to the end, calling `checkpoint` every few milliseconds; what that raises ends the reading."""
        tables, leaves = {"Start": self._starts(), "End": self._ends()}, self._leaves()
        checkpoint()
        while self._read_batch(tables, leaves):
            checkpoint()
        self._between_blocks()

    def _read_batch(self, tables: dict[str, dict[str, Handler]], leaves: dict[str, Handler]) -> bool:
        event = None
        append = self.parts.append
        for event, where in islice(self._events, _BATCH):
            if event.__class__ is str:
                self._break(event)
                continue
            kind, value = event.popitem()
            if kind == "Text":
                if self._gap and not (value := self._fill_gap(value)):
                    continue
                if (at := where["start"]) > self._line_end:
                    self._go_to(at)
                append(value)
                self.length += len(value)
                if "#" in value:
                    self._collect_tags(where)
                continue
            names = tables.get(kind)
            if names is None:
                handler = leaves.get(kind)
            else:
                handler = names.get(value if value.__class__ is str else next(iter(value)))
            if handler:
                handler(value, where)
        return event is not None

    def _starts(self) -> dict[str, Handler]:
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

    def _ends(self) -> dict[str, Handler]:
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

    def _leaves(self) -> dict[str, Handler]:
        return {
            "Code": self._literal,
            "InlineMath": self._literal,
            "DisplayMath": self._display_math,
            "InlineHtml": self._inline_html,
        }

    # Lines

    def _go_to(self, at: int) -> None:
        """Move to the source line that holds byte `at`, a later one than the line at hand."""
        self._line += self._source.count(b"\n", self._line_end, at)
        end = self._source.find(b"\n", at)
        self._line_end = end if end >= 0 else sys.maxsize
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

    def _fill_gap(self, value: str) -> str:
        """Write what parts `value` from the text before it; return `value` as it stands there."""
        value = value.lstrip()
        if self._opens_quote:
            value = self._without_callout_marker(value)
        if not value:
            return ""
        gap = self._gap
        if self._start < 0:
            self._begin()
            gap = ""
            if self._tabs:  # a row that opens with an empty cell
                self._go_to(self._row_at)
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

    def _without_callout_marker(self, value: str) -> str:
        self._opens_quote = self._in_callout_title = False
        if not (marker := _CALLOUT.match(value)):
            return value
        self._in_callout_title = True
        return value[marker.end() :]

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

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def _open(self, kind: BlockKind, level: int = 0) -> None:
        """Close the block at hand; the next words start one of `kind`."""
        if self._start >= 0:
            self._close()
        self._gap = "\n\n"
        self._tabs = 0
        self._kind, self._level = kind, level

    def _between_blocks(self, _value: Event = None, _where: Where | None = None) -> None:
        """Words that follow belong to the innermost list item or quote, or else to a paragraph."""
        if self._start >= 0:
            self._close()
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

    def _trim(self) -> None:
        while (last := self.parts[-1]) != (kept := last.rstrip()):
            self.length -= len(last) - len(kept)
            self.parts[-1] = kept
            if kept:
                break
            self.parts.pop()
        # A line that held nothing else is no line of the text.
        while self.line_offsets[-1] > self.length:
            self.line_offsets.pop()
            self.line_numbers.pop()

    def _start_heading(self, value: Event, _where: Where) -> None:
        if len(self._inside) == 1:
            self._open("heading", int(value["Heading"]["level"][1]))
        else:
            self._between_blocks()

    def _end_heading(self, _value: Event, _where: Where) -> None:
        if self._kind == "heading" and self._start >= 0:
            if self.parts[-1].endswith("}"):
                self.length -= len(self.parts[-1])
                self._write(_HEADING_ATTRIBUTES.sub("", self.parts.pop()))
            self._trim()
            self.headings.append(Heading(self._level, self._start, "".join(self.parts[self._first_part :])))
        self._between_blocks()

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

    def _read_code(self, _value: Event, _where: Where) -> None:
        self._open("code")
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
        offset = self.length
        self._write(code[skipped:])
        for row in self.parts[-1].split("\n"):
            self._mark_line(offset, line)
            offset += len(row) + 1
            line += 1

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
            self._write_line(text, index, gap)
        self._between_blocks()

    # Inside a block

    def _write_line(self, text: str, index: int, gap: str) -> None:
        """Write words of the source line `index` lines below the one at hand."""
        self._gap = self._gap or gap
        if self._gap and not (text := self._fill_gap(text)):
            return
        self._mark_line(self.length, self._line + index)
        self._write(text)

    def _break(self, name: str) -> None:
        if self._in_callout_title or name == "Rule":
            self._between_blocks()
        elif name == "HardBreak" and self._start >= 0:
            self._gap = " " if self._kind == "heading" else "\n"
        elif not self._gap:
            self._gap = " "

    def _literal(self, value: str, where: Where) -> None:
        """Write code or a formula inside a line, as it is."""
        self._opens_quote = False
        if self._gap and not (value := self._fill_gap(value)):
            return
        if where["start"] > self._line_end:
            self._go_to(where["start"])
        if where["end"] > self._line_end:
            value = value.replace("\n", " ")
            self._mark_wrapped(value, where)
        self._write(value)

    def _mark_wrapped(self, value: str, where: Where) -> None:
        """Map a literal that goes on over several source lines."""
        found = 0
        lines = self._source[where["start"] : where["end"]].decode().split("\n")
        for number, line in enumerate(lines, self._line):
            words = line.strip(" \t>`$")
            if words and (at := value.find(words, found)) >= 0:
                self._mark_line(self.length + at, number)
                found = at + len(words)

    def _display_math(self, value: str, where: Where) -> None:
        end_of_line = self._source.find(b"\n", where["end"])
        rest_of_line = self._source[where["end"] : end_of_line if end_of_line >= 0 else None]
        alone = self._gap != "" and not self._tabs and self._kind not in ("row", "heading") and not rest_of_line.strip()
        if alone:
            self._open("math")
        if where["start"] > self._line_end:
            self._go_to(where["start"])
        written = False
        for index, line in enumerate(value.split("\n")):
            if text := line.strip():
                self._write_line(text, index, ("\n" if alone else " ") if written else "")
                written = True
        if alone:
            self._between_blocks()

    def _inline_html(self, value: str, _where: Where) -> None:
        if self._start >= 0 and breaks_line(value):
            self._gap = " " if self._kind in ("row", "heading") else "\n"

    # Links and tags

    def _start_link(self, value: Event, _where: Where) -> None:
        link = value["Link"]
        wiki = link["link_type"].__class__ is dict
        # In a table the bar of `[[note\\|label]]` is escaped.
        target = link["dest_url"].rstrip("\\") if wiki else link["dest_url"]
        self._open_links.append((len(self.parts), target, wiki))

    def _start_image(self, value: Event, where: Where) -> None:
        image = value["Image"]
        if image["link_type"].__class__ is not dict:
            self._open_links.append(None)
            return
        target = image["dest_url"].rstrip("\\")
        self._open_links.append((len(self.parts), target, True))
        if _IMAGE_SIZE.search(self._source, where["start"], where["end"]):
            self._literal(target, where)
            for event, _ in self._events:
                if event == {"End": "Image"}:
                    break
            self._end_link()

    def _end_link(self, _value: Event = None, _where: Where | None = None) -> None:
        if opened := self._open_links.pop():
            first_part, target, wiki = opened
            label = "".join(self.parts[first_part:]).lstrip()
            self.links.append(Link(target, label.rstrip(), self.length - len(label), wiki))

    def _collect_tags(self, where: Where) -> None:
        if not self._open_links:
            source = self._source[where["start"] : where["end"]].decode()
            self.tags += [tag for found in _TAG.findall(source) if not (tag := found.strip("/")).isdigit() and tag]
