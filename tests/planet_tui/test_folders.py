"""Several folders as one library, as a person meets them: on the command line and in the app."""

import json
import os
import sys
from pathlib import Path

import pytest

from planet_tui import cli, paths
from planet_tui.settings import load
from planet_tui.widgets.notes_tree import NotesTree
from tests.planet_tui.app_driver import ask, make_app, running, settle, text_of
from tests.planet_tui.test_live import until


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    (folder / "old").mkdir(parents=True)
    (folder / "mars.md").write_text("# Mars\n\nMars has two moons.\n")
    (folder / "old" / "pluto.md").write_text("# Pluto\n\nPluto is a planet with moons.\n")
    return folder


@pytest.fixture
def wiki(tmp_path):
    folder = tmp_path / "work" / "wiki"
    folder.mkdir(parents=True)
    (folder / "io.md").write_text("# Io\n\nIo is a moon with 400 volcanoes.\n")
    return folder


@pytest.fixture
def run(capsys):
    def run(*words, app=lambda roots: 99):
        status = cli.run([str(word) for word in words], app)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def write_settings(text):
    paths.config_file().parent.mkdir(parents=True, exist_ok=True)
    paths.config_file().write_text(text)


# The command line.


def test_a_question_is_asked_of_both_and_sources_are_real_paths(run, notes, wiki):
    status, out, _ = run("ask", notes, "How many volcanoes does Io have?", "--also", wiki)
    assert status == 0 and "400 volcanoes" in out.splitlines()[0]
    assert f"{wiki / 'io.md'}:3" in out
    trace = json.loads(run("ask", notes, "--also", wiki, "planet Mars", "--json")[1])
    assert {hit["document"] for hit in trace["rankings"]["bm25"]} == {"notes/mars.md", "notes/old/pluto.md"}


def test_search_prints_real_paths_relative_to_the_current_folder(run, notes, wiki, monkeypatch):
    monkeypatch.chdir(wiki.parent)
    status, out, _ = run("search", notes, "volcanoes", "--also", "wiki", "--retriever", "bm25")
    assert status == 0 and out.startswith("wiki/io.md:3  ")
    hits = json.loads(run("search", notes, "moons path:notes/old", "--also", wiki, "--json")[1])["hits"]
    assert [hit["path"] for hit in hits] == [str(notes / "old" / "pluto.md")]


def test_the_question_stays_what_stands_after_the_first_folder(run, notes, wiki, monkeypatch):
    monkeypatch.chdir(notes.parent)
    status, out, _ = run("search", "notes", "work", "moons", "--json")
    assert (status, json.loads(out)["query"]) == (0, "work moons")


def test_a_pattern_leaves_notes_out_for_this_run(run, notes):
    status, out, _ = run("search", notes, "moons", "--exclude", "old/")
    assert status == 0 and "mars.md" in out and "pluto.md" not in out
    assert "pluto.md" in run("search", notes, "moons")[1]


@pytest.mark.parametrize("pattern", ["", "# x", "[z-a]", "!", "/", "a\\"])
def test_a_pattern_that_is_none_is_wrong_use(run, notes, pattern):
    status, out, err = run("search", notes, "moons", "--exclude", pattern)
    assert (status, out) == (2, "") and "is no pattern" in err and err.count("\n") == 1


def test_the_settings_file_leaves_notes_out_and_names_libraries(run, notes, wiki):
    write_settings(
        '[folders."~/notes"]\nexclude = ["old/"]\n\n[libraries.work]\nfolders = ["~/notes", "~/work/wiki"]\n'
    )
    status, out, err = run("search", "@work", "moon moons", "--retriever", "fused")
    assert (status, err) == (0, "") and "io.md" in out and "mars.md" in out and "pluto.md" not in out
    assert "pluto.md" in run("search", "@work", "moons", "--exclude", "!old/")[1], "the command line goes first"
    status, _, err = run("search", "@home", "moons")
    assert status == 2 and "There is no library @home" in err and "@work" in err


def test_a_folder_with_an_at_sign_is_opened_by_its_path(run, notes, monkeypatch):
    monkeypatch.chdir(notes.parent)
    notes.rename(notes.parent / "@home")
    assert run("search", "@home", "moons")[0] == 0


def test_a_missing_folder_of_several_is_said(run, notes, tmp_path):
    status, out, err = run("search", notes, "moons", "--also", tmp_path / "usb")
    assert status == 0 and "mars.md" in out
    assert err == (
        f"planet-tui: There is no folder {tmp_path / 'usb'}. Of its notes only those are shown that were read before.\n"
    )
    assert run("search", tmp_path / "usb", "moons", "--also", tmp_path / "none")[0] == 1


def test_an_empty_name_is_not_the_current_folder(run, notes):
    status, out, err = run("search", notes, "moons", "--also", "")
    assert (status, out) == (2, "") and "A folder without a name" in err


def test_a_folder_within_another_is_said_to_be_a_part_of_it(run, notes):
    status, _, err = run("search", notes, "moons", "--also", notes / "old")
    assert (status, err) == (0, f"planet-tui: {notes / 'old'} is read as part of {notes}.\n")


def test_labels_of_each_folder_measure_the_library(run, notes, wiki):
    for folder, text, document, span in (
        (notes, "How many moons has Mars?", "mars.md", "two moons"),
        (wiki, "How many volcanoes has Io?", "io.md", "400 volcanoes"),
    ):
        (folder / "questions.toml").write_text(
            f'[[question]]\ntext = "{text}"\n[[question.evidence]]\n'
            f'spans = [{{ document = "{document}", text = "{span}" }}]\n'
        )
    status, out, err = run("evaluate", notes, wiki, "--json")
    report = json.loads(out)
    assert (status, err) == (0, "") and report["retrievers"]["bm25"]["recall@1"] == 1.0
    assert run("evaluate", wiki, notes, "--exclude", "mars.md")[2].count("mars.md") == 1, "the label stands nowhere"


def test_index_and_cache_know_several_folders(run, notes, wiki):
    assert run("index", notes, wiki)[0] == 0
    assert run("index", wiki, "--exclude", "x")[0] == 0
    kept = json.loads(run("cache", "list", "--json")[1])["indexes"]
    assert [(each["folders"], each["exclude"]) for each in kept] == [
        ([str(notes), str(wiki)], []),
        ([str(wiki)], ["x"]),
    ]
    listed = run("cache", "list")[1]
    assert f"{notes}, {wiki}" in listed
    assert run("cache", "clear", notes)[1].startswith("1 removed")


def test_the_doctor_looks_at_folders(run, notes, wiki, tmp_path):
    write_settings(
        f'version = 2\n[app]\nlast_folders = ["{notes}", "{tmp_path / "usb"}"]\n'
        '[folders."~/notes"]\nexclude = ["old/"]\n[libraries.work]\nfolders = ["~/notes", "~/work/wiki"]\n'
    )
    status, out, _ = run("doctor")
    assert status == 0 and "opened last   ~/notes, ~/usb (missing)" in out
    assert "✓ @work         ~/notes, ~/work/wiki" in out and "✓ exclude       ~/notes: old/" in out
    write_settings('[folders."~/notes"]\nexclude = ["!"]\n[libraries.usb]\nfolders = ["~/notes", "~/usb"]\n')
    status, out, _ = run("doctor")
    assert status == 1 and "✗ @usb          ~/notes, ~/usb (missing)" in out
    assert "✗ exclude       ~/notes: exclude: '!' is no pattern" in out


def test_several_folders_open_the_app(run, notes, wiki, tmp_path):
    opened = []
    assert run(notes, wiki, "--exclude", "old/", app=lambda roots: opened.append(roots) or 0)[0] == 0
    assert [(root.folder, root.exclude) for root in opened[0]] == [(notes, ("old/",)), (wiki, ("old/",))]
    assert run("--exclude", "old/")[0] == 2
    assert run(notes, tmp_path / "usb", app=lambda roots: 0)[0] == 0
    assert run(notes, "usb")[0] == 2, "a single word is rather a mistake"


# The app.


async def test_the_notes_tree_has_a_branch_a_folder(notes, wiki):
    async with running(make_app([notes, wiki])) as pilot:
        await settle(pilot)
        rows = pilot.app.screen.query_one(NotesTree).lay_out(40)
        assert [row.path for row in rows if not row.depth] == ["notes/", "wiki/"]
        await ask(pilot, "volcanoes path:wiki/")
        assert "Io" in text_of(pilot.app, "fused")


async def test_both_folders_are_followed(notes, wiki):
    async with running(make_app([notes, wiki], live=True)) as pilot:
        await ask(pilot, "geysers")
        for folder, name in ((wiki, "triton"), (notes, "enceladus")):
            (folder / f"{name}.md").write_text(f"# {name.title()}\n\nIt has geysers.\n")
            await until(pilot, lambda name=name: name.title() in text_of(pilot.app, "bm25"))


async def test_a_folder_that_goes_and_comes_back_keeps_its_notes(notes, wiki, tmp_path, monkeypatch):
    monkeypatch.setattr("planet_tui.jobs.reading.LOOK_EVERY", 1)
    app = make_app([notes, wiki], live=True)
    async with running(app) as pilot:
        await ask(pilot, "volcanoes")
        wiki.rename(tmp_path / "unplugged")
        await until(pilot, lambda: len(app.session.library.notices) == 1)
        assert "wiki/io.md" in app.session.library.documents
        (notes / "titan.md").write_text("# Titan\n\nTitan has lakes.\n")
        await until(pilot, lambda: "notes/titan.md" in app.session.library.documents)
        assert "wiki/io.md" in app.session.library.documents
        (tmp_path / "unplugged").rename(wiki)
        await until(pilot, lambda: not app.session.library.notices)


async def test_the_editor_opens_the_real_file(notes, wiki, tmp_path, monkeypatch):
    opened = tmp_path / "opened"
    script = tmp_path / "editor.py"
    script.write_text(f"import sys; open({str(opened)!r}, 'w').write(sys.argv[-1])")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    async with running(make_app([notes, wiki])) as pilot:
        await ask(pilot, "volcanoes")
        pilot.app.screen.read_note("wiki/io.md")
        await settle(pilot)
        monkeypatch.setattr(type(pilot.app), "suspend", lambda self: open(os.devnull))
        await pilot.press("e")
        assert Path(opened.read_text()) == wiki / "io.md"


async def test_the_folders_are_remembered_and_one_that_is_missing_is_said(notes, wiki, tmp_path):
    app = make_app([notes, wiki, tmp_path / "usb"])
    app._settings_path = tmp_path / "settings.toml"
    async with running(app) as pilot:
        await settle(pilot)
        said = [notification.message for notification in app._notifications]
        assert any("~/usb is missing" in message for message in said)
    assert load(tmp_path / "settings.toml").settings.start.folders == (notes, wiki, tmp_path / "usb")
