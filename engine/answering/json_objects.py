"""A model's reply -> the first JSON object in it, whatever stands around it.

Grammar: RFC 8259, so `NaN`, single quotes, comments and trailing commas are no JSON. One pass with a stack of its own:
no reply, however deep or broken, takes more than time proportional to its length.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

DEEPEST = 100
"""Objects and lists inside each other; a deeper object is refused."""

# The quantifiers are possessive: what does not match is not tried again in other ways.
_TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:(?P<mark>[{}\[\],:])
    |(?P<text>"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")
    |(?P<other>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null))""",
    re.VERBOSE,
)
_VALUE = {"text": "after", "other": "after", "{": "first name", "[": "first item"}
# Where in an object or list one is -> what may come, and where one is then. `}` and `]` close, whatever is named here.
_GRAMMAR: dict[str, dict[str, str]] = {
    "first name": {"text": "colon", "}": ""},
    "name": {"text": "colon"},
    "colon": {":": "value"},
    "value": _VALUE,
    "first item": _VALUE | {"]": ""},
    "after": {",": "", "}": "", "]": ""},
}


def extract_json(reply: str) -> dict[str, Any] | None:
    r"""Return the object of the first `{` that starts a valid JSON object; `None` when no `{` does.

    Code fences and prose around it are no matter. A name that is repeated keeps its last value, as everywhere in
    Python. Where that first object cannot be held (nested more than `DEEPEST` deep, a number of more than 4,300
    digits or too large for a float) there is none either: a part of it must not pass for the whole.

    Args:
        reply: what a model wrote.

    >>> extract_json('Sure {really}!\n```json\n{"vendor": "ACME", "total": 42}\n```')
    {'vendor': 'ACME', 'total': 42}
    """
    ends: dict[int, int] = {}
    start = reply.find("{")
    while start >= 0:
        if start not in ends:
            _scan(reply, start, ends)
        if ends[start] > 0:
            return _held(reply[start : ends[start]])
        start = reply.find("{", start + 1)
    return None


def _scan(reply: str, start: int, ends: dict[int, int]) -> None:
    """Read the object at `start`, and note where each object met on the way ends; 0: it is not valid.

    An object reads the same wherever the reading began. So one that is still open where the reading fails needs no
    second try, and any place of a reply is read twice at most: as structure, and as part of a text.
    """
    opened = [start]
    state, at = "first name", start + 1
    while opened:
        token = _TOKEN.match(reply, at)
        kind = token and (token["mark"] or token.lastgroup)
        if (
            token is None
            or kind not in _GRAMMAR[state]
            or (kind in ("}", "]") and not _closes(reply, opened[-1], kind))
        ):
            ends.update((place, 0) for place in opened if reply[place] == "{")
            return
        at = token.end()
        if kind in ("{", "["):
            opened.append(at - 1)
        if kind in ("}", "]"):
            place, state = opened.pop(), "after"
            ends.setdefault(place, at)
        elif kind == ",":
            state = "name" if reply[opened[-1]] == "{" else "value"
        else:
            state = _GRAMMAR[state][kind]


def _closes(reply: str, place: int, mark: str) -> bool:
    return reply[place] + mark in ("{}", "[]")


def _held(text: str) -> dict[str, Any] | None:
    """Return the value of a valid object; `None` when Python or this module cannot hold it."""
    if _depth(text) > DEEPEST:
        return None
    try:
        found: dict[str, Any] = json.loads(text, parse_float=_finite)
    except ValueError:
        return None
    return found


def _depth(text: str) -> int:
    depth = deepest = 0
    for token in _TOKEN.finditer(text):
        depth += (token["mark"] in ("{", "[")) - (token["mark"] in ("}", "]"))
        deepest = max(deepest, depth)
    return deepest


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("too large for a float")
    return number
