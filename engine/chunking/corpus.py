"""Documents and a chunker -> chunks with ids, titles, sections and lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from engine.chunking.sentences import section_chunks, sentence_chunks
from engine.chunking.windows import fixed_windows
from engine.records import Chunk, Document, Span
from engine.settings import Settings

Chunker = Callable[[Document], Sequence[Span]]
"""Maps a document to character ranges of its text."""


def chunk_corpus(documents: Iterable[Document], chunker: Chunker) -> list[Chunk]:
    """Cut documents into chunks. Ids follow (document id, start), whatever the order of `documents`."""
    ordered = sorted(documents, key=lambda document: document.id)
    chunks: list[Chunk] = []
    for document in ordered:
        for start, end in chunker(document):
            section = document.section_at(start)
            chunks.append(
                Chunk(
                    id=len(chunks),
                    document=document.id,
                    start=start,
                    end=end,
                    text=document.text[start:end],
                    title=document.title,
                    section=section.path if section else "",
                    line=document.line_at(start),
                    date=document.date,
                )
            )
    return chunks


def chunker_for(settings: Settings) -> Chunker:
    """Return the chunker that the settings name."""
    words, overlap = settings.max_words, settings.overlap_words
    if settings.chunker == "sections":
        return section_chunks
    if settings.chunker == "windows":
        return lambda document: fixed_windows(document, words, overlap)
    return lambda document: sentence_chunks(document, words, overlap)
