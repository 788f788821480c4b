"""Tuning the fusion: the same ranks as a search gives, folds by note, and no promise that noise could keep."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Cancelled, LabelsError
from engine.evaluation.collection_report import collection_library, evaluate_collection
from engine.evaluation.collections import data_folder, read_collection
from engine.evaluation.labels import load_questions, relevant_chunks
from engine.evaluation.report import apart, judged_questions, searches
from engine.evaluation.retrieval import FIGURES, Judged, figures_of
from engine.evaluation.tuning.folds import grouped_folds
from engine.evaluation.tuning.lists import find_lists
from engine.evaluation.tuning.record import TUNED
from engine.evaluation.tuning.search import choose, grid, tune, tune_collection, tune_library
from engine.library import Library
from engine.settings import Settings

SAMPLE = Path(__file__).parents[3] / "sample_docs"
QUESTIONS = load_questions(SAMPLE / "questions.toml")
TITLE = "Olympus Mons"
"""A question that names a note's alias or heading, beside those that do not."""


@pytest.fixture(scope="module")
def library() -> Library:
    return apart(Library.open(SAMPLE))


@pytest.fixture(scope="module")
def judged(library: Library) -> list[Judged]:
    return judged_questions(QUESTIONS, [relevant_chunks(q, library.chunks, library.documents) for q in QUESTIONS])


@pytest.mark.parametrize("fusion", ["adaptive", "rrf"])
@pytest.mark.parametrize("k1, b", [(1.5, 0.75), (0.9, 0.4)])
def test_ranks_are_those_of_a_search_under_the_same_settings(
    library: Library, judged: list[Judged], fusion: str, k1: float, b: float
):
    base = library.settings.replace(fusion=fusion, k1=k1, b=b)
    tried = [
        base.replace(lsa_weight=lsa, near_weight=near, bm25_weight=bm25)
        for lsa, near, bm25 in ((1, 1, 1), (0, 1, 1), (4, 0, 1), (0.25, 2, 2), (1, 0, 0), (2, 4, 1))
    ]
    texts = [
        *(question.text for question in judged),
        "Venus",
        TITLE,
        'Which "iron oxide" is red?',
        "path:mars.md moons",
    ]
    for text in texts:
        wanted = range(len(library.chunks))
        found = find_lists(library.with_settings(base), text).ranks(tried, wanted)
        for settings, ranks in zip(tried, found, strict=True):
            ids = searches(library.with_settings(settings))["fused"](text).ids
            expected = np.zeros(len(library.chunks), int)
            expected[list(ids)] = range(1, len(ids) + 1)
            assert ranks.tolist() == expected.tolist(), (text, settings.lsa_weight, settings.near_weight)


def test_a_collection_is_searched_by_words_alone_there_too(library: Library):
    text = 'Which moons does "Mars" have?'
    [ranks] = find_lists(library, text, as_asked=False).ranks([library.settings], range(len(library.chunks)))
    ids = searches(library, as_asked=False)["fused"](text).ids
    assert [rank for rank in ranks[list(ids)].tolist()] == [*range(1, len(ids) + 1)]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.integers(2, 6))
def test_questions_about_one_note_stay_together_and_folds_are_even(notes: list[int], n_folds: int):
    folds = grouped_folds(notes, n_folds)
    assert all(len({fold for fold, note in zip(folds, notes, strict=True) if note == one}) == 1 for one in notes)
    sizes = np.bincount(folds)
    assert len(sizes) == min(n_folds, len(set(notes))) and sizes.min() > 0
    assert sizes.max() - sizes.min() <= max(notes.count(note) for note in notes)


def test_a_gain_within_one_standard_error_is_no_reason_to_change():
    now = np.zeros(4)
    # Gains 1, 1, 1, 0: mean 0.75, deviation 0.5, standard error 0.25. Of 1, 0, 0, 0: mean 0.25, the same error.
    assert choose(np.array([now, [1.0, 1.0, 1.0, 0.0]])) == 1
    assert choose(np.array([now, [1.0, 0.0, 0.0, 0.0]])) == 0
    assert choose(np.array([now, now])) == 0


def test_the_untouched_settings_are_tried_first_and_none_twice():
    odd = Settings(k1=1.3, b=0.6, lsa_weight=3.0, near_weight=0.3)
    tried = grid(odd)
    assert tried[0] == odd
    assert len({tuple(getattr(one, name) for name in TUNED) for one in tried}) == len(tried) == 9 * 7 * 5
    assert {one.near_weight for one in grid(odd.replace(fusion="rrf"))} == {0.3}


def test_what_is_measured_is_the_fused_list_of_a_search(library: Library, judged: list[Judged]):
    tuning = tune_library(library, QUESTIONS)
    fused = searches(library)["fused"]
    rows = [figures_of(question, fused(question.text).ids) for question in judged]
    for name in FIGURES:
        assert tuning.figures[name].before == pytest.approx(np.mean([row[name] for row in rows]), abs=1e-12)
    assert (tuning.n_questions, tuning.n_groups) == (26, 8)


def test_good_settings_are_kept_and_the_advice_says_so(library: Library):
    tuning = tune_library(library, QUESTIONS)
    assert not tuning.helps and tuning.tuned == library.settings
    assert tuning.advice.startswith("Keep what you have")
    assert tuning.to_dict()["before"] == {name: getattr(library.settings, name) for name in TUNED}


def test_settings_that_harm_are_mended_and_the_gain_holds_on_questions_left_out():
    folder = data_folder()
    if folder is None:
        pytest.skip("the labelled collections are not on this machine")
    whole = read_collection(folder / "cranfield")
    collection = replace(whole, questions=whole.questions[::4])
    library = collection_library(collection, Settings(k1=10.0, b=0.0, lsa_weight=0.0, near_weight=50.0))
    tuning = tune_collection(collection, library)
    assert tuning.helps and tuning.tuned.tuned_on == 57
    assert tuning.advice.startswith("Tuned on 57 questions: ")
    gain = tuning.figures["ndcg@10"]
    assert gain.low > 0
    # Lists are 100 deep while tuning and 1,000 deep here; the first ten are the same but for a few questions.
    mended = evaluate_collection(collection, library.with_settings(tuning.tuned.replace(depth=1000)))
    found = mended.retrieval.retrievers["fused"]["ndcg@10"]
    assert found > gain.before and abs(found - gain.after) < 0.03


def test_too_few_questions_are_refused_and_a_wish_to_stop_is_heard(library: Library, judged: list[Judged]):
    with pytest.raises(LabelsError, match="Too few"):
        tune(library, judged[:9], list(range(9)))
    with pytest.raises(LabelsError, match="questions 26, notes they are about 1"):
        tune(library, judged, ["one"] * len(judged))
    told: list[int] = []
    with pytest.raises(Cancelled):
        tune_library(library, QUESTIONS, report=lambda p: told.append(p.done), should_stop=lambda: len(told) > 2)
    assert told == [0, 1, 2]
