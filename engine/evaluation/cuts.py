"""Spans and windows -> how many spans the edges of windows cut, counted and by the formula."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.chunking.windows import cut_probability, fixed_windows
from engine.chunking.words import count_words
from engine.evaluation.labels import find_span
from engine.records import Document, Question, Span

Piece = Sequence[tuple[str, Span]]
"""One piece of evidence: (document id, range) for every place where it stands; one of them whole is enough."""


@dataclass(frozen=True, slots=True)
class CutCount:
    """What windows of one size and overlap cut."""

    words: int
    """W: words of a window."""
    overlap: int
    """o: words it shares with the one before."""
    n_pieces: int
    """Pieces looked at."""
    counted: int
    """Pieces of which no window holds a place whole."""
    expected: float
    """`cut_probability` summed over the pieces, each with its shortest place."""


def cut_counts(
    documents: Mapping[str, Document], pieces: Sequence[Piece], windows: Sequence[tuple[int, int]]
) -> list[CutCount]:
    """Count the pieces that windows cut, for each (words, overlap) of `windows`.

    The formula takes the place of a span to be by chance and its text to have no end. A piece that stands in several
    places is cut less often than the formula says, for one of them whole is enough.

    Args:
        documents: by id.
        pieces: each with at least one place; see `pieces_of`.
        windows: (words, overlap) pairs; 0 <= overlap < words.
    """
    lengths = [min(count_words(documents[name].text[start:end]) for name, (start, end) in piece) for piece in pieces]
    counts = []
    for words, overlap in windows:
        cut_up = {name: fixed_windows(document, words, overlap) for name, document in documents.items()}
        counts.append(
            CutCount(
                words=words,
                overlap=overlap,
                n_pieces=len(pieces),
                counted=sum(not any(_is_whole(cut_up[name], span) for name, span in piece) for piece in pieces),
                expected=sum(cut_probability(length, words, overlap) for length in lengths),
            )
        )
    return counts


def pieces_of(questions: Sequence[Question], documents: Mapping[str, Document]) -> Iterator[Piece]:
    """Yield every piece of labelled evidence that stands in the documents, with all places of all its spans."""
    for question in questions:
        for evidence in question.evidence:
            places = [
                (document, span)
                for document, text in evidence.alternatives
                if document in documents
                for span in find_span(documents[document].text, text)
            ]
            if places:
                yield places


def _is_whole(windows: Sequence[Span], span: Span) -> bool:
    """Return whether a window holds a span: of those that start at or before it the last one reaches farthest."""
    at = bisect_right(windows, span.start, key=lambda window: window.start) - 1
    return at >= 0 and span.end <= windows[at].end
