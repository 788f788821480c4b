from math import log, sqrt

import numpy as np
import pytest

from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.tfidf import Tfidf

QUESTION = "What moons does Mars have?"


def test_worked_example_with_raw_counts(four_chunks):
    tfidf = Tfidf(four_chunks, sublinear=False)
    idf = dict(zip(four_chunks.vocabulary, tfidf.idf.tolist(), strict=True))
    # N = 4: ln(5/4) + 1, ln(5/3) + 1, ln(5/2) + 1
    assert (idf["mars"], idf["moons"], idf["phobos"], idf["dust"]) == pytest.approx(
        (1.2231, 1.5108, log(5 / 3) + 1, 1.9163), abs=5e-5
    )
    # d1 · q = 1.2231² + 1.5108², d2 · q = 2 · 1.2231², d3 · q = 2 · 1.5108², d4 · q = 1.2231²
    dots = np.array([3.7787, 2.9922, 4.5652, 1.4961])
    assert dots.tolist() == pytest.approx(
        [
            idf["mars"] ** 2 + idf["moons"] ** 2,
            2 * idf["mars"] ** 2,
            2 * idf["moons"] ** 2,
            idf["mars"] ** 2,
        ],
        abs=5e-5,
    )
    # |d1| = √(1.2231² + 1.5108² + 1.5108² + 3 · 1.9163²), phobos standing in d1 and d2; |q| = √3.7787
    assert 4.1325 == pytest.approx(sqrt(idf["mars"] ** 2 + 2 * idf["moons"] ** 2 + 3 * idf["dust"] ** 2), abs=5e-5)
    lengths, query = np.array([4.1325, 4.3913, 5.2432, 4.8507]), 1.9439
    assert tfidf.scores(QUESTION).tolist() == pytest.approx((dots / lengths / query).tolist(), abs=5e-5)
    assert tfidf.scores(QUESTION).tolist() == pytest.approx([0.4704, 0.3505, 0.4479, 0.1587], abs=5e-5)
    assert tfidf.search(QUESTION).ids == (0, 2, 1, 3)
    assert tfidf.search(QUESTION).name == "tfidf"


def test_sublinear_counts_a_repeated_word_less_than_twice():
    index = InvertedIndex(["moon moon sun", "moon sun"], str.split)
    raw, damped = Tfidf(index, sublinear=False).matrix.toarray(), Tfidf(index).matrix.toarray()
    # both idf are ln(3/3) + 1 = 1: rows (2, 1)/√5 and (1 + ln 2, 1)/√((1 + ln 2)² + 1)
    assert raw[0].tolist() == pytest.approx([2 / sqrt(5), 1 / sqrt(5)])
    weight = 1 + log(2)
    assert damped[0].tolist() == pytest.approx([weight / sqrt(weight**2 + 1), 1 / sqrt(weight**2 + 1)])


def test_rows_are_unit_vectors_and_a_chunk_without_terms_is_a_row_of_zeros():
    matrix = Tfidf(InvertedIndex(["mars moon moon", "the", "mars"])).matrix
    assert np.linalg.norm(matrix.toarray(), axis=1).tolist() == pytest.approx([1, 0, 1])


def test_scores_are_the_matrix_times_the_query(four_chunks):
    tfidf = Tfidf(four_chunks)
    query = np.zeros(four_chunks.n_terms)
    for term, weight in tfidf.transform(QUESTION).items():
        query[term] = weight
    assert np.linalg.norm(query) == pytest.approx(1)
    assert tfidf.scores(QUESTION).tolist() == pytest.approx((tfidf.matrix @ query).tolist())


def test_unknown_words_and_empty_collections_find_nothing(four_chunks):
    assert Tfidf(four_chunks).transform("pluto") == {}
    assert Tfidf(four_chunks).search("pluto").hits == ()
    assert Tfidf(InvertedIndex([])).search("mars").hits == ()
    assert Tfidf(InvertedIndex([])).matrix.shape == (0, 0)
