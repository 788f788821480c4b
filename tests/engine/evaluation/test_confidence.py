"""The curve of thresholds and the reliability of probabilities, counted by hand and against scikit-learn."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from engine import Library, Question, Settings
from engine.evaluation.answers import AnswerRow
from engine.evaluation.confidence import BINS, THRESHOLDS, calibrate
from engine.evaluation.report import evaluate
from engine.evaluation.report_tables import to_markdown, to_text
from engine.records import Evidence


def row(confidence, right, n_pieces=1):
    return AnswerRow("?", n_pieces, "right" if right else "wrong", "", confidence=confidence, best_is_right=right)


def test_four_answers_by_hand():
    """0.9 right, 0.7 wrong, 0.3 right, 0.1 unanswerable."""
    found = calibrate([row(0.9, True), row(0.7, False), row(0.3, True), row(0.1, False, 0)])
    at = {each.threshold: each for each in found.curve}
    assert [(at[t].answered, at[t].right, at[t].unanswerable_refused) for t in (0.0, 0.2, 0.5, 0.8)] == [
        (4, 2, 0),
        (3, 2, 1),
        (2, 1, 1),
        (1, 1, 1),
    ]
    assert at[0.2].decided == 3
    assert [(each.n, each.said, each.right) for each in found.bins] == [
        (1, 0.1, 0.0),
        (1, 0.3, 1.0),
        (1, 0.7, 0.0),
        (1, 0.9, 1.0),
    ]
    assert found.brier == pytest.approx((0.01 + 0.49 + 0.49 + 0.01) / 4)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_nothing_is_lost(answers):
    found = calibrate([row(*each) for each in answers])
    assert sum(each.n for each in found.bins) == found.n == len(answers)
    assert len(found.bins) <= BINS
    assert [each.threshold for each in found.curve] == list(THRESHOLDS)
    assert all(
        a.answered >= b.answered and a.right >= b.right for a, b in zip(found.curve, found.curve[1:], strict=False)
    )
    outcomes, said = [right for _, right in answers], [said for said, _ in answers]
    assert found.brier == pytest.approx(
        brier_score_loss([*outcomes, 0, 1], [*said, 0, 1]) * (len(said) + 2) / len(said)
    )


def test_answers_without_probabilities_have_no_calibration():
    assert calibrate([row(None, True)]) is None


def test_the_report_says_what_every_threshold_would_do(tmp_path):
    (tmp_path / "mars.md").write_text("# Mars\n\nMars has two moons. Mars is red.\n", encoding="utf-8")
    questions = [
        Question("How many moons has Mars?", (Evidence((("mars.md", "two moons"),)),), references=("two",)),
        Question("Who bought the harbour?", unanswerable=True),
    ]
    library = Library.open(tmp_path, settings=Settings(reader="features", threshold=1.0))
    report = evaluate(library, questions)
    assert report.answers.counts()["refused"] == 1  # refused, and judged all the same
    first = report.calibration.curve[0]
    assert (first.answered, first.right) == (report.calibration.n, 1)
    assert json.loads(json.dumps(report.to_dict()))["calibration"]["curve"][0]["right"] == 1
    assert "right decisions" in to_text(report)
    assert "Reliability" in to_markdown(report)
    assert report.calibration.figure().panels[1].title == "Reliability"
    plain = evaluate(library.with_settings(Settings(reader="coverage")), questions)
    assert plain.calibration is None
    assert "calibration" not in plain.to_dict()
