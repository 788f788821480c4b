"""What chunkers share: the blocks of each section, sentences as pieces with their lengths, and pieces -> chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.chunking.words import count_words, is_unspaced, word_spans
from engine.records import Block, Document, Section, Span
from engine.text.sentences import sentence_spans, stops_inside_words

Chunker = Callable[[Document], Sequence[Span]]
"""Maps a document to character ranges of its text."""

Context = Callable[[Document, Sequence[Span]], Sequence[str]]
"""Gives each range of a document lines that it is indexed with besides its header; empty: none."""

CUT_ABOVE = 4
"""A sentence is cut only where it is longer than this many limits."""


class Piece(NamedTuple):
    """A range that stays whole, and its length."""

    start: int
    """Start in the document's text."""
    end: int
    """End in the document's text."""
    words: int
    """Words in it."""


def sections_with_blocks(document: Document) -> Iterator[tuple[Section, Sequence[Block]]]:
    """Yield each section with the blocks that start in it; both are in order."""
    blocks = document.blocks
    first = last = 0
    for section in document.sections or (_whole(document),):
        while last < len(blocks) and blocks[last][1] < section.end:
            last += 1
        yield section, blocks[first:last]
        first = last


def spans_by_section(document: Document) -> Iterator[list[tuple[int, int]]]:
    """Yield the ranges of each section's blocks, without headings; a section without blocks is one range."""
    for section, blocks in sections_with_blocks(document):
        if blocks:
            yield [(start, end) for kind, start, end, _ in blocks if kind != "heading"]
        else:
            yield [(section.start, section.end)]


def sentences_by_section(document: Document, max_words: int) -> Iterator[list[Piece]]:
    """Yield the sentences of each section, without headings."""
    for spans in spans_by_section(document):
        yield [piece for span in spans for piece in pieces(document.text, span, max_words)]


def pieces(text: str, span: tuple[int, int], max_words: int) -> list[Piece]:
    """Return the sentences of a range; one over four times the limit in pieces of `max_words`."""
    at, last = span
    inside = text[at:last]
    count = count_words if is_unspaced(inside) else _count_spaced
    found: list[Piece] = []
    for start, end in sentence_spans(inside):
        words = count(inside[start:end])
        if words <= CUT_ABOVE * max_words:
            found.append(Piece(at + start, at + end, words))
        else:
            found += cut_long(text, (at + start, at + end), max_words)
    return found


def _count_spaced(text: str) -> int:
    return len(text.split())


def cut_long(text: str, span: tuple[int, int], max_words: int) -> Sequence[Piece]:
    """Return a range as it is, or in pieces of `max_words` where it is over four times the limit."""
    start, end = span
    words = count_words(text[start:end])
    if words <= CUT_ABOVE * max_words:
        return (Piece(start, end, words),)
    places = word_spans(text, start, end)
    cut = (places[first : first + max_words] for first in range(0, len(places), max_words))
    return [Piece(piece[0][0], piece[-1][1], len(piece)) for piece in cut]


def pack(whole: Sequence[Piece], max_words: int, overlap_words: int = 0) -> list[Span]:
    """Return chunks: the next piece is added while the total stays within `max_words`.

    A chunk starts with the last pieces of the one before, up to `overlap_words`, as far as its first new piece
    leaves room for them.

    >>> pack([Piece(0, 3, 2), Piece(4, 7, 2), Piece(8, 9, 1)], max_words=4, overlap_words=2)
    [Span(start=0, end=7), Span(start=4, end=9)]
    """
    chunks = []
    first, fresh = 0, 0
    total = 0
    for at, piece in enumerate(whole):
        if total + piece.words > max_words and at > fresh:
            chunks.append(Span(whole[first].start, whole[at - 1].end))
            first, total, fresh = at, 0, at
            while first > 0 and total + whole[first - 1].words <= overlap_words:
                if total + whole[first - 1].words + piece.words > max_words:
                    break
                first -= 1
                total += whole[first].words
        total += piece.words
    if whole:
        chunks.append(Span(whole[first].start, whole[-1].end))
    return chunks


def pack_blocks(text: str, sections: Iterable[Sequence[tuple[int, int]]], max_words: int) -> list[Span]:
    """Return what `pack` makes of the sentences of each section's blocks.

    A block that has room whole, after what was packed before, is not cut into its sentences: nearly all are short.

    >>> pack_blocks("One two. Three.", [[(0, 8), (9, 15)]], max_words=3)
    [Span(start=0, end=15)]
    """
    chunks: list[Span] = []
    whole = _whole_blocks(text)
    for blocks in sections:
        first = last = total = 0
        for block in blocks:
            for start, end, words in whole(block, max_words - total) or pieces(text, block, max_words):
                if total + words > max_words and total:
                    chunks.append(Span(first, last))
                    total = 0
                if not total:
                    first = start
                last = end
                total += words
        if total:
            chunks.append(Span(first, last))
    return chunks


def _whole_blocks(text: str) -> Callable[[tuple[int, int], int], Sequence[tuple[int, int, int]]]:
    """Return what gives a block as one piece if its sentences, one after the other, fit into the room; else nothing.

    They have the words of the block where white space parts all of them. Blocks are asked for from front to back.
    """
    stops = stops_inside_words(text)
    stop = next(stops, len(text))

    def whole(block: tuple[int, int], room: int) -> Sequence[tuple[int, int, int]]:
        nonlocal stop
        start, end = block
        inside = text[start:end]
        words = len(inside.split())
        while stop < start:
            stop = next(stops, len(text))
        if stop < end or not 0 < words <= room or is_unspaced(inside):
            return ()
        if inside[0].isspace() or inside[-1].isspace():
            start, end = trimmed(text, start, end)[0]
        return ((start, end, words),)

    return whole


def without_blocks(document: Document, max_words: int) -> list[Span]:
    """Return chunks of a note of headings alone, found by them: each section is a chunk of its own."""
    chunks = []
    for section in document.sections or (_whole(document),):
        chunks += pack(pieces(document.text, (section.start, section.end), max_words), max_words)
    return chunks


def trimmed(text: str, start: int, end: int) -> list[Span]:
    """Return the range without white space around it; nothing where nothing is left.

    >>> trimmed(" one ", 0, 5), trimmed("  ", 0, 2)
    ([Span(start=1, end=4)], [])
    """
    inside = text[start:end]
    start += len(inside) - len(inside.lstrip())
    end -= len(inside) - len(inside.rstrip())
    return [Span(start, end)] if start < end else []


def _whole(document: Document) -> Section:
    return Section("", 0, "", 0, len(document.text))
