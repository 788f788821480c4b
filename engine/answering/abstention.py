"""Whether an answer says that it does not know."""

from __future__ import annotations

import re

from engine.answering.citations import parse_citations
from engine.text.sentences import split_sentences

_SOURCES = (
    r"(?:(?:the|these|any\ of\ the|provided|given|available)\ )*"
    r"(?:sources?|notes?|passages?|documents?|context|texts?)"
)
_FORMS = re.compile(
    rf"""
    ^\W*(?:sorry[,.]?\s+|unfortunately[,.]?\s+|based\ on\ {_SOURCES}[,.]?\s+)*(?:
      i\ (?:do\ not|don't|cannot|can't|could\ not|couldn't)\ (?:know|tell|say|answer|find|determine)
    | i(?:'m|\ am)\ (?:not\ sure|unable\ to)
    | (?:it\ is\ |it's\ )?not\ (?:in|stated\ in|mentioned\ in|given\ in|found\ in)\ {_SOURCES}
    | {_SOURCES}\ (?:do|does)(?:\ not|n't)\ (?:say|contain|mention|state|hold|provide|include|specify|give|tell|answer)
    | there\ is\ no\ (?:information|mention|answer)
    | no\ (?:information|answer)\b
    | unknown\W*$
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_abstention(text: str) -> bool:
    """Return whether a text abstains: its first sentence says so and no later one cites a source.

    >>> is_abstention("I don't know: the notes do not say."), is_abstention("Not in the passages")
    (True, True)
    >>> is_abstention("I don't know its mass, but it is hot [1].")
    False
    """
    text = text.replace("’", "'").strip()
    return not text or (bool(_FORMS.match(text)) and not any(map(parse_citations, split_sentences(text))))
