"""Vectors in a byte a number: what is packed is the vector, and it is close to what it was made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.indexing.exact import dot_products, exact_search
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.ivf import IVF, ann_recall
from engine.indexing.lsa import LSA
from engine.indexing.packed import BLOCK, Packed, from_arrays, joined, to_arrays, widen
from tests.engine.indexing.test_ivf import clustered, of_every_kind

ROWS = arrays(np.float32, (6, 5), elements=st.floats(-1e6, 1e6, width=32))


def test_a_row_by_hand():
    # 127 / 0.8 steps a unit: 0.6 is 95.25 of them. The length of (95, 127) is √(9,025 + 16,129) = 158.6.
    packed = Packed.unit(np.array([[0.6, 0.8]], np.float32))
    assert packed.steps.tolist() == [[95, 127]]
    assert packed.scales.tolist() == pytest.approx([1 / 158.6], rel=1e-4)
    # 127 steps are the largest number, and half of it 63.5, rounded to even.
    assert Packed.of(np.array([[-4.0, 2.0]])).steps.tolist() == [[-127, 64]]


@given(ROWS)
def test_what_comes_back_is_within_half_a_step(rows):
    packed = Packed.of(rows)
    peaks = np.abs(rows).max(axis=1, keepdims=True)
    assert (np.abs(packed.widened() - rows) <= peaks * (0.5 / 127 + 1e-6) + 1e-30).all()


@given(ROWS)
def test_directions_are_unit_vectors_and_zeros_stay_zeros(rows):
    packed = Packed.unit(rows)
    lengths = np.linalg.norm(packed.widened(), axis=1)
    held = np.abs(rows).max(axis=1) > 1e-30
    assert lengths == pytest.approx(held.astype(float), abs=1e-5)
    assert packed.steps.dtype == np.int8


def test_products_are_those_of_double_precision_over_what_is_packed():
    packed, query = Packed.unit(clustered(2 * BLOCK + 7, 128, 50)), clustered(1, 128, 1, seed=3)[0]
    expected = (packed.steps.astype(np.float64) * packed.scales.astype(np.float64)[:, None]) @ query.astype(np.float64)
    assert np.abs(packed.products(query) - expected).max() < 1e-6
    assert np.abs(widen(packed) @ query - expected).max() < 1e-6
    assert (dot_products(packed, query) == packed.products(query)).all()


def test_a_product_hangs_on_its_row_alone():
    packed, query = Packed.unit(clustered(BLOCK + 50, 32, 9)), np.ones(32)
    whole = packed.products(query)
    assert (packed[BLOCK - 3 :].products(query) == whole[BLOCK - 3 :]).all()
    some = np.array([BLOCK + 1, 5, 5])
    assert (packed[some].products(query) == whole[some]).all()
    assert packed[:0].products(query).shape == (0,)


@pytest.mark.parametrize("vectors", of_every_kind())
def test_all_lists_of_packed_vectors_are_searched_exactly(vectors):
    packed = Packed.unit(vectors)
    ivf = IVF(packed, 8)
    for query in (np.ones(16, np.float32), *vectors[:3]):
        assert ivf.search(query, 9, max(1, ivf.n_lists)) == exact_search(packed, query, 9)


def test_nine_and_a_half_of_ten_neighbours_are_those_of_the_whole_vectors():
    vectors, queries = clustered(4_000, 128, 400), clustered(60, 128, 400, seed=0)
    packed = Packed.unit(vectors)
    found, exact = ([exact_search(rows, query, 10) for query in queries] for rows in (packed, vectors))
    assert ann_recall(found, exact) > 0.95
    assert np.abs(packed.widened() - vectors).max() < 0.003


def test_rows_are_kept_and_joined_in_their_own_form():
    vectors = clustered(20, 8, 4)
    for rows in (vectors, Packed.unit(vectors)):
        kept = to_arrays("rows", rows)
        assert (widen(from_arrays("rows", kept)) == widen(rows)).all()
        both = joined(rows[:5], vectors[5:])
        assert type(both) is type(rows) and (widen(both) == widen(rows)).all()
    with pytest.raises(KeyError):
        from_arrays("others", kept)


def test_a_large_collection_is_packed_and_a_small_one_is_not(monkeypatch):
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice([f"w{at}" for at in range(60)], 6)) for _ in range(300)]
    plain = LSA(InvertedIndex(texts), 16)
    monkeypatch.setattr("engine.indexing.ivf.LISTS_FROM", 100)
    packed = LSA(InvertedIndex(texts), 16)
    assert "embeddings.scales" in packed.to_arrays() and "embeddings.scales" not in plain.to_arrays()
    assert packed.embeddings == pytest.approx(plain.embeddings, abs=0.005)
    assert packed.components == pytest.approx(plain.components, abs=0.004)
    assert packed.embed("w1 w2") == pytest.approx(plain.embed("w1 w2"), abs=0.02)
    arrays = packed.to_arrays()
    assert arrays["embeddings"].dtype == arrays["components"].dtype == np.int8
    assert (LSA.from_arrays(packed.index, arrays).embeddings == packed.embeddings).all()
