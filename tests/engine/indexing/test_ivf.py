"""Approximate search, judged by exact search; one body over both where they promise the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Cancelled
from engine.indexing.exact import exact_search
from engine.indexing.ivf import IVF, ann_recall


def unit(rows):
    vectors = np.asarray(rows, np.float32)
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def clustered(n_vectors, n_dims, n_centres, seed=0):
    random = np.random.default_rng(seed)
    centres = unit(random.standard_normal((n_centres, n_dims)))
    noise = random.standard_normal((n_vectors, n_dims)) / n_dims**0.5
    return unit(centres[random.integers(n_centres, size=n_vectors)] + noise)


def of_every_kind():
    """Vectors as they come: spread out, crowded, equal, zero, fewer than lists."""
    random = np.random.default_rng(1)
    spread = unit(random.standard_normal((300, 16)))
    yield pytest.param(spread, id="balanced")
    crowd = unit(np.r_[np.eye(16)[:1] + 0.01 * random.standard_normal((280, 16)), random.standard_normal((20, 16))])
    yield pytest.param(crowd, id="unbalanced")
    yield pytest.param(np.tile(spread[:3], (50, 1)), id="duplicates")
    yield pytest.param(np.tile(spread[:1], (40, 1)), id="all equal")
    yield pytest.param(np.r_[spread[:50], np.zeros((30, 16), np.float32)], id="zeros among them")
    yield pytest.param(np.zeros((20, 16), np.float32), id="all zero")
    yield pytest.param(spread[:3], id="fewer than lists")
    yield pytest.param(spread[:0], id="none")
    yield pytest.param(spread.astype(np.float64), id="double precision")


def searches():
    yield pytest.param(lambda vectors: lambda *args, **more: exact_search(vectors, *args, **more), id="exact")
    for lists in (1, 8, 0):

        def build(vectors, lists=lists):
            ivf = IVF(vectors, lists)
            return lambda query, k, **more: ivf.search(query, k, max(1, ivf.n_lists), **more)

        yield pytest.param(build, id=f"all of {lists or 'the default'} lists")


def by_hand(vectors, query, k, allowed):
    scores = [(-float(np.vecdot(row, query.astype(row.dtype))), at) for at, row in enumerate(vectors) if allowed[at]]
    return tuple(at for _, at in sorted(scores)[:k])


@pytest.mark.parametrize("vectors", of_every_kind())
@pytest.mark.parametrize("build", searches())
def test_the_k_largest_products_come_first_and_ties_go_to_the_lower_id(build, vectors):
    search = build(vectors)
    random = np.random.default_rng(2)
    for query in (*unit(random.standard_normal((5, 16))), *vectors[:2]):
        some = random.random(len(vectors)) < 0.5
        few = np.arange(len(vectors)) == 1
        for k in (1, 7, 1000):
            everything = np.ones(len(vectors), bool)
            assert search(query, k).ids == by_hand(vectors, query, k, everything)
            assert search(query, k, allowed=everything) == search(query, k)
            assert search(query, k, allowed=some).ids == by_hand(vectors, query, k, some)
            assert search(query, k, allowed=few).ids == by_hand(vectors, query, k, few)
            assert search(query, k, allowed=~everything).hits == ()
    assert search(unit(np.ones(16)), 0).hits == ()


@pytest.mark.parametrize("vectors", of_every_kind())
@pytest.mark.parametrize("lists", [0, 1, 8, 1000])
def test_every_vector_stands_in_one_list_and_no_list_is_empty(vectors, lists):
    ivf = IVF(vectors, lists)
    assert ivf.n_lists == min(lists or max(1, int(len(vectors) ** 0.5)), len(vectors))
    assert sorted(ivf.ids.tolist()) == list(range(len(vectors)))
    assert ivf.vectors.dtype == vectors.dtype
    assert (ivf.vectors == vectors[ivf.ids]).all()
    assert (ivf.sizes > 0).all()
    assert ivf.sizes.sum() == len(vectors)
    for start, end in zip(ivf.starts, ivf.starts[1:], strict=False):
        assert (np.diff(ivf.ids[start:end]) > 0).all()
    lengths = np.linalg.norm(ivf.centroids, axis=1)
    assert ((np.abs(lengths - 1) < 1e-5) | (lengths == 0)).all()


@given(
    rows=st.lists(st.lists(st.integers(-2, 2), min_size=3, max_size=3), min_size=1, max_size=40),
    lists=st.integers(1, 12),
    query=st.lists(st.integers(-2, 2), min_size=3, max_size=3),
    k=st.integers(1, 45),
)
def test_probing_all_lists_is_exact_whatever_the_vectors(rows, lists, query, k):
    vectors, question = unit(rows), unit(query)
    ivf = IVF(vectors, lists)
    assert ivf.search(question, k, ivf.n_lists) == exact_search(vectors, question, k)


def test_a_vector_stands_with_the_centroid_closest_to_it():
    vectors = clustered(2_000, 16, 12)
    ivf = IVF(vectors, 12)
    labels = np.repeat(np.arange(12), ivf.sizes)
    assert (np.argmax(ivf.vectors @ ivf.centroids.T, axis=1) == labels).mean() > 0.999


def test_three_directions_make_three_lists():
    # The centroid is the normalised sum: of (1, 0), (1, 0), (0.8, 0.6) it is (2.8, 0.6) / |(2.8, 0.6)|.
    vectors = unit([[1, 0], [-1, 0], [0.8, 0.6], [1, 0], [-1, 0]])
    ivf = IVF(np.tile(vectors, (20, 1)), 2)
    assert sorted(ivf.sizes.tolist()) == [40, 60]
    want = np.array([2.8, 0.6]) / np.hypot(2.8, 0.6)
    assert ivf.centroids[np.argmax(ivf.sizes)] == pytest.approx(want, abs=1e-5)


def test_more_probes_find_more_and_scan_more():
    vectors, queries = clustered(5_000, 32, 100), clustered(50, 32, 100)
    ivf = IVF(vectors, 50)
    exact = [exact_search(vectors, query, 10) for query in queries]
    recalls, scans = [], []
    for probes in (1, 4, 16, 50):
        recalls.append(ann_recall([ivf.search(query, 10, probes) for query in queries], exact, 10))
        scans.append(sum(ivf.scanned(query, probes) for query in queries))
    assert recalls == sorted(recalls) and recalls[-1] == 1
    assert recalls[0] > 0.3 and recalls[2] > 0.85
    assert scans == sorted(scans) and scans[-1] == 50 * 5_000
    # A list holds a fiftieth on average; queries fall into the larger ones more often.
    assert 1 / 50 <= scans[0] / (50 * 5_000) < 3 / 50


def test_what_is_scanned_is_what_the_probed_lists_hold():
    vectors = clustered(400, 8, 10)
    ivf = IVF(vectors, 10)
    query = vectors[0]
    closest = sorted(range(10), key=lambda at: (-float(np.vecdot(ivf.centroids[at], query)), at))
    assert ivf.probe(query, 3).tolist() == closest[:3]
    assert ivf.scanned(query, 3) == ivf.sizes[closest[:3]].sum()
    assert len(ivf.search(query, 400, 3).hits) == ivf.scanned(query, 3)
    few = np.zeros(400, bool)
    few[[3, 300]] = True
    assert ivf.scanned(query, 3, allowed=few) == 2
    assert set(ivf.search(query, 10, 1, allowed=few).ids) == {3, 300}


def test_under_a_mask_the_probes_go_to_lists_that_hold_something_allowed():
    vectors = clustered(400, 8, 10)
    ivf = IVF(vectors, 10)
    query = vectors[0]
    allowed = np.ones(400, bool)
    allowed[ivf.ids[ivf.starts[ivf.probe(query, 1)[0]] :][: ivf.sizes[ivf.probe(query, 1)[0]]]] = False
    assert ivf.probe(query, 1, allowed=allowed).tolist() == ivf.probe(query, 2)[1:].tolist()
    assert ivf.search(query, 5, 1, allowed=allowed).hits


def test_the_same_seed_makes_the_same_lists():
    vectors = clustered(3_000, 8, 20)
    first, again, other = IVF(vectors, 20, seed=3), IVF(vectors, 20, seed=3), IVF(vectors, 20, seed=4)
    assert (first.ids == again.ids).all() and (first.centroids == again.centroids).all()
    assert not (first.centroids == other.centroids).all()


def test_clustering_can_be_stopped():
    asked = iter([False] * 3)
    with pytest.raises(Cancelled):
        IVF(clustered(1_000, 8, 20), 20, should_stop=lambda: next(asked, True))


def test_ann_recall_by_hand():
    # 2 of 3 and 1 of 3 of the best three: (2/3 + 1/3) / 2
    exact = [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert ann_recall([[1, 3, 9, 2], [9, 10, 7]], exact, 3) == pytest.approx(0.5)
    assert ann_recall(exact, exact, 3) == 1
    assert ann_recall([[1]], [[1]], 10) == 1, "a collection of one"
    assert ann_recall([], [], 3) == 1
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        ann_recall([[1], [2]], [[1]], 1)
