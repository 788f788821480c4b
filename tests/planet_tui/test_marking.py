"""Marking evidence while asking: it is kept beside what there is, shown, counted, and can be taken back."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from engine.evaluation.label_files import append_question
from engine.evaluation.labels import load_questions
from engine.records import Evidence, Question
from planet_tui import jobs, paths
from planet_tui.screens.evaluate import EvaluateScreen
from planet_tui.screens.mark import WHOLE, MarkScreen
from planet_tui.widgets.ranked_list import EVIDENCE
from tests.planet_tui.app_driver import ask, make_app, running, settle, text_of

BOILS = "At what temperature does water boil on the hill?"


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "kettle.md").write_text(
        "# Kettle\n\nThe kettle is blue. On the hill water boils at 92 degrees. It holds 3 litres.", encoding="utf-8"
    )
    (folder / "hill.md").write_text("# Hill\n\nThe hill is high, so that water boils at 92 °C there.", encoding="utf-8")
    return folder


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def said(pilot: Pilot[None]) -> str:
    return " ".join(str(note.message) for note in pilot.app._notifications)


async def select(pilot: Pilot[None], note: str) -> None:
    """Put the cursor of the fused list on the passage of a note."""
    await press(pilot, "2", "g")
    while pilot.app.screen.panes.selected.document != note:
        await press(pilot, "j")


async def test_a_marked_sentence_is_kept_with_its_answer_shown_and_taken_back(notes: Path) -> None:
    async with running(make_app(notes)) as pilot:
        await ask(pilot, BOILS)
        await select(pilot, "kettle.md")
        await press(pilot, "m")
        screen = pilot.app.screen
        assert isinstance(screen, MarkScreen)
        options = screen.query_one(OptionList)
        names = [str(option.prompt) for option in options.options]
        assert names == [
            "The kettle is blue.", "On the hill water boils at 92 degrees.", "It holds 3 litres.", WHOLE,
        ]  # fmt: skip
        assert names[options.highlighted] == "On the hill water boils at 92 degrees."
        await press(pilot, "tab", *"92")
        await press(pilot, "enter")
        [kept] = load_questions(paths.labels_file(notes))
        evidence = Evidence((("kettle.md", "On the hill water boils at 92 degrees."),))
        assert kept == Question(BOILS, (evidence,), references=("92",))
        starred = [line for line in text_of(pilot.app, "fused").splitlines() if EVIDENCE in line]
        assert len(starred) == 1 and "Kettle" in starred[0]
        assert "★ evidence for this question" in text_of(pilot.app, "chunk")
        await press(pilot, "u")
        assert not paths.labels_file(notes).exists()
        assert EVIDENCE not in text_of(pilot.app, "fused") and "taken back" in said(pilot)
        await press(pilot, "u")
        assert "Nothing was marked" in said(pilot)


async def test_a_second_passage_is_another_place_that_says_the_same(notes: Path) -> None:
    async with running(make_app(notes)) as pilot:
        await ask(pilot, BOILS)
        for note in ("kettle.md", "hill.md"):
            await select(pilot, note)
            await press(pilot, "m", "enter")
        [kept] = load_questions(paths.labels_file(notes))
        assert [note for note, _ in kept.evidence[0].alternatives] == ["kettle.md", "hill.md"]
        assert text_of(pilot.app, "fused").count(EVIDENCE) == 2
        await press(pilot, "u")
        [kept] = load_questions(paths.labels_file(notes))
        assert [note for note, _ in kept.evidence[0].alternatives] == ["kettle.md"]


async def test_what_was_marked_is_measured(notes: Path) -> None:
    async with running(make_app(notes)) as pilot:
        await ask(pilot, BOILS)
        await select(pilot, "kettle.md")
        await press(pilot, "m", "enter")
        await ask(pilot, "Who painted Guernica?")
        await press(pilot, "M", "f4")
        assert isinstance(pilot.app.screen, EvaluateScreen)
        questions = text_of(pilot.app, "questions")
        assert BOILS in questions and "refused, as it should be" in questions
        assert [row.n_pieces for row in pilot.app.screen.session.evaluation.report.answers.rows] == [1, 0]


async def test_marks_of_an_earlier_day_are_shown(notes: Path) -> None:
    append_question(paths.labels_file(notes), Question(BOILS, (Evidence((("kettle.md", "The kettle\nis blue."),)),)))
    async with running(make_app(notes, question=BOILS)) as pilot:
        assert text_of(pilot.app, "fused").count(EVIDENCE) == 1


async def test_among_several_folders_a_mark_is_kept_about_the_folder_of_its_note(notes: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "pot.md").write_text("# Pot\n\nThe pot boils water on the hill, too.", encoding="utf-8")
    async with running(make_app([other, notes])) as pilot:
        await ask(pilot, BOILS)
        await select(pilot, "notes/kettle.md")
        await press(pilot, "m", "enter")
        [kept] = load_questions(paths.labels_file(notes))
        assert kept.evidence[0].alternatives[0][0] == "kettle.md"
        assert text_of(pilot.app, "fused").count(EVIDENCE) == 1
        await select(pilot, "other/pot.md")
        await press(pilot, "m", "enter")
        assert "holds this question already" in said(pilot) and not paths.labels_file(other).exists()


async def test_nothing_is_marked_without_a_question_or_after_escape(notes: Path) -> None:
    async with running(make_app(notes)) as pilot:
        await press(pilot, "escape", "m", "M")
        assert said(pilot).count("first") == 2
        await ask(pilot, BOILS)
        await press(pilot, "m", "escape")
        assert not paths.labels_file(notes).exists()


async def test_a_question_of_the_folder_s_own_file_stays_a_person_s_to_change(notes: Path) -> None:
    label = Question(BOILS, unanswerable=True)
    append_question(notes / "questions.toml", label)
    async with running(make_app(notes)) as pilot:
        await ask(pilot, BOILS)
        await press(pilot, "M")
        assert "holds this question already" in said(pilot)
        assert load_questions(notes / "questions.toml") == (label,)


async def test_labels_that_cannot_be_written_cost_a_message(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "data").write_text("a file where a folder should be")
    async with running(make_app(notes)) as pilot:
        await ask(pilot, BOILS)
        await press(pilot, "M")
        assert "cannot be written" in said(pilot)


async def test_odd_text_is_text(tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "a.md").write_text("Water [red]boils[/] at [/x] 92. It \\[b\\] ends.", encoding="utf-8")
    async with running(make_app(folder), size=(80, 24)) as pilot:
        await ask(pilot, "boils [b]water[/]")
        await press(pilot, "m")
        assert "[red]boils[/] at [/x]" in str(pilot.app.screen.query_one(OptionList).options[0].prompt)
        pilot.app.screen.query_one(Input).value = "[/] 92"
        await press(pilot, "enter")
        assert load_questions(paths.labels_file(folder))[0].references == ("[/] 92",)


def test_the_sentence_that_shares_the_question_s_terms_is_the_likeliest():
    passage = "Mars is red. Iron oxide gives it that colour."
    assert jobs.evidence_choices(passage, "", ("iron", "colour"))[1] == 1
    assert jobs.evidence_choices(passage, "Mars is red [1].", ("iron", "colour"))[1] == 0
    assert jobs.evidence_choices("", "", ()) == (("",), 0)
