"""Text -> the same text without accents and case: how words are compared everywhere."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from engine.text.scripts import DROPPED

_DROPPED = re.compile(f"[{DROPPED}]+")


def normalize_text(text: str) -> str:
    """Fold compatibility forms (NFKD), drop accents and points, fold case.

    The Turkish ı, a letter of its own, counts as an i without its point.

    Marks that make another letter of another script (vowel signs, the voicing of kana) are kept, and kana and
    Hangul are put together again.

    >>> normalize_text("Café ﬁn Ⅷ"), normalize_text("が 한글 हिन्दी")
    ('cafe fin viii', 'が 한글 हिन्दी')
    """
    return _normalized(text, "NFKD")


def _normalized(text: str, form: Literal["NFKC", "NFKD"]) -> str:
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFC", _DROPPED.sub("", unicodedata.normalize(form, text)).casefold())
    return folded.replace("ı", "i")  # its capital is I, which becomes i: one word has to stay one in capitals


def fold(text: str, form: Literal["NFKC", "NFKD"]) -> str:
    """Return the text that words are looked for in: normalised, with one kind of apostrophe.

    `NFKC` keeps accents joined to their letters, for stemmers; they are dropped all the same where they stand apart.
    """
    return _normalized(text, form).replace("’", "'")
