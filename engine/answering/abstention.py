"""Whether an answer says that it does not know."""

from __future__ import annotations

import re

from engine.answering.citations import parse_citations

_SOURCES = (
    r"(?:(?:the|these|those|my|your|any\ of|provided|given|available|numbered)\ )*"
    r"(?:sources?|notes?|passages?|documents?|context|texts?)"
)
_SUBJECT = r"(?:it|this|that|(?:the|this)\ (?:answer|information)(?:\ to\ (?:the|this|your)\ question)?)"
_SAY = r"(?:say|contain|mention|state|hold|provide|include|specify|give|tell|answer)"
_SAID = r"(?:stated|contained|mentioned|held|provided|included|specified|given|found|available)"
_FORMS = re.compile(
    rf"""
    \W*(?:(?:(?:i'm|i\ am)\ )?(?:sorry|afraid),?\ |but\ |unfortunately,?\ |(?:based\ on|according\ to)\ {_SOURCES},?\ )*
    (?: i\ (?:do\ not|don't|can\ ?not|can't|could\ not|couldn't)\ (?:know|tell|say|answer|find|determine)\b
      | i\ (?:do\ not\ have|don't\ have|have\ no)\ (?:(?:enough|any|that|this|the)\ )?(?:information|answer)\b
      | (?:i'm|i\ am)\ (?:not\ sure|unable\ to)\b
      | (?:not|{_SUBJECT}(?:'s\ not|\ is\ not|\ isn't))\ (?:{_SAID}\ )?in\ {_SOURCES}\b
      | {_SOURCES}\ (?:do\ not|don't|does\ not|doesn't)\ (?:\w+ly\ )?{_SAY}\b
      | none\ of\ {_SOURCES}\ {_SAY}s?\b
      | there\ is\ no\ (?:information|mention|answer)\b
      | no\ (?:information|mention|answer)(?:\ (?:is|was|can|could|about|on|regarding|in)\b|\W*\Z)
      | unknown\W*\Z
      | (?:抱歉\W*)?我?(?:不知道|无法回答|不清楚)
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_abstention(text: str) -> bool:
    """Return whether a text abstains: it opens by saying so and cites nothing.

    >>> is_abstention("I don't know: the notes do not say."), is_abstention("Not in the passages")
    (True, True)
    >>> is_abstention("I don't know its mass, but it is hot [1].")
    False
    """
    plain = " ".join(text.replace("’", "'").split())
    return not plain or (bool(_FORMS.match(plain)) and not parse_citations(plain))
