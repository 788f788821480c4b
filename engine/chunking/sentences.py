"""Whole sentences up to a limit, whole sections, and the plain-text form of the first."""

from __future__ import annotations

from engine.chunking.packing import (
    pack,
    pack_blocks,
    sections_with_blocks,
    sentences_by_section,
    spans_by_section,
    trimmed,
    without_blocks,
)
from engine.records import Document, Span
from engine.text.sentences import split_sentences


def sentence_chunks(document: Document, max_words: int, overlap_words: int = 0) -> list[Span]:
    """Return chunks of whole sentences: the next is added while the total stays within `max_words`.

    No chunk crosses a section border and no sentence a block border. A sentence over the limit is a chunk of its
    own, cut only where it is over four times the limit. Headings are left out: the header of a chunk carries them.

    Args:
        document: what to cut.
        max_words: the limit.
        overlap_words: a chunk starts with the last sentences of the one before, up to this many words.

    >>> from engine import build_document
    >>> note = build_document("io.txt", "Io is a moon. It has fire. It is hot. It is small.")
    >>> [note.text[start:end] for start, end in sentence_chunks(note, max_words=7)]
    ['Io is a moon. It has fire.', 'It is hot. It is small.']
    """
    if overlap_words:
        sections = sentences_by_section(document, max_words)
        chunks = [span for sentences in sections for span in pack(sentences, max_words, overlap_words)]
    else:
        chunks = pack_blocks(document.text, spans_by_section(document), max_words)
    return chunks or without_blocks(document, max_words)


def section_chunks(document: Document) -> list[Span]:
    r"""Return one chunk a section, without its heading; sections without text are left out.

    >>> from engine import parse_markdown
    >>> note = parse_markdown("# Io\n\nA moon.\n\n## Fire\n\nVolcanoes cover it.")
    >>> [note.text[start:end] for start, end in section_chunks(note)]
    ['A moon.', 'Volcanoes cover it.']
    """
    chunks = []
    for section, blocks in sections_with_blocks(document):
        start = next((block.start for block in blocks if block.kind != "heading"), section.start)
        if not blocks or any(block.kind != "heading" for block in blocks):
            chunks += trimmed(document.text, start, section.end)
    return chunks or trimmed(document.text, 0, len(document.text))


def chunk_text(text: str, max_tokens: int, overlap: int) -> list[str]:
    """Cut a plain text into chunks of whole sentences; words are counted by white space.

    A sentence longer than `max_tokens` is first cut into pieces of `max_tokens` words, each then a sentence. A
    chunk takes sentences while the total stays within `max_tokens`; the next one starts at the earliest sentence
    after this one's first from which the rest of this chunk is at most `overlap` words.

    Raises:
        ValueError: `max_tokens` is below 1 or `overlap` is negative.

    >>> chunk_text("One two. Three four. Five.", max_tokens=4, overlap=2)
    ['One two. Three four.', 'Three four. Five.']

    >>> chunk_text("Io is hot. It has fire. It is small.", max_tokens=6, overlap=3)
    ['Io is hot. It has fire.', 'It has fire. It is small.']
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
