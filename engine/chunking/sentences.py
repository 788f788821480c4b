"""Whole sentences up to a limit, whole sections, and the plain-text form of the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.chunking.words import count_words, word_spans
from engine.records import Block, Document, Section, Span
from engine.text.sentences import sentence_spans, split_sentences

CUT_ABOVE = 4
"""A sentence is cut only where it is longer than this many limits."""


class _Sentence(NamedTuple):
    start: int
    end: int
    words: int


def sentence_chunks(document: Document, max_words: int, overlap_words: int = 0) -> list[Span]:
    """Return chunks of whole sentences: the next is added while the total stays within `max_words`.

    No chunk crosses a section border and no sentence a block border. A sentence over the limit is a chunk of its
    own, cut only where it is over four times the limit. Headings are left out: the header of a chunk carries them.

    Args:
        document: what to cut.
        max_words: the limit.
        overlap_words: a chunk starts with the last sentences of the one before, up to this many words.
    """
    chunks: list[Span] = []
    for section, blocks in _sections_with_blocks(document):
        sentences = list(_sentences(document.text, section, blocks, max_words))
        chunks += _pack(sentences, max_words, overlap_words)
    if chunks:
        return chunks
    # A note of headings alone is still found by them; each section stays a chunk of its own.
    whole = document.sections or (Section("", 0, "", 0, len(document.text)),)
    for section in whole:
        chunks += _pack(list(_pieces(document.text, Span(section.start, section.end), max_words)), max_words, 0)
    return chunks


def section_chunks(document: Document) -> list[Span]:
    """Return one chunk a section, without its heading; sections without text are left out."""
    chunks = []
    for section, blocks in _sections_with_blocks(document):
        start = next((block.start for block in blocks if block.kind != "heading"), section.start)
        if not blocks or any(block.kind != "heading" for block in blocks):
            chunks += _trimmed(document.text, start, section.end)
    return chunks or _trimmed(document.text, 0, len(document.text))


def chunk_text(text: str, max_tokens: int, overlap: int) -> list[str]:
    """Cut a plain text into chunks of whole sentences; words are counted by white space.

    A sentence longer than `max_tokens` is first cut into pieces of `max_tokens` words, each then a sentence. A
    chunk takes sentences while the total stays within `max_tokens`; the next one starts at the earliest sentence
    after this one's first from which the rest of this chunk is at most `overlap` words.

    Raises:
        ValueError: `max_tokens` is below 1 or `overlap` is negative.

    >>> chunk_text("One two. Three four. Five.", max_tokens=4, overlap=2)
    ['One two. Three four.', 'Three four. Five.']
    """
    if max_tokens < 1 or overlap < 0:
        raise ValueError("max_tokens is at least 1 and overlap is not negative")
    sentences: list[list[str]] = []
    for sentence in split_sentences(text):
        words = sentence.split()
        sentences += [words[at : at + max_tokens] for at in range(0, len(words), max_tokens)]
    chunks: list[str] = []
    start = 0
    while start < len(sentences):
        end, total = start, 0
        while end < len(sentences) and total + len(sentences[end]) <= max_tokens:
            total += len(sentences[end])
            end += 1
        chunks.append(" ".join(" ".join(words) for words in sentences[start:end]))
        if end == len(sentences):
            break
        start += 1
        total = sum(map(len, sentences[start:end]))
        while start < end and total > overlap:
            total -= len(sentences[start])
            start += 1
    return chunks


def _sections_with_blocks(document: Document) -> Iterator[tuple[Section, list[Block]]]:
    """Yield each section with the blocks that start in it; both are in order."""
    whole = (Section("", 0, "", 0, len(document.text)),)
    blocks = iter(document.blocks)
    block = next(blocks, None)
    for section in document.sections or whole:
        inside = []
        while block is not None and block.start < section.end:
            inside.append(block)
            block = next(blocks, None)
        yield section, inside


def _sentences(text: str, section: Section, blocks: list[Block], max_words: int) -> Iterator[_Sentence]:
    spans: Iterable[Span] = [Span(b.start, b.end) for b in blocks if b.kind != "heading"]
    if not blocks:
        spans = [Span(section.start, section.end)]
    for span in spans:
        yield from _pieces(text, span, max_words)


def _pieces(text: str, span: Span, max_words: int) -> Iterator[_Sentence]:
    """Yield the sentences of a range, those over the hard limit in pieces."""
    offset = span.start
    for start, end in sentence_spans(text[offset : span.end]):
        words = count_words(text[offset + start : offset + end])
        if words <= CUT_ABOVE * max_words:
            yield _Sentence(offset + start, offset + end, words)
            continue
        places = word_spans(text[offset + start : offset + end])
        for first in range(0, len(places), max_words):
            piece = places[first : first + max_words]
            yield _Sentence(offset + start + piece[0][0], offset + start + piece[-1][1], len(piece))


def _pack(sentences: list[_Sentence], max_words: int, overlap_words: int) -> list[Span]:
    chunks = []
    first, fresh = 0, 0
    total = 0
    for at, sentence in enumerate(sentences):
        if total + sentence.words > max_words and at > fresh:
            chunks.append(Span(sentences[first].start, sentences[at - 1].end))
            first, total, fresh = at, 0, at
            while first > 0 and total + sentences[first - 1].words <= overlap_words:
                if total + sentences[first - 1].words + sentence.words > max_words:
                    break
                first -= 1
                total += sentences[first].words
        total += sentence.words
    if sentences:
        chunks.append(Span(sentences[first].start, sentences[-1].end))
    return chunks


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    inside = text[start:end]
    start += len(inside) - len(inside.lstrip())
    end -= len(inside) - len(inside.rstrip())
    return [Span(start, end)] if start < end else []
