"""`planet-tui extract`: output, errors in one line, exit statuses."""

import io
import json

import pytest

from planet_tui import cli


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))
    for name in ("PLANET_TUI_API_KEY", "LLM_API_KEY", "LLM_BASE_URL", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capsys):
    def run(*words):
        status = cli.run(["extract", *map(str, words)], lambda folder: 1)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "invoice.json"
    path.write_text('[{"name": "vendor"}, {"name": "total", "type": "number"}]', encoding="utf-8")
    return path


def test_right_fields_are_printed_as_json(run, schema, tmp_path):
    reply = tmp_path / "reply.txt"
    reply.write_text('Here: {"vendor": "Café", "total": 42}', encoding="utf-8")
    status, out, err = run("--schema", schema, reply)
    assert (status, json.loads(out), err) == (0, {"vendor": "Café", "total": 42}, "")


def test_a_reply_from_standard_input_is_rejected_with_its_problems(run, schema, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO('{"total": "42", "a\\u001b[31mb": 1}'))
    status, out, err = run("--schema", schema, "-")
    assert (status, err) == (1, "")
    assert out == "✗ rejected\n  missing: vendor\n  type: total\n  extra: a\ufffd[31mb\n"


def test_json_holds_fields_problems_and_attempts(run, schema, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("no object"))
    status, out, _ = run("--schema", schema, "--json")
    assert status == 1
    assert json.loads(out) == {
        "fields": None,
        "problems": ["no JSON object"],
        "attempts": [{"reply": "no object", "problems": ["no JSON object"]}],
    }


def test_a_file_that_is_not_there_is_a_failure_and_a_wrong_schema_is_wrong_use(run, schema, tmp_path):
    assert run("--schema", schema, tmp_path / "none.txt")[0] == 1
    for words in ([], ["--schema", tmp_path / "none.json"], ["--schema", schema, "a", "b"]):
        status, out, err = run(*words)
        assert (status, out, err.count("\n")) == (2, "", 1)
    schema.write_text('{"properties": {"a": {"type": "integer"}}}', encoding="utf-8")
    status, _, err = run("--schema", schema, tmp_path / "reply.txt")
    assert status == 2 and "integer" in err


def test_without_an_endpoint_a_hosted_extraction_fails_with_a_hint(run, schema, tmp_path):
    (tmp_path / "letter.md").write_text("ACME: 42", encoding="utf-8")
    status, out, err = run("--schema", schema, tmp_path / "letter.md", "--generator", "hosted")
    assert (status, out) == (1, "")
    assert "LLM_BASE_URL" in err
    assert run("--schema", schema, "--generator", "nobody")[0] == 2


def test_a_hosted_model_is_asked_again_and_its_fields_are_printed(run, schema, tmp_path, endpoint, monkeypatch):
    monkeypatch.setenv("LLM_BASE_URL", endpoint.url)
    monkeypatch.setenv("LLM_MODEL", "tiny")
    (tmp_path / "letter.md").write_text("ACME asks for 42 euros.", encoding="utf-8")
    endpoint.play_chat('{"vendor": "ACME"}')
    endpoint.play_chat('```json\n{"vendor": "ACME", "total": 42}\n```')
    status, out, err = run("--schema", schema, tmp_path / "letter.md", "--generator", "hosted", "--json")
    found = json.loads(out)
    assert (status, found["fields"], found["problems"]) == (0, {"vendor": "ACME", "total": 42}, [])
    assert [attempt["problems"] for attempt in found["attempts"]] == [["missing: total"], []]
    assert "ACME asks for 42 euros." in json.dumps(endpoint.received[0].body)
