"""A PDF -> `Document`: its text page by page, one section a page.

A PDF has no lines that an editor could go to, so the line map gives pages: `paper.pdf:3` is page 3. PDFium, through
pypdfium2, reads the text; it knows neither headings nor tables, and a page that is a picture has none.

Needs the extra `pdf`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any

from engine.errors import MissingExtraError, how_to_install
from engine.reading.source import clean_source, name_of
from engine.reading.text_builder import TextBuilder
from engine.records import Document, Notice, Section

_PDFIUM = Lock()
"""PDFium may be used by one thread at a time."""
_HYPHEN = re.compile("[\x02\ufffe]")
"""What PDFium puts where a word is divided at the end of a line, in place of hyphen and line break."""
_ENDS_SENTENCE = re.compile(r"[.!?:。！？][\"'”’)\]]*$")
_SHORT = 0.8
"""A line that ends a sentence and is shorter than this share of the page's longest line ends a paragraph."""


def parse_pdf(
    content: bytes,
    id: str = "paper.pdf",  # noqa: A002
    *,
    modified: str | None = None,
    checkpoint: Callable[[], object] = lambda: None,
) -> Document | Notice:
    """Read the text of a PDF; a `Notice` says why it cannot be read.

    Args:
        content: The file.
        id: The document's id.
        modified: ISO date of the file.
        checkpoint: Called for every page; what it raises ends the reading.

    Returns:
        A document with a section `page n` for every page that holds text; `line_at` gives the page.

    Raises:
        MissingExtraError: pypdfium2 is not installed.
    """
    try:
        import pypdfium2
    except ImportError:
        raise MissingExtraError(
            "Reading PDF needs pypdfium2, which is not installed", f"Install it: {how_to_install('pypdfium2')}"
        ) from None
    with _PDFIUM:
        try:
            pdf = pypdfium2.PdfDocument(content)
        except pypdfium2.PdfiumError as error:
            why = "it is protected by a password" if "assword" in str(error) else "it is damaged"
            return Notice(id, f"The PDF cannot be read and was skipped: {why}.")
        try:
            title = _one_line(pdf.get_metadata_dict().get("Title", ""))
            pages = [(checkpoint(), _page_text(pypdfium2, pdf, number))[1] for number in range(len(pdf))]
        finally:
            pdf.close()
    return _document(id, title or name_of(id), pages, modified)


def _page_text(pypdfium2: Any, pdf: Any, number: int) -> str:  # noqa: ANN401
    """Return a page's text; nothing for a page that cannot be read."""
    try:
        page = pdf[number]
        try:
            text = page.get_textpage()
            try:
                return str(text.get_text_bounded())
            finally:
                text.close()
        finally:
            page.close()
    except pypdfium2.PdfiumError:
        return ""


def _document(id: str, title: str, pages: list[str], modified: str | None) -> Document:  # noqa: A002
    builder = _PageBuilder()
    for number, text in enumerate(pages, 1):
        builder.add(number, text)
    starts = [*builder.starts[1:], builder.length]
    sections = tuple(
        Section(f"page {number}", 1, f"page {number}", start, end)
        for number, start, end in zip(builder.numbers, builder.starts, starts, strict=bool(builder.starts))
    )
    empty = len(pages) - len(builder.numbers)
    problem = f"{empty} of {len(pages)} pages hold no text: they may be pictures."
    return Document(
        id=id,
        title=title,
        text="".join(builder.parts),
        sections=sections or (Section("", 0, "", 0, 0),),
        blocks=tuple(builder.blocks),
        date=modified,
        notices=(Notice(id, problem),) if empty else (),
        line_offsets=array("I", builder.line_offsets),
        line_numbers=array("I", builder.line_numbers),
    )


class _PageBuilder(TextBuilder):
    def __init__(self) -> None:
        super().__init__("")
        self.numbers: list[int] = []
        self.starts: list[int] = []

    def add(self, number: int, text: str) -> None:
        """Write a page as paragraphs."""
        for at, lines in enumerate(paragraphs(clean_source(text).replace("\0", ""))):
            self._open("paragraph")
            for line in lines:
                if words := self._fill_gap(line) if self._gap else line:
                    if self._start == self.length and not at:
                        self.numbers.append(number)
                        self.starts.append(self.length)
                        self._mark_line(self.length, number)
                    self._write(words)
                    self._gap = " "
            self._close()


def paragraphs(text: str) -> Iterator[list[str]]:
    r"""Yield the paragraphs of a page as lists of lines: at empty lines, and where a short line ends a sentence.

    >>> list(paragraphs("A first line that is long\nand a short one.\nAnother begins.\n\nx"))
    [['A first line that is long', 'and a short one.'], ['Another begins.'], ['x']]
    """
    lines = [[_one_line(part) for part in _HYPHEN.split(line)] for line in text.split("\n")]
    widest = max(len(part) for parts in lines for part in parts)
    paragraph: list[str] = []
    for parts in lines:
        if line := "".join(parts):
            paragraph.append(line)
        if paragraph and (not line or (len(parts[-1]) < _SHORT * widest and _ENDS_SENTENCE.search(line))):
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _one_line(text: str) -> str:
    return " ".join(clean_source(text).split())
