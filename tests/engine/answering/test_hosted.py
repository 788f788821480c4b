import json
from threading import Event

import pytest

from engine.answering import Generator, generate, hosted
from engine.answering.hosted import MOST_TOKENS, hosted_generator, hosted_settings
from engine.answering.prompt import assemble_prompt
from engine.answering.templates import PASSAGES
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
        "stream": True,
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
        {"choices": [{"text": 7}]},
        {"choices": [{"message": {}}]},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": [{"message": {"content": ["Mars"]}}]},
    ],
)
def test_json_of_another_shape_is_an_error(endpoint, body):
    endpoint.play(200, body)
    with pytest.raises(EndpointError, match="no completion") as caught:
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


# --- streams


def test_the_text_grows_as_it_arrives(endpoint, monkeypatch):
    monkeypatch.setattr(hosted, "REPORT_EVERY", 0)
    seen, gates = [], [Event(), Event()]

    def watch(text: str) -> None:
        seen.append(text)
        gates[min(len(seen), 2) - 1].set()

    delta = 'data: {{"choices": [{{"delta": {{"content": "{}"}}}}]}}\n\n'.format
    endpoint.play_stream(delta(" Two"), gates[0], delta(" moons"), gates[1], delta(" [1]."), "data: [DONE]\n\n")
    answer = hosted_generator(endpoint.url, "", "tiny", on_text=watch).answer(PROMPT)
    assert seen == ["Two", "Two moons", "Two moons [1]."]
    assert answer == Answer("Two moons [1].", "tiny", abstained=False)


def test_role_and_usage_and_null_are_no_text(endpoint):
    events = (
        {"choices": [{"delta": {"role": "assistant", "content": None}}]},
        {"choices": [{"delta": {"content": "Two [1]."}, "finish_reason": None}]},
        {"choices": [], "usage": {"total_tokens": 9}},
        {"choices": [{"delta": None, "finish_reason": "length"}]},
    )
    endpoint.play_stream(*(f"data: {json.dumps(event)}\n\n" for event in events), endpoint.closing)
    assert hosted_generator(endpoint.url, "", "tiny")(PROMPT) == "Two [1]."


def test_a_model_that_thinks_aloud_apart_from_its_answer_is_not_quoted(endpoint):
    thought = {"choices": [{"delta": {"reasoning_content": "Hm, moons …"}}]}
    endpoint.play_stream(
        f"data: {json.dumps(thought)}\n\n", 'data: {"choices": [{"delta": {"content": "2 [1]."}}]}\n\ndata: [DONE]\n\n'
    )
    assert hosted_generator(endpoint.url, "", "tiny")(PROMPT) == "2 [1]."


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (("<th", "ink>Hm, moons.\n\nNot in ", "[1]?</thi", "nk>\n\nTwo ", "[1]."), "Two [1]."),
        (("\n<think>\n\n</think>\n\nTwo [1].",), "Two [1]."),
        (("Two <think> [1].",), "Two <think> [1]."),
        (("<b>Two</b> [1].",), "<b>Two</b> [1]."),
        (("Two \ud83c", "\udf11 [1]."), "Two 🌑 [1]."),
        (("Two \ud83c", " [1]."), "Two \ufffd [1]."),
    ],
)
def test_thinking_is_no_answer_and_halves_of_a_character_are_one(endpoint, monkeypatch, parts, said):
    monkeypatch.setattr(hosted, "REPORT_EVERY", 0)
    seen = []
    events = [json.dumps({"choices": [{"delta": {"content": part}}]}) for part in parts]
    endpoint.play_stream(*(f"data: {event}\n\n" for event in events), "data: [DONE]\n\n")
    assert hosted_generator(endpoint.url, "", "tiny", on_text=seen.append)(PROMPT) == said
    assert all(said.startswith(text.rstrip()) for text in seen)


def test_thinking_that_was_opened_in_the_models_own_prompt_is_no_answer(endpoint):
    endpoint.play_chat("Hm, moons.\n</think>\n\nTwo [1].")
    assert hosted_generator(endpoint.url, "", "tiny")(PROMPT) == "Two [1]."


def test_thinking_alone_is_an_empty_reply(endpoint):
    endpoint.play_chat("<think>Hm, moons")
    with pytest.raises(EndpointError, match="empty reply"):
        hosted_generator(endpoint.url, "", "tiny").answer(PROMPT)


@pytest.mark.parametrize("event", ["7", "[]", "{}", '{"choices": [7]}', '{"choices": [{}]}', '{"choices": {"a": 1}}'])
def test_an_event_of_another_shape_is_an_error(endpoint, event):
    endpoint.play_stream(f"data: {event}\n\n")
    with pytest.raises(EndpointError, match="no completion"):
        hosted_generator(endpoint.url, "", "tiny").answer(PROMPT)


def test_a_stream_that_is_cut_is_no_answer(endpoint):
    endpoint.play_stream('data: {"choices": [{"delta": {"content": "Two moons"}}]}\n\n')
    with pytest.raises(EndpointError, match="broke off in the middle"):
        hosted_generator(endpoint.url, "", "tiny").answer(PROMPT)


def test_a_stream_without_text_is_an_error(endpoint):
    endpoint.play_chat_stream(" ", "\n")
    with pytest.raises(EndpointError, match="tiny sent an empty reply"):
        hosted_generator(endpoint.url, "", "tiny").answer(PROMPT)


def test_a_key_in_pieces_reaches_neither_the_watcher_nor_the_answer(endpoint):
    seen = []
    endpoint.play_chat_stream("The key is ", *KEY, " [1].")
    answer = hosted_generator(endpoint.url, KEY, "tiny", on_text=seen.append)(PROMPT)
    assert answer == "The key is … [1]."
    assert not any(KEY[:2] in text for text in seen)


def test_it_stops_in_the_middle_of_the_answer(endpoint):
    seen = []
    endpoint.play_stream('data: {"choices": [{"delta": {"content": "Two"}}]}\n\n', endpoint.closing)
    generator = hosted_generator(endpoint.url, "", "tiny", on_text=seen.append, should_stop=lambda: bool(seen))
    with pytest.raises(Cancelled):
        generator.answer(PROMPT)
    assert seen == ["Two"]


def test_a_busy_server_is_waited_for_and_the_wait_is_told(endpoint):
    said = []
    endpoint.play(429, {"error": "busy"}, Retry_After="0")
    endpoint.play_chat_stream("Two [1].")
    assert hosted_generator(endpoint.url, "", "tiny", report=said.append)(PROMPT) == "Two [1]."
    assert said == ["The server asks to wait 0 s", ""]


# --- the base-model template


def test_passages_are_continued_to_the_end_of_the_line(endpoint):
    prompt = assemble_prompt("What moons?", [Chunk(0, "mars.md", 0, len(TEXT), TEXT, "Mars")], template=PASSAGES)
    endpoint.play(body={"choices": [{"text": " Mars has two moons [1].", "finish_reason": "stop"}]})
    assert hosted_generator(endpoint.url, "", "base")(prompt) == "Mars has two moons [1]."
    assert endpoint.received[0].path == "/v1/completions"
    assert endpoint.received[0].body == {
        "model": "base",
        "temperature": 0,
        "stream": True,
        "prompt": prompt.text,
        "stop": ["\n"],
        "max_tokens": MOST_TOKENS,
    }


@pytest.mark.parametrize("streamed", [True, False])
def test_a_server_that_does_not_stop_is_stopped(endpoint, streamed):
    prompt = assemble_prompt("What moons?", [], template=PASSAGES)
    texts = (" Not in the", " passages\n", "\nPassage [1]: More")
    if streamed:
        events = (f"data: {json.dumps({'choices': [{'text': text}]})}\n\n" for text in texts[:2])
        endpoint.play_stream(*events, endpoint.closing)
    else:
        endpoint.play(body={"choices": [{"text": "".join(texts)}]})
    answer = hosted_generator(endpoint.url, "", "base").answer(prompt)
    assert (answer.text, answer.abstained) == ("Not in the passages", True)


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


def test_settings_go_before_the_environment():
    environ = {"LLM_BASE_URL": "http://env/v1", "LLM_MODEL": "env", "LLM_API_KEY": KEY}
    chosen = Settings(base_url="http://set/v1", model="set")
    assert hosted_settings(chosen, environ) == ("http://set/v1", KEY, "set")
    assert hosted_settings(Settings(), environ) == ("http://env/v1", KEY, "env")
    assert hosted_settings(Settings(), {}) == ("", "", "")
