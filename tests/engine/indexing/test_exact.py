import numpy as np
import pytest

from engine.indexing.exact import exact_search


def unit(*rows):
    vectors = np.array(rows, float)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def test_worked_example_of_two_dimensions():
    # q · d1 = 0.8 · 0.5 + 0.6 · 0.9 = 0.94, |q| = 1, |d1| = √1.06: 0.94 / 1.0296 = 0.9130
    chunks = unit((0.5, 0.9), (1.0, 0.5), (-0.1, 1.0), (0.9, -0.2))
    ranking = exact_search(chunks, unit((0.8, 0.6))[0], 4)
    assert ranking.ids == (1, 0, 3, 2)
    assert [hit.score for hit in ranking.hits] == pytest.approx([0.9839, 0.9130, 0.6508, 0.5174], abs=5e-5)


def test_cosine_of_one_direction_with_four():
    chunks = unit((2, 0), (1, 1), (0, 3), (-1, 0.1))
    scores = {hit.chunk: hit.score for hit in exact_search(chunks, np.array([1.0, 0.0]), 4).hits}
    # 2/2, 1/√2, 0/3, -1/√1.01
    assert [scores[chunk] for chunk in range(4)] == pytest.approx([1, 0.5**0.5, 0, -1 / 1.01**0.5])
    assert [scores[chunk] for chunk in range(4)] == pytest.approx([1.00, 0.71, 0.00, -0.995], abs=0.005)


def test_equal_vectors_rank_by_id():
    assert exact_search(np.ones((5, 2)), np.ones(2), 3).ids == (0, 1, 2)


def test_single_precision_embeddings_take_a_double_precision_query():
    chunks = np.eye(3, dtype=np.float32)
    assert exact_search(chunks, np.array([0.0, 0.6, 0.8]), 2, name="mine").ids == (2, 1)


@pytest.mark.parametrize("k", [0, -1])
def test_none_asked_for_none_given(k):
    assert exact_search(np.ones((2, 2)), np.ones(2), k).hits == ()


def test_equal_vectors_tie_wherever_they_stand():
    row = np.random.default_rng(0).standard_normal(33).astype(np.float32)
    ranking = exact_search(np.tile(row, (1001, 1)), row, 1001)
    assert ranking.ids == tuple(range(1001))
