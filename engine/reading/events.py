"""Turns Markdown into the text a person reads, with blocks, headings, links, tags and a line map.

pyromark (pulldown-cmark) yields events with byte ranges, in source order; `TextReader` walks them once. This is
where reading spends its time, so the loop treats the commonest events itself and looks the others up in a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import accumulate, islice
from typing import Any, Final, NamedTuple

import pyromark

from engine.reading.html import breaks_line, html_lines
from engine.reading.text_builder import TextBuilder
from engine.records import BlockKind, Link

_Options = pyromark.Options
_EXTENSIONS: Final = (
    _Options.ENABLE_TABLES
    | _Options.ENABLE_FOOTNOTES
    | _Options.ENABLE_STRIKETHROUGH
    | _Options.ENABLE_TASKLISTS
    | _Options.ENABLE_WIKILINKS
)
_PLAIN_PARSER: Final = pyromark.Markdown(options=_EXTENSIONS)
_MATH_PARSER: Final = pyromark.Markdown(options=_EXTENSIONS | _Options.ENABLE_MATH)
_FORMULA = re.compile(r"\$(?:\$|(?<![A-Za-z0-9\\$`]\$)(?=[^\s$])[^$\n`]*(?<![\s\\])\$(?![A-Za-z0-9$]))")
"""What makes a source one with formulas. Prices and shell variables do not: their dollars have words on both sides.

A pattern that begins with a literal is searched many times faster than one that begins with a look back."""
_BATCH = 10_000
"""Events between two checkpoints: some 20 milliseconds."""

_IMAGE_SIZE = re.compile(rb"\|\s*\d+(?:x\d+)?\s*\]\]$")
_HEADING_ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}$")
_TAG = re.compile(
    r"(?<![^\s(,;（，。、；：])#([^\s!-,.:-@\[-^`{-~\u2000-\u200c\u200e-\u206f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]+)"
)
_REST_IS_BLANK = re.compile(rb"[ \t]*(?:\n|\Z)")
_BLANK_LINES = re.compile(r"(?:[ \t]*\n)+")

Event = Any
"""A `pyromark.event.Event`: a dictionary with one key, or the name of a break."""
Where = dict[str, int]
"""`start` and `end` of an event in the source, in bytes."""
_Handlers = dict[str, Callable[[Any, Where], None]]


class Heading(NamedTuple):
    """A heading that opens a section: one that stands in no list or quote."""

    level: int
    """1 to 6."""
    start: int
    """Where it starts in the text."""
    text: str
    """Its words."""


class TextReader(TextBuilder):
    """Reads one source; afterwards its attributes hold what was found.

    Attributes:
        headings, links, tags: In order of position.
    """

    def __init__(self, source: str) -> None:
        r"""Take a source without lone surrogates whose lines end in `\n`."""
        super().__init__(source)
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self.tags: list[str] = []

        parser = _MATH_PARSER if "$" in source and _FORMULA.search(source) else _PLAIN_PARSER
        self._events: Iterator[tuple[Event, Where]] = iter(parser.events_with_range(source, merge_text=True))  # type: ignore[arg-type]
        self._checkpoint: Callable[[], object] = lambda: None
        self._lists = self._quotes = self._cells = 0  # how many are open
        self._open_links: list[tuple[int, str, bool] | None] = []  # first part, target, wiki; `None`: an image

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

    def _between_blocks(self, _value: Event = None, _where: Where | None = None) -> None:
        """Words that follow belong to the innermost list item or quote, or else to a paragraph."""
        if self._start >= 0:
            self._close()  # after which the words of a list item are plain paragraphs
        self._gap = "\n\n"
        self._tabs = 0
        self._in_callout_title = False
        self._kind, self._level = self._inside[-1]

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

    # Inside a block

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
        if self._gap:
            value = self._fill_gap(value)
        if not value:
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

    def _inline_math(self, value: str, where: Where) -> None:
        around = (
            self._source[max(0, where["start"] - 1) : where["start"]] + self._source[where["end"] : where["end"] + 1]
        )
        if "`" in value or any(byte < 128 and chr(byte).isalnum() for byte in around):
            value = f"${value}$"  # two prices, or two shell variables
        self._literal(value, where)

    def _display_math(self, value: str, where: Where) -> None:
        ends_line = _REST_IS_BLANK.match(self._source, where["end"])
        alone = self._gap != "" and not self._tabs and self._kind not in ("row", "heading") and ends_line is not None
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
            self._skip_image()
            self._end_link()

    def _skip_image(self) -> None:
        """Pass over the rest of an image, and over the images in it."""
        depth = 1
        while depth:
            event, _ = next(self._events)
            if event == {"End": "Image"}:
                depth -= 1
            elif event.__class__ is dict and "Image" in event.get("Start", ()):
                depth += 1

    def _end_link(self, _value: Event = None, _where: Where | None = None) -> None:
        if opened := self._open_links.pop():
            first_part, target, wiki = opened
            label = "".join(self.parts[first_part:]).lstrip()
            self.links.append(Link(target, label.rstrip(), self.length - len(label), wiki))

    def _collect_tags(self, where: Where) -> None:
        if not self._open_links:
            start = where["start"]
            start -= self._source[start - 1 : start] == b"\\"  # an escaped sign opens no tag
            source = self._source[start : where["end"]].decode()
            self.tags += [tag for found in _TAG.findall(source) if not (tag := found.strip("/")).isdigit() and tag]
