"""How scripts write words: those without spaces, and the marks that are or are not part of a word.

Everything here is the inside of a regular expression's character class.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby

UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai without its digits and signs
    "\u0e81-\u0ece\u0edc-\u0edf"  # Lao
    "\u1000-\u103f\u1050-\u108f\u109a-\u109f"  # Myanmar
    "\u1780-\u17d3\u17d7\u17dc\u17dd"  # Khmer
    "\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\uff66-\uff9f"  # kana of half width
)
"""Letters and marks of scripts without spaces between words."""

DROPPED = (
    "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\u2de0-\u2dff"
    "\ua66f-\ua672\ua674-\ua67d\ufe20-\ufe2f"  # any alphabet
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew points
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"  # Arabic
    "\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff"  # Arabic, rarer
    "\u0711\u0730-\u074a"  # Syriac
    "\ufe00-\ufe0f\U000e0100-\U000e01ef"  # variation selectors
    "\u00ad\u200c\u200d\u2060\ufeff"  # soft hyphen, joiners, byte order mark: unseen inside a word
)
"""Accents and points, without which a word is still the same word, and characters that do not show."""

JAMO = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff\uffa0-\uffdc\u3260-\u327e\uac00-\ud7a3"
"""Korean letters and syllables: normalisation puts neighbours together."""


def _ranges(codes: list[int]) -> str:
    runs = [[code for _, code in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0])]
    return "".join(f"\\U{run[0]:08x}-\\U{run[-1]:08x}" for run in runs)


MARKS = _ranges([c for c in range(0x0300, 0x11FFF) if unicodedata.category(chr(c)).startswith("M")])
"""All combining marks of living scripts. Those not in `DROPPED` are vowel signs: parts of a word, kept."""
