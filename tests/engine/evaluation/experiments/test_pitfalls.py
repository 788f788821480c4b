"""Each pitfall's figures are those of the measurement they are named after; what labels do not allow is said."""

import re
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from engine.evaluation.experiments.answer_pitfalls import _two_numbers, swapped_facts
from engine.evaluation.experiments.catalogue import EXPERIMENTS, Task
from engine.evaluation.experiments.chunking import chunking
from engine.evaluation.experiments.memory_endings import memory_endings
from engine.evaluation.experiments.pitfall_records import Ground, Pitfall
from engine.evaluation.experiments.pitfalls import Pitfalls, pitfalls
from engine.evaluation.experiments.prompts import strategies
from engine.evaluation.experiments.retrievers import retrievers
from engine.evaluation.labelled import Labelled
from engine.evaluation.metrics import dcg, ndcg
from engine.reading.markdown import parse_markdown
from engine.records import Evidence, Question
from engine.settings import Settings
from engine.text.analysis import tokenize

PAGE = Path(__file__).parents[4] / "docs" / "pitfalls.md"


@pytest.fixture(scope="module")
def found(sample: Labelled) -> Pitfalls:
    return pitfalls(sample)


def row(found: Pitfalls, name: str) -> Pitfall:
    (only,) = [each for each in found.rows if each.name == name]
    return only


def notes(**texts: str) -> dict:
    return {f"{name}.md": parse_markdown(text, f"{name}.md") for name, text in texts.items()}


def test_every_pitfall_is_measurable_on_the_sample_notes(found: Pitfalls) -> None:
    assert len(found.rows) == 15
    assert all(each.measurable and each.says for each in found.rows)
    for each in found.rows:
        if each.better == "low":
            assert each.avoided < each.made, each.name
        if each.better == "high":
            assert each.avoided > each.made, each.name


def test_headers_cuts_and_places_are_those_of_the_experiments(sample: Labelled, found: Pitfalls) -> None:
    cut = chunking(sample, sizes=(30, 60))
    headers = cut.headers[0]
    lost = row(found, "chunks that lose their subject")
    assert (lost.made, lost.avoided) == (headers.without["recall@5"], headers.with_headers["recall@5"])
    windows = [each.pieces_cut / sample.n_pieces for each in cut.strategies if each.name.startswith("windows 60")]
    evidence = row(found, "windows that cut evidence")
    assert [evidence.made, evidence.avoided] == windows
    middle = row(found, "the best source in the middle of the prompt")
    assert [middle.made, middle.avoided] == [
        each.recall - each.at_ends for each in strategies(sample, budgets=[Settings().budget]).rows
    ]


def test_the_sum_of_scores_is_that_of_the_retrievers(sample: Labelled, found: Pitfalls) -> None:
    total = retrievers(sample, dimensions=(Settings().dimensions,)).score_sum
    fused = row(found, "fusing raw scores")
    assert (fused.made, fused.avoided) == (total.same, total.same_rrf)
    assert f"{total.largest_bm25:.1f}" in fused.says


def test_the_ideal_of_the_list_forgives_what_it_missed() -> None:
    # Both notes answer; one is in the list of five chunks, the other, without a word of the question, is not.
    documents = notes(
        one="# Io\n\nIo is a moon with fire.", two="# Kuiper\n\nBeyond Neptune small bodies dwell, icy and dark."
    )
    both = tuple(
        Evidence(((name, text),)) for name, text in (("one.md", "a moon with fire"), ("two.md", "icy and dark"))
    )
    labelled = Labelled("two notes", documents, (Question("Is Io a moon with fire?", both),))
    ideal = row(pitfalls(labelled), "ideal DCG from the retrieved list")
    assert ideal.made == 1.0
    assert ideal.avoided == pytest.approx(dcg([1]) / dcg([1, 1]))
    assert ideal.avoided == ndcg({0: 1, 1: 1}, [0], 5)


def test_a_model_that_never_read_the_note_says_words_of_the_others(sample: Labelled) -> None:
    endings = memory_endings(sample, sample.library(Settings(), "bm25"))
    assert len(endings) >= 15
    for ending in endings:
        (question,) = [each for each in sample.answerable if each.text == ending.question]
        own = {name for piece in question.evidence for name, _ in piece.alternatives}
        others = {word for name, note in sample.documents.items() if not own & {name} for word in tokenize(note.text)}
        assert set(tokenize(ending.text)) <= others or len(own) > 1
        assert 0 <= ending.probability < 1


def test_how_sure_and_how_often_right(sample: Labelled, found: Pitfalls) -> None:
    endings = [each for each in memory_endings(sample, sample.library(Settings(), "bm25")) if each.text]
    confidence = row(found, "token probability as confidence")
    assert confidence.made == pytest.approx(fmean(each.probability for each in endings))
    assert confidence.avoided == fmean(each.right for each in endings)
    wrong = [each for each in endings if not each.right]
    checked = row(found, "a confident sentence that nothing supports")
    assert checked.avoided == sum(each.supported for each in wrong) / len(wrong)


def test_a_number_of_another_note_passes_only_when_both_are_cited() -> None:
    documents = notes(
        mars="# Mars\n\nA year on Mars takes 687 days.", venus="# Venus\n\nA year on Venus takes 225 days."
    )
    questions = tuple(
        Question(f"How long is a year on {name}?", (Evidence(((f"{name.lower()}.md", text),)),))
        for name, text in (("Mars", "A year on Mars takes 687 days."), ("Venus", "A year on Venus takes 225 days."))
    )
    swapped = swapped_facts(Ground(Labelled("two notes", documents, questions), Settings()))
    assert (swapped.made, swapped.avoided) == (1.0, 0.0)
    assert "2 labelled sentences" in swapped.says
    assert "“A year on Mars takes 225 days.”" in swapped.says


def test_two_places_disagree_when_each_states_a_number_close_to_the_other() -> None:
    def piece(*texts: str) -> Evidence:
        return Evidence(tuple(("neptune.md", text) for text in texts))

    assert _two_numbers(piece("orbits in 164.8 years", "one orbit, 164.79 years")) == ("164.8 years", "164.79 years")
    assert _two_numbers(piece("164.8 years", "164.8 years")) is None
    assert _two_numbers(piece("164.8 years", "580 m/s")) is None
    assert _two_numbers(piece("164.8 years and 164.79 years", "164.79 years")) is None
    assert _two_numbers(piece("21 km high", "1,000 km wide")) is None


def test_what_labels_or_notes_do_not_allow_is_said(tiny: Labelled) -> None:
    bare = replace(tiny, questions=tuple(replace(each, references=()) for each in tiny.questions))
    found = pitfalls(bare)
    missing = {each.name: each.says for each in found.rows if not each.measurable}
    assert set(missing) == {
        "token probability as confidence",
        "answering from memory",
        "a confident sentence that nothing supports",
        "facts swapped between sources",
        "mixing sources token by token",
        "a collection that contradicts itself",
    }
    assert all(says.startswith("Not measurable here: ") for says in missing.values())
    assert "17 hours and 14 minutes" in missing["answering from memory"]
    assert [line.count("–") for line in found.tables()[0].to_text().splitlines() if "–  " in line] == [2] * 6
    assert len(found.figure().panels[0].categories) == 9


def test_one_note_with_one_question_will_do() -> None:
    text = "Bread needs flour and water."
    question = Question("What does bread need?", (Evidence((("bread.md", text),)),), references=("flour",))
    found = pitfalls(Labelled("one note", notes(bread=f"# Bread\n\n{text}"), (question,)))
    assert found.n_questions == 1
    assert row(found, "chunks that lose their subject").avoided == 1.0
    assert not row(found, "token probability as confidence").measurable


def test_labels_that_stand_nowhere_are_no_crash(tiny: Labelled) -> None:
    stale = (Question("What is gone?", (Evidence((("io.md", "words of an older revision"),)),)),)
    found = pitfalls(replace(tiny, questions=stale))
    assert not row(found, "windows that cut evidence").measurable
    assert row(found, "ideal DCG from the retrieved list").avoided == 0.0


def test_the_page_shows_what_is_printed(sample: Labelled) -> None:
    page = PAGE.read_text(encoding="utf-8")
    shown = re.search(r"^\$ planet-tui experiment pitfalls\n(.*?)\n```", page, re.DOTALL | re.MULTILINE)
    printed = EXPERIMENTS["pitfalls"].run(Task(lambda: sample, Settings())).to_text()
    assert shown and shown[1] == printed
