import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.indexing.top_k import GROUP, MANY, to_ranking, top_k


def test_ties_at_the_edge_go_to_the_lowest_position():
    scores = np.zeros(1000)
    scores[[900, 17]] = 1.0
    # A partition alone would fill the third place with any of 998 zeros.
    assert top_k(scores, 4).tolist() == [17, 900, 0, 1]


def test_ties_go_to_the_lowest_id_where_ids_are_given():
    scores = np.array([2.0, 1.0, 1.0, 1.0])
    ids = np.array([5, 9, 3, 7], np.int32)
    assert top_k(scores, 3, ids).tolist() == [0, 2, 3]
    assert to_ranking("bm25", scores, 3, ids).ids == (5, 3, 7)


def test_fewer_scores_than_asked_for_all_come_out():
    assert top_k(np.array([1.0, 2.0]), 10).tolist() == [1, 0]
    assert top_k(np.array([]), 3).tolist() == []
    assert top_k(np.array([1.0]), 0).tolist() == []


def test_negative_and_infinite_scores_rank():
    assert top_k(np.array([-1.0, -np.inf, -0.5, np.inf]), 3).tolist() == [3, 2, 0]


def test_hits_are_plain_numbers_ranked_from_1():
    hit = to_ranking("lsa", np.array([0.5, 1.5], np.float32), 1).hits[0]
    assert (hit.rank, hit.chunk, hit.score, hit.copies) == (1, 1, 1.5, 1)
    assert (type(hit.chunk), type(hit.score)) == (int, float)


@given(
    seed=st.integers(0, 2**32 - 1),
    k=st.integers(1, 4),
    values=st.sampled_from([2, 30, 10**6]),
    more=st.integers(0, GROUP),
)
def test_of_many_scores_the_best_are_those_of_a_whole_sort(seed, k, values, more):
    random = np.random.default_rng(seed)
    scores = random.integers(values, size=MANY * k + more).astype(np.float32) - 1
    ids = random.permutation(len(scores)).astype(np.int32)
    assert top_k(scores, k).tolist() == np.lexsort((np.arange(len(scores)), -scores))[:k].tolist()
    assert top_k(scores, k, ids).tolist() == np.lexsort((ids, -scores))[:k].tolist()
