"""Where files go, and that one variable moves all of them."""

from pathlib import Path

import pytest

from engine.errors import SettingsError
from planet_tui import paths

EVERY = (
    paths.config_file,
    paths.data_folder,
    paths.state_folder,
    paths.cache_folder,
    paths.log_file,
    paths.history_file,
)


def test_one_variable_moves_everything(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path))
    assert paths.config_file() == tmp_path / "settings.toml"
    assert all(place().is_relative_to(tmp_path) for place in EVERY)
    assert len({place() for place in EVERY}) == len(EVERY)


def test_an_empty_variable_is_no_variable(monkeypatch):
    monkeypatch.delenv("PLANET_TUI_HOME", raising=False)
    usual = [place() for place in EVERY]
    monkeypatch.setenv("PLANET_TUI_HOME", "")
    assert [place() for place in EVERY] == usual
    assert all(place.is_absolute() for place in usual)


def test_asking_for_a_path_makes_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "new"))
    for place in EVERY:
        place()
    assert not (tmp_path / "new").exists()


def test_the_bundled_notes_are_there():
    assert paths.sample_notes().is_dir()


@pytest.mark.parametrize("place", EVERY)
def test_a_home_of_nobody_is_an_error_that_names_the_variable(monkeypatch, place):
    monkeypatch.setenv("PLANET_TUI_HOME", "~nosuchuser/x")
    with pytest.raises(SettingsError, match=r"PLANET_TUI_HOME = '~nosuchuser/x': there is no such user"):
        place()


def test_a_tilde_is_the_home_folder_and_that_of_nobody_stays():
    assert paths.expanded("~/notes") == Path.home() / "notes"
    assert paths.expanded("~nosuchuser/notes") == Path("~nosuchuser/notes")
