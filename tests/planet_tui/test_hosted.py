"""The hosted model as a person meets it: on the terminal, in a pipe, in the app."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from planet_tui import cli
from tests.planet_tui.app_driver import VENUS, ask, flat, make_app, running, settle, text_of

KEY = "sk-a-very-secret-key"
ANSWER = "A year on Venus lasts 224.7 days [1]."


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """Nothing of the person who runs the tests takes part."""
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))
    for name in ("NO_COLOR", "PLANET_TUI_API_KEY", "LLM_API_KEY", "LLM_BASE_URL", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def hosted(endpoint, monkeypatch):
    """The environment names the loopback server as the hosted model."""
    monkeypatch.setenv("LLM_BASE_URL", endpoint.url)
    monkeypatch.setenv("LLM_MODEL", "tiny")
    monkeypatch.setenv("LLM_API_KEY", KEY)
    return endpoint


WORDS = ("ask", "--sample", VENUS, "--generator", "hosted")


def run(capsys, *words):
    status = cli.run(words, lambda folder: 1)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


# --- the command line


def test_a_piped_answer_comes_whole_with_its_check(hosted, capsys):
    hosted.play_chat_stream("A year on Venus ", "lasts 224.7 days [1].")
    status, out, err = run(capsys, *WORDS)
    assert (status, err) == (0, "")
    assert out.startswith(f"{ANSWER}\n\n✓ supported")
    assert out.count(ANSWER) == 2, "the answer, and the sentence that was checked"


def test_json_is_json_however_the_answer_came(hosted, capsys):
    hosted.play_chat_stream("I don't", " know.")
    status, out, _ = run(capsys, *WORDS, "--json")
    trace = json.loads(out)
    assert status == 3
    assert trace["answer"] == {
        "text": "I don't know.", "generator": "tiny", "abstained": True, "reason": "The model says so.",
    }  # fmt: skip


def test_the_base_model_template_asks_for_a_continuation(hosted, capsys):
    hosted.play(body={"choices": [{"text": " Not in the passages"}]})
    settings = Path(os.environ["PLANET_TUI_HOME"]) / "settings.toml"
    settings.parent.mkdir()
    settings.write_text('[prompt]\ntemplate = "passages"\nstrategy = "edges"\n')
    status, out, _ = run(capsys, *WORDS)
    assert (status, out.splitlines()[0]) == (3, "○ not answered  Not in the passages")
    assert hosted.received[0].path == "/v1/completions"
    assert hosted.received[0].body["prompt"].endswith(f"Question: {VENUS}\nAnswer:")


def test_template_and_strategy_are_options_too(hosted, capsys):
    hosted.play(body={"choices": [{"text": " Not in the passages"}]})
    run(capsys, *WORDS, "--template", "passages", "--strategy", "edges")
    assert hosted.received[0].path == "/v1/completions"


def test_a_wait_is_told_on_standard_error(hosted, capsys):
    hosted.play(429, Retry_After="0")
    hosted.play_chat_stream(ANSWER)
    status, out, err = run(capsys, *WORDS)
    assert (status, err) == (0, "planet-tui: The server asks to wait 0 s\n")
    assert out.startswith(ANSWER)


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (lambda endpoint: endpoint.play(401, {"error": f"bad key {KEY}"}), "401: bad key …"),
        (lambda endpoint: endpoint.play(404, {"error": "no model tiny"}), "404: no model tiny"),
        (lambda endpoint: endpoint.play(429, {}, Retry_After="86400"), "asks to wait 86,400 s"),
        (lambda endpoint: endpoint.play(200, b"<html>"), "not in JSON"),
        (lambda endpoint: endpoint.play_stream('data: {"choices": [{"delta": {"content": "A y"}}]}\n\n'), "broke off"),
        (lambda endpoint: endpoint.play_stream("data: {oops\n\n"), "not JSON"),
        (lambda endpoint: endpoint.play_chat_stream(""), "empty reply"),
    ],
    ids=["401", "404", "429", "html", "cut", "broken line", "empty"],
)
def test_what_fails_is_one_line_and_no_other_answer_takes_its_place(hosted, capsys, play, said):
    play(hosted)
    status, out, err = run(capsys, *WORDS)
    assert (status, out) == (1, "")
    assert said in err and err.count("\n") == 1 and "Hint:" in err
    assert KEY not in err


# --- the key, and whether all is well


@pytest.fixture
def kept(monkeypatch):
    """What a keyring in memory keeps."""
    keyring = pytest.importorskip("keyring")
    kept = {}
    monkeypatch.setattr(keyring, "get_password", lambda service, name: kept.get((service, name)))
    monkeypatch.setattr(keyring, "set_password", lambda service, name, key: kept.update({(service, name): key}))
    monkeypatch.setattr(keyring, "delete_password", lambda service, name: kept.pop((service, name)))
    return kept


def test_a_key_from_a_pipe_goes_into_the_keyring_and_is_sent_and_never_printed(hosted, kept, capsys, monkeypatch):
    monkeypatch.delenv("LLM_API_KEY")
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{KEY}\n"))
    status, out, err = run(capsys, "settings", "key")
    assert (status, out, err) == (0, "The key is in the system's keyring.\n", "")
    assert list(kept.values()) == [KEY]
    hosted.play_chat_stream(ANSWER)
    assert run(capsys, *WORDS)[0] == 0
    assert hosted.received[0].headers["Authorization"] == f"Bearer {KEY}"


def test_an_empty_key_removes_the_one_that_is_kept(kept, capsys, monkeypatch):
    kept["planet-tui", "api-key"] = KEY
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert run(capsys, "settings", "key") == (0, "The system's keyring holds no key.\n", "")
    assert kept == {}


def test_without_a_keyring_the_key_is_refused_with_what_to_do(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{KEY}\n"))
    status, out, err = run(capsys, "settings", "key")
    assert (status, out) == (1, "")
    assert "-m pip install keyring" in err and KEY not in err


def test_on_a_terminal_the_key_is_asked_for_without_echo():
    process, terminal = on_a_terminal("settings", "key", stdin=True)
    try:
        asked = read_until(terminal, "removes it): ")
        os.write(terminal, f"{KEY}\n".encode())
        drawn = asked + read_until(terminal, None)
        process.wait(60)
    finally:
        process.kill()
        os.close(terminal)
    assert "Key of the hosted model" in drawn
    assert KEY not in drawn


def test_the_doctor_asks_the_model_for_a_word(hosted, capsys):
    hosted.play_chat_stream("OK")
    status, out, _ = run(capsys, "doctor")
    assert status == 0
    for expected in (
        "planet-tui",
        "settings.toml",
        "tokenizers",
        "key           LLM_API_KEY",
        "tiny answered in",
        ": OK",
    ):
        assert expected in out
    assert KEY not in out
    assert hosted.received[0].headers["Authorization"] == f"Bearer {KEY}"


def test_the_doctor_says_what_is_wrong(hosted, capsys):
    settings = Path(os.environ["PLANET_TUI_HOME"]) / "settings.toml"
    settings.parent.mkdir()
    settings.write_text('[prompt]\ntemplate = "passages"\nbudget = 1\ntokenizer = "nowhere.json"\n')
    hosted.play(401, {"error": f"bad key {KEY}"})
    status, out, _ = run(capsys, "doctor")
    assert status == 1
    assert "✗ settings" in out and "line 3: budget = 1 is out of range" in out
    assert "✗ tokens" in out and "'nowhere.json': No such file or directory" in out
    assert "401: bad key …" in out and KEY not in out
    assert hosted.received[0].path == "/v1/completions"


def test_the_doctor_is_content_without_a_model(capsys):
    status, out, err = run(capsys, "doctor")
    assert (status, err) == (0, "")
    assert "none is set up" in out and "✗" not in out


def on_a_terminal(*words, stdin=False):
    """Start `planet-tui WORDS` on a pseudo-terminal; return the process and the terminal's other end."""
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    ours, theirs = pty.openpty()
    environment = os.environ | {"PYTHONUTF8": "1", "TERM": "dumb"}
    command = [sys.executable, "-m", "planet_tui", *words]
    source = theirs if stdin else subprocess.DEVNULL
    process = subprocess.Popen(
        command, env=environment, stdin=source, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    return process, ours


def read_until(terminal, wanted):
    """Return what was drawn up to and with `wanted`; to the end when it never comes."""
    drawn = b""
    while wanted is None or wanted not in drawn.decode(errors="replace"):
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        drawn += part
    return drawn.decode(errors="replace").replace("\r\n", "\n")


def test_on_a_terminal_the_answer_appears_as_it_arrives(hosted):
    gate = Event()
    delta = 'data: {{"choices": [{{"delta": {{"content": "{}"}}}}]}}\n\n'.format
    hosted.play_stream(delta("A year on Venus "), gate, delta("lasts 224.7 days [1].\\u202e"), "data: [DONE]\n\n")
    process, terminal = on_a_terminal(*WORDS)
    try:
        before = read_until(terminal, "A year on Venus ")
        gate.set()
        after = read_until(terminal, None)
        assert process.wait(60) == 0
    finally:
        process.kill()
        os.close(terminal)
    assert "supported" not in before
    assert after.startswith("lasts 224.7 days [1].\ufffd\n\n✓ supported")


def test_on_a_terminal_a_cut_answer_ends_its_line_before_the_error(hosted):
    hosted.play_stream('data: {"choices": [{"delta": {"content": "A year on"}}]}\n\n')
    process, terminal = on_a_terminal(*WORDS)
    try:
        drawn = read_until(terminal, None)
        assert process.wait(60) == 1
    finally:
        process.kill()
        os.close(terminal)
    assert "A year on\nplanet-tui: http://127.0.0.1:" in drawn
    assert "broke off in the middle" in drawn


# --- the app


async def test_the_answer_grows_in_its_pane_and_is_checked_at_the_end(hosted):
    gate = Event()
    delta = 'data: {{"choices": [{{"delta": {{"content": "{}"}}}}]}}\n\n'.format
    hosted.play_stream(delta("A year on Venus "), gate, delta("lasts 224.7 days [1]."), "data: [DONE]\n\n")
    app = make_app(generator="hosted")
    async with running(app) as pilot:
        await pilot.press(*"year on venus")
        await settle(pilot)
        await pilot.press("enter")
        while "A year on Venus" not in text_of(app, "answer"):
            await pilot.pause(0.02)
        said = text_of(app, "answer")
        assert "is answering" in said and "checked when it is complete" in said
        assert "✓" not in said and "Sources" in said
        gate.set()
        await settle(pilot)
        said = flat(text_of(app, "answer"))
        assert ANSWER in said and "✓" in said and "is answering" not in said


async def test_escape_stops_the_model_and_the_quoted_answer_comes_back(hosted):
    hosted.play_stream('data: {"choices": [{"delta": {"content": "Wait for it"}}]}\n\n', hosted.closing)
    app = make_app(question=VENUS, generator="hosted")
    async with running(app) as pilot:
        await pilot.press("enter")
        while "Wait for it" not in text_of(app, "answer"):
            await pilot.pause(0.02)
        await pilot.press("escape")
        await settle(pilot)
        said = flat(text_of(app, "answer"))
        assert "Wait for it" not in said and "is answering" not in said
        assert "Venus completes an orbit every 224.7 days" in said


async def test_an_answer_that_is_cut_gives_way_to_the_quoted_one(hosted):
    hosted.play_stream('data: {"choices": [{"delta": {"content": "Venus never"}}]}\n\n')
    app = make_app(generator="hosted")
    async with running(app) as pilot:
        await ask(pilot, VENUS)
        said = flat(text_of(app, "answer"))
        assert "broke off in the middle of its reply. The quoted answer stays." in said
        assert "Venus never" not in said and "224.7" in said


async def test_the_status_line_says_what_the_server_asks_to_wait_for(hosted):
    hosted.play(429, Retry_After="20")
    app = make_app(question=VENUS, generator="hosted")
    async with running(app) as pilot:
        await pilot.press("enter")
        status = app.screen.query_one("#status")
        while "asks to wait 20 s" not in status.render().plain:
            await pilot.pause(0.02)
        await pilot.press("escape")
        await settle(pilot)
        assert "asks to wait" not in status.render().plain


async def test_a_growing_answer_obeys_no_escape_and_no_markup(hosted):
    hosted.play_stream(
        'data: {"choices": [{"delta": {"content": "[/] [red]x\\u001b[31m\\u202e"}}]}\n\n', hosted.closing
    )
    app = make_app(question=VENUS, generator="hosted")
    async with running(app) as pilot:
        await pilot.press("enter")
        while "[/] [red]x" not in text_of(app, "answer"):
            await pilot.pause(0.02)
        assert not {"\x1b", "\u202e"}.intersection(text_of(app, "answer"))
        await pilot.press("escape")
        await settle(pilot)


async def test_the_palette_switches_the_template_and_the_model_is_asked_anew(hosted, tmp_path):
    from planet_tui.settings import load

    hosted.play_chat_stream(ANSWER)
    hosted.play(body={"choices": [{"text": " Not in the passages\n"}]})
    app = make_app(question=VENUS, generator="hosted")
    app._settings_path = tmp_path / "settings.toml"
    async with running(app) as pilot:
        await pilot.press("enter")
        await settle(pilot)
        assert "template chat strategy prefix" in flat(text_of(app, "prompt"))
        await pilot.press("ctrl+p", *"template")
        await pilot.pause(0.5)
        await pilot.press("enter")
        await settle(pilot)
        assert "template passages strategy prefix" in flat(text_of(app, "prompt"))
        assert "○ Not in the passages" in flat(text_of(app, "answer"))
        assert "Passage [1]: Venus" in flat(text_of(app, "prompt"))
    assert [received.path for received in hosted.received] == ["/v1/chat/completions", "/v1/completions"]
    assert load(tmp_path / "settings.toml").settings.engine.template == "passages"


@pytest.mark.parametrize(("setting", "shown"), [("strategy", "strategy edges"), ("routing", "searched by their leads")])
async def test_strategy_and_routing_switch_back_and_forth(setting, shown):
    app = make_app(question=VENUS)
    async with running(app) as pilot:
        assert shown not in flat(text_of(app, "prompt"))
        for expected in (True, False):
            app.screen.action_switch(setting)
            await settle(pilot)
            assert (shown in flat(text_of(app, "prompt"))) is expected


async def test_the_model_can_be_tested(hosted):
    hosted.play_chat_stream("OK\n", "\u001b[31m")
    app = make_app(question=VENUS)
    async with running(app) as pilot:
        app.screen.action_check_model()
        await settle(pilot)
        assert "The hosted model answered: OK" in flat(text_of(app, "answer"))
        assert "\x1b" not in text_of(app, "answer")
        assert "224.7" in text_of(app, "answer")


async def test_a_test_without_a_model_says_what_is_missing():
    app = make_app(question=VENUS)
    async with running(app) as pilot:
        app.screen.action_check_model()
        await settle(pilot)
        assert "No hosted model is set up" in flat(text_of(app, "answer"))
