"""Approximate vector search: vectors in lists around centroids, of which only the closest few are scanned.

The inverted file of Sivic and Zisserman, "Video Google", 2003, with the spherical k-means of Dhillon and Modha,
"Concept decompositions for large sparse text data using clustering", 2001. Searching p of L lists costs about
L + p N / L dot products.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import Cancelled
from engine.indexing.exact import Mask, dot_products
from engine.indexing.packed import Rows, from_arrays, joined, to_arrays, widen
from engine.indexing.top_k import FloatArray, to_ranking, top_k
from engine.records import Ranking, ShouldStop

PROBES = 8
"""Lists scanned when nobody says otherwise."""
SAMPLE = 64
ITERATIONS = 6
"""A quick training: on 100,000 clustered vectors in 256 lists 8 probes find 64 % of the exact first ten, after a
training on all vectors 78 % (docs/retrieval.md)."""
THREADS = 2
BLOCK = 2_048
"""Vectors compared with the centroids at a time; in between a request to stop is seen."""


LISTS_FROM = 50_000
"""Vectors from which on lists are made without being asked for: below, comparing all takes two milliseconds."""
QUICK = {"sample": 16, "iterations": 4}
"""How they are trained: lists as many as this need little, most of the time goes into what is put into them."""


def automatic_lists(n_vectors: int) -> int:
    """Return how many lists so many vectors get when nobody says, 2 sqrt(N); 0: every vector is compared.

    >>> automatic_lists(49_999), automatic_lists(170_000)
    (0, 824)
    """
    return 2 * isqrt(n_vectors) if n_vectors >= LISTS_FROM else 0


def automatic_probes(n_lists: int) -> int:
    """Return how many of such lists are scanned for a question, 3 sqrt(L): of more lists a smaller share.

    >>> automatic_probes(446), automatic_probes(1162)
    (63, 102)
    """
    return min(n_lists, 3 * isqrt(n_lists))


class IVF:
    """L lists; a vector stands in that of the centroid with which its dot product is largest.

    A vector's products with the query are those of `exact_search` to the last bit: with p = L both rankings are
    equal, ties by lower id included.

    Attributes:
        centroids: (n_lists, n_dims) float32 unit rows; that of a list of zero vectors is 0.
        vectors: (n_vectors, n_dims) in the order of the lists, so that a list is one contiguous slice; packed where
            they came so.
        ids: (n_vectors,) int32, which vector stands where in `vectors`; rising within a list.
        starts: (n_lists + 1,) int64, where each list starts in `vectors`.

    >>> vectors = np.array([[1, 0], [0.8, 0.6], [0, 1], [-1, 0]], dtype=np.float32)
    >>> ivf = IVF(vectors, lists=2)
    >>> ivf.search(np.array([1.0, 0.0]), k=2, probes=2).ids
    (0, 1)
    """

    def __init__(
        self,
        vectors: Rows,
        lists: int = 0,
        *,
        seed: int = 0,
        sample: int = SAMPLE,
        iterations: int = ITERATIONS,
        should_stop: ShouldStop | None = None,
    ) -> None:
        """Cluster.

        Args:
            vectors: (n_vectors, n_dims) unit rows; rows of zeros are allowed.
            lists: L; 0: the square root of the number of vectors. No more than there are vectors; no list is empty.
            seed: of the choice of the sample and of the first centroids.
            sample: vectors a list that the centroids are trained on; all are used where there are fewer.
            iterations: of the training.
            should_stop: asked between blocks.

        Raises:
            Cancelled: `should_stop` returned true.
        """
        n_lists = min(lists or max(1, isqrt(len(vectors))), len(vectors))
        self.centroids: NDArray[np.float32] = _train(
            vectors, n_lists, sample, iterations, np.random.default_rng(seed), should_stop
        )
        labels, closeness = _assign(vectors, self.centroids, should_stop)
        moved = _refill(labels, closeness, n_lists)
        self.centroids[labels[moved]] = widen(vectors[moved])
        self.ids: NDArray[np.int32] = np.argsort(labels, kind="stable").astype(np.int32)
        self.vectors: Rows = vectors[self.ids]
        self.starts: NDArray[np.int64] = np.append(0, np.cumsum(np.bincount(labels, minlength=n_lists)))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> IVF:
        """Take back what `to_arrays` gave; raise `KeyError` when something is missing."""
        vectors = from_arrays("lists.vectors", arrays)
        return cls._of(arrays["lists.centroids"], vectors, arrays["lists.ids"], arrays["lists.starts"])

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return what the lists are made of, by name."""
        vectors = to_arrays("lists.vectors", self.vectors)
        return {"lists.centroids": self.centroids, "lists.ids": self.ids, "lists.starts": self.starts, **vectors}

    @classmethod
    def _of(
        cls, centroids: NDArray[np.float32], vectors: Rows, ids: NDArray[np.int32], starts: NDArray[np.int64]
    ) -> IVF:
        ivf = cls.__new__(cls)
        ivf.centroids, ivf.vectors, ivf.ids, ivf.starts = centroids, vectors, ids, starts
        return ivf

    def changed(self, now: NDArray[np.int64], added: NDArray[np.int64], vectors: FloatArray) -> IVF:
        """Return the lists over a changed collection: each new vector joins the closest one; centroids stay.

        Args:
            now: (n_vectors,) the id that each vector has now, in the order of the ids; -1: it is gone.
            added: (n_new,) the ids of the new ones.
            vectors: (n_new, n_dims) unit rows.
        """
        kept = np.flatnonzero(now[self.ids] >= 0)
        closest, _ = _assign(vectors, self.centroids, None)
        labels = np.concatenate((np.repeat(np.arange(self.n_lists), self.sizes)[kept], closest))
        ids = np.concatenate((now[self.ids[kept]], added))
        order = np.lexsort((ids, labels))
        rows = joined(self.vectors[kept], vectors)[order]
        sizes = np.bincount(labels, minlength=self.n_lists)
        held = sizes > 0
        starts = np.append(0, np.cumsum(sizes[held]))
        return self._of(self.centroids[held], rows, ids[order].astype(np.int32), starts)

    @cached_property
    def places(self) -> NDArray[np.int32]:
        """(n_vectors,) where each vector stands in `vectors`."""
        places = np.empty(len(self.ids), np.int32)
        places[self.ids] = np.arange(len(self.ids), dtype=np.int32)
        return places

    @property
    def n_lists(self) -> int:
        """L: the lists there are."""
        return len(self.centroids)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_lists,) vectors in each list."""
        return np.diff(self.starts)

    def probe(self, query: FloatArray, probes: int = PROBES, *, allowed: Mask | None = None) -> NDArray[np.int64]:
        """Return the p lists whose centroids have the largest dot products with the query, best first.

        Under a mask the lists that hold nothing allowed are passed over.
        """
        if allowed is None:
            return top_k(dot_products(self.centroids, query), max(1, probes))
        held = np.flatnonzero(np.logical_or.reduceat(allowed[self.ids], self.starts[:-1]))
        return held[top_k(dot_products(self.centroids[held], query), max(1, probes))]

    def search(
        self, query: FloatArray, k: int, probes: int = PROBES, *, allowed: Mask | None = None, name: str = "lsa"
    ) -> Ranking:
        """Return the k vectors of the p closest lists with the largest dot products with the query.

        Args:
            query: (n_dims,).
            k: how many; fewer come out when the lists hold fewer.
            probes: p, at least 1; with all lists the search is exact.
            allowed: (n_vectors,) which vectors may be found; `None`: all. When they are no more than p lists hold
                on average, all of them are compared, whatever their list.
            name: the ranking's name.
        """
        products, ids = self._scan(query, probes, allowed)
        return to_ranking(name, products, k, ids)

    def scanned(self, query: FloatArray, probes: int = PROBES, *, allowed: Mask | None = None) -> int:
        """Return how many vectors a search compares with the query, centroids aside."""
        if not self.n_lists:
            return 0
        if allowed is not None and self._are_few(allowed, probes):
            return int(np.count_nonzero(allowed))
        return int(self.sizes[self.probe(query, probes, allowed=allowed)].sum())

    def _are_few(self, allowed: Mask, probes: int) -> bool:
        return int(np.count_nonzero(allowed)) * self.n_lists <= probes * len(self.ids)

    def _scan(self, query: FloatArray, probes: int, allowed: Mask | None) -> tuple[FloatArray, NDArray[np.int32]]:
        """Return the dot products of the vectors that take part, and their ids."""
        if not self.n_lists:
            return np.zeros(0, np.float32), self.ids
        if allowed is not None and self._are_few(allowed, probes):
            places = np.flatnonzero(allowed[self.ids])
            return dot_products(self.vectors[places], query), self.ids[places]
        lists = self.probe(query, probes, allowed=allowed)
        slices = [slice(self.starts[at], self.starts[at + 1]) for at in lists]
        products = np.concatenate([dot_products(self.vectors[place], query) for place in slices])
        ids = np.concatenate([self.ids[place] for place in slices])
        return (products, ids) if allowed is None else (products[allowed[ids]], ids[allowed[ids]])


def ann_recall(
    found: Sequence[Ranking | Sequence[int]], exact: Sequence[Ranking | Sequence[int]], k: int = 10
) -> float:
    """Return |A ∩ E| / k averaged over queries, A and E the first k of the approximate and of the exact ranking.

    Where the collection holds fewer than k vectors, k is what the exact ranking holds. 1.0 without queries.

    Raises:
        ValueError: the two are not as many.

    >>> ann_recall([[1, 2], [5, 6]], [[2, 1], [5, 7]], 2)
    0.75
    """
    pairs = [(_ids(one)[:k], _ids(other)[:k]) for one, other in zip(found, exact, strict=True)]
    shares = [len(set(approximate) & set(best)) / len(best) if best else 1.0 for approximate, best in pairs]
    return sum(shares) / len(shares) if shares else 1.0


def _ids(ranking: Ranking | Sequence[int]) -> Sequence[int]:
    return ranking.ids if isinstance(ranking, Ranking) else ranking


def _train(
    vectors: Rows,
    n_lists: int,
    sample: int,
    iterations: int,
    random: np.random.Generator,
    should_stop: ShouldStop | None,
) -> NDArray[np.float32]:
    """Return centroids, (n_lists, n_dims), by spherical k-means over a sample, starting from some of the points."""
    if len(vectors) > n_lists * sample:
        vectors = vectors[np.sort(random.choice(len(vectors), n_lists * sample, replace=False))]
    points: NDArray[np.float32] = np.asarray(widen(vectors), np.float32)
    centroids = points[np.sort(random.choice(len(points), n_lists, replace=False))]
    if n_lists == len(points):
        return centroids
    for _ in range(iterations):
        labels, closeness = _assign(points, centroids, should_stop)
        _refill(labels, closeness, n_lists)
        order = np.argsort(labels, kind="stable")
        sums: NDArray[np.float32] = np.add.reduceat(points[order], np.searchsorted(labels[order], np.arange(n_lists)))
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centroids = (sums / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return centroids


def _assign(
    points: Rows, centroids: NDArray[np.float32], should_stop: ShouldStop | None
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return for each point the centroid with the largest dot product, lowest first among equals, and the product."""
    labels = np.zeros(len(points), np.int64)
    closeness = np.zeros(len(points), np.float32)

    def assign(low: int) -> None:
        if should_stop is not None and should_stop():
            raise Cancelled
        products = np.asarray(widen(points[low : low + BLOCK]), np.float32) @ centroids.T
        best = np.argmax(products, axis=1)
        labels[low : low + BLOCK] = best
        closeness[low : low + BLOCK] = products[np.arange(len(best)), best]

    with ThreadPoolExecutor(THREADS) as pool:
        for _ in pool.map(assign, range(0, len(points), BLOCK)):
            pass
    return labels, closeness


def _refill(labels: NDArray[np.int64], closeness: NDArray[np.float32], n_lists: int) -> NDArray[np.int64]:
    """Give each empty list the point farthest from its centroid that is not alone; return the points moved."""
    sizes = np.bincount(labels, minlength=n_lists)
    empty = np.flatnonzero(sizes == 0)
    moved: list[int] = []
    for point in np.argsort(closeness, kind="stable") if len(empty) else ():
        if len(moved) == len(empty):
            break
        if sizes[labels[point]] > 1:
            sizes[labels[point]] -= 1
            labels[point] = empty[len(moved)]
            moved.append(point)
    return np.array(moved, np.int64)
