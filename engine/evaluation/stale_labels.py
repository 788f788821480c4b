"""Labelled spans that no longer stand in their note -> a notice with the place that comes closest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import PurePosixPath

from engine.records import Document, Span

CLOSE_FROM = 0.5
"""Least share of a span's words that a place must hold to be named."""

_WORD = re.compile(r"\w+(?:[.,’']\w+)*")


def closest_span(text: str, wanted: str) -> tuple[Span, float] | None:
    """Return where a text holds most of a span's words next to each other, and the share of them it holds.

    Every run of as many words as the span has is compared, whatever their order; the first of several equal ones
    wins. `None`: there are no words, or no place holds half of them.

    >>> text = "A day takes 24 hours. A year takes 225 days on Venus."
    >>> span, share = closest_span(text, "A year takes 224.7 days")
    >>> text[span.start:span.end], share
    ('A year takes 225 days', 0.8)
    """
    needed = Counter(_words(wanted))
    n_words = needed.total()
    words = [(match[0].casefold(), match.start(), match.end()) for match in _WORD.finditer(text)]
    if not n_words or not words:
        return None
    held: Counter[str] = Counter()
    common, best, best_end = 0, 0, 0
    for at, (word, _, _) in enumerate(words):
        held[word] += 1
        common += held[word] <= needed[word]
        if at >= n_words:
            gone = words[at - n_words][0]
            common -= held[gone] <= needed[gone]
            held[gone] -= 1
        if common > best:
            best, best_end = common, at
    if best < CLOSE_FROM * n_words:
        return None
    return Span(words[max(0, best_end - n_words + 1)][1], words[best_end][2]), best / n_words


def describe_stale(document: Document, wanted: str) -> str:
    """Return in words that a note no longer holds a span, and what comes closest to it where."""
    found = closest_span(document.text, wanted)
    if found is None:
        return f"the note no longer holds “{wanted}”, nor anything like it"
    span, share = found
    nearest = " ".join(document.text[span.start : span.end].split())
    line = document.line_at(span.start)
    return f"the note no longer holds “{wanted}”; closest: line {line}, “{nearest}” ({share:.0%} of its words)"


def describe_missing(name: str, documents: Mapping[str, Document]) -> str:
    """Return in words that a note is not there, and which notes have its name or one like it.

    >>> describe_missing("venus.md", {"planets/venus.md": Document("", "", "")})
    'the note is not there; like it: planets/venus.md'
    """
    like = [other for other in documents if PurePosixPath(other).name == PurePosixPath(name).name]
    like = like or get_close_matches(name, documents, n=1)
    return "the note is not there" + (f"; like it: {', '.join(like[:3])}" if like else "")


def _words(text: str) -> Iterable[str]:
    return (match[0].casefold() for match in _WORD.finditer(text))
