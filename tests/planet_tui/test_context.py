"""`planet-tui context`: a hosted model writes the lines, the settings file takes them."""

import pytest

from planet_tui import cli, paths


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))
    for name in ("PLANET_TUI_API_KEY", "LLM_API_KEY", "LLM_BASE_URL", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)


def no_app(folder):
    raise AssertionError("the app was opened")


def test_the_lines_are_written_and_used(tmp_path, endpoint, monkeypatch, capsys):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "venus.md").write_text("# Venus\n\nIt takes 224.7 days.\n", encoding="utf-8")
    monkeypatch.setenv("LLM_BASE_URL", endpoint.url)
    monkeypatch.setenv("LLM_MODEL", "tiny")
    endpoint.play_chat_stream("The duration of an orbit.")
    assert cli.run(["context", str(tmp_path / "notes")], no_app) == 0
    said = capsys.readouterr().out
    assert said.startswith("1 line written by tiny, kept in ")
    assert cli.run(["search", str(tmp_path / "notes"), "orbit"], no_app) == 0
    assert "Nothing was found" in capsys.readouterr().err
    config = paths.config_file()
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("[chunking]\n" + said.splitlines()[-1].strip() + "\n", encoding="utf-8")
    assert cli.run(["search", str(tmp_path / "notes"), "orbit"], no_app) == 0
    assert "venus.md:3" in capsys.readouterr().out
    assert cli.run(["context", str(tmp_path / "notes")], no_app) == 0
    assert "0 lines written" in capsys.readouterr().out and len(endpoint.received) == 1


def test_without_a_model_it_says_what_is_missing(tmp_path, capsys):
    assert cli.run(["context", "--sample"], no_app) == 1
    assert "No hosted model is set up" in capsys.readouterr().err
