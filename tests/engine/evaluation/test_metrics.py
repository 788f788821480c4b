from math import log2

import pytest

from engine.evaluation.metrics import average_precision, context_precision, dcg, ndcg, recall_at_k, reciprocal_rank

# The worked example: d1 has gain 2, d2 gain 1.
GAINS = {1: 2.0, 2: 1.0}
BM25, DENSE, FUSED = (1, 3, 2, 4), (2, 1, 4, 3), (1, 2, 3, 4)


@pytest.mark.parametrize(("ranking", "recalls"), [(BM25, (0.5, 0.5, 1)), (DENSE, (0.5, 1, 1)), (FUSED, (0.5, 1, 1))])
def test_worked_example_recall_at_1_2_and_3(ranking, recalls):
    assert tuple(recall_at_k({1, 2}, ranking, k) for k in (1, 2, 3)) == recalls


def test_worked_example_dcg():
    assert dcg([2, 1]) == pytest.approx(2 / log2(2) + 1 / log2(3))  # the ideal, 2.6309
    assert dcg([2, 0, 1], 3) == 2 / 1 + 1 / 2 == 2.5  # BM25
    assert dcg([1, 2, 0], 3) == pytest.approx(1 + 2 / 1.58496)  # dense, 2.2619
    assert (dcg([2, 1]), dcg([1, 2, 0])) == pytest.approx((2.6309, 2.2619), abs=5e-5)


def test_worked_example_ndcg_and_reciprocal_rank():
    # 2.5/2.6309, 2.2619/2.6309, 1
    assert [ndcg(GAINS, ranking, 3) for ranking in (BM25, DENSE, FUSED)] == pytest.approx([0.9502, 0.8597, 1], abs=5e-5)
    assert reciprocal_rank({1, 2}, BM25) == 1


def test_the_ideal_is_over_every_relevant_chunk_not_only_those_retrieved():
    # (1/log2 4) / (1 + 1/log2 3) = 0.5/1.6309; against the ideal of the retrieved alone it would be 0.5
    assert ndcg({7: 1, 8: 1}, [1, 2, 7], 3) == pytest.approx(0.3066, abs=5e-5)


def test_mean_recall_at_2_of_two_questions():
    # {0, 1} by [0, 1]: 2/2; {2, 3} by [2, 1]: 1/2
    assert (recall_at_k({0, 1}, [0, 1], 2) + recall_at_k({2, 3}, [2, 1], 2)) / 2 == 0.75


def test_a_piece_is_found_when_any_of_its_chunks_is():
    pieces = [{4, 5}, {6}, frozenset()]
    assert recall_at_k(pieces, [5, 9], 2) == pytest.approx(1 / 3)  # a piece that no chunk holds stays unfound
    assert recall_at_k(pieces, [6, 4, 5], 2) == pytest.approx(2 / 3)  # 4 and 5 are one piece
    assert recall_at_k(({1}, {1}), [1], 1) == 1


def test_reciprocal_rank_is_of_the_first_relevant_one():
    assert [reciprocal_rank({5, 6}, ranking) for ranking in ([6], [1, 5, 6], [1, 2])] == [1, 1 / 2, 0]


def test_average_precision_counts_what_was_not_found_as_0():
    # relevant at 1 and 3 of three relevant: (1/1 + 2/3 + 0) / 3
    assert average_precision({1, 2, 3}, [1, 9, 2]) == pytest.approx((1 + 2 / 3) / 3)


def test_k_cuts_the_ranking_and_the_ideal():
    assert ndcg({1: 1, 2: 1}, [1], 1) == 1
    assert ndcg({1: 1, 2: 1}, [1]) == pytest.approx(1 / (1 + 1 / log2(3)))
    assert dcg([3, 3, 3], 1) == 3


def test_nothing_relevant_or_nothing_ranked_is_0():
    for metric in (reciprocal_rank, average_precision):
        assert metric(set(), [1]) == metric({1}, []) == 0
    assert recall_at_k(set(), [1], 5) == recall_at_k({1}, [], 5) == recall_at_k({1}, [1], 0) == 0
    assert ndcg({}, [1], 5) == ndcg({1: 1}, [], 5) == ndcg({1: 0.0}, [1]) == 0
    assert dcg([]) == 0


def test_ids_may_be_names():
    assert recall_at_k({"venus.md", "mars.md"}, ["venus.md"], 1) == 0.5
    assert ndcg({"venus.md": 1}, ["mars.md", "venus.md"], 2) == pytest.approx(1 / log2(3))


def test_context_precision_weighs_by_rank_and_forgives_what_is_missing():
    # relevant at 1 and 3 of the context: (1/1 + 2/3) / 2; the third relevant one is not in it
    assert context_precision({1, 2, 3}, [1, 9, 2]) == pytest.approx((1 + 2 / 3) / 2)
    assert context_precision({1, 2}, [1, 2, 8, 9]) == 1
    assert context_precision({1}, [2]) == context_precision(set(), [2]) == context_precision({1}, []) == 0
