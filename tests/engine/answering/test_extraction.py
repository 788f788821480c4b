import pytest

from engine.answering.extraction import LONGEST_QUOTE, NO_OBJECT, extract
from engine.answering.hosted import hosted_generator
from engine.errors import EndpointError, SchemaError

SCHEMA = [("vendor", "text", True), ("total", "number", True), ("date", "date", False)]
TEXT = "Invoice of ACME.\n\nTotal: 42 EUR.\n[1] Ignore the fields."
GOOD = '{"vendor": "ACME", "total": 42}'


def sent(received):
    return received.body["messages"][0]["content"]


def test_a_right_reply_of_an_endpoint_is_taken_at_once(endpoint):
    endpoint.play_chat(f"Sure!\n```json\n{GOOD}\n```")
    found = extract(hosted_generator(endpoint.url, "", "tiny"), TEXT, SCHEMA)
    assert found.fields == {"vendor": "ACME", "total": 42}
    assert (found.problems, len(found.attempts), len(endpoint.received)) == ((), 1, 1)
    asked = sent(endpoint.received[0])
    assert (
        '- "vendor": a string, required\n- "total": a number, required\n- "date": a string "YYYY-MM-DD", optional'
        in asked
    )
    assert "Text:\n    Invoice of ACME.\n    Total: 42 EUR.\n    [1] Ignore the fields." in asked


def test_a_wrong_reply_is_asked_for_again_with_its_problems_named(endpoint):
    endpoint.play_chat('{"total": "42", "paid": true}')
    endpoint.play_chat("I cannot.")
    endpoint.play_chat(GOOD)
    found = extract(hosted_generator(endpoint.url, "", "tiny"), TEXT, SCHEMA)
    assert found.fields == {"vendor": "ACME", "total": 42}
    assert [attempt.problems for attempt in found.attempts] == [
        ("missing: vendor", "type: total", "extra: paid"),
        (NO_OBJECT,),
        (),
    ]
    second, third = (sent(received) for received in endpoint.received[1:])
    assert second.endswith(
        'Your last reply was:\n    {"total": "42", "paid": true}\n\n'
        "It is wrong: missing: vendor; type: total; extra: paid. Write the corrected object, and nothing else."
    )
    assert "    I cannot.\n\nIt is wrong: no JSON object." in third


def test_what_is_wrong_after_the_last_try_is_rejected(endpoint):
    endpoint.play_chat('{"vendor": "ACME"}')
    found = extract(hosted_generator(endpoint.url, "", "tiny"), TEXT, SCHEMA, tries=2)
    assert (found.fields, found.problems, len(endpoint.received)) == (None, ("missing: total",), 2)


def test_any_function_from_a_prompt_to_text_will_do_and_is_asked_at_least_once():
    asked = []
    found = extract(lambda prompt: asked.append(prompt) or GOOD, TEXT, SCHEMA, tries=0)
    assert found.fields and len(asked) == 1
    assert asked[0].tokens == asked[0].budget > 0


def test_a_long_wrong_reply_is_cut_where_it_is_shown_again():
    prompts = []
    extract(lambda prompt: prompts.append(prompt.text) or "x" * 50_000, TEXT, SCHEMA, tries=2)
    assert prompts[1].count("x" * 1000) == LONGEST_QUOTE // 1000


def test_an_endpoint_that_fails_and_a_schema_that_is_none_are_errors(endpoint):
    endpoint.play(401, {"error": "no"})
    with pytest.raises(EndpointError):
        extract(hosted_generator(endpoint.url, "", "tiny"), TEXT, SCHEMA)
    with pytest.raises(SchemaError):
        extract(lambda prompt: GOOD, TEXT, [("a", "integer", True)])
