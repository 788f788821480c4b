import pytest

from engine.ranking.fusion import fusion_parts, reciprocal_rank_fusion
from engine.records import Hit, Ranking


def ranking(name, *chunks):
    return Ranking(name, tuple(Hit(rank, chunk, 1 / rank) for rank, chunk in enumerate(chunks, 1)))


def test_worked_example_with_c_10():
    # BM25 d1 d3 d2 d4, dense d2 d1 d4 d3
    fused = reciprocal_rank_fusion([[1, 3, 2, 4], [2, 1, 4, 3]], c=10)
    assert fused.ids == (1, 2, 3, 4)
    assert [hit.score for hit in fused.hits] == pytest.approx(
        [1 / 11 + 1 / 12, 1 / 13 + 1 / 11, 1 / 12 + 1 / 14, 1 / 14 + 1 / 13]
    )
    assert [hit.score for hit in fused.hits] == pytest.approx([0.1742, 0.1678, 0.1548, 0.1484], abs=5e-5)


def test_lists_of_different_members_with_c_60():
    a, b, c, d = range(4)
    fused = reciprocal_rank_fusion([[a, b, c], [b, d, a]])
    # B 1/62 + 1/61, A 1/61 + 1/63, D 1/62, C 1/63
    assert fused.ids == (b, a, d, c)
    assert [hit.score for hit in fused.hits] == pytest.approx([0.03252, 0.03227, 0.01613, 0.01587], abs=5e-6)
    assert [hit.rank for hit in fused.hits] == [1, 2, 3, 4]


def test_ties_go_to_the_lower_id():
    assert reciprocal_rank_fusion([[7, 3], [3, 7]]).ids == (3, 7)


def test_a_weight_of_2_counts_a_list_twice():
    once = reciprocal_rank_fusion([[1, 2], [2, 1], [2, 1]], c=0)
    assert reciprocal_rank_fusion([[1, 2], [2, 1]], c=0, weights=[1, 2]) == once
    # 1/2 + 2/1 = 2.5 against 1/1 + 2/2 = 2
    assert [(hit.chunk, hit.score) for hit in once.hits] == [(2, 2.5), (1, 2.0)]


def test_weights_must_be_as_many_as_lists():
    with pytest.raises(ValueError, match="1 weights for 2 lists"):
        reciprocal_rank_fusion([[1], [2]], weights=[1])


def test_nothing_fused_is_nothing():
    assert reciprocal_rank_fusion([]).hits == ()
    assert reciprocal_rank_fusion([[], Ranking("lsa")], name="fused") == Ranking("fused")


def test_scores_of_the_lists_do_not_matter_and_copies_stay():
    lists = [Ranking("bm25", (Hit(1, 4, 99.0, 3), Hit(2, 5, 1.0))), ranking("lsa", 5, 4)]
    fused = reciprocal_rank_fusion(lists)
    assert [(hit.chunk, hit.copies) for hit in fused.hits] == [(4, 3), (5, 1)]


def test_parts_say_what_each_list_adds():
    parts = fusion_parts([ranking("bm25", 8, 9), ranking("lsa", 7)], 9, c=60)
    assert [(part.ranking, part.rank, part.contribution) for part in parts] == [("bm25", 2, 1 / 62), ("lsa", None, 0.0)]
