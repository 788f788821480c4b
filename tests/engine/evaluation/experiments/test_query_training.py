import numpy as np
import pytest

from engine import LSA, InvertedIndex
from engine.errors import LabelsError
from engine.evaluation.experiments.query_training import FIGURES, FOLDS, _apart, query_training
from engine.evaluation.retrieval import Judged, evaluate_retrieval
from engine.modelling.query_encoder import label_log_likelihoods
from engine.settings import Settings


@pytest.fixture(scope="module")
def foreign():
    """A text has a subject and a quality; questions have another word for the subject, which stands in no text that
    is asked about. It stands twice elsewhere, so that LSA has a place for it."""
    subjects, qualities = [f"s{at}" for at in range(8)], [f"q{at}" for at in range(8)]
    texts = [f"{subject} {quality} {subject}" for subject in subjects for quality in qualities]
    elsewhere = [f"foreign{word} alone" for word in subjects] * 2
    questions = [
        Judged(f"foreign{subjects[s]} {qualities[q]}", (frozenset({8 * s + q}),)) for s in range(8) for q in range(8)
    ]
    return LSA(InvertedIndex([*texts, *elsewhere]), 32), questions


def test_what_other_questions_teach_raises_recall_of_those_held_out(foreign):
    lsa, questions = foreign
    result = query_training("foreign", lsa, questions)
    assert result.split == "other texts" and result.n_questions == 64 and 30 <= result.n_trained <= 45
    recall = result.figures["recall@1"]
    assert recall.after > recall.before + 0.2 and recall.p < 0.05


def test_before_is_what_lsa_finds(foreign):
    lsa, questions = foreign
    [title] = query_training("foreign", lsa, questions).tables()
    by_lsa = evaluate_retrieval(questions, {"lsa": lambda text: lsa.search(text, 100)}).retrievers["lsa"]
    before = {row[0]: row[1] for row in title.rows}
    assert list(before) == list(FIGURES)
    assert before == {name: pytest.approx(by_lsa[name]) for name in FIGURES}
    assert "64 questions" in title.title


def test_the_same_seed_gives_the_same_record(foreign):
    lsa, questions = foreign
    assert query_training("foreign", lsa, questions[:20]) == query_training("foreign", lsa, questions[:20])


def test_no_more_questions_are_trained_on_than_asked_for(foreign):
    lsa, questions = foreign
    few = query_training("foreign", lsa, questions, "other questions", most=5)
    assert few.n_trained == 5
    assert few.figures["recall@1"].after < query_training("foreign", lsa, questions).figures["recall@1"].after


def test_with_other_texts_no_training_question_shares_a_text_with_a_held_out_one():
    labels = label_log_likelihoods([[0], [0, 1], [1], [2]], 3)
    held_out = np.array([True, False, False, False])
    assert _apart(~held_out, held_out, labels, "other texts").tolist() == [False, False, True, True]
    assert _apart(~held_out, held_out, labels, "other questions").tolist() == [False, True, True, True]


def test_questions_that_all_share_one_text_leave_nothing_to_train_on(foreign):
    lsa, _ = foreign
    questions = [Judged(f"s{at}", (frozenset({0}),)) for at in range(6)]
    result = query_training("one text", lsa, questions)
    assert result.penalties == (None,) * FOLDS and result.n_trained == 0
    assert all(figure.difference == 0 for figure in result.figures.values())


def test_questions_without_a_relevant_text_are_left_out(foreign):
    lsa, questions = foreign
    lost = Judged("Where is it?", (frozenset(),))
    assert query_training("foreign", lsa, [lost, *questions[:10]]).n_questions == 10
    with pytest.raises(LabelsError, match="relevant"):
        query_training("foreign", lsa, [lost])


def test_a_collection_too_small_for_a_space_stays_as_it_is():
    result = query_training("tiny", LSA(InvertedIndex(["one", "two"])), [Judged("one", (frozenset({0}),))] * 6)
    assert result.n_dims == 0 and result.penalties == (None,) * FOLDS


def test_26_questions_about_the_sample_notes_are_too_few(sample):
    library = sample.library(Settings())
    assert library.lsa is not None
    result = query_training("sample notes", library.lsa, sample.judged(library))
    recall = result.figures["recall@10"]
    assert result.n_questions == 26 and abs(recall.difference) < 0.05 and recall.p > 0.05
