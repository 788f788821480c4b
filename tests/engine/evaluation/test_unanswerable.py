"""Questions made unanswerable: each change by an example, and what holds of all."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.unanswerable import SHARES, draw_change, make_unanswerable

QUESTION = "Who was the first to see 13 moons of Saturn?"
OTHERS = ["When did Cassini reach Titan?", "Which of the 83 rings is bright?"]


@pytest.mark.parametrize(
    ("change", "made"),
    [
        ("opposite", {"Who was the last to see 13 moons of Saturn?"}),
        ("negation", {"Who was not the first to see 13 moons of Saturn?"}),
        (
            "name",
            {
                "Who was the first to see 83 moons of Saturn?",
                "Who was the first to see 13 moons of Cassini?",
                "Who was the first to see 13 moons of Titan?",
            },
        ),
        ("taken away", {QUESTION}),
    ],
)
def test_each_change_by_an_example(change, made):
    assert {make_unanswerable(QUESTION, change, Random(seed), others=OTHERS) for seed in range(40)} == made


def test_another_word_is_one_that_the_text_does_not_hold():
    text = "The bright moons reach far."
    made = {make_unanswerable(QUESTION, "word", Random(seed), others=OTHERS, text=text) for seed in range(40)}
    assert made == {"Who was the rings to see 13 moons of Saturn?", "Who was the first to see 13 rings of Saturn?"}


@pytest.mark.parametrize("change", [change for change in SHARES if change != "taken away"])
def test_what_cannot_be_changed_is_not(change):
    assert make_unanswerable("Why?", change, Random(0)) is None


def test_changes_are_drawn_as_often_as_people_made_them():
    random = Random(0)
    drawn = [draw_change(random) for _ in range(4000)]
    for change, share in SHARES.items():
        assert drawn.count(change) / 4000 == pytest.approx(share, abs=0.03)


@given(st.text("Who was first 12 Mars,?’n", max_size=40), st.sampled_from([*SHARES]), st.integers(0, 99))
def test_a_changed_question_is_another_one(question, change, seed):
    made = make_unanswerable(question, change, Random(seed), others=[question, QUESTION])
    assert made is None or (made == question) == (change == "taken away")
