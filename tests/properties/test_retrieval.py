"""What holds of indexing, ranking and fusion for every collection and question."""

from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.metrics import average_precision, ndcg, recall_at_k, reciprocal_rank
from engine.indexing.bm25 import BM25
from engine.indexing.exact import exact_search
from engine.indexing.inverted_index import InvertedIndex, Prefix
from engine.indexing.lsa import LSA
from engine.indexing.tfidf import Tfidf
from engine.indexing.top_k import top_k
from engine.ranking.duplicates import Duplicates
from engine.ranking.fusion import fusion_parts, reciprocal_rank_fusion
from engine.records import Hit, Ranking

WORDS = st.sampled_from("mars moon phobos orbit dust iron red venus".split())
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=12)
QUERIES = st.lists(WORDS | st.just("unknown"), max_size=6)
K1, B = st.floats(0, 10), st.floats(0, 1)
VARIANTS = st.sampled_from(["lucene", "classic"])
FEW_SCORES = st.lists(st.sampled_from([-1.0, 0.0, 0.5, 0.5000001, 2.0]), max_size=40)
GAINS = st.dictionaries(st.integers(0, 9), st.integers(1, 4), min_size=1)
LISTS = st.lists(st.lists(st.integers(0, 20), unique=True, max_size=10), max_size=4)


def index_of(texts):
    return InvertedIndex(texts, str.split)


@given(TEXTS)
def test_postings_count_every_word_of_every_chunk(texts):
    index = index_of(texts)
    for chunk, text in enumerate(texts):
        assert index.lengths[chunk] == len(text.split())
        assert {term: index.count(term, chunk) for term in set(text.split())} == {
            term: text.split().count(term) for term in text.split()
        }
    assert index.counts.sum() == index.lengths.sum()
    for term in index.vocabulary:
        ids, _ = index.postings(term)
        assert (np.diff(ids) > 0).all()
        assert len(ids) == index.document_frequency(term) == sum(term in text.split() for text in texts)


@given(TEXTS, QUERIES, K1, B, VARIANTS)
def test_contributions_added_in_order_are_the_score_to_the_last_bit(texts, query, k1, b, variant):
    bm25 = BM25(index_of(texts), k1, b, variant)
    scores = bm25.scores(query)
    for chunk in range(len(texts)):
        assert reduce(add, (term.contribution for term in bm25.explain(query, chunk)), 0.0) == scores[chunk]


@given(TEXTS, QUERIES, K1, B, VARIANTS, st.integers(1, 12))
def test_bm25_ranks_the_chunks_that_hold_a_term_by_score_and_ties_by_id(texts, query, k1, b, variant, k):
    bm25 = BM25(index_of(texts), k1, b, variant)
    scores = bm25.scores(query)
    holds = [chunk for chunk, text in enumerate(texts) if set(text.split()) & set(query)]
    assert bm25.search(query, k).ids == tuple(sorted(holds, key=lambda chunk: (-scores[chunk], chunk))[:k])


@given(st.data(), QUERIES, K1, B, VARIANTS, st.integers(1, 6))
def test_bm25_finds_the_same_when_it_leaves_out_what_common_terms_alone_hold(data, query, k1, b, variant, k):
    held = st.lists(st.sampled_from([*["mars"] * 12, *["moon"] * 6, "dust", "iron"]), min_size=1, max_size=6)
    texts = data.draw(st.lists(held.map(" ".join), min_size=1, max_size=60))
    allowed = data.draw(st.none() | st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)).map(np.array))
    index = index_of(texts)
    with pytest.MonkeyPatch.context() as patch:
        for name, small in (("MANY", 0), ("WORTH", 2), ("BLOCK", 3), ("COMMON", 5), ("KEPT", 20)):
            patch.setattr(f"engine.indexing.bm25.{name}", small)
        bm25 = BM25(index, k1, b, variant)
        rankings = [bm25.search(query, k, allowed=allowed) for _ in range(2)]
    scores = BM25(index, k1, b, variant).scores(query)
    holds = {chunk for term in query for chunk in index.postings(term)[0].tolist()}
    holds = holds if allowed is None else {chunk for chunk in holds if allowed[chunk]}
    best = sorted(holds, key=lambda chunk: (-scores[chunk], chunk))[:k]
    for ranking in rankings:
        assert [(hit.chunk, hit.score) for hit in ranking.hits] == [(chunk, scores[chunk]) for chunk in best]


@given(TEXTS, QUERIES, st.sampled_from(["m", "mo", "o", "dust", "x"]), st.integers(1, 20))
def test_the_start_of_a_word_scores_as_one_word_in_place_of_all_that_start_so(texts, query, start, few):
    prefix = Prefix(start)
    merged = index_of([" ".join(prefix if word.startswith(start) else word for word in text.split()) for text in texts])
    others = [term for term in query if not term.startswith(start)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.indexing.inverted_index.FEW", few)
        index = index_of(texts)
        assert BM25(index).search([*others, prefix], 12) == BM25(merged).search([*others, str(prefix)], 12)
    for chunk, text in enumerate(texts):
        *_, last = BM25(index).explain([*others, prefix], chunk)
        assert set(last.stands_for) == {word for word in text.split() if word.startswith(start)}
        assert (
            reduce(add, (term.contribution for term in BM25(index).explain([*others, prefix], chunk)), 0.0)
            == (BM25(index).scores([*others, prefix])[chunk])
        )


@given(TEXTS, st.sampled_from(["mo", "dust", "x"]), st.lists(st.sampled_from(["mars", "moon", "iron", "none"])))
def test_a_start_may_stand_for_other_terms_too(texts, start, also):
    prefix = Prefix(start, [term for term in dict.fromkeys(also) if not term.startswith(start)])
    index = index_of(texts)
    held = [[word for word in text.split() if word.startswith(start) or word in prefix.also] for text in texts]
    ids, counts = index.postings(prefix)
    assert dict(zip(ids.tolist(), counts.tolist(), strict=True)) == {at: len(w) for at, w in enumerate(held) if w}
    for chunk, words in enumerate(held):
        assert set(index.started_by(prefix, chunk)) == set(words)


@given(TEXTS, QUERIES, K1, B)
def test_bm25_is_the_formula(texts, query, k1, b):
    n_chunks, average = len(texts), sum(len(text.split()) for text in texts) / len(texts)
    expected = []
    for words in map(str.split, texts):
        score = 0.0
        for term in dict.fromkeys(query):
            f, n = words.count(term), sum(term in text.split() for text in texts)
            idf = np.log(1 + (n_chunks - n + 0.5) / (n + 0.5))
            if f:
                score += idf * f * (k1 + 1) / (f + k1 * (1 - b + b * len(words) / average))
        expected.append(score)
    assert BM25(index_of(texts), k1, b).scores(query).tolist() == pytest.approx(expected, rel=1e-12)


@given(TEXTS, QUERIES, st.randoms())
def test_scores_do_not_depend_on_the_order_of_the_chunks(texts, query, random):
    order = random.sample(range(len(texts)), len(texts))
    index, shuffled = index_of(texts), index_of([texts[chunk] for chunk in order])
    assert BM25(shuffled).scores(query).tolist() == BM25(index).scores(query)[order].tolist()
    assert Tfidf(shuffled).scores(query).tolist() == pytest.approx(Tfidf(index).scores(query)[order].tolist())
    rank = min(len(texts), 8)
    assert LSA(shuffled, rank).scores(query).tolist() == pytest.approx(
        LSA(index, rank).scores(query)[order].tolist(), abs=1e-9
    )


@given(TEXTS, QUERIES)
def test_with_all_dimensions_lsa_ranks_as_tfidf_over_the_same_terms(texts, query):
    index = index_of(texts)
    shared = InvertedIndex(texts, lambda text: [term for term in text.split() if index.document_frequency(term) >= 2])
    lsa, cosines = LSA(index, len(texts) + 8), Tfidf(shared).scores(query)
    # The question's part outside the rows' space is lost to every chunk alike: one factor, above 0, for all.
    factor = np.linalg.norm(cosines) / (np.linalg.norm(lsa.scores(query)) or 1)
    assert (lsa.scores(query) * factor).tolist() == pytest.approx(cosines.tolist(), abs=1e-9)
    assert factor > 0 or not cosines.any()


@given(TEXTS, QUERIES, st.integers(1, 8))
def test_what_the_terms_add_to_an_lsa_cosine_sums_to_it(texts, query, dimensions):
    lsa = LSA(index_of(texts), dimensions)
    scores = lsa.scores(query)
    for chunk, text in enumerate(texts):
        assert sum(share for _, share in lsa.contributions(query, text)) == pytest.approx(scores[chunk], abs=1e-9)


@given(TEXTS, QUERIES, st.integers(0, 8))
def test_cosines_stay_between_minus_1_and_1_and_rows_are_unit_or_zero(texts, query, dimensions):
    index = index_of(texts)
    lsa, tfidf = LSA(index, dimensions), Tfidf(index)
    assert (np.abs(lsa.scores(query)) <= 1 + 1e-9).all()
    assert ((tfidf.scores(query) >= 0) & (tfidf.scores(query) <= 1 + 1e-9)).all()
    for norm in np.linalg.norm(lsa.embeddings, axis=1):
        assert norm == 0 or norm == pytest.approx(1)
    assert (np.diff(lsa.singular_values) <= 0).all()


@given(FEW_SCORES, st.integers(0, 50), st.randoms())
def test_top_k_is_the_head_of_the_full_sort_with_ties_by_id(scores, k, random):
    places = range(len(scores))
    assert top_k(np.array(scores, float), k).tolist() == sorted(places, key=lambda at: (-scores[at], at))[:k]
    ids = random.sample(range(1000), len(scores))
    assert (
        top_k(np.array(scores, float), k, np.array(ids, np.int32)).tolist()
        == sorted(places, key=lambda at: (-scores[at], ids[at]))[:k]
    )


@given(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=1, max_size=20), st.integers(1, 25))
def test_exact_search_is_the_head_of_all_dot_products(rows, k):
    vectors, query = np.array(rows, float), np.array([2.0, 1.0])
    dots = (vectors @ query).tolist()
    assert exact_search(vectors, query, k).ids == tuple(sorted(range(len(rows)), key=lambda at: (-dots[at], at))[:k])


@given(LISTS, st.floats(0, 100))
def test_rrf_is_the_formula_and_its_parts_sum_to_it(lists, c):
    fused = reciprocal_rank_fusion(lists, c)
    rankings = [
        Ranking(str(at), tuple(Hit(rank, chunk, 0.0) for rank, chunk in enumerate(ids, 1)))
        for at, ids in enumerate(lists)
    ]
    assert reciprocal_rank_fusion(rankings, c) == fused
    assert set(fused.ids) == {chunk for ids in lists for chunk in ids}
    assert list(fused.hits) == sorted(fused.hits, key=lambda hit: (-hit.score, hit.chunk))
    for hit in fused.hits:
        parts = fusion_parts(rankings, hit.chunk, c)
        assert reduce(add, (part.contribution for part in parts), 0.0) == hit.score
        assert hit.score == pytest.approx(sum(1 / (c + 1 + ids.index(hit.chunk)) for ids in lists if hit.chunk in ids))


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=15), st.randoms(), st.integers(1, 15))
def test_copies_are_shown_once_at_their_best_place(texts, random, depth):
    order = random.sample(range(len(texts)), len(texts))
    ranking = Ranking("bm25", tuple(Hit(rank, chunk, -float(rank)) for rank, chunk in enumerate(order, 1)))
    duplicates = Duplicates(texts)
    found = duplicates.search(lambda k: Ranking("bm25", ranking.hits[:k]), depth)
    assert [texts[chunk] for chunk in found.ids] == list(dict.fromkeys(texts[chunk] for chunk in order))[:depth]
    assert set(found.ids) <= {next(chunk for chunk in order if texts[chunk] == letter) for letter in texts}
    assert [hit.copies for hit in found.hits] == [texts.count(texts[hit.chunk]) for hit in found.hits]


@given(
    st.dictionaries(st.integers(0, 9), st.integers(1, 4), min_size=1), st.permutations(range(10)), st.integers(1, 12)
)
def test_metrics_stay_between_0_and_1_and_the_best_order_has_1(gains, ranking, k):
    for value in (
        ndcg(gains, ranking, k),
        recall_at_k(gains, ranking, k),
        reciprocal_rank(gains, ranking),
        average_precision(gains, ranking),
    ):
        assert 0 <= value <= 1
    best = sorted(gains, key=lambda item: -gains[item])
    assert ndcg(gains, best, k) == pytest.approx(1)
    assert average_precision(gains, best) == reciprocal_rank(gains, best) == recall_at_k(gains, best, 10) == 1
