"""A schema of fields -> an automaton over characters: which text is the beginning of some object that validates.

The language: JSON objects (RFC 8259) with the fields of the schema in any order, each once, every required one among
them, white space anywhere. It is a little smaller than what `validate_fields` takes, so that a state is small and every
object can be held: names are written as `json.dumps` writes them, numbers have at most 15 digits before and after the
point and 2 in the exponent, dates no escapes, and objects and lists nest as deep as `extract_json` reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from engine.answering.fields import FieldLike, as_fields, is_date
from engine.answering.json_objects import DEEPEST

MOST_DIGITS = 15
"""Digits of a number before its point, and after it."""

_SPACE = " \t\n\r"
_ESCAPED = '"\\/bfnrt'
_HEX = "0123456789abcdefABCDEF"
_LITERALS = {"t": "rue", "f": "alse", "n": "ull"}
_SHORTEST = {"text": '""', "number": "0", "boolean": "true", "date": '"2000-01-01"', "list": "[]"}
_DATES = ("0001-01-01", "0001-10-10")
"""What completes any beginning of a date that can be completed: with one's end or the other's."""


class State(NamedTuple):
    """Where in an object the output stands. Equal states allow equal continuations."""

    place: str
    """What may come next."""
    used: int = 0
    """Bit i: field i has been named."""
    field: int = -1
    """Whose value is being written; -1: none."""
    partial: str = ""
    """What has been written of a name, date or escape; what is left of a literal; the shape of a number so far."""
    stack: str = ""
    """The lists and objects opened inside a list value: `[` and `{`."""


class FieldsGrammar:
    """The automaton of one schema.

    >>> grammar = FieldsGrammar([("paid", "boolean", True)])
    >>> [grammar.step(grammar.start, text) is not None for text in ('{"pa', '{"paid": t', '{"paid": "', "{}")]
    [True, True, False, False]
    """

    start = State("start")
    """Before the first character."""

    def __init__(self, schema: Iterable[FieldLike]) -> None:
        """Take a schema as `validate_fields` does; raise `SchemaError` as it does."""
        self.fields = as_fields(schema)
        self._names = [json.dumps(field.name, ensure_ascii=False)[1:] for field in self.fields]
        self._required = sum(1 << at for at, field in enumerate(self.fields) if field.required)

    def step(self, state: State, text: str) -> State | None:
        """Return the state after `text`; `None`: no object that validates goes on like this."""
        after: State | None = state
        for character in text:
            if after is None:
                return None
            after = self._character(after, character)
        return after

    def is_complete(self, state: State) -> bool:
        """Return whether the object is closed; nothing may follow."""
        return state.place == "end"

    def closing(self, state: State) -> str:
        """Return a short text that completes the object from this state: there is one for every state."""
        return "".join(self._closing(state))

    def _character(self, state: State, character: str) -> State | None:
        if character in _SPACE and state.place in _SPACED:
            return state
        step = getattr(self, f"_in_{state.place}", None)
        after: State | None = step(state, character) if step else None
        return after

    # Each method below is one place: the state after a character that is no white space between tokens.

    def _in_start(self, state: State, character: str) -> State | None:
        return State("first") if character == "{" else None

    def _in_first(self, state: State, character: str) -> State | None:
        return self._in_next(state, character) or self._closed(state, character)

    def _in_next(self, state: State, character: str) -> State | None:
        return State("name", state.used) if character == '"' and self._left(state) else None

    def _in_name(self, state: State, character: str) -> State | None:
        written = state.partial + character
        for at in self._left(state):
            if self._names[at] == written:
                return State("colon", state.used | 1 << at, at)
        going_on = any(self._names[at].startswith(written) for at in self._left(state))
        return state._replace(partial=written) if going_on else None

    def _in_colon(self, state: State, character: str) -> State | None:
        return state._replace(place="value") if character == ":" else None

    def _in_value(self, state: State, character: str) -> State | None:
        kind = self.fields[state.field].type
        if kind in ("text", "date"):
            return state._replace(place="string" if kind == "text" else "date") if character == '"' else None
        if kind == "list":
            return state._replace(place="first_item", stack="[") if character == "[" else None
        after = self._in_item(state, character)
        places = {"number": "number", "boolean": "literal"}
        return after if after and after.place == places[kind] and after.partial != "ull" else None

    def _in_after(self, state: State, character: str) -> State | None:
        if character == ",":
            return State("next", state.used) if self._left(state) else None
        return self._closed(state, character)

    def _in_string(self, state: State, character: str) -> State | None:
        if character == '"' and not state.partial:
            return _finished(state)
        return _in_text(state, character)

    def _in_date(self, state: State, character: str) -> State | None:
        written = state.partial + character
        if len(written) == 11:
            return _finished(state) if character == '"' else None
        possible = any(is_date(written + whole[len(written) :]) for whole in _DATES)
        return state._replace(partial=written) if possible else None

    def _in_literal(self, state: State, character: str) -> State | None:
        if character != state.partial[0]:
            return None
        left = state.partial[1:]
        return state._replace(partial=left) if left else _finished(state)

    def _in_number(self, state: State, character: str) -> State | None:
        shape = _number(state.partial, character)
        if shape:
            return state._replace(partial=shape)
        return self._character(_finished(state), character) if state.partial[-1] in _ENDS else None

    # Inside a list anything goes.

    def _in_item(self, state: State, character: str) -> State | None:
        if character == '"':
            return state._replace(place="string")
        if character in _LITERALS:
            return state._replace(place="literal", partial=_LITERALS[character])
        if character in "[{" and len(state.stack) < DEEPEST - 1:
            return state._replace(
                place="first_item" if character == "[" else "first_key", stack=state.stack + character
            )
        shape = _number("", character)
        return state._replace(place="number", partial=shape) if shape else None

    def _in_first_item(self, state: State, character: str) -> State | None:
        return _popped(state) if character == "]" else self._in_item(state, character)

    def _in_key(self, state: State, character: str) -> State | None:
        return state._replace(place="key_text") if character == '"' else None

    def _in_first_key(self, state: State, character: str) -> State | None:
        return _popped(state) if character == "}" else self._in_key(state, character)

    def _in_key_text(self, state: State, character: str) -> State | None:
        if character == '"' and not state.partial:
            return state._replace(place="key_colon")
        return _in_text(state, character)

    def _in_key_colon(self, state: State, character: str) -> State | None:
        return state._replace(place="item") if character == ":" else None

    def _in_after_item(self, state: State, character: str) -> State | None:
        if character == ",":
            return state._replace(place="item" if state.stack[-1] == "[" else "key")
        return _popped(state) if state.stack[-1] + character in ("[]", "{}") else None

    def _left(self, state: State) -> list[int]:
        return [at for at in range(len(self.fields)) if not state.used >> at & 1]

    def _closed(self, state: State, character: str) -> State | None:
        whole = state.used & self._required == self._required
        return State("end", state.used) if character == "}" and whole else None

    def _closing(self, state: State) -> Iterable[str]:
        """Yield the rest of what is begun, of the lists around it, and of the required fields."""
        while not self.is_complete(state):
            piece = self._next_piece(state)
            yield piece
            after = self.step(state, piece)
            assert after is not None, (state, piece)
            state = after

    def _next_piece(self, state: State) -> str:
        needed = [at for at in self._left(state) if self._required >> at & 1]
        if state.place in ("first", "after"):
            comma = "," if state.place == "after" else ""
            return f'{comma}"{self._names[needed[0]]}' if needed else "}"
        if state.place == "next":
            return f'"{self._names[(needed or self._left(state))[0]]}'
        if state.place == "name":
            begun = (self._names[at] for at in self._left(state) if self._names[at].startswith(state.partial))
            return min(begun, key=len)[len(state.partial) :]
        if state.place == "value":
            return _SHORTEST[self.fields[state.field].type]
        if state.place == "date":
            whole = next(date for date in _DATES if is_date(state.partial + date[len(state.partial) :]))
            return whole[len(state.partial) :] + '"'
        if state.place in ("string", "key_text"):
            return _REST_OF_ESCAPE[len(state.partial)] + '"'
        if state.place == "number" and state.partial[-1] not in _ENDS:
            return "0"
        if state.place in ("number", "after_item", "first_item", "first_key"):
            closers = {"[": "]", "{": "}"}
            return closers[state.stack[-1]] if state.stack else self._next_piece(_finished(state))
        return {"start": "{", "colon": ":", "key_colon": ":", "item": "0", "key": '"', "literal": state.partial}[
            state.place
        ]


_SPACED = frozenset(
    (
        "start",
        "first",
        "next",
        "colon",
        "value",
        "after",
        "item",
        "first_item",
        "key",
        "first_key",
        "key_colon",
        "after_item",
    )
)
_REST_OF_ESCAPE = ("", "n", "0000", "000", "00", "0")
"""By the length of what has been written of an escape: nothing, the backslash, the backslash and u …"""
_ENDS = "0ifx"
"""The shapes at which a number may end."""


def _in_text(state: State, character: str) -> State | None:
    """Return the state after a character inside a text, the closing quote aside."""
    written = state.partial + character
    if not state.partial:
        if character == "\\":
            return state._replace(partial=written)
        return state if character >= " " and character != '"' else None
    if len(written) == 2:
        if character == "u":
            return state._replace(partial=written)
        return state._replace(partial="") if character in _ESCAPED else None
    if character not in _HEX:
        return None
    return state._replace(partial="\\u" + "0" * (len(written) - 2) if len(written) < 6 else "")


def _number(shape: str, character: str) -> str:
    """Return the shape of a number after a character, empty: no number goes on like this.

    A shape: `-`, `0`, `i` a digit of the whole part, `.`, `f` a digit after it, `e`, `s` the exponent's sign, `x` its
    digits.

    >>> _number("ii", "7"), _number("0", "7"), _number("ii", ".")
    ('iii', '', '.')
    """
    last = shape[-1:]
    if character.isascii() and character.isdigit():
        if last in ("", "-"):
            return "0" if character == "0" else "i"
        follows = {"i": "i", ".": "f", "f": "f", "e": "x", "s": "x", "x": "x"}.get(last, "")
        most = 2 if follows == "x" else MOST_DIGITS
        return "" if not follows or shape.count(follows) >= most else (shape if follows == last else "") + follows
    if character == "-" and not shape:
        return "-"
    if character == "." and last in ("0", "i"):
        return "."
    if character in ("e", "E") and last in ("0", "i", "f"):
        return "e"
    return "s" if character in ("+", "-") and last == "e" else ""


def _finished(state: State) -> State:
    """Return the state after a value."""
    if state.stack:
        return state._replace(place="after_item", partial="")
    return State("after", state.used)


def _popped(state: State) -> State:
    """Return the state after the innermost list or object is closed."""
    return _finished(state._replace(stack=state.stack[:-1]))
