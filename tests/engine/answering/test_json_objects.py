"""Replies as models write them, well and badly formed: which object is taken, and that none takes long."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answering import json_objects
from engine.answering.json_objects import DEEPEST, extract_json

GOLDEN = 'Sure! Here it is:\n```json\n{"vendor": "ACME", "total": 42, "paid": true}\n```'


def test_the_object_in_a_fence_behind_prose_is_found():
    assert extract_json(GOLDEN) == {"vendor": "ACME", "total": 42, "paid": True}


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("{}", {}),
        (' \r\n{ "a" :\t[ ] } ', {"a": []}),
        ('{"a": 1} {"b": 2}', {"a": 1}),
        ('Use {braces} like {this: 1} and then {"a": 1}', {"a": 1}),
        ('{"a": 1', None),
        ('{"a": {"b": 1}', {"b": 1}),
        ('[{"a": 1}]', {"a": 1}),
        ('{"a": "} {", "b": "\\"{"}', {"a": "} {", "b": '"{'}),
        ('{"text": "{\\"inner\\": 1}"}', {"text": '{"inner": 1}'}),
        ('{"never closed: {"a": 1}', {"a": 1}),
        ('{"a": 1]', None),
        ('{"a": [1}', None),
        ('{"a": [1,]} {"b": 2}', {"b": 2}),
        ('{"a": 1,} {"b": 2}', {"b": 2}),
        ('{,"a": 1}', None),
        ('{"a" 1}', None),
        ('{"a": }', None),
        ('{"a": 1 "b": 2}', None),
        ("{'a': 1}", None),
        ("{a: 1}", None),
        ('{"a": 1 /* one */}', None),
        ('{"a": True}', None),
        ('{"a": "raw\nbreak"}', None),
        ('{"a": "\\x41"}', None),
        ('{"a": "\\u12"}', None),
        ('{"a": 01}', None),
        ('{"a": +1}', None),
        ('{"a": .5}', None),
        ('{"a": 1.}', None),
        ('{"a": 0x1F}', None),
        ('{"a": nullx}', None),
        ('{\u00a0"a": 1}', None),
        ('\ufeff{"a": 1}', {"a": 1}),
        ('｛"a": 1｝', None),
        ("no object", None),
        ("", None),
        ("42", None),
    ],
)
def test_the_first_brace_that_starts_a_valid_object_counts(reply, found):
    assert extract_json(reply) == found


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "nan"])
def test_what_is_no_number_in_json_makes_an_object_invalid(word):
    assert extract_json(f'{{"a": {word}}} {{"b": 2}}') == {"b": 2}


def test_a_repeated_name_keeps_its_last_value():
    assert extract_json('{"total": 42, "total": 43}') == {"total": 43}


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" * 5000])
def test_an_object_with_a_number_that_cannot_be_held_is_refused_whole(number):
    assert extract_json(f'{{"total": {number}, "part": {{"a": 1}}}}') is None


def test_a_large_whole_number_is_kept_exactly():
    assert extract_json(f'{{"total": {10**400}}}') == {"total": 10**400}


def test_an_object_may_be_as_deep_as_the_limit_and_no_deeper():
    def nested(depth: int) -> str:
        return '{"a":' * depth + "1" + "}" * depth

    assert extract_json(nested(DEEPEST)) is not None
    assert extract_json(nested(DEEPEST + 1)) is None
    assert extract_json('{"a": ' + "[" * DEEPEST + "]" * DEEPEST + "}") is None


def test_escapes_and_lone_surrogates_are_read():
    assert extract_json(r'{"\u0061": "\ud83e\ude90 \n \ud800"}') == {"a": "🪐 \n \ud800"}


@pytest.mark.parametrize(
    "reply",
    [
        '{"a":' * 50_000,
        '{"a":' * 50_000 + "1" + "}" * 50_000,
        "{" * 50_000,
        '{"' * 50_000,
        '{"{":":","' * 50_000,
        '{"a":["{' + '","{' * 50_000,
        '{"' + '\\"{' * 50_000,
        '{"a":' + '[{"b":' * 50_000,
        ("{" + " " * 100) * 1000,
        '{"a":' + "1" * 200_000,
        '{"a":"' + "x" * 200_000,
    ],
)
def test_a_hostile_reply_is_read_twice_at_most(reply, monkeypatch):
    class Counted:
        """The pattern of a token, that counts what it looked at."""

        def __init__(self, pattern):
            self.pattern, self.read = pattern, 0

        def match(self, text, at):
            token = self.pattern.match(text, at)
            self.read += (token.end() - at) if token else 1
            return token

        def finditer(self, text):
            return self.pattern.finditer(text)

    counted = Counted(json_objects._TOKEN)
    monkeypatch.setattr(json_objects, "_TOKEN", counted)
    assert extract_json(reply) is None
    assert counted.read <= 2 * len(reply)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)


@given(OBJECTS, st.text(st.characters(exclude_characters="{")), st.text(), st.booleans())
def test_any_object_is_found_whatever_stands_around_it(written, before, after, escaped):
    assert extract_json(before + json.dumps(written, ensure_ascii=escaped, indent=1) + after) == written


PIECES = st.sampled_from(
    ["{", "}", "[", "]", '"', ":", ",", "1", "-", "{}", '"a"', '{"a":', "\\", " ", "true", "\n", "x"]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_the_result_is_what_trying_every_brace_gives(reply):
    def first():
        for at, character in enumerate(reply):
            if character == "{":
                try:
                    return json.JSONDecoder().raw_decode(reply, at)[0]
                except ValueError:
                    continue
        return None

    assert extract_json(reply) == first()
