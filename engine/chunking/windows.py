"""Fixed windows of words, and the chance that a window's edge cuts a piece of evidence."""

from __future__ import annotations

from engine.chunking.words import word_spans
from engine.records import Document, Span


def fixed_windows(document: Document, words: int, overlap: int = 0) -> list[Span]:
    """Return windows of `words` words, each sharing `overlap` words with the one before.

    Windows start at every multiple of the stride s = words - overlap; the last one ends at the last word, and
    none starts after one has reached it. An overlap of L - 1 words never cuts a span of L words.

    Raises:
        ValueError: `words` is below 1 or `overlap` is not in 0 to words - 1.

    >>> from engine import build_document
    >>> note = build_document("ten.txt", "zero one two three four five six seven eight nine")
    >>> [note.text[start:end] for start, end in fixed_windows(note, words=4, overlap=1)]
    ['zero one two three', 'three four five six', 'six seven eight nine']
    """
    if words < 1 or not 0 <= overlap < words:
        raise ValueError(f"words {words} and overlap {overlap}: 0 <= overlap < words is needed")
    spans = word_spans(document.text)
    windows = []
    for first in range(0, len(spans), words - overlap):
        last = min(first + words, len(spans))
        windows.append(Span(spans[first][0], spans[last - 1][1]))
        if last == len(spans):
            break
    return windows


def cut_probability(span_words: int, window_words: int, overlap_words: int = 0) -> float:
    """Return the share of positions at which no window holds a span of L words whole.

    max(0, L - 1 - o) / (W - o) for L <= W: 0 once o >= L - 1, (L - 1)/W without overlap. A span longer than a
    window is always cut.

    Raises:
        ValueError: a length is below 1, or the overlap is not in 0 to W - 1.

    >>> cut_probability(11, 100), cut_probability(11, 100, 10)
    (0.1, 0.0)
    """
    if span_words < 1 or window_words < 1 or not 0 <= overlap_words < window_words:
        raise ValueError("lengths are at least 1 and the overlap is below the window")
    if span_words > window_words:
        return 1.0
    return max(0, span_words - 1 - overlap_words) / (window_words - overlap_words)
