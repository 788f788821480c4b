"""Tf-idf vectors and their cosine, equal to scikit-learn's `TfidfVectorizer(smooth_idf=True, norm="l2")`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.indexing.exact import Mask
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.top_k import FloatArray, to_ranking
from engine.records import Ranking

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK = 65_536
"""Rows made unit at a time."""


class Tfidf:
    """weight(t, d) = tf idf(t), idf(t) = ln((1 + N)/(1 + n(t))) + 1; score = cosine of the weight vectors.

    >>> from engine import InvertedIndex
    >>> tfidf = Tfidf(InvertedIndex(["Mars has two moons.", "Phobos orbits Mars.", "Jupiter has rings."]))
    >>> tfidf.scores("moons of Mars").round(4).tolist()
    [0.7824, 0.2867, 0.0]
    """

    def __init__(self, index: InvertedIndex, sublinear: bool = True) -> None:
        """Take the index; with `sublinear` tf = 1 + ln f, else tf = f."""
        self.index, self.sublinear = index, sublinear
        n = index.document_frequencies()
        self.idf: NDArray[np.float64] = np.log((1 + index.n_chunks) / (1 + n)) + 1
        """(n_terms,) by term id."""

    @cached_property
    def matrix(self) -> csr_array:
        """(n_chunks, n_terms) float64: one unit row a chunk; the row of a chunk without terms is 0."""
        return weight_matrix(self.index, self.idf, self.sublinear)

    @cached_property
    def _columns(self) -> tuple[FloatArray, FloatArray]:
        """Weights in the order of the postings, divided by their chunk's length, and the lengths."""
        weights = _term_frequency(self.index.counts, self.sublinear)
        weights *= np.repeat(self.idf, self.index.document_frequencies())
        norms = np.sqrt(np.bincount(self.index.ids, weights**2, minlength=self.index.n_chunks))
        return weights / norms[self.index.ids] if len(weights) else weights, norms

    def transform(self, query: str | Sequence[str]) -> dict[int, float]:
        """Return a query's unit vector as {term id: weight}; empty when it has no known term."""
        terms = self.index.analyzer(query) if isinstance(query, str) else query
        counts = Counter(at for term in terms if (at := self.index.vocabulary.get(term)) is not None)
        frequency = _term_frequency(np.array(list(counts.values()), np.uint32), self.sublinear)
        weights = frequency * self.idf[list(counts)] if counts else frequency
        norm = float(np.linalg.norm(weights)) or 1.0
        return dict(zip(counts, (weights / norm).tolist(), strict=True))

    def scores(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return the cosine of every chunk with the query, (n_chunks,) float64, 0 to 1."""
        scores = np.zeros(self.index.n_chunks)
        columns, _ = self._columns
        for term, weight in self.transform(query).items():
            span = slice(self.index.indptr[term], self.index.indptr[term + 1])
            scores[self.index.ids[span]] += weight * columns[span]
        return scores

    def search(self, query: str | Sequence[str], k: int = 10, *, allowed: Mask | None = None) -> Ranking:
        """Return the k best chunks that share a term with the query; with `allowed` (n_chunks,), of those it marks."""
        scores = self.scores(query)
        found = scores > 0 if allowed is None else (scores > 0) & allowed
        touched = np.flatnonzero(found).astype(np.int32)
        return to_ranking("tfidf", scores[touched], k, touched)


def weight_matrix(
    index: InvertedIndex,
    idf: NDArray[np.float64],
    sublinear: bool,
    *,
    keep: NDArray[np.bool_] | None = None,
    kind: type[np.floating[Any]] = np.float64,
) -> csr_array:
    """Return the unit rows of tf-idf weights over the terms that `keep` marks (all when `None`).

    Args:
        index: the collection.
        idf: (n_terms,).
        sublinear: tf = 1 + ln f instead of f.
        keep: (n_terms,) marks the terms that take part; the others' columns are left out.
        kind: what the weights are kept as.
    """
    from scipy.sparse import csc_array

    frequencies = index.document_frequencies()
    ids, counts = index.ids, index.counts
    if keep is not None:
        taking_part = np.repeat(keep, frequencies)
        ids, counts = ids[taking_part], counts[taking_part]
        idf, frequencies = idf[keep], frequencies[keep]
    weights = _term_frequency(counts, sublinear, kind)
    weights *= np.repeat(idf.astype(kind, copy=False), frequencies)
    # SciPy keeps the wider of the two index types; a product over 32 bits moves less memory.
    starts: NDArray[np.signedinteger[Any]] = np.zeros(len(idf) + 1, np.int32 if len(weights) < 2**31 else np.int64)
    np.cumsum(frequencies, out=starts[1:])
    rows = csc_array((weights, ids, starts), shape=(index.n_chunks, len(idf))).tocsr()
    _make_unit(rows)
    return rows


def _make_unit(rows: csr_array) -> None:
    """Divide the weights by the lengths of their rows, a block of rows at a time: squares take twice their room."""
    for low in range(0, rows.shape[0], BLOCK):
        starts = rows.indptr[low : low + BLOCK + 1]
        weights, sizes = rows.data[starts[0] : starts[-1]], np.diff(starts)
        of = np.repeat(np.arange(len(sizes)), sizes)
        norms = np.sqrt(np.bincount(of, weights.astype(np.float64) ** 2, len(sizes)))
        weights /= norms[of].astype(weights.dtype, copy=False)


def weight_rows(
    index: InvertedIndex, idf: NDArray[np.float64], chunks: NDArray[np.int64], terms: NDArray[np.int64]
) -> csr_array:
    """Return the unit rows of sublinear tf-idf weights of some chunks over some terms, (len(chunks), len(terms)).

    Args:
        index: the collection.
        idf: (n_terms,).
        chunks: ids of the chunks, rising.
        terms: ids of the terms, rising.
    """
    from scipy.sparse import csr_array

    row_of = np.full(index.n_chunks, -1, np.int64)
    row_of[chunks] = np.arange(len(chunks))
    column_of = np.full(index.n_terms, -1, np.int64)
    column_of[terms] = np.arange(len(terms))
    at = np.flatnonzero(row_of[index.ids] >= 0)
    term = np.searchsorted(index.indptr, at, side="right") - 1
    taking_part = column_of[term] >= 0
    at, term = at[taking_part], term[taking_part]
    weights = _term_frequency(index.counts[at], True) * idf[term]
    rows = row_of[index.ids[at]]
    norms = np.sqrt(np.bincount(rows, weights**2, len(chunks)))
    return csr_array((weights / norms[rows], (rows, column_of[term])), shape=(len(chunks), len(terms)))


def _term_frequency(
    counts: NDArray[np.unsignedinteger], sublinear: bool, kind: type[np.floating[Any]] = np.float64
) -> FloatArray:
    frequency: FloatArray = counts.astype(kind)  # of one byte, `np.log` would make half floats
    if sublinear:
        np.log(frequency, out=frequency)
        frequency += 1
    return frequency
