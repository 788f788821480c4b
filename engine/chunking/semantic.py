"""Chunks cut where the subject changes: where neighbouring sentences have least in common.

The sentences of one document are embedded by LSA. A stretch that is too long is parted at its deepest valley of
similarity, and its halves again (the depth score of Hearst, "TextTiling", 1997).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.chunking.packing import Piece, sentences_by_section, without_blocks
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA
from engine.records import Document, Span

DIMENSIONS = 16
"""Of the space of one document's sentences: few, so that words that keep company count as alike (docs/chunking.md)."""


def semantic_chunks(document: Document, max_words: int = 60) -> list[Span]:
    """Return chunks of whole sentences, within `max_words`, that begin where similarity drops most.

    With s(i) the cosine of sentences i and i + 1, the drop at i is (l - s(i)) + (r - s(i)), l and r the peaks
    reached by climbing from i to either side within the stretch. Ties go to the border nearest to the middle, so
    that a document of which LSA knows nothing is cut evenly. No chunk crosses a section border; a sentence over the
    limit is a chunk of its own, cut only where it is over four times the limit.

    Args:
        document: what to cut.
        max_words: the limit.

    >>> from engine import build_document
    >>> text = "Bread needs flour. Flour makes bread. Mars has moons. Moons orbit Mars."
    >>> note = build_document("two.txt", text)
    >>> [note.text[start:end] for start, end in semantic_chunks(note, max_words=8)]
    ['Bread needs flour. Flour makes bread.', 'Mars has moons. Moons orbit Mars.']
    """
    sections = list(sentences_by_section(document, max_words))
    similarities = _neighbours(document.text, [piece for section in sections for piece in section])
    chunks: list[Span] = []
    at = 0
    for section in sections:
        chunks += _part(section, similarities[at : at + len(section) - 1], max_words)
        at += len(section)
    return chunks or without_blocks(document, max_words)


def _neighbours(text: str, sentences: Sequence[Piece]) -> NDArray[np.float64]:
    """Return the cosine of each sentence with the next: (n_sentences - 1,)."""
    vectors = LSA(InvertedIndex(text[piece.start : piece.end] for piece in sentences), DIMENSIONS).embeddings
    return np.asarray(np.einsum("ij,ij->i", vectors[:-1], vectors[1:]), np.float64)


def _part(sentences: Sequence[Piece], similarities: NDArray[np.float64], max_words: int) -> list[Span]:
    """Cut a stretch until each part is within the limit or a single sentence; a stack stands for the recursion."""
    ends = np.cumsum([0] + [piece.words for piece in sentences])
    parts: list[Span] = []
    waiting = [(0, len(sentences))] if sentences else []
    while waiting:
        first, last = waiting.pop()
        if last - first == 1 or ends[last] - ends[first] <= max_words:
            parts.append(Span(sentences[first].start, sentences[last - 1].end))
            continue
        drops = _drops(similarities[first : last - 1]).round(9)
        middle = (ends[first] + ends[last]) / 2
        best = np.lexsort((np.abs(ends[first + 1 : last] - middle), -drops))[0]
        waiting += [(first + 1 + int(best), last), (first, first + 1 + int(best))]
    return parts


def _drops(similarities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each value lies below the peaks around it, both sides added.

    >>> _drops(np.array([0.9, 0.1, 0.5])).round(2)
    array([0. , 1.2, 0. ])
    """
    peaks = [_climbs(similarities), _climbs(similarities[::-1])[::-1]]
    drops: NDArray[np.float64] = peaks[0] + peaks[1] - 2 * similarities
    return drops


def _climbs(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the value reached from each place by going left while it does not fall."""
    peaks = values.copy()
    for at in range(1, len(values)):
        if values[at - 1] >= values[at]:
            peaks[at] = peaks[at - 1]
    return peaks
