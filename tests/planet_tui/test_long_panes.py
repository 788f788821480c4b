"""Panes over texts of megabytes: laid out piece by piece, so that keys are never kept waiting."""

import pytest

from planet_tui.widgets.document_view import DocumentView
from planet_tui.widgets.lines import AT_ONCE, LinesView
from planet_tui.widgets.notes_tree import NotesTree, Row, _rows
from planet_tui.widgets.wrapping import fit
from tests.planet_tui.app_driver import ask, make_app, running, settle, text_of

LETTERS = 700_000
SHAPES = {
    "one word": "tea " + "a" * LETTERS,
    "one word without spaces between its words": "tea " + "火" * (LETTERS // 3),
    "one block": "tea " + "leaf " * (LETTERS // 5),
}


async def grown(pilot, view):
    while view.is_growing:
        await pilot.pause(0.02)


@pytest.fixture(params=SHAPES.values(), ids=SHAPES)
def notes(request, tmp_path):
    (tmp_path / "long.md").write_text(request.param, encoding="utf-8")
    return tmp_path


async def test_no_pane_lays_out_more_than_a_piece_at_once(notes, monkeypatch):
    pieces = []
    grow = LinesView._grow

    def counted(view, *at_once):
        before = len(view._lines)
        grow(view, *at_once)
        pieces.append(len(view._lines) - before)

    monkeypatch.setattr(LinesView, "_grow", counted)
    app = make_app(notes)
    async with running(app) as pilot:
        await ask(pilot, "tea")
        app.screen.read_note("long.md")
        await settle(pilot)
        view = app.screen.query_one(DocumentView)
        await grown(pilot, view)
        assert max(pieces) == AT_ONCE
        assert view._lines[-1].end == len(view._text)
        assert len(view._lines) == view.virtual_size.height > 2 * AT_ONCE


async def test_the_end_of_a_long_note_is_reached_when_it_is_there(notes):
    app = make_app(notes)
    async with running(app) as pilot:
        app.screen.read_note("long.md")
        await settle(pilot)
        view = app.screen.query_one(DocumentView)
        await pilot.press("G")
        await grown(pilot, view)
        await settle(pilot)
        assert view.scroll_offset.y == view.max_scroll_y > 2 * AT_ONCE
        view.lay_out_again()
        view.jump(LETTERS // 3 - 10, top=0)
        await grown(pilot, view)
        await settle(pilot)
        line = view._lines[view.scroll_offset.y]
        assert view.scroll_offset.y == view.max_scroll_y or line.start <= LETTERS // 3 - 10 <= line.end


async def test_a_key_takes_back_the_wish_for_the_end(tmp_path):
    (tmp_path / "long.md").write_text(SHAPES["one word"], encoding="utf-8")
    app = make_app(tmp_path)
    async with running(app) as pilot:
        app.screen.read_note("long.md")
        await settle(pilot)
        view = app.screen.query_one(DocumentView)
        view.lay_out_again()
        view.action_edge(1)
        view.action_edge(-1)
        await grown(pilot, view)
        await settle(pilot)
        assert view.scroll_offset.y == 0


def test_folders_may_stand_thousands_deep_in_each_other():
    deep = "/".join(["d"] * 3000) + "/note.md"
    rows = _rows({deep: "Note", "d/first.md": "First", "last.md": "Last"}, set())
    assert len(rows) == 3003
    assert rows[0] == Row("d/", 0, "d", 2)
    assert rows[2999].depth == 2999 and rows[3000] == Row(deep, 3000, "Note", 0)
    assert rows[3001:] == [Row("d/first.md", 1, "First", 0), Row("last.md", 0, "Last", 0)]


def test_a_folded_folder_hides_what_it_holds():
    rows = _rows({"a/b/c.md": "C", "a/d.md": "D"}, {"a/b/"})
    assert [row.path for row in rows] == ["a/", "a/b/", "a/d.md"]


async def test_a_tree_of_deep_folders_is_drawn(tmp_path):
    async with running(make_app(tmp_path)) as pilot:
        tree = pilot.app.screen.query_one(NotesTree)
        tree.show({"/".join(["d"] * 2000) + "/note.md": "Note"})
        await pilot.pause()
        assert len(text_of(pilot.app, "notes").splitlines()) == 2001


def test_a_name_of_megabytes_is_cut_like_any_other():
    assert fit("a" * 9_000_000, 5) == "aaaa…"
    assert fit("e\u0301" * 4, 5) == "e\u0301" * 4 + " "
