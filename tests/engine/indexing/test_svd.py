import numpy as np
import pytest
from scipy.sparse import csr_array

from engine.indexing import svd as svd_module
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.svd import exact_svd, randomized_svd
from engine.indexing.tfidf import Tfidf

BOTH = pytest.mark.parametrize("svd", [exact_svd, randomized_svd])


@pytest.fixture(scope="module")
def matrix(many_texts):
    return Tfidf(InvertedIndex(many_texts)).matrix


def test_exact_values_are_those_of_the_whole_decomposition(matrix):
    assert matrix.shape[0] * matrix.shape[1] > 250_000  # so that ARPACK is what is tested
    values, vectors = exact_svd(matrix, 20)
    _, expected, _ = np.linalg.svd(matrix.toarray(), full_matrices=False)
    assert np.abs(values - expected[:20]).max() < 1e-9
    assert np.abs(vectors.T @ vectors - np.eye(20)).max() < 1e-9
    assert np.abs(np.linalg.norm(matrix @ vectors, axis=0) - values).max() < 1e-9


def test_the_randomised_one_keeps_99_percent_of_the_energy(matrix):
    exact, _ = exact_svd(matrix, 20)
    values, vectors = randomized_svd(matrix, 20)
    assert 0.99 <= (values**2).sum() / (exact**2).sum() <= 1.0001
    assert np.abs(vectors.T @ vectors - np.eye(20)).max() < 1e-3
    assert values.dtype == vectors.dtype == np.float32


@BOTH
def test_the_same_input_gives_the_same_result_to_the_last_bit(svd, matrix):
    first, again = svd(matrix, 8), svd(matrix, 8)
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])


def test_a_sample_of_many_rows_comes_first_and_all_of_them_are_looked_at_twice(monkeypatch):
    generator = np.random.default_rng(5)
    # 60 subjects, each rarer than the one before, and noise in every word
    subjects = generator.standard_normal((4_000, 60)) / np.arange(1, 61) ** 0.5 @ generator.standard_normal((60, 300))
    many = csr_array(subjects + 0.1 * generator.standard_normal(subjects.shape))
    exact, _ = exact_svd(many, 20)
    looked_at, real = [], svd_module._gram_product
    monkeypatch.setattr(svd_module, "SAMPLED_FROM", 4_000)
    monkeypatch.setattr(
        svd_module, "_gram_product", lambda rows, *rest: looked_at.append(rows.shape[0]) or real(rows, *rest)
    )
    values, vectors = randomized_svd(many, 20)
    assert 0.99 <= (values**2).sum() / (exact**2).sum() <= 1.0001
    assert np.abs(vectors.T @ vectors - np.eye(20)).max() < 1e-3
    assert looked_at == 6 * [500] + 2 * [4_000]


@BOTH
def test_the_largest_entry_of_each_vector_is_positive(svd, matrix):
    _, vectors = svd(matrix, 8)
    assert (vectors[np.abs(vectors).argmax(axis=0), range(8)] > 0).all()


@BOTH
@pytest.mark.parametrize("shape", [(30, 12), (2000, 200), (200, 2000)])
def test_directions_that_hold_nothing_are_left_out(svd, shape):
    generator = np.random.default_rng(7)
    # rank 5, values apart from noise; more are asked for
    thin = generator.random((shape[0], 5)) @ generator.random((5, shape[1]))
    values, vectors = svd(csr_array(thin), 9)
    assert len(values) == 5
    assert np.allclose(thin @ vectors @ vectors.T, thin, rtol=1e-3, atol=1e-3)


@BOTH
def test_more_dimensions_than_there_are_give_all_there_are(svd):
    values, _ = svd(csr_array(np.diag([3.0, 2.0, 1.0])), 50)
    assert values.tolist() == pytest.approx([3, 2, 1], rel=1e-3)
