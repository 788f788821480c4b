"""A question -> what kind of thing answers it, and the words of a sentence that may be such a thing.

Told by the words alone: a capital letter makes a name, four digits a year. "The Sun" for a person is a mistake that
only knowledge of the world could avoid.
"""

from __future__ import annotations

import re
from typing import Literal

from engine.answering.reader.words import Words
from engine.text.stopwords import STOPWORDS

AnswerType = Literal["person", "place", "time", "number", "duration", "percentage", ""]
"""What is asked for; empty: anything."""

_ASKED: tuple[tuple[AnswerType, str], ...] = (
    ("percentage", r"what percent(?:age)?"),
    ("duration", r"how long"),
    ("number", r"how (?:many|much|often|few|old|far|tall|high|low|large|big|small|fast|slow|wide|broad|narrow|deep)"),
    ("number", r"how (?:hot|cold|warm|heavy|massive|thick|thin|dense|strong|bright|steep|quickly|close|frequently)"),
    ("number", r"what (?:number|amount|temperature|population|mass|distance|speed)|what is the (?:population|number)"),
    ("number", r"which (?:\w+ )?ha(?:s|ve|d) (?:the )?(?:more|most|fewer|fewest)"),
    ("time", r"when|(?:what|which) (?:year|date|day|month|century|decade|time|season|era)s?"),
    ("person", r"who|whom|whose"),
    ("place", r"where|(?:what|which) (?:city|country|state|place|continent|location|region|town|river)"),
)
_TYPES = tuple((kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for kind, words in _ASKED)

_MONTHS = frozenset("january february march april may june july august september october november december".split())
_TIMES = _MONTHS | frozenset(
    "century centuries bc bce ad today monday tuesday wednesday thursday friday saturday sunday spring summer autumn "
    "winter decade era".split()
)
_TIME_UNITS = frozenset(
    f"{unit}{ending}"
    for unit in "year month week day hour minute second century decade".split()
    for ending in ("", "s")
) | {"centuries"}
_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million "
    "millions billion dozen dozens half third quarter one once twice single".split()
)
_BEFORE_PLACES = frozenset("in at near from to of into on".split())
_YEAR = re.compile(r"(?:1\d{3}|20\d\d)s?")


def answer_type(question: str) -> AnswerType:
    """Return what kind of thing a question asks for.

    >>> answer_type("In what year was Neptune found?"), answer_type("Who found it?"), answer_type("What is rust?")
    ('time', 'person', '')
    """
    return next((kind for kind, words in _TYPES if words.search(question)), "")


def fitting_words(sentence: Words, kind: AnswerType, asked: frozenset[str]) -> list[int]:
    """Return the places of the words that may be, or belong to, an answer of this kind.

    Args:
        sentence: where it is looked for.
        kind: what is asked for.
        asked: stems of the question, which are no answer to it.

    >>> from engine.answering.reader.words import read_words
    >>> from engine.text.analysis import Analyzer
    >>> words = read_words("Neptune was found in 1846.", Analyzer(stopwords="none"))
    >>> fitting_words(words, "time", frozenset({"neptune"}))
    [4]
    """
    fits = _FITS.get(kind)
    if fits is None:
        return []
    return [at for at, stem in enumerate(sentence.stems) if stem not in asked and fits(sentence, at)]


def _is_number(sentence: Words, at: int) -> bool:
    word = sentence.lower[at]
    return word[0].isdigit() or word in _NUMBERS


def _is_duration(sentence: Words, at: int) -> bool:
    return _is_number(sentence, at) and not _TIME_UNITS.isdisjoint(sentence.lower[at + 1 : at + 4])


def _is_percentage(sentence: Words, at: int) -> bool:
    return _is_number(sentence, at) and ("%" in sentence.text or "percent" in sentence.lower[at + 1 : at + 3])


def _is_time(sentence: Words, at: int) -> bool:
    word, following = sentence.lower[at], sentence.lower[at + 1 : at + 2]
    return word in _TIMES or bool(_YEAR.fullmatch(word)) or (word[0].isdigit() and not _MONTHS.isdisjoint(following))


def _is_name(sentence: Words, at: int) -> bool:
    """A capital letter; at the start of a sentence only before another one."""
    if not sentence.written[at][0].isupper() or sentence.lower[at] in STOPWORDS:
        return False
    return at > 0 or (len(sentence.written) > 1 and sentence.written[1][0].isupper())


def _is_place(sentence: Words, at: int) -> bool:
    before = sentence.written[at - 1] if at else ""
    return _is_name(sentence, at) and bool(before) and (before in _BEFORE_PLACES or before[0].isupper())


_FITS = {
    "person": _is_name,
    "place": _is_place,
    "time": _is_time,
    "number": _is_number,
    "duration": _is_duration,
    "percentage": _is_percentage,
}
