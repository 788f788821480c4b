"""Documents and a chunker -> chunks with ids, titles, sections and lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.chunking.contextual import ContextLines
from engine.chunking.packing import Chunker, Context
from engine.chunking.semantic import semantic_chunks
from engine.chunking.sentences import section_chunks, sentence_chunks
from engine.chunking.structure import structure_chunks, table_headers
from engine.chunking.windows import fixed_windows
from engine.records import Chunk, Document, Span
from engine.settings import Settings


def chunk_corpus(documents: Iterable[Document], chunker: Chunker, context: Context | None = None) -> list[Chunk]:
    """Cut documents into chunks. Ids follow (document id, start), whatever the order of `documents`.

    Args:
        documents: in any order.
        chunker: gives the ranges.
        context: gives the ranges the lines they are indexed with, such as `table_headers`; `None`: none.
    """
    ordered = sorted(documents, key=lambda document: document.id)
    chunks: list[Chunk] = []
    for document in ordered:
        spans = chunker(document)
        contexts = context(document, spans) if context else [""] * len(spans)
        for (start, end), lines in zip(spans, contexts, strict=True):
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
                    context=lines,
                )
            )
    return chunks


def lead_summaries(documents: Iterable[Document]) -> list[Chunk]:
    """Return the leading section of each document as a chunk: the first with text below its heading.

    In an encyclopedia article it is the summary.
    """
    return chunk_corpus(documents, lambda document: section_chunks(document)[:1])


def chunker_for(settings: Settings) -> Chunker:
    """Return the chunker that the settings name."""
    words, overlap = settings.max_words, settings.overlap_words
    chunkers: dict[str, Chunker] = {
        "sentences": lambda document: sentence_chunks(document, words, overlap),
        "structure": lambda document: structure_chunks(document, words, overlap),
        "semantic": lambda document: semantic_chunks(document, words),
        "sections": section_chunks,
        "windows": lambda document: fixed_windows(document, words, overlap),
    }
    return chunkers[settings.chunker]


def context_for(settings: Settings) -> Context | None:
    """Return what gives chunks their context under the settings: a table's header, a line that a model wrote."""
    givers: list[Context] = [table_headers] if settings.chunker == "structure" else []
    if settings.context_lines:
        givers.append(ContextLines(Path(settings.context_lines).expanduser()))
    if len(givers) < 2:
        return givers[0] if givers else None

    def together(document: Document, spans: Sequence[Span]) -> list[str]:
        given = zip(*(giver(document, spans) for giver in givers), strict=True)
        return ["\n".join(filter(None, lines)) for lines in given]

    return together
