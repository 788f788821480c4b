"""What stands inside a block of Markdown: breaks, code, formulas, tags of HTML, links, images and `#tags`.

`InlineReader` owns the parser's events (pyromark, that is pulldown-cmark), which come with byte ranges in source order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pyromark

from engine.reading.html import breaks_line
from engine.reading.text_builder import TextBuilder
from engine.records import Link

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

_IMAGE_SIZE = re.compile(rb"\|\s*\d+(?:x\d+)?\s*\]\]$")
_TAG = re.compile(
    r"(?<![^\s(,;（，。、；：])#([^\s!-,.:-@\[-^`{-~\u2000-\u200c\u200e-\u206f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]+)"
)
_REST_IS_BLANK = re.compile(rb"[ \t]*(?:\n|\Z)")

Event = Any
"""A `pyromark.event.Event`: a dictionary with one key, or the name of a break."""
Where = dict[str, int]
"""`start` and `end` of an event in the source, in bytes."""


class InlineReader(TextBuilder):
    """Writes what events inside a block say.

    Attributes:
        links, tags: In order of position.
    """

    def __init__(self, source: str) -> None:
        r"""Take a source without lone surrogates whose lines end in `\n`."""
        super().__init__(source)
        self.links: list[Link] = []
        self.tags: list[str] = []

        parser = _MATH_PARSER if "$" in source and _FORMULA.search(source) else _PLAIN_PARSER
        self._events: Iterator[tuple[Event, Where]] = iter(parser.events_with_range(source, merge_text=True))  # type: ignore[arg-type]
        self._open_links: list[tuple[int, str, bool] | None] = []  # first part, target, wiki; `None`: an image

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
