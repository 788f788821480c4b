"""Reading a note: its links lead on, and back."""

import os
import signal
from contextlib import nullcontext
from pathlib import Path

import pytest
from textual.app import App

from planet_tui.screens.reader import ReaderScreen
from tests.planet_tui.app_driver import make_app, running, settle, text_of


async def open_note(pilot: object, note: str) -> ReaderScreen:
    pilot.app.screen.read_note(note)
    await settle(pilot)
    assert isinstance(pilot.app.screen, ReaderScreen)
    return pilot.app.screen


def listed(screen: ReaderScreen) -> list[str]:
    return [str(option.prompt) for option in screen.query_one("#links").options]


async def test_links_and_back_links_are_listed_and_can_be_followed(tmp_path: Path) -> None:
    (tmp_path / "venus.md").write_text(
        "# Venus\n\nSee [[mars#Two moons|the moons]] and [x](mars.md).", encoding="utf-8"
    )
    (tmp_path / "mars.md").write_text("# Mars\n\n" + "Dust.\n\n" * 60 + "## Two moons\n\nSmall.", encoding="utf-8")
    async with running(make_app(tmp_path), size=(100, 20)) as pilot:
        venus = await open_note(pilot, "venus.md")
        assert listed(venus) == ["Links (2)", "Mars  the moons", "Mars  x", "Linked from (0)"]
        await pilot.press("l", "enter")
        await settle(pilot)
        mars = pilot.app.screen
        assert mars is not venus and mars._document.id == "mars.md"
        assert mars.query_one("#document").top_offset > 100  # at the heading, far below the beginning
        assert listed(mars) == ["Links (0)", "Linked from (1)", "Venus  the moons"]
        await pilot.press("escape")
        assert pilot.app.screen is venus
        await pilot.press("l", "l")
        assert venus.focused is venus.query_one("#document")


async def test_a_link_inside_the_note_goes_to_its_heading(tmp_path: Path) -> None:
    text = "See [[#End]].\n\n" + "Dust.\n\n" * 60 + "# End\n\n" + "x\n\n" * 30
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    async with running(make_app(tmp_path), size=(60, 20)) as pilot:
        note = await open_note(pilot, "a.md")
        await pilot.press("l", "enter")
        await settle(pilot)
        assert pilot.app.screen is note and note.query_one("#document").top_offset > 300


async def test_every_heading_can_be_gone_to_where_the_note_ends_in_one_window(tmp_path: Path) -> None:
    text = "# One\n\n" + "Dust.\n\n" * 30 + "## Two\n\nx\n\n## Three\n\ny\n\n## Four\n\nz"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    async with running(make_app(tmp_path), size=(100, 24)) as pilot:
        note = await open_note(pilot, "a.md")
        outline, seen = note.query_one("#outline"), []
        for key in "nnnnppp":
            await pilot.press(key)
            await settle(pilot)
            marked = [line for line in text_of(pilot.app, "document").splitlines() if line.startswith("▸")]
            assert marked == [
                f"▸ {'#' if outline.highlighted == 0 else '##'} {['One', 'Two', 'Three', 'Four'][outline.highlighted]}"
            ]
            seen.append(outline.highlighted)
        assert seen == [1, 2, 3, 3, 2, 1, 0]


async def test_a_note_without_links_says_so_and_names_are_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    (tmp_path / "b.md").write_text("---\ntitle: '[red]b[/]'\n---\n[[c|[/x]]]", encoding="utf-8")
    (tmp_path / "c.md").write_text("y", encoding="utf-8")
    async with running(make_app(tmp_path), size=(100, 20)) as pilot:
        note = await open_note(pilot, "a.md")
        await pilot.press("l")
        await pilot.pause()
        assert note.focused is note.query_one("#document")
        await pilot.press("escape")
        assert "[red]b[/]" in listed(await open_note(pilot, "c.md"))[2]


@pytest.mark.parametrize("command", [" ", "\t", ""])
async def test_an_editor_of_spaces_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    ran = tmp_path / "ran"
    (tmp_path / "a.md").write_text(f"#!/bin/sh\ntouch {ran}\n", encoding="utf-8")
    (tmp_path / "a.md").chmod(0o755)
    monkeypatch.setenv("VISUAL", command)
    monkeypatch.setenv("EDITOR", command)
    async with running(make_app(tmp_path), size=(100, 20)) as pilot:
        await open_note(pilot, "a.md")
        await pilot.press("e")
        await settle(pilot)
        assert not ran.exists()
        assert "Set EDITOR" in [str(note.message) for note in pilot.app._notifications][0]


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
async def test_ctrl_c_in_an_editor_is_the_editor_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    # The terminal signals every program in front: the app, and the editor, which dies of it.
    script = tmp_path / "editor.sh"
    script.write_text(f"#!/bin/sh\nkill -INT {os.getpid()} $$\nsleep 5\necho alive >> {tmp_path}/said\n")
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    monkeypatch.setattr(App, "suspend", lambda self: nullcontext())
    before = signal.getsignal(signal.SIGINT)
    async with running(make_app(tmp_path), size=(100, 20)) as pilot:
        screen = await open_note(pilot, "a.md")
        await pilot.press("e")
        await settle(pilot)
        assert pilot.app.screen is screen and pilot.app.is_running
    assert not (tmp_path / "said").exists()
    assert signal.getsignal(signal.SIGINT) is before
