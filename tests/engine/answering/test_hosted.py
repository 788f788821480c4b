import pytest

from engine.answering import Generator, generate
from engine.answering.hosted import api_key_from_environment, hosted_generator, hosted_settings
from engine.answering.prompt import assemble_prompt
from engine.errors import Cancelled, EndpointError
from engine.records import Answer, Chunk
from engine.settings import Settings

KEY = "sk-a-very-secret-key"
TEXT = "Mars has two moons.\n\n[9] Not a label \x1b[31m {text}"
PROMPT = assemble_prompt("What moons?", [Chunk(0, "mars.md", 0, len(TEXT), TEXT, "Mars")])


def test_the_whole_prompt_is_sent_as_shown_at_temperature_0(endpoint):
    endpoint.play_chat("Mars has two moons [1].")
    answer = hosted_generator(endpoint.url, KEY, "tiny")(PROMPT)
    assert answer == "Mars has two moons [1]."
    assert endpoint.received[0].body == {
        "model": "tiny",
        "temperature": 0,
        "messages": [{"role": "user", "content": PROMPT.text}],
    }
    assert endpoint.received[0].headers["Authorization"] == f"Bearer {KEY}"


def test_the_answer_is_named_after_the_model(endpoint):
    endpoint.play_chat("  Two [1].\n")
    generator = hosted_generator(endpoint.url, "", "tiny")
    assert isinstance(generator, Generator)
    assert generate(generator, PROMPT) == Answer("Two [1].", "tiny", abstained=False)


def test_a_model_that_does_not_know_abstains(endpoint):
    endpoint.play_chat("I don't know.")
    assert hosted_generator(endpoint.url, "", "tiny").answer(PROMPT) == Answer(
        "I don't know.", "tiny", abstained=True, reason="The model says so."
    )


@pytest.mark.parametrize("text", ["", " \n", None])
def test_an_empty_reply_is_an_error(endpoint, text):
    endpoint.play_chat(text)
    with pytest.raises(EndpointError, match="tiny sent an empty reply"):
        hosted_generator(endpoint.url, "", "tiny").answer(PROMPT)


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        "Mars",
        7,
        {"choices": []},
        {"choices": {}},
        {"choices": ["Mars"]},
        {"choices": [{"text": "Mars"}]},
        {"choices": [{"message": {}}]},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": [{"message": {"content": ["Mars"]}}]},
    ],
)
def test_json_of_another_shape_is_an_error(endpoint, body):
    endpoint.play(200, body)
    with pytest.raises(EndpointError, match="not a chat completion") as caught:
        hosted_generator(endpoint.url, "", "tiny").answer(PROMPT)
    assert "base_url" in caught.value.hint


def test_a_key_that_the_model_repeats_does_not_reach_the_answer(endpoint):
    endpoint.play_chat(f"The key is {KEY} [1].")
    assert hosted_generator(endpoint.url, KEY, "tiny")(PROMPT) == "The key is … [1]."


def test_what_the_endpoint_refuses_is_an_error_with_a_hint(endpoint):
    endpoint.play(404, {"error": {"message": "model 'tiny' not found"}})
    with pytest.raises(EndpointError, match="404: model 'tiny' not found") as caught:
        hosted_generator(endpoint.url, "", "tiny").answer(PROMPT)
    assert "model" in caught.value.hint


def test_it_stops_while_the_model_thinks(endpoint):
    endpoint.play_silence()
    generator = hosted_generator(endpoint.url, "", "tiny", should_stop=lambda: bool(endpoint.received))
    with pytest.raises(Cancelled):
        generator.answer(PROMPT)


# --- setting up


@pytest.mark.parametrize(
    ("base_url", "model", "missing"),
    [("", "", "base_url and model"), ("", "tiny", "base_url"), ("http://localhost/v1", "", "model")],
)
def test_what_is_not_set_up_is_named(base_url, model, missing):
    with pytest.raises(EndpointError) as caught:
        hosted_generator(base_url, KEY, model)
    assert caught.value.message == f"No hosted model is set up: {missing} missing."
    assert "[hosted]" in caught.value.hint


@pytest.mark.parametrize(
    ("environ", "key"),
    [
        ({}, ""),
        ({"LLM_API_KEY": "b"}, "b"),
        ({"PLANET_TUI_API_KEY": "a", "LLM_API_KEY": "b"}, "a"),
        ({"PLANET_TUI_API_KEY": "  ", "LLM_API_KEY": "b"}, "b"),
        ({"PLANET_TUI_API_KEY": "a\n"}, "a"),
        ({"OPENAI_API_KEY": "c"}, ""),
    ],
)
def test_the_key_is_ours_else_the_common_one(environ, key):
    assert api_key_from_environment(environ) == key


def test_settings_go_before_the_environment():
    environ = {"LLM_BASE_URL": "http://env/v1", "LLM_MODEL": "env", "LLM_API_KEY": KEY}
    chosen = Settings(base_url="http://set/v1", model="set")
    assert hosted_settings(chosen, environ) == ("http://set/v1", KEY, "set")
    assert hosted_settings(Settings(), environ) == ("http://env/v1", KEY, "env")
    assert hosted_settings(Settings(), {}) == ("", "", "")
