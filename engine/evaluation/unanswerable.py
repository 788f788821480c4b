"""A question that a text answers -> one much like it that the text does not answer, to learn refusing from.

Rajpurkar, Jia and Liang ("Know What You Don't Know: Unanswerable Questions for SQuAD", 2018, table 2) say by what
people made questions unanswerable: another name 21 %, an opposite 20 %, a negation 9 %, something that excludes what
the text says 15 %, something the text is silent about or cannot be 28 %. `SHARES` follows them: the fourth is another
word in its place, the last the question as it is, asked of notes from which the text was taken away.

Made questions are no good English, and now and then another text does answer them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Literal

from engine.answering.reader.confidence import OPPOSITES
from engine.text.stopwords import STOPWORDS

Change = Literal["name", "opposite", "negation", "word", "taken away"]
"""What makes a question unanswerable."""

SHARES: dict[Change, float] = {"name": 0.21, "opposite": 0.20, "negation": 0.09, "word": 0.15, "taken away": 0.35}
"""Change -> how often it is tried."""

_NAME = re.compile(r"(?<=\w )(?:[A-Z][\w’'-]*|\d[\d.,]*)(?: (?:of |the )?(?:[A-Z][\w’'-]*|\d[\d.,]*))*")
_WORD = re.compile(r"(?<=\w )[a-z]{4,}\b")
_ANY_WORD = re.compile(r"\w+")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)\b")
_NEGATED = re.compile(r"\b(?:not|never|without)\b|n['’]t\b")
_OTHER_WAY = {one: other for pair in OPPOSITES for one, other in (pair[::-1], pair)}


def draw_change(random: Random) -> Change:
    """Return a change as often as `SHARES` says."""
    return random.choices([*SHARES], [*SHARES.values()])[0]


def make_unanswerable(
    question: str, change: Change, random: Random, *, others: Sequence[str] = (), text: str = ""
) -> str | None:
    """Return a question much like this one that its text does not answer; `None`: this one cannot be changed so.

    Args:
        question: one that `text` answers.
        change: what is changed; `taken away` leaves the question as it is.
        random: chooses among what can be changed, and into what.
        others: questions on the same subject, whose names and words are put in place of its own.
        text: what answers it, whose words are not put in place of others.

    >>> make_unanswerable("Who was first to climb it?", "opposite", Random(0))
    'Who was last to climb it?'
    >>> make_unanswerable("Who found Neptune?", "name", Random(0), others=["Who found Uranus?"])
    'Who found Uranus?'
    """
    held = f"{text} {question}".lower()
    if change == "taken away":
        return question
    if change == "negation":
        found = _AUXILIARY.search(question)
        return None if _NEGATED.search(question) or found is None else _put(question, found, f"{found[0]} not")
    if change == "opposite":
        places = [place for place in _ANY_WORD.finditer(question) if place[0].lower() in _OTHER_WAY]
        if not places:
            return None
        place = random.choice(places)
        return _put(question, place, _OTHER_WAY[place[0].lower()])
    pattern, avoided = (_NAME, question.lower()) if change == "name" else (_WORD, held)
    places = [place for place in pattern.finditer(question) if place[0].lower() not in STOPWORDS]
    if not places:
        return None
    place = random.choice(places)
    new = [word for other in others for word in pattern.findall(other) if _may_stand_for(word, place[0], avoided)]
    return _put(question, place, random.choice(new)) if new else None


def _may_stand_for(word: str, old: str, avoided: str) -> bool:
    """Return whether a word is new, and a number where a number stood."""
    return word.lower() not in avoided and word not in STOPWORDS and word[0].isdigit() == old[0].isdigit()


def _put(question: str, place: re.Match[str], new: str) -> str:
    return question[: place.start()] + new + question[place.end() :]
