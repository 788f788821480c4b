"""A schema written as JSON -> its fields: a list of fields, or the part of JSON Schema that fields need."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.answering.fields import Field, as_fields
from engine.errors import SchemaError

_NOTES = frozenset(("$schema", "$id", "$comment", "title", "description", "examples"))
"""Keywords that say nothing about which values are right."""

_TYPES = {"string": "text", "number": "number", "boolean": "boolean", "array": "list"}


def parse_schema(text: str) -> tuple[Field, ...]:
    """Return the fields of a schema.

    Args:
        text: JSON. Either a list of fields, `[{"name": "total", "type": "number", "required": true}, …]`, or a JSON
            Schema of an object: `properties` of the types string (also with `format: date`), number, boolean and
            array, `required`, and `additionalProperties: false`, which holds in any case.

    Raises:
        SchemaError: it is not JSON, it is neither, or it demands what fields cannot say.

    >>> parse_schema('{"type": "object", "properties": {"total": {"type": "number"}}}')
    (Field(name='total', type='number', required=False, description=''),)
    """
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"The schema is not JSON: {error}", "It is a list of fields, or a JSON Schema.") from None
    fields = _from_json_schema(schema) if isinstance(schema, dict) else _from_list(schema)
    if not fields:
        raise SchemaError("The schema has no field", "Name at least one.")
    return fields


def _from_list(schema: object) -> tuple[Field, ...]:
    if not isinstance(schema, list):
        raise SchemaError(f"The schema is {schema!r}", "It is a list of fields, or a JSON Schema of an object.")
    return as_fields(schema)


def _from_json_schema(schema: Mapping[str, Any]) -> tuple[Field, ...]:
    _refuse_others(schema, "The schema", {"type", "properties", "required", "additionalProperties"})
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if schema.get("type", "object") != "object" or not isinstance(properties, dict) or not isinstance(required, list):
        raise SchemaError(
            "The schema is not that of an object", "type is object, properties an object, required a list."
        )
    if schema.get("additionalProperties", False) is not False:
        raise SchemaError("The schema allows additional properties", "Other fields are always extra: name them all.")
    unknown = [name for name in required if not isinstance(name, str) or name not in properties]
    if unknown:
        raise SchemaError(f"{unknown[0]!r} is required but is no property", "Name its type under properties.")
    return tuple(_field(name, given, name in required) for name, given in properties.items())


def _field(name: str, given: object, required: bool) -> Field:
    where = f"Property {name!r}"
    if not isinstance(given, dict):
        raise SchemaError(f"{where} is {given!r}", "A property is an object with a type.")
    _refuse_others(given, where, {"type", "format"})
    kind, form = given.get("type"), given.get("format")
    if form is not None and (kind, form) != ("string", "date"):
        raise SchemaError(f"{where} has the format {form!r}", "The one format that is checked is date, of a string.")
    if not isinstance(kind, str) or kind not in _TYPES:
        raise SchemaError(f"{where} has the type {kind!r}", f"Types are {', '.join(_TYPES)}.")
    return Field(name, "date" if form else _TYPES[kind], required, str(given.get("description", "")))


def _refuse_others(given: Mapping[str, Any], where: str, known: set[str]) -> None:
    """Refuse keywords that would be checked elsewhere but not here."""
    others = [keyword for keyword in given if keyword not in known | _NOTES]
    if others:
        raise SchemaError(f"{where} uses {others[0]!r}, which is not checked here", "Leave it out.")
