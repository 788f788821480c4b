"""Constrained decoding: whatever is sampled under the masks validates, and whatever validates can be sampled."""

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.answering.fields import TYPES, validate_fields
from engine.answering.json_grammar import FieldsGrammar
from engine.answering.json_objects import DEEPEST, extract_json
from engine.answering.token_masks import TokenMasks
from engine.errors import SchemaError

SCHEMA = [
    ("vendor", "text", True),
    ("total", "number", True),
    ("paid", "boolean", True),
    ("date", "date", False),
    ("dates", "list", False),
]
TOKENS = [chr(code) for code in range(32, 127)] + ["", "\n", "\t", "\x00", "é", "火", "🪐", "\ud800", "  "]
TOKENS += ['{"', '": "', '", "', '"}', '":', "}}", "]}", '\\"', "\\u00", "[[", "{}", "true", "false", "null", "NaN"]
TOKENS += ["vendor", "total", "paid", "date", "dates", "2024-", "-02-2", "29", "12.5", "e+", "hello wor", 'a", "b']


def is_valid(text, schema):
    found = extract_json(text)
    return found is not None and text.strip().endswith("}") and validate_fields(found, schema) == []


def sample(masks, seed, longest=60):
    """Choose allowed tokens at random; after `longest` steps finish with the grammar's own closing."""
    choose, state, output = random.Random(seed), masks.start, ""
    for _ in range(longest):
        allowed = np.flatnonzero(masks.mask(state))
        if masks.is_complete(state):
            assert not len(allowed)
            return output
        assert len(allowed)
        token = int(choose.choice(allowed))
        state, output = masks.advance(state, token), output + masks.tokens[token]
        whole = output + masks.grammar.closing(state)
        assert is_valid(whole, masks.grammar.fields), whole
    return output + masks.grammar.closing(state)


@pytest.mark.parametrize("seed", range(40))
def test_random_allowed_tokens_end_in_an_object_that_validates_and_could_at_every_step(seed):
    assert is_valid(sample(TokenMasks(SCHEMA, TOKENS), seed), SCHEMA)


NAMES = st.text(max_size=3, min_size=1) | st.sampled_from(["a", "ab", "abc", 'quo"te', "back\\slash", "é", " "])
SCHEMAS = st.lists(
    st.tuples(NAMES, st.sampled_from(list(TYPES)), st.booleans()), max_size=5, unique_by=lambda field: field[0]
)


@given(SCHEMAS, st.integers(0, 2**32))
@settings(max_examples=60)
def test_that_holds_for_any_schema(schema, seed):
    # A model's tokens can spell every name.
    names = sorted({character for name, _, _ in schema for character in json.dumps(name, ensure_ascii=False)})
    assert is_valid(sample(TokenMasks(schema, TOKENS + names), seed, 25), schema)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15) + 1, 10**15 - 1) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
VALUES = {
    "text": st.text(max_size=8),
    "number": st.integers(-(10**15) + 1, 10**15 - 1) | st.decimals(-1000, 1000, places=3).map(float),
    "boolean": st.booleans(),
    "date": st.dates().map(str),
    "list": st.lists(ANY, max_size=4),
}


@given(SCHEMAS, st.data())
def test_every_beginning_of_every_object_that_validates_is_allowed(schema, data):
    fields = [field for field in data.draw(st.permutations(schema)) if field[2] or data.draw(st.booleans())]
    found = {name: data.draw(VALUES[kind]) for name, kind, _ in fields}
    assert validate_fields(found, schema) == []
    # Names are written one way, with their letters as they are.
    text = json.dumps(found, ensure_ascii=False, indent=data.draw(st.sampled_from([None, 1])))
    grammar = FieldsGrammar(schema)
    state = grammar.start
    for at, character in enumerate(text):
        state = grammar.step(state, character)
        assert state is not None, text[: at + 1]
    assert grammar.is_complete(state)


@given(st.text('{}[]",:\\ \n0123456789.eE+-truefalsnvdop', max_size=30), st.integers(0, 30))
def test_what_the_grammar_takes_whole_validates_and_what_it_refuses_has_no_shorter_way(text, seed):
    grammar = FieldsGrammar([("a", "number", False), ("b", "list", False)])
    for candidate in (text, '{"a":' + text, '{"b":[' + text):
        state = grammar.step(grammar.start, candidate)
        if state is not None:
            assert is_valid(candidate + grammar.closing(state), grammar.fields)


@pytest.mark.parametrize("seed", range(5))
def test_a_mask_holds_exactly_the_tokens_that_the_grammar_can_step_over(seed):
    masks, choose = TokenMasks(SCHEMA, TOKENS), random.Random(seed)
    state = masks.start
    for _ in range(40):
        mask = masks.mask(state)
        assert mask.dtype == np.bool_ and mask.shape == (len(TOKENS),) and not mask.flags.writeable
        stepped = [bool(token) and masks.grammar.step(state, token) is not None for token in TOKENS]
        assert mask.tolist() == stepped
        if masks.is_complete(state):
            break
        state = masks.advance(state, int(choose.choice(np.flatnonzero(mask))))


def allowed(output, schema=SCHEMA):
    masks = TokenMasks(schema, TOKENS)
    state = masks.grammar.step(masks.start, output)
    assert state is not None
    return {TOKENS[at] for at in np.flatnonzero(masks.mask(state))}


def test_worked_steps_of_one_object():
    assert allowed("") == {"{", '{"', " ", "  ", "\n", "\t"}
    assert allowed("{") == {'"', " ", "  ", "\n", "\t"}
    assert allowed('{"') == {"v", "t", "p", "d", "vendor", "total", "paid", "date", "dates"}
    assert allowed('{"date') == {"s", '"', '":', '": "'}
    assert allowed('{"paid": ') == {"t", "f", "true", "false", " ", "  ", "\n", "\t"}
    assert allowed('{"paid": tr') == {"u"}
    assert allowed('{"date": "2023-02-2') == set("012345678")
    assert allowed('{"date": "2024-02-2') == set("0123456789")
    assert allowed('{"total": -') == set("0123456789") | {"29", "12.5"}
    assert "}" not in allowed('{"paid": true') and "," in allowed('{"paid": true')
    assert allowed('{"vendor": "a", "total": 1, "paid": true}') == set()


def test_a_field_comes_once_and_a_date_is_a_day_of_the_calendar():
    grammar = FieldsGrammar(SCHEMA)
    assert grammar.step(grammar.start, '{"paid": true, "pa') is None
    assert grammar.step(grammar.start, '{"date": "0000') is None
    assert grammar.step(grammar.start, '{"date": "2024-13') is None
    assert grammar.step(grammar.start, '{"date": "2024-04-31') is None
    assert grammar.step(grammar.start, '{"date": "2024-04-30"') is not None


def test_numbers_stay_within_what_can_be_held_and_lists_within_what_is_read():
    grammar = FieldsGrammar([("n", "number", True), ("l", "list", True)])
    assert grammar.step(grammar.start, '{"n": ' + "9" * 15) is not None
    assert grammar.step(grammar.start, '{"n": ' + "9" * 16) is None
    assert grammar.step(grammar.start, '{"n": 1e999') is None
    assert grammar.step(grammar.start, '{"n": 01') is None
    deepest = grammar.step(grammar.start, '{"l": ' + "[" * (DEEPEST - 1))
    assert deepest is not None and grammar.step(deepest, "[") is None
    assert is_valid('{"l": ' + "[" * (DEEPEST - 1) + grammar.closing(deepest), grammar.fields)


def test_a_token_that_is_not_allowed_or_empty_is_an_error_and_so_is_a_wrong_schema():
    masks = TokenMasks(SCHEMA, TOKENS)
    with pytest.raises(ValueError, match="not allowed"):
        masks.advance(masks.start, TOKENS.index("x"))
    with pytest.raises(ValueError, match="not allowed"):
        masks.advance(masks.start, TOKENS.index(""))
    with pytest.raises(SchemaError):
        TokenMasks([("a", "integer", True)], TOKENS)


def test_an_empty_schema_has_one_object():
    masks = TokenMasks([], ["{", "}", '"', "{}"])
    assert masks.mask(masks.start).tolist() == [True, False, False, True]
    assert masks.is_complete(masks.advance(masks.start, 3))


def test_equal_states_share_a_mask():
    masks = TokenMasks(SCHEMA, TOKENS)
    text = masks.grammar.step(masks.start, '{"vendor": "')
    assert masks.mask(text) is masks.mask(masks.grammar.step(text, "some more words"))
