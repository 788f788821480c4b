"""The Settings screen: every option explained, changed at once, and nothing put in force that is out of its range."""

from pathlib import Path

import pytest

from engine.settings import describe
from planet_tui.screens.settings import SettingsScreen
from tests.planet_tui.app_driver import VENUS, flat, make_app, running, settle, text_of


async def open_settings(pilot: object, name: str) -> SettingsScreen:
    await pilot.press("f3")
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, SettingsScreen)
    options = screen.query_one("#options")
    options._move_to(name)
    await pilot.pause()
    return screen


async def test_every_option_is_listed_with_its_value_and_explained() -> None:
    async with running(make_app(question=VENUS, k1=1.2)) as pilot:
        await pilot.press("enter")
        await open_settings(pilot, "k1")
        listed = text_of(pilot.app, "options")
        assert all(option.name in listed for option in describe())
        assert any(line.split()[:3] == ["●", "k1", "1.2"] for line in listed.splitlines())
        said = flat(text_of(pilot.app, "option-help"))
        assert "0 to 10; default 1.5" in said and "at once" in said


async def test_the_option_under_the_cursor_is_seen_in_the_smallest_window() -> None:
    async with running(make_app(), (40, 12)) as pilot:
        screen = await open_settings(pilot, "k1")
        options = screen.query_one("#options")
        rows = options.scrollable_content_region.height
        assert rows >= 3
        assert any("k1" in options.render_line(y).text for y in range(rows))


async def test_a_typed_value_is_in_force_and_the_question_is_answered_anew_with_it() -> None:
    async with running(make_app(question=VENUS)) as pilot:
        await pilot.press("enter")
        await open_settings(pilot, "results")
        await pilot.press("enter", "4", "enter")
        await settle(pilot)
        assert pilot.app.settings.engine.results == 4
        await pilot.press("escape")
        await settle(pilot)
        assert pilot.app.screen._trace.settings.results == 4
        assert len(pilot.app.screen.query_one("#bm25").items) == 4


@pytest.mark.parametrize("typed", ["11", "-1", "much", ""])
async def test_a_value_out_of_range_is_refused_in_words_and_the_old_one_stays(typed: str) -> None:
    async with running(make_app()) as pilot:
        await pilot.press("escape")
        screen = await open_settings(pilot, "k1")
        await pilot.press("enter")
        screen.query_one("#option-value").value = typed
        await pilot.press("enter")
        await settle(pilot)
        assert "k1 = " in text_of(pilot.app, "option-help") and "0 to 10" in text_of(pilot.app, "option-help")
        assert pilot.app.settings.engine.k1 == 1.5


async def test_a_change_of_the_chunks_has_them_made_again_without_reading_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("One sentence of six plain words. Another one of six words.\n", encoding="utf-8")
    async with running(make_app(tmp_path)) as pilot:
        await pilot.press("escape")
        before = pilot.app.session.library
        await open_settings(pilot, "max_words")
        await pilot.press("enter", "7", "enter")
        await settle(pilot)
        after = pilot.app.session.library
        assert (len(before.chunks), len(after.chunks)) == (1, 2)
        assert after.settings.max_words == 7


async def test_choices_are_stepped_through_and_d_goes_back_to_the_default() -> None:
    async with running(make_app()) as pilot:
        await pilot.press("escape")
        await open_settings(pilot, "strategy")
        await pilot.press("l")
        assert pilot.app.settings.engine.strategy == "edges"
        await pilot.press("h", "h")
        assert pilot.app.settings.engine.strategy == "edges"
        await pilot.press("d")
        assert pilot.app.settings.engine.strategy == "prefix"


async def test_the_theme_changes_at_once_and_is_kept() -> None:
    async with running(make_app()) as pilot:
        await pilot.press("escape")
        await open_settings(pilot, "theme")
        await pilot.press("enter")
        await settle(pilot)
        assert not pilot.app.current_theme.dark and pilot.app.settings.theme == "light"


async def test_the_model_is_tested_and_what_is_missing_is_said() -> None:
    async with running(make_app()) as pilot:
        await pilot.press("escape")
        await open_settings(pilot, "model")
        await pilot.press("t")
        await settle(pilot)
        assert "!" in text_of(pilot.app, "option-help").splitlines()[0]
