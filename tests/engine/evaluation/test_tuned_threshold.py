"""The tuned threshold: by hand on a few answers, and no change where there is nothing to gain."""

import numpy as np

from engine.evaluation.answers import AnswerRow
from engine.evaluation.tuning.threshold import tune_threshold
from engine.records import Evidence, Question


def answers(*outcomes: tuple[float | None, bool, bool]) -> tuple[list[AnswerRow], list[Question]]:
    """Return judged answers and their questions from (probability, best sentence right, has an answer)."""
    rows, questions = [], []
    for at, (said, right, answerable) in enumerate(outcomes):
        outcome = "right" if right else "wrong"
        rows.append(AnswerRow(f"q{at}", int(answerable), outcome, "", confidence=said, best_is_right=right))
        evidence = (Evidence(((f"note{at}.md", "x"),)),) if answerable else ()
        questions.append(Question(f"q{at}", evidence, unanswerable=not answerable))
    return rows, questions


def test_a_threshold_that_parts_the_answerable_from_the_others_is_found():
    # 20 right answers at 0.9, 20 questions without an answer at 0.6: at 0.5 half of the decisions are right.
    made = [(0.9, True, True)] * 20 + [(0.6, False, False)] * 20
    tuned = tune_threshold(*answers(*made), 0.5)
    assert tuned.helps and 0.6 < tuned.after <= 0.9
    assert (tuned.gain.before, tuned.gain.after, tuned.gain.n) == (0.5, 1.0, 40)
    assert tuned.after == 0.65  # of those that do as well the closest to that of now
    assert tuned.to_dict()["by_fold"] == [0.65] * 5
    assert "threshold = 0.65" in tuned.tables()[0].to_text()


def test_without_unanswerable_questions_there_is_nothing_to_gain_by_refusing():
    chance = np.random.default_rng(0)
    made = [(float(chance.random()), bool(chance.random() < 0.7), True) for _ in range(60)]
    tuned = tune_threshold(*answers(*made), 0.0)
    assert tuned.after == 0.0 and not tuned.helps and tuned.advice.startswith("Keep the threshold")


def test_noise_does_not_pass_for_a_gain():
    helped = 0
    for seed in range(20):
        chance = np.random.default_rng(seed)
        # Probabilities that say nothing, and as many right answers as questions without one: all thresholds are alike.
        made = [(float(chance.random()), here, here) for here in (chance.random(60) < 0.5).tolist()]
        helped += tune_threshold(*answers(*made), 0.5).helps
    assert helped <= 2


def test_answers_without_probabilities_or_too_few_are_not_tuned():
    assert tune_threshold(*answers(*[(None, True, True)] * 30), 0.5) is None
    assert tune_threshold(*answers(*[(0.5, True, True)] * 9), 0.5) is None
