"""Words of a question that stand close together in a passage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ranking.closeness import WINDOWS, closeness, nearness


def test_close_words_count_and_the_header_is_close_to_all():
    idf = {"iron": 1.0, "mars": 3.0}
    far = ["iron", *["word"] * 10, "mars"]
    assert closeness(["iron", "mars"], idf, 8) == 1.0
    assert closeness(far, idf, 8) == 0.75
    assert closeness(far, idf, 12) == 1.0
    assert closeness(["iron"], idf, 8, header=["mars"]) == 1.0
    assert closeness([], idf, 8) == closeness(["iron"], {}, 8) == 0.0
    # 0.75 within 4 and within 8 terms, 1 within 32.
    assert nearness(far, idf) == pytest.approx((0.75 + 0.75 + 1) / 3)


@given(st.lists(st.sampled_from("abcx"), max_size=30), st.integers(1, 12))
def test_closeness_is_the_best_of_every_window(terms, window):
    idf = {"a": 1.0, "b": 2.0, "c": 4.0}
    windows = [set(terms[at : at + window]) for at in range(len(terms))] or [set()]
    best = max(sum(idf[term] for term in held if term in idf) for held in windows)
    assert closeness(terms, idf, window) == best / 7


@given(st.lists(st.sampled_from("abcx"), max_size=60), st.lists(st.sampled_from("abc"), max_size=2))
def test_nearness_is_at_most_the_share_that_stands_there_and_at_least_that_of_the_narrowest_window(terms, header):
    idf = {"a": 1.0, "b": 2.0, "c": 4.0}
    held = sum(idf[term] for term in {*terms, *header} if term in idf) / 7
    assert closeness(terms, idf, WINDOWS[0], header) <= nearness(terms, idf, header) + 1e-12 <= held + 2e-12
