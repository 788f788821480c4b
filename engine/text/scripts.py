"""Character classes for regular expressions: scripts written without spaces, and vowel signs that belong to words."""

from __future__ import annotations

import unicodedata
from itertools import groupby

UNSPACED = (
    "\u0e00-\u0e7f"  # Thai
    "\u0e80-\u0eff"  # Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana and iteration marks
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0003ffff"
)
"""Scripts without spaces between words, as the inside of a character class."""

DROPPED_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
"""Accents, and Hebrew and Arabic points: a word is the same word without them."""


def _ranges(codes: list[int]) -> str:
    runs = [[code for _, code in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0])]
    return "".join(f"\\U{run[0]:08x}-\\U{run[-1]:08x}" for run in runs)


KEPT_MARKS = _ranges([c for c in range(0x0700, 0x1C00) if unicodedata.category(chr(c)) in ("Mn", "Mc")])
"""Vowel signs of Indic and South-East Asian scripts: parts of a word, never dropped."""
