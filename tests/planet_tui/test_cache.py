import json
import os
import time

import pytest

from planet_tui import cli, paths
from tests.engine.storage.damaging import damage


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "mars.md").write_text("# Mars\n\nMars has two moons.\n")
    return folder


def run(*words):
    return cli.run([str(word) for word in words], lambda folder: 99)


def test_an_index_is_made_listed_and_removed(notes, capsys):
    assert run("cache", "list") == 0
    assert "in 0 indexes" in capsys.readouterr().out
    assert run("index", notes) == 0
    assert "1 notes, 1 chunks, 3 terms" in capsys.readouterr().out
    assert run("cache", "list", "--json") == 0
    (kept,) = json.loads(capsys.readouterr().out)["indexes"]
    assert (kept["folders"], kept["n_notes"]) == ([str(notes.resolve())], 1) and kept["bytes"] > 0
    assert run("cache", "clear") == 0
    assert capsys.readouterr().out.startswith("1 removed, ")
    assert run("cache", "list") == 0
    assert "in 0 indexes" in capsys.readouterr().out


def test_the_doctor_finds_a_damaged_index(notes, capsys):
    run("index", notes)
    assert run("doctor") == 0
    assert f"1 notes of {notes.resolve()}" in capsys.readouterr().out
    [file] = paths.cache_folder().rglob("notes")
    damage(file)
    assert run("doctor") == 1
    assert "damaged: after `planet-tui cache clear`" in capsys.readouterr().out


def test_the_indexes_of_one_folder_are_removed_alone(notes, tmp_path, capsys):
    other = tmp_path / "other"
    other.mkdir()
    for folder in (notes, other):
        run("index", folder)
    run("index", notes, "--max-words", 7)
    capsys.readouterr()
    assert run("cache", "clear", notes) == 0
    assert capsys.readouterr().out.startswith("2 removed, ")
    run("cache")
    assert str(other) in capsys.readouterr().out


def test_again_makes_it_from_nothing(notes, monkeypatch):
    run("index", notes)
    read = []
    real = cli.importlib.import_module("engine.storage.building").read_note
    monkeypatch.setattr("engine.storage.building.read_note", lambda file, **o: read.append(file.id) or real(file, **o))
    run("index", notes, "--again")
    assert "mars.md" in read


@pytest.mark.parametrize(
    "words",
    [["cache", "burn"], ["cache", "list", "x"], ["cache", "clear", "--unused", "-1"], ["cache", "list", "--older"]],
)
def test_what_is_nothing_to_do_is_said(words, capsys):
    assert run(*words) == 2
    assert "Hint:" in capsys.readouterr().err


def test_index_takes_several_folders_and_says_which_is_missing(notes, tmp_path, capsys):
    assert run("index", notes, tmp_path / "usb") == 0
    said = capsys.readouterr()
    assert "1 notes, 1 chunks" in said.out and f"There is no folder {tmp_path / 'usb'}" in said.err


def age(cache, days):
    """Make every file of the indexes as old as if it had been written and opened then."""
    then = time.time() - days * 86_400
    for path in [*cache.rglob("*"), *(cache / "indexes").iterdir()]:
        os.utime(path, (then, then))


def test_what_was_not_opened_for_days_is_removed_alone(notes, tmp_path, capsys):
    other = tmp_path / "other"
    other.mkdir()
    for folder in (notes, other):
        run("index", folder)
    age(tmp_path / "home" / "cache", 40)
    run("search", notes, "moons")  # nothing changed: it is opened and not written
    capsys.readouterr()
    assert run("cache", "clear", "--unused", 30) == 0
    assert capsys.readouterr().out.startswith("1 removed, ")
    run("cache")
    assert str(notes) in capsys.readouterr().out
    run("cache", "clear", "--unused", 0)
    assert capsys.readouterr().out.startswith("1 removed, ")


def test_an_index_of_an_older_format_is_listed_as_such_made_again_and_removed(notes, tmp_path, capsys):
    run("index", notes)
    cache = tmp_path / "home" / "cache"
    (file,) = cache.rglob("notes")
    content = bytearray(file.read_bytes())
    content[6:8] = (1).to_bytes(2, "little")
    file.write_bytes(content)
    age(cache, 10)
    capsys.readouterr()
    run("cache")
    listed = capsys.readouterr().out
    assert f"{notes}  older format, unused since 20" in listed and "1 notes" in listed
    assert run("search", notes, "moons") == 0
    assert capsys.readouterr().err == ""
    assert run("cache", "clear", "--older") == 0
    assert capsys.readouterr().out.startswith("0 removed, ")
    file.write_bytes(content)
    run("cache", "clear", "--older", tmp_path)
    assert capsys.readouterr().out.startswith("0 removed, "), "both have to hold"
    run("cache", "clear", "--older", notes)
    assert capsys.readouterr().out.startswith("1 removed, ")
