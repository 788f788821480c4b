"""Documents and a chunker -> chunks with ids, titles, sections and lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from pathlib import Path

from engine.chunking.contextual import ContextLines
from engine.chunking.packing import Chunker, Context
from engine.chunking.semantic import semantic_chunks
from engine.chunking.sentences import section_chunks, sentence_chunks
from engine.chunking.structure import structure_chunks, table_headers
from engine.chunking.windows import fixed_windows
from engine.records import Chunk, Document, Span
from engine.settings import Settings


def chunk_corpus(
    documents: Iterable[Document], chunker: Chunker, context: Context | None = None, about: Context | None = None
) -> list[Chunk]:
    r"""Cut documents into chunks. Ids follow (document id, start), whatever the order of `documents`.

    Args:
        documents: in any order.
        chunker: gives the ranges.
        context: gives lines of the document that ranges are read with, such as `table_headers`; `None`: none.
        about: gives lines that a model wrote about ranges, such as `ContextLines`; `None`: none.

    >>> from engine import parse_markdown, section_chunks
    >>> note = parse_markdown("# Io\n\nA moon.\n\n## Fire\n\nVolcanoes cover it.", "io.md")
    >>> [(chunk.id, chunk.header, chunk.text) for chunk in chunk_corpus([note], section_chunks)]
    [(0, 'Io', 'A moon.'), (1, 'Io > Fire', 'Volcanoes cover it.')]
    """
    ordered = sorted(documents, key=lambda document: document.id)
    chunks: list[Chunk] = []
    for document in ordered:
        spans = chunker(document)
        contexts = context(document, spans) if context else [""] * len(spans)
        abouts = about(document, spans) if about else [""] * len(spans)
        places = places_of(document, spans)
        for (start, end), (path, line), lines, said in zip(spans, places, contexts, abouts, strict=True):
            chunks.append(
                Chunk(
                    id=len(chunks),
                    document=document.id,
                    start=start,
                    end=end,
                    text=document.text[start:end],
                    title=document.title,
                    section=path,
                    line=line,
                    date=document.date,
                    context=lines,
                    about=said,
                )
            )
    return chunks


def places_of(document: Document, spans: Iterable[Span]) -> list[tuple[str, int]]:
    r"""Return for each range the path of the section in which it starts, and the source line of its first character.

    >>> from engine import parse_markdown
    >>> places_of(parse_markdown("# Io\n\nA moon.\n\n## Fire\n\nHot.", "io.md"), [Span(4, 11), Span(19, 23)])
    [('', 3), ('Fire', 7)]
    """
    sections = document.sections
    starts = [section.start for section in sections]
    offsets, numbers = document.line_offsets, document.line_numbers
    return [
        (
            sections[max(0, bisect_right(starts, start) - 1)].path if starts else "",
            numbers[max(0, bisect_right(offsets, start) - 1)],
        )
        for start, _ in spans
    ]


def lead_summaries(documents: Iterable[Document]) -> list[Chunk]:
    r"""Return the leading section of each document as a chunk: the first with text below its heading.

    In an encyclopedia article it is the summary.

    >>> from engine import parse_markdown
    >>> note = parse_markdown("# Io\n\nA moon.\n\n## Fire\n\nVolcanoes cover it.", "io.md")
    >>> [chunk.text for chunk in lead_summaries([note])]
    ['A moon.']
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
    """Return what gives chunks their context under the settings: rows keep their header with chunker `structure`."""
    return table_headers if settings.chunker == "structure" else None


def about_for(settings: Settings) -> ContextLines | None:
    """Return what gives chunks the lines that a model wrote about them, where the settings name their folder."""
    return ContextLines(Path(settings.context_lines).expanduser()) if settings.context_lines else None
