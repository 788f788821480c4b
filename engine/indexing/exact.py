"""Exact vector search: every embedding is compared with the query."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.indexing.top_k import FloatArray, to_ranking
from engine.records import Ranking


def exact_search(embeddings: FloatArray, query: NDArray[np.float64], k: int, *, name: str = "lsa") -> Ranking:
    """Return the k rows with the largest dot product with the query; with unit vectors, the largest cosine.

    Args:
        embeddings: (n_chunks, n_dims), row i belongs to chunk i.
        query: (n_dims,).
        k: how many.
        name: the ranking's name.

    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    >>> exact_search(rows, np.array([0.0, 1.0]), 2).ids
    (1, 2)
    """
    return to_ranking(name, embeddings @ query.astype(embeddings.dtype, copy=False), k)
