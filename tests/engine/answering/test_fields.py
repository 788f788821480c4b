import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answering.fields import TYPES, Field, as_fields, validate_fields
from engine.answering.json_objects import extract_json
from engine.answering.schema_files import parse_schema
from engine.errors import SchemaError

SCHEMA = [
    {"name": "vendor", "type": "text", "required": True},
    {"name": "total", "type": "number", "required": True},
    {"name": "date", "type": "text", "required": False},
]


def test_the_golden_reply_has_one_extra_field():
    reply = 'Sure! Here it is:\n```json\n{"vendor": "ACME", "total": 42, "paid": true}\n```'
    assert validate_fields(extract_json(reply), SCHEMA) == ["extra: paid"]


def test_the_golden_text_for_a_number_lacks_the_vendor_too():
    assert validate_fields({"total": "42"}, SCHEMA) == ["missing: vendor", "type: total"]


def test_problems_come_in_the_order_of_the_schema_then_extras_in_that_of_the_object():
    found = {"z": 1, "vendor": 5, "a": 2, "date": 7}
    assert validate_fields(found, SCHEMA) == ["type: vendor", "missing: total", "type: date", "extra: z", "extra: a"]


def test_dicts_tuples_lists_and_records_are_the_same_schema():
    tuples = [("vendor", "text", True), ["total", "number", True], Field("date", "text", False)]
    assert as_fields(tuples) == as_fields(SCHEMA)
    assert validate_fields({}, iter(tuples)) == ["missing: vendor", "missing: total"]


def test_a_field_is_required_text_unless_it_says_otherwise():
    assert as_fields([{"name": "a"}]) == (Field("a", "text", True),)


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("text", ["", "42", "null"], [42, None, True, ["a"], {}]),
        ("number", [0, -1.5, 10**400], ["42", True, None, [1], float("nan"), float("inf")]),
        ("boolean", [True, False], [0, 1, "true", None]),
        ("date", ["2024-02-29", "0001-01-01"], ["2023-02-29", "2024-2-9", "20240229", "2024-W01-1", 2024, None]),
        ("date", [], ["2024-05-01T10:00", "２０２４-05-01", "2024-05-01\n", ""]),
        ("list", [[], [1, "a", None]], ["a", {}, None, "[]"]),
    ],
)  # fmt: skip
def test_each_type_takes_its_values_and_no_other(kind, right, wrong):
    schema = [("a", kind, True)]
    assert [value for value in right if validate_fields({"a": value}, schema)] == []
    assert [value for value in wrong if validate_fields({"a": value}, schema) != ["type: a"]] == []


def test_no_object_lacks_what_is_required():
    assert validate_fields(extract_json("I cannot."), SCHEMA) == ["missing: vendor", "missing: total"]


def test_null_is_no_value_of_an_optional_field():
    assert validate_fields({"date": None}, [("date", "text", False)]) == ["type: date"]


@pytest.mark.parametrize(
    "schema",
    [
        [("a", "integer", True)],
        [("a", [], True)],
        [("a", "text", "yes")],
        [("", "text", True)],
        [(7, "text", True)],
        [("a", "text", True), ("a", "number", True)],
        [{"type": "text"}],
        [{"name": "a", "kind": "text"}],
        ["vendor"],
        [7],
        [()],
    ],
)
def test_a_schema_that_makes_no_sense_is_an_error_with_a_hint(schema):
    with pytest.raises(SchemaError) as error:
        validate_fields({}, schema)
    assert error.value.hint


NAMES = st.sampled_from("abcde")
ANY = st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=2)


@given(
    st.dictionaries(NAMES, ANY),
    st.lists(st.tuples(NAMES, st.sampled_from(list(TYPES)), st.booleans()), unique_by=lambda field: field[0]),
)
def test_every_name_has_one_problem_at_most_and_mending_all_leaves_none(found, schema):
    problems = validate_fields(found, schema)
    named = [problem.split(": ")[1] for problem in problems]
    assert len(named) == len(set(named))
    right = {"text": "", "number": 0, "boolean": True, "date": "2024-05-01", "list": []}
    mended = {name: value for name, value in found.items() if f"extra: {name}" not in problems}
    mended |= {name: right[kind] for name, kind, _ in schema if name in named}
    assert validate_fields(mended, schema) == []


# --- schemas as files


def test_a_list_of_fields_is_read():
    assert parse_schema(json.dumps(SCHEMA)) == as_fields(SCHEMA)


def test_a_json_schema_of_an_object_is_read():
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Invoice",
        "type": "object",
        "properties": {
            "vendor": {"type": "string", "description": "who sent it"},
            "total": {"type": "number"},
            "paid": {"type": "boolean"},
            "due": {"type": "string", "format": "date"},
            "lines": {"type": "array"},
        },
        "required": ["vendor", "due"],
        "additionalProperties": False,
    }
    assert parse_schema(json.dumps(schema)) == (
        Field("vendor", "text", True, "who sent it"),
        Field("total", "number", False),
        Field("paid", "boolean", False),
        Field("due", "date", True),
        Field("lines", "list", False),
    )


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("7", "7"),
        ("null", "None"),
        ("[]", "no field"),
        ("{}", "no field"),
        ('{"type": "array", "properties": {"a": {"type": "string"}}}', "not that of an object"),
        ('{"properties": {"a": {"type": "integer"}}}', "integer"),
        ('{"properties": {"a": {"type": ["string", "null"]}}}', "string"),
        ('{"properties": {"a": {"type": "array", "items": {}}}}', "items"),
        ('{"properties": {"a": {"type": "string", "enum": ["x"]}}}', "enum"),
        ('{"properties": {"a": {"type": "string", "format": "email"}}}', "email"),
        ('{"properties": {"a": {"type": "number", "format": "date"}}}', "date"),
        ('{"properties": {"a": true}}', "True"),
        ('{"properties": {"a": {"type": "string"}}, "required": ["b"]}', "'b'"),
        ('{"properties": {"a": {"type": "string"}}, "required": [{}]}', "required"),
        ('{"properties": {"a": {"type": "string"}}, "additionalProperties": true}', "additional"),
        ('{"properties": {"a": {"type": "string"}}, "anyOf": []}', "anyOf"),
        ('{"properties": {"": {"type": "string"}}}', "''"),
    ],
)  # fmt: skip
def test_what_fields_cannot_say_is_refused_by_name(schema, named):
    with pytest.raises(SchemaError) as error:
        parse_schema(schema)
    assert named in error.value.message
    assert error.value.hint
