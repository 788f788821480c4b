"""Where files go, and that one variable moves all of them."""

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
