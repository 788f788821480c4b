"""Where the words of a text stand: what every chunker counts."""

from __future__ import annotations

import re

from engine.text.scripts import UNSPACED

_WORD = re.compile(rf"[{UNSPACED}]{{1,2}}|[^\s{UNSPACED}]+")
_ASCII_WORD = re.compile(r"\S+")


def word_spans(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return the (start, end) of each word in `text[start:end]`.

    A word is a run without white space; in scripts without spaces two characters count as one word.

    >>> word_spans("two words"), len(word_spans("金星的一年"))
    ([(0, 3), (4, 9)], 3)
    """
    end = len(text) if end is None else end
    return [match.span() for match in _pattern(text).finditer(text, start, end)]


def count_words(text: str) -> int:
    """Return how many words a text has.

    >>> count_words("two words")
    2
    """
    return len(text.split()) if text.isascii() else len(_WORD.findall(text))


def _pattern(text: str) -> re.Pattern[str]:
    return _ASCII_WORD if text.isascii() else _WORD
