import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.ranking.siblings import MOST_ABOVE, crowding, lent

passages = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 4)), max_size=20)


@given(passages)
def test_what_a_note_lends_is_what_loops_over_its_passages_find(given_passages):
    notes = np.array([note for note, _, _ in given_passages], np.int32)
    shares = np.array([terms for _, *terms in given_passages], np.float64).reshape(len(notes), 2).T
    expected = [
        sum(max(shares[term, other] for other in np.flatnonzero(notes == note)) - shares[term, at] for term in (0, 1))
        for at, note in enumerate(notes)
    ]
    assert lent(shares, notes).tolist() == expected


@given(passages)
def test_passages_above_are_those_of_the_same_note_with_more_score_or_as_much_and_an_earlier_place(given_passages):
    notes = np.array([note for note, _, _ in given_passages], np.int32)
    scores = np.array([score for _, score, _ in given_passages], np.float64)
    ranks = [
        sum(
            notes[other] == note and (scores[other] > scores[at] or (scores[other] == scores[at] and other < at))
            for other in range(len(notes))
        )
        for at, note in enumerate(notes)
    ]
    assert crowding(scores, notes).tolist() == [min(rank, MOST_ABOVE) / MOST_ABOVE for rank in ranks]
