"""Analysed chunks -> postings by term: which chunks hold a term, and how often.

The layout is that of a compressed sparse column matrix: the postings of term t are the slice
`indptr[t]:indptr[t + 1]` of `ids` and `counts`, ids rising.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.indexing.counting import Counts, TermCounter, blocks
from engine.indexing.vocabulary import Vocabulary
from engine.records import Chunk
from engine.text.analysis import analyze

Analyze = Callable[[str], list[str]]


class Postings(NamedTuple):
    """What an index is made of, term by term."""

    vocabulary: Vocabulary
    """Term to term id; ids follow the order of the terms."""
    indptr: NDArray[np.int64]
    """(n_terms + 1,) where each term's postings start."""
    ids: NDArray[np.int32]
    """(n_postings,) chunk ids, rising within a term."""
    counts: NDArray[np.int32]
    """(n_postings,) term counts f."""
    lengths: NDArray[np.int32]
    """(n_chunks,) terms in each chunk, |d|."""


class InvertedIndex:
    """Postings, document frequencies and lengths of a collection; immutable once built.

    Attributes:
        analyzer: text to terms; queries are analysed by it too.
        vocabulary, indptr, ids, counts, lengths: see `Postings`.

    >>> index = InvertedIndex(["Mars has two moons.", "Phobos orbits Mars."])
    >>> index.n_chunks, index.document_frequency("mars"), index.lengths.tolist()
    (2, 2, [3, 3])
    """

    def __init__(self, chunks: Iterable[Chunk | str], analyzer: Analyze = analyze, *, headers: bool = True) -> None:
        """Analyse and count.

        Args:
            chunks: consumed once, in the order of their ids. A chunk is indexed with its header, a str as it is.
            analyzer: text to terms.
            headers: whether title and section path are indexed with a chunk.
        """
        counter = TermCounter(analyzer)
        counts = [counter.count(block) for block in blocks(indexed_text(chunk, headers) for chunk in chunks)]
        self._take(to_postings(counter.terms, counts), analyzer)

    @classmethod
    def from_postings(cls, postings: Postings, analyzer: Analyze = analyze) -> InvertedIndex:
        """Take postings that were made before, with the analyzer they were made with."""
        index = cls.__new__(cls)
        index._take(postings, analyzer)
        return index

    def _take(self, postings: Postings, analyzer: Analyze) -> None:
        self.analyzer = analyzer
        self.vocabulary, self.indptr, self.ids, self.counts, self.lengths = postings

    @property
    def n_chunks(self) -> int:
        """N: chunks in the collection."""
        return len(self.lengths)

    @property
    def n_terms(self) -> int:
        """Distinct terms in the collection."""
        return len(self.vocabulary)

    @property
    def average_length(self) -> float:
        """Mean |d|; 0.0 for an empty collection."""
        return float(self.lengths.mean()) if len(self.lengths) else 0.0

    def document_frequency(self, term: str) -> int:
        """Return n(t): how many chunks hold a term."""
        at = self.vocabulary.get(term)
        return 0 if at is None else int(self.indptr[at + 1] - self.indptr[at])

    def document_frequencies(self) -> NDArray[np.int64]:
        """Return n(t) of every term: (n_terms,)."""
        return np.diff(self.indptr)

    def postings(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return (chunk ids, counts) of a term, ids rising; both empty for an unknown term."""
        at = self.vocabulary.get(term)
        span = slice(0, 0) if at is None else slice(self.indptr[at], self.indptr[at + 1])
        return self.ids[span], self.counts[span]

    def count(self, term: str, chunk: int) -> int:
        """Return f(t, d): how often a chunk holds a term."""
        ids, counts = self.postings(term)
        at = int(np.searchsorted(ids, chunk))
        return int(counts[at]) if at < len(ids) and ids[at] == chunk else 0

    def query_terms(self, query: str | Sequence[str]) -> list[str]:
        """Return the distinct terms of a query, in order; a str is analysed, a sequence of terms is taken as it is."""
        return list(dict.fromkeys(self.analyzer(query) if isinstance(query, str) else query))


def indexed_text(chunk: Chunk | str, headers: bool = True) -> str:
    """Return the text under which a chunk is indexed: header, if wanted, line about it and context above its own."""
    if isinstance(chunk, str):
        return chunk
    return "\n".join(filter(None, (chunk.header if headers else "", chunk.about, chunk.context, chunk.text)))


def readable_text(chunk: Chunk) -> str:
    """Return what a chunk says as a source: its text under its header and its context, nothing that a model wrote."""
    return "\n".join(filter(None, (chunk.header, chunk.context, chunk.text)))


def to_postings(terms: Mapping[str, int], counts: Sequence[Counts]) -> Postings:
    """Turn counts by chunk into postings by term.

    Args:
        terms: the numbers that the terms have in `counts`.
        counts: of the chunks, block after block.
    """
    vocabulary = Vocabulary.of(terms)
    n_terms = len(vocabulary)
    if not counts:
        nothing = np.zeros(0, np.int32)
        return Postings(vocabulary, np.zeros(n_terms + 1, np.int64), nothing, nothing, nothing)
    from scipy.sparse import csr_array

    rank = np.empty(n_terms, np.int32)
    rank[np.fromiter((terms[term] for term in vocabulary), np.int64, n_terms)] = np.arange(n_terms)
    starts = np.append(0, np.cumsum(np.concatenate([np.diff(part.indptr) for part in counts])))
    rows = csr_array(
        (
            np.concatenate([part.counts for part in counts]),
            np.concatenate([rank[part.terms] for part in counts]),
            starts.astype(np.int32) if starts[-1] < 2**31 else starts,
        ),
        shape=(len(starts) - 1, n_terms),
    )
    columns = rows.tocsc()
    lengths = np.asarray(rows.sum(axis=1), np.int32).reshape(-1)
    return Postings(
        vocabulary, columns.indptr.astype(np.int64), columns.indices.astype(np.int32, copy=False), columns.data, lengths
    )
