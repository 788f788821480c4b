"""Exact vector search: every embedding is compared with the query."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.indexing.packed import Packed, Rows
from engine.indexing.top_k import FloatArray, to_ranking
from engine.records import Ranking

Mask = NDArray[np.bool_]
"""(n_chunks,) which chunks may be found."""


def exact_search(
    embeddings: Rows, query: FloatArray, k: int, *, allowed: Mask | None = None, name: str = "lsa"
) -> Ranking:
    """Return the k rows with the largest dot product with the query; with unit vectors, the largest cosine.

    Args:
        embeddings: (n_chunks, n_dims), row i belongs to chunk i.
        query: (n_dims,).
        k: how many.
        allowed: which rows take part; `None`: all.
        name: the ranking's name.

    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    >>> exact_search(rows, np.array([0.0, 1.0]), 2).ids
    (1, 2)
    """
    if allowed is None:
        return to_ranking(name, dot_products(embeddings, query), k)
    ids = np.flatnonzero(allowed).astype(np.int32)
    return to_ranking(name, dot_products(embeddings[ids], query), k, ids)


def dot_products(rows: Rows, query: FloatArray) -> FloatArray:
    """Return the dot product of each row with the query, (n_rows,) in the rows' type; float32 where they are packed.

    A product of matrix and vector rounds a row by where it stands, so that equal rows may differ in the last bit
    and a tie is not one; taken row by row it depends on nothing but the row.
    """
    if isinstance(rows, Packed):
        return rows.products(query)
    products: FloatArray = np.vecdot(rows, query.astype(rows.dtype, copy=False))
    return products
