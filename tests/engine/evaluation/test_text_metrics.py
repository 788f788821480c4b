import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.text_metrics import exact_match, normalize_answer, token_f1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Great Red Spot!", "great red spot"),
        ("  a\tred\n an  apple the ", "red apple"),
        ("U.S.", "us"),
        ("co-operate", "cooperate"),
        ("Anna and Theo", "anna and theo"),
        ("224.7 days", "2247 days"),
        ("l'été_2024", "lété2024"),
        ("火星。", "火星"),
        ("the", ""),
    ],
)
def test_normalising_drops_case_signs_articles_and_blanks(text, expected):
    assert normalize_answer(text) == expected


def test_worked_example_one_of_two_words_is_two_thirds():
    # precision 1/2, recall 1/1: 2 · (1/2 · 1)/(1/2 + 1) = 2/3
    assert token_f1("Nora Lind", ["Lind"]) == pytest.approx(2 / 3)
    assert exact_match("Nora Lind", ["Lind"]) == 0


def test_repeats_count_as_often_as_both_have_them():
    # common: red twice, moon once = 3; 2 · 3 / (4 + 3)
    assert token_f1("red red red moon", ["red moon red"]) == pytest.approx(6 / 7)


def test_the_best_reference_counts():
    assert exact_match("the moon", ["Phobos", "Moon."]) == 1
    assert token_f1("two moons", ["moons", "two moons of Mars"]) == pytest.approx(2 / 3)
    assert token_f1("two moons", "two moons") == 1, "a text alone is one reference"


@pytest.mark.parametrize(
    ("prediction", "references", "expected"),
    [("", [""], 1), ("the", ["a"], 1), ("", [], 1), ("Mars", [""], 0), ("", ["Mars"], 0), ("Mars", [], 0)],
)
def test_two_empty_texts_agree_and_one_empty_text_does_not(prediction, references, expected):
    assert token_f1(prediction, references) == exact_match(prediction, references) == expected


@given(st.text(), st.text())
def test_f1_is_symmetric_bounded_and_1_when_the_match_is_exact(one, other):
    f1 = token_f1(one, [other])
    assert f1 == token_f1(other, [one])
    assert exact_match(one, [other]) <= f1 <= 1
    assert normalize_answer(normalize_answer(one)) == normalize_answer(one)
