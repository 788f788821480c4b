from math import log

import pytest

from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex

QUESTION = "What moons does Mars have?"


def approx(*values, digits=4):
    """Equal as far as the printed digits go."""
    return pytest.approx(values, rel=0, abs=0.5 * 10**-digits)


def test_worked_example_idf(four_chunks):
    bm25 = BM25(four_chunks)
    # N = 4; moons n = 2, mars n = 3
    assert bm25.idf("moons") == pytest.approx(log(1 + 2.5 / 2.5)) == pytest.approx(log(2))
    assert bm25.idf("mars") == pytest.approx(log(1 + 1.5 / 3.5)) == pytest.approx(log(5 / 3.5))
    assert (bm25.idf("moons"), bm25.idf("mars")) == approx(0.6931, 0.3567)


def test_worked_example_term_by_term(four_chunks):
    moons, mars = zip(*(BM25(four_chunks).explain(QUESTION, chunk) for chunk in range(4)), strict=True)
    # K = 1.5 (0.25 + 0.75 · 6 / 6.5) = 1.4135 and 1.5 (0.25 + 0.75 · 7 / 6.5) = 1.5865
    assert tuple(term.length_norm for term in mars) == approx(1.4135, 1.4135, 1.5865, 1.5865)
    # f (k1 + 1) / (f + K): 2.5/2.4135 = 1.0359, 5/3.4135 = 1.4648, 5/3.5865 = 1.3941, 2.5/2.5865 = 0.9665
    assert tuple(term.saturation for term in mars) == approx(1.0359, 1.4648, 0, 0.9665)
    assert tuple(term.saturation for term in moons) == approx(1.0359, 0, 1.3941, 0)
    # 0.6931 · 1.0359 = 0.7180, 0.6931 · 1.3941 = 0.9663
    assert tuple(term.contribution for term in moons) == approx(0.7180, 0, 0.9663, 0)
    # 0.3567 · 1.0359 = 0.3695, 0.3567 · 1.4648 = 0.5225, 0.3567 · 0.9665 = 0.3447
    assert tuple(term.contribution for term in mars) == approx(0.3695, 0.5225, 0, 0.3447)
    assert [(term.term, term.count, term.document_frequency) for term in (moons[2], mars[1])] == [
        ("moons", 2, 2),
        ("mars", 2, 3),
    ]


def test_worked_example_ranking(four_chunks):
    ranking = BM25(four_chunks).search(QUESTION)
    # d1 0.7180 + 0.3695
    assert ranking.ids == (0, 2, 1, 3)
    assert tuple(hit.score for hit in ranking.hits) == approx(1.0875, 0.9663, 0.5225, 0.3447)
    assert [hit.rank for hit in ranking.hits] == [1, 2, 3, 4]
    assert ranking.name == "bm25"


def test_classic_idf_ranks_a_chunk_first_that_never_names_mars(four_chunks):
    bm25 = BM25(four_chunks, variant="classic")
    # moons ln(2.5/2.5) = 0, mars ln(1.5/3.5) = -0.8473; -0.8473 · (0.9665, 1.0359, 1.4648)
    assert (bm25.idf("moons"), bm25.idf("mars")) == approx(0, -0.8473)
    ranking = bm25.search(QUESTION)
    assert ranking.ids == (2, 3, 0, 1)
    assert tuple(hit.score for hit in ranking.hits) == approx(0, -0.8189, -0.8777, -1.2411)


def test_three_documents_with_k1_1_2(three_documents):
    bm25 = BM25(three_documents, k1=1.2)
    assert bm25.idf("cat") == pytest.approx(log(1.6))  # 1 + 1.5/2.5
    assert (bm25.idf("cat"), bm25.idf("dog")) == approx(0.47, 0.98, digits=2)
    # lengths 3, 8, 3, avg 14/3; K = 1.2 (0.25 + 0.75 · 3 / 4.667) = 0.879, s = 2.2/1.879 = 1.17
    assert tuple(bm25.explain(["cat"], chunk)[0].saturation for chunk in range(3)) == approx(1.17, 0.77, 0, digits=2)
    assert tuple(bm25.scores(["cat"])) == approx(0.55, 0.36, 0, digits=2)
    assert bm25.scores(["dog"])[1] == pytest.approx(0.76, abs=0.005)


def test_saturation_at_average_length_for_1_2_3_and_10_occurrences():
    index = InvertedIndex([" ".join(["x"] * count + ["y"] * (10 - count)) for count in (1, 2, 3, 10)], str.split)
    saturations = [BM25(index, k1=1.2).explain(["x"], chunk)[0].saturation for chunk in range(4)]
    # |d| = avg, so K = k1: f · 2.2 / (f + 1.2)
    assert saturations == pytest.approx([2.2 / 2.2, 4.4 / 3.2, 6.6 / 4.2, 22 / 11.2])
    assert tuple(saturations) == approx(1.00, 1.38, 1.57, 1.96, digits=2)


def test_k1_and_b_change_without_indexing_again(four_chunks):
    # k1 = 0: a term counts once, whatever f and |d|; d1 holds both, d3 moons, d2 and d4 mars alike
    flat = BM25(four_chunks, k1=0, b=1)
    assert flat.scores(QUESTION).tolist() == pytest.approx([log(2) + log(5 / 3.5), log(5 / 3.5), log(2), log(5 / 3.5)])
    assert flat.search(QUESTION).ids == (0, 2, 1, 3)
    # b = 0: length does not matter
    assert BM25(four_chunks, b=0).explain(QUESTION, 3)[1].length_norm == 1.5


def test_only_chunks_that_hold_a_term_are_ranked(four_chunks):
    assert BM25(four_chunks).search("moons").ids == (2, 0)
    assert BM25(four_chunks).search("moons", k=1).ids == (2,)
    assert BM25(four_chunks).search("pluto").hits == ()
    assert BM25(four_chunks).search("").hits == ()


def test_a_word_asked_twice_counts_once(four_chunks):
    bm25 = BM25(four_chunks)
    assert bm25.search("moons moons mars") == bm25.search(["moons", "mars"])


@pytest.mark.parametrize("wrong", [{"k1": -0.1}, {"b": -0.1}, {"b": 1.1}, {"variant": "okapi"}])
def test_parameters_out_of_range_are_refused(four_chunks, wrong):
    with pytest.raises(ValueError, match="k1 is at least 0"):
        BM25(four_chunks, **wrong)


def test_an_empty_collection_has_no_hits():
    assert BM25(InvertedIndex([])).search("mars").hits == ()
    assert BM25(InvertedIndex(["the"])).search("mars").hits == ()


def test_postings_of_a_common_word_are_not_counted_where_they_cannot_change_the_ranking(monkeypatch):
    # 30 chunks hold `rare` once more each; 40,000 hold `common`, whose idf is about 0.7 against 7
    texts = ["common other"] * 40_000 + [f"rare common {'x ' * (30 - extra)}{'rare ' * extra}" for extra in range(30)]
    index = InvertedIndex([*texts, *["other"] * 40_000], str.split)
    bm25 = BM25(index)
    looked_at = []
    counted = bm25._contributions
    monkeypatch.setattr(
        bm25, "_contributions", lambda idf, ids, counts: looked_at.append(len(ids)) or counted(idf, ids, counts)
    )
    ranking = bm25.search("common rare", 10)
    assert sum(looked_at) < 100
    scores = BM25(index).scores("common rare")
    assert [(hit.chunk, hit.score) for hit in ranking.hits] == [
        (chunk, scores[chunk]) for chunk in range(40_029, 40_019, -1)
    ]


# --- long questions


def test_in_a_long_question_a_term_counts_as_often_as_it_stands_there():
    index = InvertedIndex(["mars has moons", "venus is hot", "mars mars"])
    plain, counted = BM25(index), BM25(index, repeats_from=3)
    once = plain.scores(["mars", "moons"])
    assert counted.scores(["mars", "moons"]).tolist() == once.tolist()  # two terms are no long question
    mars = plain.scores(["mars"])
    assert counted.scores(["mars", "mars", "moons"]).tolist() == pytest.approx((once + mars).tolist(), rel=1e-15)
    assert counted.most(["mars", "mars", "moons"]) == pytest.approx(
        plain.most(["mars", "moons"]) + plain.most(["mars"])
    )
    terms = counted.explain(["mars", "mars", "moons"], 0)
    assert [(term.term, term.times) for term in terms] == [("mars", 2), ("moons", 1)]
    assert terms[0].contribution + terms[1].contribution == counted.scores(["mars", "mars", "moons"])[0]


def test_what_a_common_term_adds_is_kept_apart_by_how_often_it_counts(monkeypatch):
    monkeypatch.setattr("engine.indexing.bm25.COMMON", 1)
    index = InvertedIndex(["mars moon", "mars", "venus"])
    counted = BM25(index, repeats_from=2)
    once = counted.scores(["mars"]).tolist()
    assert counted.scores(["mars", "mars"]).tolist() == [2 * score for score in once]
    assert counted.scores(["mars"]).tolist() == once
