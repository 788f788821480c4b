"""The Explore screen, driven as a person drives it."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from rich.cells import cell_len

from engine.library import Library
from engine.records import Trace
from engine.settings import Settings
from planet_tui import jobs
from planet_tui.screens.reader import ReaderScreen
from planet_tui.widgets.answer_view import AnswerView
from planet_tui.widgets.ranked_list import RankedList
from planet_tui.widgets.status_line import StatusLine
from tests.planet_tui.app_driver import VENUS, ask, flat, make_app, running, settle, text_of

PANES = ("answer", "fused", "bm25", "lsa", "chunk", "prompt", "notes")


async def test_a_question_fills_every_pane() -> None:
    async with running(make_app()) as pilot:
        await ask(pilot, VENUS)
        assert "224.7" in text_of(pilot.app, "answer")
        assert "✓" in text_of(pilot.app, "answer")
        for name in ("bm25", "lsa", "fused"):
            assert "Venus > Year and day" in text_of(pilot.app, name)
        assert VENUS in text_of(pilot.app, "prompt")
        explained = text_of(pilot.app, "chunk")
        assert "adaptive: bm25 1 + near" in explained
        assert "cosine" in explained
        assert "year" in explained


async def test_the_lists_follow_while_typing() -> None:
    async with running(make_app()) as pilot:
        await pilot.press(*"venus")
        await settle(pilot)
        assert "Venus" in text_of(pilot.app, "bm25")
        assert pilot.app.focused.id == "question"


async def test_the_word_being_typed_stands_for_all_that_start_so_until_enter() -> None:
    async with running(make_app()) as pilot:
        await pilot.press(*"venu")
        await settle(pilot)
        assert "Venus" in text_of(pilot.app, "bm25")
        assert "venu… is venus here" in text_of(pilot.app, "chunk")
        await pilot.press("enter")
        await settle(pilot)
        assert "Venus" not in text_of(pilot.app, "bm25")


async def test_questions_that_were_overtaken_are_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    started, go_on, answered = Event(), Event(), []
    answer = jobs.ask_question

    def slowly(library: Library, question: str, settings: Settings, *, typing: bool = False) -> Trace:
        answered.append(question)
        started.set()
        go_on.wait(10)
        return answer(library, question, settings, typing=typing)

    async with running(make_app()) as pilot:
        monkeypatch.setattr(jobs, "ask_question", slowly)
        await pilot.press("v")
        while not started.is_set():
            await pilot.pause(0.01)
        for key in "enus ye":
            await pilot.press(key)
            await pilot.pause(0.03)
        go_on.set()
        await settle(pilot)
        assert answered == ["v", "venus ye"]
        assert pilot.app.screen._trace.question == "venus ye"


async def test_a_question_asked_before_anything_is_read_is_answered() -> None:
    app = make_app(question=VENUS)
    async with running(app):
        assert "224.7" in text_of(app, "answer")


async def test_selecting_a_chunk_in_one_list_selects_it_in_all() -> None:
    async with running(make_app(question=VENUS)) as pilot:
        await pilot.press("enter", "3", "j", "j")
        await settle(pilot)
        lists = list(pilot.app.screen.query(RankedList))
        assert len({view.cursor for view in lists}) == 1
        chosen = pilot.app.screen.query_one("#chunk").chunk
        assert chosen.id == lists[0].cursor


async def test_another_question_selects_its_own_best_passage() -> None:
    async with running(make_app(question="How long is a year on Ven")) as pilot:
        panes = pilot.app.screen.panes
        await ask(pilot, VENUS)
        assert panes.selected.id == pilot.app.screen._trace.rankings["fused"].ids[0]
        await pilot.press("2", "j", "j")
        chosen = panes.selected
        await ask(pilot, VENUS)
        assert panes.selected.id == chosen.id
        await ask(pilot, "Who discovered the moons of Mars?")
        assert panes.selected.id == pilot.app.screen._trace.rankings["fused"].ids[0]


@pytest.mark.parametrize("pane", ["answer", "chunk"])
async def test_enter_after_a_question_reads_the_note_of_its_answer(pane: str) -> None:
    async with running(make_app()) as pilot:
        await ask(pilot, VENUS)
        pilot.app.screen.panes.go_to(pane)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, ReaderScreen)
        assert "venus.md" in str(pilot.app.screen.query_one("#reader-title").content)


async def test_the_last_fact_of_the_top_line_is_whole_where_the_folder_is_cut() -> None:
    async with running(make_app(), (80, 24)) as pilot:
        status = pilot.app.screen.query_one("#status", StatusLine)
        facts = ("479 notes", "extractive", "8,265 chunks", "BM25 ✓", "LSA ✓")
        status.show(folder="/home/me/notes/rust-book", facts=facts, work="", progress=None)
        assert str(status.content).rstrip().endswith("LSA ✓")
        assert cell_len(str(status.content)) == 80


async def test_the_counts_of_folders_stand_beside_the_scroll_bar(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"{number}.md").write_text(f"# A title that is far too long for the pane {number}\n")
    async with running(make_app(tmp_path)) as pilot:
        view = pilot.app.screen.panes.notes
        seen = [view.render_line(y).text[: view.scrollable_content_region.width] for y in range(view.size.height)]
        assert view.show_vertical_scrollbar
        assert seen[0].endswith(" 100") and seen[1].endswith("…")


async def test_the_sums_on_screen_are_the_scores() -> None:
    async with running(make_app(question=VENUS)) as pilot:
        view = pilot.app.screen.query_one("#chunk")
        trace, why = pilot.app.screen._trace, view._explanation
        hit = trace.rankings["bm25"].hits[trace.rankings["bm25"].rank_of(view.chunk.id) - 1]
        assert sum(term.contribution for term in why.terms) == hit.score
        fused = trace.rankings["fused"].hits[trace.rankings["fused"].rank_of(view.chunk.id) - 1]
        assert why.fused == fused.score


async def test_enter_reads_the_note_at_the_marked_passage() -> None:
    async with running(make_app(question=VENUS), size=(100, 20)) as pilot:
        await pilot.press("enter", "2", "enter")
        await settle(pilot)
        document = pilot.app.screen.query_one("#document")
        passage = document._passage
        first, last = document.scroll_offset.y, document.scroll_offset.y + document.size.height
        seen = document._lines[first:last]
        assert any(line.start < passage.end and line.end > passage.start for line in seen)
        await pilot.press("escape")
        assert pilot.app.screen.query_one("#answer")


async def test_headings_can_be_jumped() -> None:
    async with running(make_app(question=VENUS), size=(100, 20)) as pilot:
        await pilot.press("enter", "2", "enter")
        await settle(pilot)
        document = pilot.app.screen.query_one("#document")
        await pilot.press("g")
        await pilot.pause()
        top = document.scroll_offset.y
        await pilot.press("n", "n")
        await pilot.pause()
        assert document.scroll_offset.y > top


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40), (160, 50), (200, 60)])
async def test_every_size_shows_the_answer_first(size: tuple[int, int]) -> None:
    async with running(make_app(question=VENUS), size=size) as pilot:
        await pilot.press("enter")
        await settle(pilot)
        answer = pilot.app.screen.query_one("#answer")
        assert answer.region.area > 0
        assert answer.has_focus


async def test_number_keys_reach_every_pane_on_a_small_terminal() -> None:
    async with running(make_app(question=VENUS), size=(80, 24)) as pilot:
        await pilot.press("enter")
        for key, pane in enumerate(PANES, 1):
            await pilot.press(str(key))
            await pilot.pause()
            shown = [name for name in PANES if pilot.app.screen.query_one(f"#{name}").region.area > 0]
            assert shown == [pane]


async def test_a_resize_to_40_by_12_and_back_keeps_everything() -> None:
    async with running(make_app(question=VENUS)) as pilot:
        before = flat(text_of(pilot.app, "answer"))
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        await pilot.resize_terminal(160, 50)
        await pilot.pause()
        assert flat(text_of(pilot.app, "answer")) == before


async def test_a_refusal_shows_what_came_closest_and_leads_to_it() -> None:
    async with running(make_app(threshold=1.0)) as pilot:
        await ask(pilot, "Who discovered Uranus?")
        screen = pilot.app.screen
        answer = screen.query_one("#answer", AnswerView)
        closest = screen._trace.answer.closest
        said = flat(text_of(pilot.app, "answer"))
        assert said.startswith("○ I don't know: no sentence of the notes is likely enough")
        assert flat(f"Closest: {closest.quoted} – {closest.said}") in said
        assert "Next closest" in said
        assert "Why this sentence" in said
        assert "✓" not in said
        answer.focus()
        await pilot.press("j", "g")
        await settle(pilot)
        (chunk,) = screen._trace.prompt.cited(closest.sources)
        assert answer.chunk_of(answer.cursor) == chunk.id
        assert chunk.text in flat(text_of(pilot.app, "chunk"))


async def test_a_refusal_without_a_word_in_common_shows_no_sentence() -> None:
    async with running(make_app()) as pilot:
        await ask(pilot, "xyzzy plugh")
        said = flat(text_of(pilot.app, "answer"))
        assert said.startswith("○")
        assert "losest" not in said
        assert "Why this sentence" not in said


async def test_what_is_hardly_right_is_said_to_be_no_answer() -> None:
    async with running(make_app()) as pilot:
        await ask(pilot, "What is Titan's surface temperature?")
        assert "Closest, but most likely not the answer: “" in flat(text_of(pilot.app, "answer"))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what is the", "stopword"),
        ("xyzzy plugh", "No note holds any word"),
        ("moons tag:nowhere", "Nothing in the notes matches tag:nowhere"),
        ("tag:planet", "only filters"),
        ("venus " * 1700, "Venus"),
        ("[/] [b]x[/b] \x1b[31m", "note"),
    ],
)
async def test_odd_questions_get_a_sensible_answer(question: str, expected: str) -> None:
    async with running(make_app()) as pilot:
        await ask(pilot, question)
        said = text_of(pilot.app, "answer")
        assert expected in said
        assert "\x1b" not in said


async def test_filters_on_the_question_line_narrow_every_list() -> None:
    async with running(make_app()) as pilot:
        await ask(pilot, 'moons tag:giant -title:saturn "ring"')
        for pane in ("fused", "bm25", "lsa"):
            listed = text_of(pilot.app, pane)
            assert "Nept" in listed
            assert not any(other in listed for other in ("Satu", "Mars", "Eart", "Jupi"))
        await ask(pilot, "moons tag:nowhere")
        assert "No passage meets tag:nowhere." in flat(text_of(pilot.app, "bm25"))
        await ask(pilot, "tag:giant")
        assert "Only filters" in flat(text_of(pilot.app, "bm25"))
        assert "Nept" in text_of(pilot.app, "fused")


async def test_when_no_encoder_answers_lsa_stays_and_the_failure_is_said() -> None:
    settings = {"encoder": "endpoint", "embedding_model": "m", "base_url": "http://127.0.0.1:9/v1"}
    async with running(make_app(**settings)) as pilot:
        await ask(pilot, "How long is a year on Venus?")
        assert "224.7" in text_of(pilot.app, "answer")
        assert "Venus" in text_of(pilot.app, "lsa")
        assert "The vectors of the encoder are not there: LSA stands in." in flat(text_of(pilot.app, "answer"))
        assert "the encoder failed" in pilot.app.screen._alert


async def test_a_pasted_text_becomes_one_line() -> None:
    from textual import events

    async with running(make_app()) as pilot:
        pilot.app.screen.query_one("#question").post_message(events.Paste("How long is\na year\ton\r\nVenus?"))
        await settle(pilot)
        assert pilot.app.screen.query_one("#question").value == VENUS


async def test_an_empty_folder_says_what_is_read(tmp_path: Path) -> None:
    async with running(make_app(tmp_path)) as pilot:
        assert "No notes in" in flat(text_of(pilot.app, "answer"))


async def test_a_missing_folder_says_what_to_do(tmp_path: Path) -> None:
    async with running(make_app(tmp_path / "nowhere")) as pilot:
        assert "nowhere" in flat(text_of(pilot.app, "answer"))


async def test_hostile_notes_are_drawn_as_text(tmp_path: Path) -> None:
    (tmp_path / "a[b] [red] \x1b.md").write_text(
        "# [/] title \x1b[31m\n\nThe [x] done \x9b31m mars \u202e rocks [red]!\n"
    )
    async with running(make_app(tmp_path)) as pilot:
        await ask(pilot, "mars rocks")
        for pane in PANES:
            text = text_of(pilot.app, pane)
            assert not {"\x1b", "\x9b", "\u202e"}.intersection(text)
        assert "[x] done" in text_of(pilot.app, "chunk")
        await pilot.press("2", "enter")
        await settle(pilot)
        assert "\x1b" not in text_of(pilot.app, "document")


async def test_the_notes_can_be_filtered_and_folded(tmp_path: Path) -> None:
    for name in ("plants/fern.md", "plants/moss.md", "stones/flint.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"# {Path(name).stem.title()}\n\nSome words.\n")
    async with running(make_app(tmp_path)) as pilot:
        await pilot.press("escape", "f", *"mos")
        await pilot.pause()
        assert text_of(pilot.app, "notes").split() == ["▾", "plants", "1", "Moss"]
        await pilot.press("escape", "g", "h")
        await pilot.pause()
        assert "Fern" not in text_of(pilot.app, "notes")
        assert "Flint" in text_of(pilot.app, "notes")


async def test_history_brings_back_earlier_questions() -> None:
    async with running(make_app()) as pilot:
        await ask(pilot, VENUS)
        await ask(pilot, "moons of Mars")
        await pilot.press("slash", "up", "up")
        assert pilot.app.screen.query_one("#question").value == VENUS


async def test_a_hosted_model_that_is_not_set_up_says_so_and_the_quote_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LLM_BASE_URL", "LLM_MODEL", "PLANET_TUI_API_KEY", "LLM_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    async with running(make_app(question=VENUS)) as pilot:
        await pilot.press("enter", "ctrl+g")
        await settle(pilot)
        said = flat(text_of(pilot.app, "answer"))
        assert "No hosted model is set up" in said
        assert "224.7" in said


async def test_an_unreachable_model_says_so_and_the_quote_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(question=VENUS, generator="hosted", base_url="http://127.0.0.1:9/v1", model="tiny")
    async with running(app) as pilot:
        await pilot.press("enter")
        await settle(pilot)
        said = flat(text_of(app, "answer"))
        assert "cannot be reached" in said
        assert "224.7" in said


async def test_help_lists_the_keys_and_closes() -> None:
    async with running(make_app()) as pilot:
        await pilot.press("escape", "question_mark")
        await pilot.pause()
        assert "ctrl+g" in text_of(pilot.app, "help")
        await pilot.press("escape")
        assert pilot.app.screen.query("#answer")


async def test_the_theme_switches_and_is_kept(tmp_path: Path) -> None:
    from planet_tui.settings import load

    path = tmp_path / "settings.toml"
    app = make_app()
    app._settings_path = path
    async with running(app) as pilot:
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert app.theme == "planet-light"
    assert load(path).settings.theme == "light"
    assert load(path).settings.last_folders == (), "the bundled notes are no folder of the person's own"


async def test_switching_the_theme_colours_the_lines_that_are_there() -> None:
    async with running(make_app(question=VENUS)) as pilot:
        ranked = pilot.app.screen.query_one("#fused", RankedList)

        def colours() -> set[str]:
            return {str(span.style) for line in ranked._lines for span in ranked.draw(line, 80).spans}

        dark = colours()
        await pilot.press("ctrl+t")
        await pilot.pause()
        light = colours()
        assert dark.isdisjoint(light)
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert colours() == dark


async def test_indexing_can_be_stopped_and_taken_up_again(tmp_path: Path) -> None:
    for number in range(3000):
        (tmp_path / f"{number}.md").write_text(f"# Note {number}\n\nWords about thing {number}.\n")
    app = make_app(tmp_path)
    async with app.run_test(size=(120, 40), notifications=True, tooltips=True) as pilot:
        await pilot.press("escape")
        await settle(pilot)
        if app.session.library is None or app.session.library.stage != "lsa":
            assert "stopped:" in app.screen.query_one("#status").render().plain
        await pilot.press("ctrl+r")
        await settle(pilot)
        assert app.session.library.stage == "lsa"
        assert "stopped:" not in app.screen.query_one("#status").render().plain


async def test_the_palette_opens_a_note_by_its_title() -> None:
    async with running(make_app()) as pilot:
        await pilot.press("ctrl+p")
        await pilot.press(*"neptune")
        await pilot.pause(0.5)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert "Neptune" in text_of(pilot.app, "document")


async def test_a_pane_can_have_the_whole_window() -> None:
    async with running(make_app(question=VENUS)) as pilot:
        await pilot.press("enter", "6", "z")
        await pilot.pause()
        prompt = pilot.app.screen.query_one("#prompt")
        assert prompt.region.width > 150
        await pilot.press("z")
        await pilot.pause()
        assert prompt.region.width < 80


@pytest.mark.parametrize(("pane", "expected"), [("1", "224.7"), ("6", "Question: " + VENUS), ("5", "243 Earth days")])
async def test_copy_takes_what_the_pane_shows(pane: str, expected: str) -> None:
    async with running(make_app(question=VENUS)) as pilot:
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press(pane)
        await pilot.pause()
        await pilot.press("y")
        assert expected in pilot.app.clipboard


async def test_notices_name_the_skipped_files(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Good\n\nWords.\n")
    (tmp_path / "bad.md").write_bytes(b"\x00\x01")
    async with running(make_app(tmp_path)) as pilot:
        assert "1 notice" in pilot.app.screen.query_one("#status").render().plain
        await pilot.press("escape", "w")
        await pilot.pause()
        assert "bad.md" in text_of(pilot.app, "notices")


async def test_paging_in_the_palette_before_it_is_drawn_is_harmless() -> None:
    async with running(make_app()) as pilot:
        await pilot.press("ctrl+p", "pagedown", "pageup", *"zzzz", "pagedown")
        await pilot.pause()
        await pilot.press("escape")
        await settle(pilot)
        assert pilot.app.screen.query("#answer")


async def test_brackets_in_names_are_text_in_palette_titles_and_filter(tmp_path: Path) -> None:
    (tmp_path / "[").mkdir()
    (tmp_path / "[" / "].md").write_text("# Title\n\nHeron words.\n")
    async with running(make_app(tmp_path)) as pilot:
        await pilot.press("ctrl+p", *"title")
        await pilot.pause(0.5)
        await pilot.press("escape", "escape", "f", *"[/]")
        await settle(pilot)
        answer = pilot.app.screen.query_one("#answer")
        await ask(pilot, "heron")
        trace = pilot.app.screen._trace
        answer.show(replace(trace, answer=replace(trace.answer, generator="llama[/]")))
        assert answer._border_subtitle.plain == "llama[/]"


async def test_a_lone_surrogate_can_be_copied(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("Heron words.\n")
    async with running(make_app(tmp_path)) as pilot:
        await ask(pilot, "heron")
        await pilot.press("6", "y")
        assert "Heron words" in pilot.app.clipboard


async def test_an_index_that_works_stays_until_the_new_one_does(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Herons wade.\n")
    app = make_app(tmp_path)
    async with running(app) as pilot:
        await ask(pilot, "herons")
        before = app.session.library
        app.screen.start_build()
        app.session.builds.stop()
        await settle(pilot)
        assert app.session.library.stage == "lsa"
        await ask(pilot, "wade")
        assert "Herons wade" in text_of(app, "answer")
        assert before.documents.keys() == app.session.library.documents.keys()


async def test_a_new_reading_replaces_what_the_model_answered_from(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Herons wade in water.\n")
    app = make_app(tmp_path)
    async with running(app) as pilot:
        await ask(pilot, "herons")
        screen = app.screen
        screen._show_trace(replace(screen._trace, answer=replace(screen._trace.answer, generator="tiny")))
        (tmp_path / "a.md").unlink()
        (tmp_path / "c.md").write_text("Herons fly at dusk.\n")
        await pilot.press("ctrl+r")
        await settle(pilot)
        assert "c.md" in text_of(app, "chunk")
        assert "a.md" not in text_of(app, "answer")


async def test_a_model_asked_before_the_index_is_ready_is_asked_when_it_is(tmp_path: Path) -> None:
    app = make_app(question=VENUS, generator="hosted", base_url="http://127.0.0.1:9/v1", model="tiny")
    async with app.run_test(size=(120, 40), notifications=True, tooltips=True) as pilot:
        await pilot.press("enter")
        await settle(pilot)
        assert "cannot be reached" in flat(text_of(app, "answer"))


@pytest.mark.parametrize("folder", ["\0x", "n" * 5000])
async def test_a_folder_that_no_system_takes_does_not_keep_the_app_from_starting(folder: str) -> None:
    async with running(make_app(Path(folder))) as pilot:
        assert pilot.app.screen.query_one("#answer").has_banner


async def test_the_answer_pane_shows_why_the_sentence_was_chosen() -> None:
    async with running(make_app(question=VENUS, reader="features"), size=(120, 60)) as pilot:
        await pilot.press("enter")
        await settle(pilot)
        shown = flat(text_of(pilot.app, "answer"))
        assert re.search(r"(likely|perhaps|hardly) right 0\.\d\d", shown)
        for words in ("Why this sentence", "coverage 1.00 × ", "How sure", "ahead"):
            assert words in shown


@pytest.mark.parametrize("keys", [("escape", "f"), ("ctrl+p",), ()], ids=["filter", "palette", "question"])
async def test_control_characters_in_a_pasted_text_are_not_obeyed(keys: tuple[str, ...]) -> None:
    from textual import events

    async with running(make_app()) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        await pilot.app.on_event(events.Paste("ve\x1b[31mnus\x9b1m\u202e"))
        await pilot.pause()
        await pilot.pause()
        value = pilot.app.focused.value
        assert value.startswith("ve\ufffd[31mnus") and value.isprintable()


async def test_a_tokenizer_that_is_not_there_costs_a_warning_and_no_answer(tmp_path: Path) -> None:
    async with running(make_app(tokenizer=str(tmp_path / "gone.json"))) as pilot:
        await ask(pilot, VENUS)
        assert "224.7" in text_of(pilot.app, "answer") and "Venus" in text_of(pilot.app, "bm25")
        assert "gone.json" in flat(text_of(pilot.app, "answer")).replace(" ", "")
        said = flat(text_of(pilot.app, "answer"))
        assert "counted by words and marks" in said and "leave the setting empty" in said


async def test_what_is_typed_before_the_panes_are_there_is_asked() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press(*"venus")
        await settle(pilot)
        assert app.screen.query_one("#question").value == "venus"
        assert app.screen._trace.question == "venus"
        assert "Venus" in text_of(app, "fused")


async def test_keys_are_in_the_footer_before_anything_is_asked() -> None:
    async with running(make_app(), size=(160, 50)) as pilot:
        await pilot.press("escape")
        await settle(pilot)
        assert {key.description for key in pilot.app.screen.query("FooterKey")} >= {"Ask", "Help", "Quit"}


async def test_the_meaning_of_a_sign_stands_under_the_list_that_has_the_cursor() -> None:
    async with running(make_app(question=VENUS)) as pilot:
        await pilot.press("enter", "2", "j")
        await settle(pilot)
        fused, bm25 = (pilot.app.screen.query_one(f"#{name}") for name in ("fused", "bm25"))
        rank = pilot.app.screen._trace.rankings["bm25"].rank_of(fused.cursor)
        assert f"place {rank} in BM25" in fused.border_subtitle
        await pilot.press("3")
        await settle(pilot)
        assert not fused.border_subtitle and "LSA" in bm25.border_subtitle


async def test_the_token_meter_stays_in_sight_when_a_source_is_selected() -> None:
    async with running(make_app(question=VENUS), size=(120, 40)) as pilot:
        await pilot.press("enter", "2", "j", "j", "j")
        await settle(pilot)
        prompt = pilot.app.screen.query_one("#prompt")
        assert prompt.scroll_offset.y > 4
        tokens = pilot.app.screen._trace.prompt.tokens
        assert f"{tokens:,} of 2,000" in str(prompt.border_subtitle) and "█" in str(prompt.border_subtitle)


async def test_only_rows_that_changed_are_drawn_again() -> None:
    async with running(make_app(question=VENUS)) as pilot:
        view = pilot.app.screen.query_one("#chunk")
        drawn = []
        draw = view.draw
        view.draw = lambda line, width: drawn.append(line) or draw(line, width)
        view.lay_out_again(keep_scroll=True)
        await settle(pilot)
        assert not drawn
