"""Chunks that keep what belongs together: list items, table rows, code blocks and quotes stay whole."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from engine.chunking.packing import Piece, cut_long, pack, pieces, sections_with_blocks, without_blocks
from engine.chunking.words import count_words
from engine.records import Block, Document, Span

_KEPT_WHOLE = frozenset(("item", "row", "code", "quote", "math"))
_LINE = re.compile(r"[^\n]*\S[^\n]*")


def structure_chunks(document: Document, max_words: int = 60, overlap_words: int = 0) -> list[Span]:
    r"""Return chunks as `sentence_chunks` does, of whole items, rows, code blocks and quotes where they fit.

    A block of these kinds within `max_words` is one piece. A longer one falls into its sentences, code into its
    lines. A row's range is the row's own; `table_headers` gives the line it is indexed with.

    Args:
        document: what to cut.
        max_words: the limit.
        overlap_words: a chunk starts with the last pieces of the one before, up to this many words.

    >>> from engine import parse_markdown
    >>> note = parse_markdown("Two moons:\n\n- Phobos. It is near.\n- Deimos. It is far.")
    >>> [note.text[start:end] for start, end in structure_chunks(note, max_words=4)]
    ['Two moons:', 'Phobos. It is near.', 'Deimos. It is far.']
    """
    chunks: list[Span] = []
    for section, blocks in sections_with_blocks(document):
        if not blocks:
            whole = list(pieces(document.text, Span(section.start, section.end), max_words))
        else:
            whole = [piece for block in blocks for piece in _pieces_of(document.text, block, max_words)]
        chunks += pack(whole, max_words, overlap_words)
    return chunks or without_blocks(document, max_words)


def table_headers(document: Document, spans: Sequence[Span]) -> list[str]:
    """Return for each range the header row of the table in which it starts, cells parted by tabs; empty elsewhere.

    A range that starts with the header row itself needs none.

    Args:
        document: the whole.
        spans: ranges of it, in order.
    """
    header_of: dict[int, Block] = {}
    for previous, block in pairwise((None, *document.blocks)):
        if block is not None and block.kind == "row":
            goes_on = previous is not None and document.text[previous.end : block.start] == "\n"
            header_of[block.start] = header_of.get(previous.start, block) if previous and goes_on else block
    return [_header(document, span, header_of) for span in spans]


def _header(document: Document, span: Span, header_of: Mapping[int, Block]) -> str:
    at = bisect_right(document.blocks, span.start, key=lambda block: block.start) - 1
    header = header_of.get(document.blocks[at].start) if at >= 0 else None
    return document.text[header.start : header.end] if header and header.start < span.start else ""


def _pieces_of(text: str, block: Block, max_words: int) -> Iterator[Piece]:
    if block.kind == "heading":
        return
    if block.kind in _KEPT_WHOLE:
        words = count_words(text[block.start : block.end])
        if words <= max_words:
            yield Piece(block.start, block.end, words)
            return
    if block.kind == "code":
        for line in _LINE.finditer(text, block.start, block.end):
            yield from cut_long(text, _without_margin(text, line), max_words)
    else:
        yield from pieces(text, Span(block.start, block.end), max_words)


def _without_margin(text: str, line: re.Match[str]) -> Span:
    start = line.end() - len(line[0].lstrip())
    return Span(start, line.start() + len(line[0].rstrip()))
