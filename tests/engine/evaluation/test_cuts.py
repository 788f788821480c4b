"""How many spans windows cut, counted against the formula."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chunking.windows import cut_probability
from engine.evaluation.cuts import cut_counts, pieces_of
from engine.records import Document, Evidence, Question, Span

TEN = {"ten.md": Document("ten.md", "Ten", "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9")}


def span(first: int, last: int) -> tuple[str, Span]:
    return "ten.md", Span(3 * first, 3 * last + 2)


def test_windows_of_four_words_cut_two_of_four_spans():
    # Windows 0-3, 4-7, 8-9. Spans of two words: 0-1 whole, 3-4 cut, 7-8 cut, 8-9 whole. By the formula 1/4 each.
    pieces = [[span(0, 1)], [span(3, 4)], [span(7, 8)], [span(8, 9)]]
    (count,) = cut_counts(TEN, pieces, [(4, 0)])
    assert (count.n_pieces, count.counted, count.expected) == (4, 2, 1.0)


def test_one_place_whole_is_enough_and_the_shortest_place_is_expected():
    # With o = 1 windows are 0-3, 3-6, 6-9: 2-4 is cut, 3-4 is not. Expected: (2 - 1 - 1)/3 = 0 for two words.
    alone, both = cut_counts(TEN, [[span(2, 4)]], [(4, 1)]), cut_counts(TEN, [[span(2, 4), span(3, 4)]], [(4, 1)])
    assert (alone[0].counted, alone[0].expected) == (1, pytest.approx(1 / 3))
    assert (both[0].counted, both[0].expected) == (0, 0)


def test_labelled_evidence_is_looked_for_in_every_place_and_what_is_gone_is_left_out():
    again = Document("a.md", "A", "red dust, red  dust")
    evidence = Evidence((("a.md", "red dust"), ("gone.md", "red")))
    questions = [Question("?", (evidence, Evidence((("a.md", "blue"),))))]
    assert list(pieces_of(questions, {"a.md": again})) == [[("a.md", Span(0, 8)), ("a.md", Span(10, 19))]]


@given(window=st.integers(1, 9), data=st.data())
def test_over_all_positions_far_from_the_ends_the_count_is_the_expectation(window, data):
    overlap = data.draw(st.integers(0, window - 1))
    length = data.draw(st.integers(1, window + 2))
    stride = window - overlap
    documents = {"a": Document("a", "A", " ".join("w" * (12 * stride + 2 * window + length)))}
    positions = range(2 * stride, 10 * stride)
    pieces = [[("a", Span(2 * at, 2 * (at + length) - 1))] for at in positions]
    (count,) = cut_counts(documents, pieces, [(window, overlap)])
    assert count.counted == pytest.approx(len(positions) * cut_probability(length, window, overlap))
    assert count.expected == pytest.approx(count.counted)
