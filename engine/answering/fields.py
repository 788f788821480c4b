"""What fields an extraction should find, and what is wrong with an object that should hold them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from engine.errors import SchemaError

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a schema."""

    name: str
    """Its key in the object."""
    type: str = "text"
    """`text`, `number` (finite), `boolean`, `date` (`YYYY-MM-DD`, a day of the calendar) or `list` (of anything)."""
    required: bool = True
    """Whether an object without it is wrong."""
    description: str = ""
    """What it means, for whoever fills it in; empty: its name says it."""

    def __post_init__(self) -> None:
        """Check name and type; raise `SchemaError`."""
        if type(self.name) is not str or not self.name:
            raise SchemaError(f"A field has the name {self.name!r}", "A name is a text of at least one character.")
        if self.type not in tuple(TYPES):
            raise SchemaError(
                f"Field {self.name!r} has the unknown type {self.type!r}", f"Types are {', '.join(TYPES)}."
            )
        if type(self.required) is not bool:
            raise SchemaError(f"Field {self.name!r}: required is {self.required!r}", "It is true or false.")


FieldLike = Field | Mapping[str, Any] | Sequence[Any]
"""A `Field`, a dict with `name`, `type` and `required`, or a tuple in that order."""


def validate_fields(object: Mapping[str, Any] | None, schema: Iterable[FieldLike]) -> list[str]:  # noqa: A002
    """Return what is wrong with an object: `missing: NAME`, `type: NAME`, `extra: NAME`; empty: nothing.

    Args:
        object: what was extracted; `None`, no object, lacks every required field. `null` is no value of any type, and
            true is no number.
        schema: the fields, each a dict with `name`, `type` and `required` (true unless it says false), a tuple in
            that order, or a `Field`.

    Returns:
        First what is missing or of the wrong type, in the order of the schema, then what is extra, in the order of
        the object.

    Raises:
        SchemaError: a field has no name or an unknown type, or two have one name.

    >>> validate_fields({"total": "42"}, [("vendor", "text", True), ("total", "number", True), ("date", "text", False)])
    ['missing: vendor', 'type: total']
    """
    fields, object = as_fields(schema), object or {}  # noqa: A001
    problems = []
    for field in fields:
        if field.name not in object:
            problems += [f"missing: {field.name}"] if field.required else []
        elif not TYPES[field.type](object[field.name]):
            problems.append(f"type: {field.name}")
    known = {field.name for field in fields}
    return problems + [f"extra: {name}" for name in object if name not in known]


def as_fields(schema: Iterable[FieldLike]) -> tuple[Field, ...]:
    """Return a schema's fields as records.

    Raises:
        SchemaError: see `validate_fields`.

    >>> as_fields([{"name": "total", "type": "number", "required": False}])
    (Field(name='total', type='number', required=False, description=''),)
    """
    fields = tuple(map(_as_field, schema))
    names = [field.name for field in fields]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SchemaError(f"Two fields have the name {twice!r}", "Give each field a name of its own.")
    return fields


def _as_field(given: FieldLike) -> Field:
    if isinstance(given, Field):
        return given
    try:
        return Field(**given) if isinstance(given, Mapping) else Field(*_no_text(given))
    except TypeError:
        raise SchemaError(
            f"{given!r} is no field", "A field has a name, a type and required (true or false)."
        ) from None


def _no_text(given: Sequence[Any]) -> Sequence[Any]:
    if isinstance(given, str):
        raise TypeError
    return given


def is_date(value: object) -> bool:
    """Return whether a value is a text such as `2024-05-01` that names a day of the calendar.

    >>> is_date("2024-02-29"), is_date("2023-02-29"), is_date("29.2.2024")
    (True, False, False)
    """
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_number(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


TYPES: dict[str, Callable[[object], bool]] = {
    "text": lambda value: isinstance(value, str),
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "date": is_date,
    "list": lambda value: isinstance(value, list),
}
"""Each type of a field, and the test of its values."""
