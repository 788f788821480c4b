"""Whether an answer says that it does not know."""

from __future__ import annotations

import re

from engine.answering.citations import parse_citations
from engine.answering.verification import split_claims

_SOURCES = (
    r"(?:(?:the|these|those|my|your|any\ of|provided|given|available|numbered)\ )*"
    r"(?:sources?|notes?|passages?|documents?|context|texts?)(?:\ (?:provided|given|above|below))?"
)
_SUBJECT = r"(?:it|this|that|(?:the|this)\ (?:answer|information)(?:\ to\ (?:the|this|your)\ question)?)"
_SAY = r"(?:say|contain|mention|state|hold|provide|include|specify|give|tell|answer)"
_SAID = (
    r"(?:stated|contained|mentioned|held|provided|included|specified|given|found|available|known|answered|determined)"
)
_ENOUGH = r"(?:enough|sufficient|any|that|this|the)"
_FORMS = re.compile(
    rf"""
    \W*(?:answer:\ )?
    (?:(?:(?:i'm|i\ am)\ )?(?:sorry|afraid),?\ |but\ |unfortunately,?\ |(?:based\ on|according\ to)\ {_SOURCES},?\ )*
    (?: i\ (?:do\ not|don't|can\ ?not|can't|could\ not|couldn't)\ (?:know|tell|say|answer|find|determine)\b
      | i\ (?:do\ not\ have|don't\ have|have\ no|have\ insufficient)\ (?:{_ENOUGH}\ )?(?:information|answer)\b
      | (?:i'm|i\ am)\ (?:not\ sure|unable\ to)\b
      | (?:not|{_SUBJECT}(?:'s\ not|\ is\ not|\ isn't))\ (?:{_SAID}\ )?in\ {_SOURCES}\b
      | (?:not|{_SUBJECT}(?:'s\ not|\ is\ not|\ isn't))\ {_SAID}\W*\Z
      | (?:{_SUBJECT}\ )?(?:can\ ?not|can't|could\ not|couldn't)\ be\ {_SAID}(?:\W*\Z|\ (?:in|from|by)\ {_SOURCES}\b)
      | it(?:'s\ not|\ is\ not|\ isn't)\ possible\ to\ (?:know|tell|say|answer|determine)\b
      | {_SOURCES}\ (?:do\ not|don't|does\ not|doesn't)\ (?:\w+ly\ )?{_SAY}\b
      | (?:none\ of|neither(?:\ of)?)\ {_SOURCES}\ {_SAY}s?\b
      | there(?:\ is\ no|'s\ no)\ (?:information|mention|answer)\b
      | there\ (?:is\ not|isn't)\ {_ENOUGH}\ (?:information|mention)\b
      | no\ (?:information|mention|answer)(?:\ (?:is|was|can|could|about|on|regarding|in)\b|\W*\Z)
      | (?:unknown|insufficient\ information)\W*\Z
      | (?:抱歉\W*)?我?(?:不知道|无法回答|不清楚) | (?:资料|来源|文中|笔记)中?(?:没有|未)(?:提到|提及|说明)
      | (?:分かりません|わかりません|分からない|わからない)
      | (?:(?:das\ )?weiß\ ich|ich\ weiß\ es)\ nicht\b | no\ (?:lo\ )?sé(?:\W|\Z) | je\ ne\ (?:le\ )?sais\ pas\b
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TURN = re.compile(r"\b(?:but|however|although|though|yet)\b|[;；]", re.IGNORECASE)


def is_abstention(text: str) -> bool:
    """Return whether a text abstains: it opens by saying so, and cites nothing or is that one sentence alone.

    >>> is_abstention("I don't know: the notes do not say."), is_abstention("Not in the passages")
    (True, True)
    >>> is_abstention("I don't know its mass, but it is hot [1]."), is_abstention("The notes do not say [1].")
    (False, True)
    """
    plain = " ".join(text.replace("’", "'").split())
    if not plain:
        return True
    opening = _FORMS.match(plain)
    if opening is None:
        return False
    if not parse_citations(plain):
        return True
    return len(split_claims(plain)) == 1 and not _TURN.search(plain, opening.end())
