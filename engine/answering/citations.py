"""Citation markers: `[1]`, `[1, 2]`, `[1][2]`, `[1-3]`, `［１］`, `【1】`, `[1 and 2]`, `[Source 1]`, `[^1]`."""

from __future__ import annotations

import re

_BETWEEN = r"\s*(?:[,，、;；]\s*(?:and\b|&)|[,，、;；&‐‑‒–—-]|(?:and|to)\b)\s*"
_NUMBER = r"(?:(?i:sources?|passages?|documents?|references?|refs?\.?|#|\^)\s*)?\d{1,9}"
_MARKER = re.compile(rf"\s?[\[［【]\s*({_NUMBER}(?:{_BETWEEN}{_NUMBER})*)\s*(?:†[^\[\]［］【】]*)?[\]］】]")
_MARKERS = re.compile(rf"(?:{_MARKER.pattern})+")
_PART = re.compile(r"(\d+)(?:\s*(?:[‐‑‒–—-]|to\b)\s*(\d+))?")
_END = re.compile(r"(?<![.!?。！？…])[.!?。！？…]+[\"'”’»)\]」』]*\s*$")

LONGEST_RANGE = 100
"""A range of more numbers than this is read as its two ends: nobody cites so much."""


def parse_citations(sentence: str) -> tuple[int, ...]:
    """Return the source numbers a sentence cites, in order, once each.

    >>> parse_citations("Hot [2, 1] and dry [1-3]."), parse_citations("热［４］。")
    ((2, 1, 3), (4,))
    """
    numbers: list[int] = []
    for marker in _MARKER.finditer(sentence):
        for part in _PART.finditer(marker[1]):
            # int() reads full-width digits too.
            low, high = int(part[1]), int(part[2] or part[1])
            numbers += range(low, high + 1) if 0 <= high - low < LONGEST_RANGE else (low, high)
    return tuple(dict.fromkeys(numbers))


def strip_citations(sentence: str) -> str:
    """Return a sentence without its citation markers.

    >>> strip_citations("Mars has two moons [1].")
    'Mars has two moons.'
    """
    return _MARKER.sub("", sentence)


def leading_citations(sentence: str) -> int:
    """Return how many characters of markers a sentence starts with.

    >>> leading_citations("[1][2] It is cold."), leading_citations("It is hot [1].")
    (6, 0)
    """
    run = _MARKERS.match(sentence)
    return run.end() if run else 0


def cite(sentence: str, number: int) -> str:
    """Return a sentence with a citation before its final full stop, or at its end when it has none.

    >>> cite("Mars has two moons.", 1), cite("Phobos", 2), cite("Hot!”", 3)
    ('Mars has two moons [1].', 'Phobos [2]', 'Hot [3]!”')
    """
    stop = _END.search(sentence)
    at = stop.start() if stop else len(sentence)
    return f"{sentence[:at]} [{number}]{sentence[at:]}"
