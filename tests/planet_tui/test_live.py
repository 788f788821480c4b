"""The app follows its folder: edits, new notes, renames and deletions show by themselves."""

import asyncio
import os
import shutil

import pytest

from engine.storage.array_file import is_sound
from planet_tui.widgets.notes_tree import NotesTree
from planet_tui.widgets.ranked_list import RankedList
from tests.engine.storage.damaging import damage
from tests.planet_tui.app_driver import ask, make_app, running, settle, text_of


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("mars", "venus", "jupiter"):
        (folder / f"{name}.md").write_text(f"# {name.title()}\n\nThe planet {name} turns. Its moons are known.\n")
    return folder


async def until(pilot, condition):
    """Wait for what the file system tells in its own time."""
    for _ in range(200):
        await asyncio.sleep(0.05)
        await settle(pilot)
        if condition():
            return
    raise AssertionError("it did not come")


async def test_a_changed_note_is_found_without_a_key(notes):
    app = make_app(notes, live=True)
    async with running(app) as pilot:
        await ask(pilot, "volcanoes")
        assert "No note holds" in text_of(app, "bm25")
        (notes / "io.md").write_text("# Io\n\nIo has volcanoes.\n")
        await until(pilot, lambda: "Io" in text_of(app, "bm25"))
        assert "Io" in text_of(app, "notes")


async def test_a_new_note_leaves_the_cursor_where_it_is(notes):
    app = make_app(notes, live=True)
    async with running(app) as pilot:
        await ask(pilot, "Which moons are known?")
        ranked = app.screen.query_one("#fused", RankedList)
        ranked.focus()
        await pilot.press("j")
        await settle(pilot)
        trace = app.screen._trace
        place = trace.chunks[ranked.cursor].document, trace.chunks[ranked.cursor].start
        (notes / "aaa.md").write_text("# First\n\nIt comes before all the others and has moons.\n")
        await until(pilot, lambda: len(app.session.library.documents) == 4)
        now = app.screen._trace
        assert now is not trace
        assert (now.chunks[ranked.cursor].document, now.chunks[ranked.cursor].start) == place


async def test_renamed_and_deleted_notes_leave(notes):
    app = make_app(notes, live=True)
    async with running(app) as pilot:
        (notes / "venus.md").rename(notes / "hesperus.md")
        (notes / "mars.md").unlink()
        await until(pilot, lambda: list(app.session.library.documents) == ["hesperus.md", "jupiter.md"])
        titles = app.screen.query_one(NotesTree)._titles
        assert list(titles) == ["hesperus.md", "jupiter.md"]


async def test_a_burst_of_changes_is_read_and_swap_files_are_not(notes):
    app = make_app(notes, live=True)
    async with running(app) as pilot:
        for number in range(300):
            (notes / f"n{number:03}.md").write_text(f"# Note {number}\n\nBurst {number}.\n")
            (notes / f".n{number:03}.md.swp").write_text("swap")
        await until(pilot, lambda: len(app.session.library.documents) == 303)


async def test_a_folder_that_goes_away_is_said_and_the_notes_stay(notes):
    app = make_app(notes, live=True)
    async with running(app) as pilot:
        await ask(pilot, "moons")
        shutil.rmtree(notes)
        await until(pilot, lambda: app.screen._alert != "" or not app.session.library.documents)
        assert app.is_running


async def test_the_second_start_reads_nothing_again(notes, tmp_path, monkeypatch):
    for note in notes.iterdir():
        settled = note.stat().st_mtime_ns - 100 * 10**9
        os.utime(note, ns=(settled, settled))
    async with running(make_app(notes, "moons", cache=tmp_path / "cache")):
        pass
    monkeypatch.setattr("engine.storage.building.read_note", None)
    app = make_app(notes, "moons", cache=tmp_path / "cache")
    async with running(app):
        assert app.session.library.stage == "lsa"
        assert "Mars" in text_of(app, "fused")


async def test_quitting_does_not_wait_for_a_change(notes):
    app = make_app(notes, live=True)
    async with running(app) as pilot:
        await pilot.press("tab", "q")
    assert not app.is_running


async def test_large_folders_are_read_by_processes_beside_the_app(notes, monkeypatch):
    """The app has taken standard error away, and its main module is whatever started it."""
    monkeypatch.setattr("engine.storage.building.WORTH_PROCESSES", 1)
    monkeypatch.setattr("engine.storage.building.FIRST_BYTES", 1)
    monkeypatch.setattr("planet_tui.jobs.reading.workers", lambda: 2)
    app = make_app(notes, "moons")
    async with running(app):
        assert list(app.session.library.documents) == ["jupiter.md", "mars.md", "venus.md"]
        assert "Mars" in text_of(app, "fused")


async def test_notes_are_followed_though_no_encoder_answers(notes):
    app = make_app(notes, live=True, encoder="endpoint", embedding_model="m", base_url="http://127.0.0.1:9/v1")
    async with running(app) as pilot:
        assert "the encoder failed" in app.screen._alert
        (notes / "io.md").write_text("# Io\n\nIo has volcanoes.\n")
        await until(pilot, lambda: len(app.session.library.documents) == 4)
        (notes / "titan.md").write_text("# Titan\n\nTitan has lakes.\n")
        await until(pilot, lambda: len(app.session.library.documents) == 5)
        await until(pilot, lambda: "the encoder failed" in app.screen._alert)


async def test_a_folder_that_comes_back_is_read_again(notes, monkeypatch):
    monkeypatch.setattr("planet_tui.jobs.reading.LOOK_EVERY", 1)
    app = make_app(notes, live=True)
    async with running(app) as pilot:
        shutil.move(notes, notes.with_name("away"))
        await until(pilot, lambda: "cannot read" in app.screen._alert)
        await pilot.press("ctrl+r")
        await settle(pilot)
        assert "cannot read" in app.screen._alert
        shutil.move(notes.with_name("away"), notes)
        await until(pilot, lambda: not app.screen._alert)
        assert [worker.group for worker in app.workers if worker.is_running] == ["follow"]
        (notes / "io.md").write_text("# Io\n\nIo has volcanoes.\n")
        await until(pilot, lambda: len(app.session.library.documents) == 4)
        assert not app.screen._alert


async def test_a_damaged_index_is_said_and_made_again(notes, tmp_path):
    cache = tmp_path / "cache"
    async with running(make_app(notes, cache=cache)) as pilot:
        assert not pilot.app._notifications
    [kept] = cache.rglob("notes")
    damage(kept)
    assert not is_sound(kept)
    app = make_app(notes, cache=cache)
    async with running(app) as pilot:
        await until(pilot, lambda: is_sound(kept) and app.session.library.stage == "lsa")
        [said] = [notification.message for notification in app._notifications]
        assert said.startswith("The index in the cache was damaged.")
        await ask(pilot, "Which moons are known?")
        assert "Jupiter" in text_of(app, "bm25")
