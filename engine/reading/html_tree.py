"""A page of HTML -> its blocks: what a person reads, block by block, each piece with its source line.

lxml (libxml2's HTML5 tokenizer) builds the tree, because it keeps the source line of every element; the walk goes
through the tree without recursion. What is boilerplate is the caller's rule: a test of one element.

Needs the extra `html`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.errors import MissingExtraError, how_to_install
from engine.reading.source import clean_source
from engine.reading.text_builder import TextBuilder
from engine.records import BlockKind

Element = Any
"""An lxml element; a comment or an instruction has a function as its tag."""
Drop = Callable[[Element], bool]
"""Says of an element whether it is left out with everything in it."""

NEVER_SHOWN = frozenset(
    "audio button canvas datalist dialog embed form head iframe input map math meter noscript object option progress "
    "script select style svg template textarea title video".split()
)
"""Elements without words for a reader."""
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SITE = re.compile(r"\s+[-–—|·]\s+\S.*$")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    "address article aside body caption center dd details dir div dl dt fieldset figcaption figure footer header hr "
    "main menu nav ol p section summary table tbody tfoot thead ul".split()
)
_EXPONENT = re.compile(r"\s*[-+\u2212]?\d")


class Piece(NamedTuple):
    """Words that stand on one source line."""

    gap: str
    """What parts them from the piece before: nothing, a space, a tab between cells or a line break."""
    line: int
    """The source line, from 1."""
    text: str
    """The words."""


@dataclass(slots=True)
class HtmlBlock:
    """One heading, paragraph, list item, row, quote or piece of code."""

    kind: BlockKind
    """What it is."""
    level: int = 0
    """Heading level; depth of an item or a quote."""
    group: int = 0
    """Which list or table it belongs to."""
    tag: str = ""
    """The element that opened it; empty after one has ended."""
    pieces: list[Piece] = field(default_factory=list)
    """Its words; never empty once it is handed out."""

    @property
    def text(self) -> str:
        """The words in one line."""
        return "".join(piece.gap + piece.text for piece in self.pieces).strip()


def parse_html(source: str) -> Element | None:
    """Return the root element of a page or a fragment; `None` when it holds nothing.

    Raises:
        MissingExtraError: lxml is not installed.
    """
    try:
        from lxml import etree
    except ImportError:
        raise MissingExtraError(
            "Reading HTML needs lxml, which is not installed", f"Install it: {how_to_install('lxml')}"
        ) from None
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    return etree.fromstring(clean_source(source).replace("\0", "\ufffd").encode(), parser) if source.strip() else None


def read_blocks(root: Element, drop: Drop) -> Iterator[HtmlBlock]:
    """Yield the blocks under `root` that hold words, in order; `drop` says what is left out."""
    reader = _BlockReader()
    for element, closing in _walk(root, drop, reader.pass_over):
        if closing:
            yield from reader.close(element)
            reader.words(element.tail or "")
        else:
            yield from reader.open(element)
            reader.words(element.text or "")
    yield from reader.flush()


def title_of_page(root: Element | None) -> str:
    """Return the level-1 heading, else the page's title without the site's name; empty when there is none."""
    if root is None:
        return ""
    for path in ("//*[@id='firstHeading']", "//h1", "//title"):
        for element in root.xpath(path)[:1]:
            if words := " ".join("".join(element.itertext()).split()):
                return words if element.tag != "title" else _SITE.sub("", words)
    return ""


def is_hidden(element: Element) -> bool:
    """Return whether a browser would not show an element, as far as it says so itself."""
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    return _HIDDEN.search(element.get("style", "")) is not None


class HtmlWriter(TextBuilder):
    """Writes blocks into the text of a document, in order."""

    def __init__(self) -> None:
        """Start with nothing."""
        super().__init__("")

    def write(self, block: HtmlBlock) -> int:
        """Write a block that holds words; return where it starts in the text."""
        self._open(block.kind, block.level)
        self._group = block.group
        for piece in block.pieces:
            gap = piece.gap if self._start >= 0 else ""
            self._gap = self._gap or gap
            text = self._fill_gap(piece.text) if self._gap and block.kind != "code" else self._fill_code(piece.text)
            if self.line_numbers[-1] != piece.line:
                self._mark_line(self.length, piece.line)
            self._write(text)
        start = self._start
        self._close()
        return start

    def _fill_code(self, text: str) -> str:
        """Open the block or break the line, and leave the indent as it is."""
        if self._start < 0:
            self._begin()
        elif self._gap:
            self._write(self._gap)
        self._gap = ""
        return text


def _walk(root: Element, drop: Drop, passed: Callable[[Element], None]) -> Iterator[tuple[Element, bool]]:
    """Yield (element, False) at its start and (element, True) at its end, without those dropped."""
    waiting: list[tuple[Element, bool]] = [(root, False)]
    while waiting:
        element, closing = waiting.pop()
        if closing:
            yield element, True
        elif not isinstance(element.tag, str) or element.tag in NEVER_SHOWN or drop(element):
            passed(element)
        else:
            yield element, False
            waiting.append((element, True))
            waiting += ((child, False) for child in reversed(element))


class _BlockReader:
    def __init__(self) -> None:
        self._line = 1
        self._block = HtmlBlock("paragraph")
        self._gap = ""
        self._inside: list[tuple[BlockKind, int]] = [("paragraph", 0)]  # what words belong to, innermost last
        self._lists = self._quotes = self._code = self._group = 0

    def open(self, element: Element) -> Iterable[HtmlBlock]:
        """Take up an element; return the block that it ends."""
        ended = self._open(element)
        if not self._block.pieces:
            self._block.tag = element.tag if element.tag in _BLOCKS else self._block.tag
        return ended

    def _open(self, element: Element) -> Iterable[HtmlBlock]:
        tag = element.tag
        self._line = max(self._line, element.sourceline or 0)
        if tag == "br":
            self._gap = "\n"
        elif tag == "sup":
            self._raise(element)
        elif tag in ("td", "th") and self._block.pieces:
            self._gap = "\t"
        elif level := _HEADINGS.get(tag):
            return self._start("heading", level)
        elif tag in ("ul", "ol", "table"):
            self._group += not self._lists
            self._lists += tag != "table"
            return self._start(*self._inside[-1])
        elif tag in ("li", "blockquote"):
            self._quotes += tag == "blockquote"
            self._inside.append(("item", self._lists) if tag == "li" else ("quote", self._quotes))
            return self._start(*self._inside[-1])
        elif tag in ("tr", "pre"):
            self._code += tag == "pre"
            return self._start("row" if tag == "tr" else "code")
        elif tag in _BLOCKS and self._block.kind not in ("row", "code"):
            return self._start(*self._inside[-1])
        return ()

    def close(self, element: Element) -> Iterable[HtmlBlock]:
        """Leave an element; return the block that it ends."""
        tag = element.tag
        self._lists -= tag in ("ul", "ol")
        self._quotes -= tag == "blockquote"
        self._code -= tag == "pre"
        if tag in ("li", "blockquote"):
            self._inside.pop()
        ends = tag in _HEADINGS or tag in ("ul", "ol", "li", "blockquote", "tr", "table", "pre")
        if ends or (tag in _BLOCKS and self._block.kind not in ("row", "code")):
            return self._start(*self._inside[-1])
        return ()

    def flush(self) -> Iterable[HtmlBlock]:
        """Return the block at hand, if it holds words."""
        return self._start("paragraph")

    def words(self, text: str) -> None:
        """Take the text between two tags."""
        for row, raw in enumerate(text.split("\n")):
            if row:
                self._line += 1
                self._gap = "\n" if self._code else self._gap or " "
            words = raw.rstrip() if self._code else " ".join(raw.split())
            if raw[:1].isspace() and not self._code:
                self._gap = self._gap or " "
            if words:
                self._block.pieces.append(Piece(self._gap if self._block.pieces else "", self._line, words))
                self._gap = " " if raw[-1:].isspace() and not self._code else ""

    def _raise(self, element: Element) -> None:
        """Mark an exponent, so that ten to the sixth does not read as 106."""
        pieces = self._block.pieces
        if pieces and not self._gap and pieces[-1].text[-1].isdigit() and _EXPONENT.match(element.text or ""):
            pieces.append(Piece("", self._line, "^"))

    def pass_over(self, element: Element) -> None:
        """Count the lines of an element that is left out, then take the text behind it."""
        self._line = max(self._line, element.sourceline or 0)
        for inside in element.iter():
            if inside is not element:
                self._line = max(self._line, inside.sourceline or 0)
                self._line += (inside.tail or "").count("\n")
            self._line += (inside.text or "").count("\n")
        self.words(element.tail or "")

    def _start(self, kind: BlockKind, level: int = 0) -> Iterable[HtmlBlock]:
        block, self._block, self._gap = self._block, HtmlBlock(kind, level, self._group), ""
        return (block,) if block.pieces else ()
