"""The Evaluate screen: the figures of the command line, drawn; questions lead to Explore, thresholds into force."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot
from textual.widgets import Input

from engine.evaluation.report import evaluate
from engine.evaluation.retrieval import FIGURES
from planet_tui import jobs
from planet_tui.screens.evaluate import EvaluateScreen
from planet_tui.screens.explore import ExploreScreen
from planet_tui.settings import load
from planet_tui.widgets.evaluation_views import ORDERS, QuestionsView, ThresholdView
from planet_tui.widgets.plotting import LEFT, Points, plot, y_range
from tests.planet_tui.app_driver import SAMPLE, VENUS, flat, make_app, running, settle, text_of


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))


async def open_screen(pilot: Pilot[None]) -> EvaluateScreen:
    await pilot.press("escape", "f4")
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, EvaluateScreen)
    return screen


async def test_the_figures_are_those_of_the_command_line() -> None:
    async with running(make_app(reader="features")) as pilot:
        screen = await open_screen(pilot)
        shown = text_of(pilot.app, "figures")
        report = evaluate(screen.session.library, jobs.labelled_questions(SAMPLE))
        for row in report.retrieval.retrievers.values():
            assert "".join(f"{row[figure]:>8.3f}" for figure in FIGURES) in shown
        counts = report.answers.counts()
        assert f"{counts['right']} right, {counts['wrong']} wrong, {counts['refused']} refused" in flat(shown)
        assert "●\u00a0BM25" in text_of(pilot.app, "recall")
        for each in report.calibration.curve:
            assert f"{each.right} right of {each.answered}, {each.decided} rightly decided" in text_of(
                pilot.app, "thresholds"
            )


@pytest.mark.parametrize("size", [(160, 50), (120, 40), (80, 24), (40, 12)])
async def test_every_pane_is_reached_by_its_number(size: tuple[int, int]) -> None:
    async with running(make_app(), size=size) as pilot:
        screen = await open_screen(pilot)
        for number, pane in enumerate(("figures", "questions", "recall", "thresholds"), 1):
            await pilot.press(str(number))
            await pilot.pause()
            assert screen.focused is screen.query_one(f"#{pane}") and screen.focused.region.height > 4
            assert not screen.focused.virtual_size.width > screen.focused.size.width


async def test_questions_come_in_three_orders_and_one_opens_in_explore() -> None:
    async with running(make_app()) as pilot:
        screen = await open_screen(pilot)
        await pilot.press("2")
        view = screen.query_one(QuestionsView)
        report = screen.session.evaluation.report
        assert view.items[0] == report.retrieval.disagreements[0].question
        await pilot.press("s")
        assert view.order == ORDERS[1]
        lost = [row.question for row in report.answers.rows if row.diagnosis]
        assert list(view.items[: len(lost)]) == lost
        await pilot.press("s")
        assert view.items[0] == report.answers.rows[0].question
        await pilot.press("j", "enter")
        await settle(pilot)
        explore = pilot.app.screen
        assert isinstance(explore, ExploreScreen)
        assert explore.query_one("#question", Input).value == report.answers.rows[0].question
        assert explore._trace is not None and explore._trace.question == report.answers.rows[0].question


async def test_a_threshold_chosen_on_the_curve_is_in_force_and_kept(tmp_path: Path) -> None:
    app = make_app(question=VENUS, reader="features")
    app._settings_path = tmp_path / "settings.toml"
    async with running(app) as pilot:
        screen = await open_screen(pilot)
        await pilot.press("4", "g", "j", "j", "j", "enter")
        await settle(pilot)
        view = screen.query_one(ThresholdView)
        chosen = view.cursor
        assert 0 < chosen < 0.5
        assert screen.session.settings.threshold == chosen
        assert load(tmp_path / "settings.toml").settings.engine.threshold == chosen
        [marked] = [line for line in text_of(app, "thresholds").splitlines() if "now" in line.split()]
        assert marked.startswith(f"{chosen:.2f}")
        await pilot.press("escape")
        await settle(pilot)
        assert pilot.app.screen._trace.settings.threshold == chosen


async def test_a_folder_without_labels_says_how_to_make_some(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Kettle\n\nIt holds 3 litres.", encoding="utf-8")
    async with running(make_app(tmp_path), size=(80, 24)) as pilot:
        await open_screen(pilot)
        shown = text_of(pilot.app, "figures")
        assert "press m" in flat(shown) and "[[question.evidence]]" in shown


async def test_labels_that_cannot_be_read_are_said_and_nothing_is_lost(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("It holds 3 litres.", encoding="utf-8")
    (tmp_path / "questions.toml").write_text("[[question]]\ntext = 3\n", encoding="utf-8")
    async with running(make_app(tmp_path)) as pilot:
        await open_screen(pilot)
        assert "text = 3 is of the wrong kind" in flat(text_of(pilot.app, "figures"))
        await pilot.press("x")
        await settle(pilot)
        assert isinstance(pilot.app.screen, EvaluateScreen)


async def test_measuring_can_be_stopped_and_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = jobs.evaluate_notes

    def stuck(library, settings, before, report, should_stop):
        while not should_stop():
            pass
        return measured(library, settings, before, report, should_stop)

    async with running(make_app()) as pilot:
        monkeypatch.setattr(jobs, "evaluate_notes", stuck)
        await pilot.press("escape", "f4")
        await pilot.pause()
        assert "esc stops" in str(pilot.app.screen.query_one("#evaluate-title").render())
        await pilot.press("escape")
        await settle(pilot)
        assert "Stopped" in text_of(pilot.app, "figures")
        monkeypatch.undo()
        await pilot.press("r")
        await settle(pilot)
        assert "BM25" in text_of(pilot.app, "figures")
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(pilot.app.screen, ExploreScreen)


@pytest.mark.parametrize("name", ["report.json", "picture.svg", "report.md", "table.csv"])
async def test_the_report_is_written_in_the_form_of_its_ending(tmp_path: Path, name: str) -> None:
    async with running(make_app()) as pilot:
        screen = await open_screen(pilot)
        await pilot.press("x")
        await pilot.pause()
        pilot.app.screen.query_one(Input).value = str(tmp_path / name)
        await pilot.press("enter")
        await settle(pilot)
        written = (tmp_path / name).read_text("utf-8")
        if name.endswith(".json"):
            assert json.loads(written) == screen.session.evaluation.report.to_dict()
        assert len(written) > 500


async def test_a_file_that_cannot_be_written_is_one_message(tmp_path: Path) -> None:
    async with running(make_app()) as pilot:
        await open_screen(pilot)
        await pilot.press("x")
        await pilot.pause()
        pilot.app.screen.query_one(Input).value = str(tmp_path / "report.[b]doc")
        await pilot.press("enter")
        await settle(pilot)
        assert any("report.[b]doc" in str(note.message) for note in pilot.app._notifications)


VALUES = st.floats(0, 1, allow_nan=False)


@given(
    st.lists(st.lists(VALUES, min_size=4, max_size=4), min_size=1, max_size=5), st.integers(12, 80), st.integers(4, 20)
)
def test_a_drawing_has_the_size_asked_for_and_a_sign_at_the_end_of_the_last_curve(curves, width, height):
    drawn = plot([Points((1, 3, 5, 10), ys) for ys in curves], width, height, (1, 3, 5, 10))
    assert len(drawn) == height and {len(row) for row in drawn} == {width}
    last = [row[-1] for row in drawn[:-1] if row[-1].curve == len(curves) - 1]
    assert any(cell.sign == "●▲■◆★"[len(curves) - 1] for cell in last)


def test_a_rising_line_is_drawn_from_corner_to_corner():
    rows = ["".join(cell.sign for cell in row) for row in plot([Points((0, 1), (0.0, 1.0))], LEFT + 8, 5, (0, 1))]
    assert rows[0].endswith("●") and rows[0].startswith("1.00┤")
    assert rows[3][LEFT] == "●" and rows[3].startswith("0.00┤")
    assert rows[4] == "     0      1"
    assert y_range([0.31, 0.62]) == (0.3, 0.7)
