"""Where the words of a text stand: what every chunker counts."""

from __future__ import annotations

import re

from engine.text.scripts import MARKS, UNSPACED

_UNSPACED = re.compile(f"[{UNSPACED}]")
_RUN = re.compile(r"\S+")
# Punctuation goes with the pair it stands beside, as it goes with a word in other scripts.
_WORD = re.compile(rf"[^\w\s{UNSPACED}]*+[{UNSPACED}]{{1,2}}(?:[{MARKS}]|[^\w\s])*+|[^\s{UNSPACED}]+")


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

    >>> count_words("two words"), count_words("金星的一年，很热")
    (2, 4)
    """
    return len(_WORD.findall(text)) if is_unspaced(text) else len(text.split())


def _pattern(text: str) -> re.Pattern[str]:
    return _WORD if is_unspaced(text) else _RUN


def is_unspaced(text: str) -> bool:
    """Return whether any of a text is in a script without spaces."""
    return not text.isascii() and _UNSPACED.search(text) is not None
