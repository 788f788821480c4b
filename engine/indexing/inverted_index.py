"""Analysed chunks -> postings by term: which chunks hold a term, and how often.

The layout is that of a compressed sparse column matrix: the postings of term t are the slice
`indptr[t]:indptr[t + 1]` of `ids` and `counts`, ids rising.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.indexing.counting import Counts, TermCounter, blocks
from engine.indexing.vocabulary import Vocabulary
from engine.records import Chunk
from engine.text.analysis import analyze

Analyze = Callable[[str], list[str]]


class InvertedIndex:
    """Postings, document frequencies and lengths of a collection; immutable once built.

    Attributes:
        analyzer: text to terms; queries are analysed by it too.
        vocabulary: term to term id; ids follow the order of the terms.
        indptr: (n_terms + 1,) int64, where each term's postings start.
        ids: (n_postings,) int32 chunk ids.
        counts: (n_postings,) int32 term counts f.
        lengths: (n_chunks,) int32 terms in each chunk, |d|.
    """

    def __init__(self, chunks: Iterable[Chunk | str], analyzer: Analyze = analyze, *, headers: bool = True) -> None:
        """Analyse and count.

        Args:
            chunks: consumed once, in the order of their ids. A chunk is indexed with its header, a str as it is.
            analyzer: text to terms.
            headers: whether title and section path are indexed with a chunk.
        """
        counter = TermCounter(analyzer)
        parts = [counter.count(block) for block in blocks(indexed_text(chunk, headers) for chunk in chunks)]
        self._take(analyzer, counter.terms, parts)

    def _take(self, analyzer: Analyze, terms: dict[str, int], parts: Sequence[Counts]) -> None:
        """Turn counts by chunk into postings by term."""
        self.analyzer = analyzer
        self.vocabulary = Vocabulary.of(terms)
        self.lengths: NDArray[np.int32] = np.zeros(0, np.int32)
        self.indptr: NDArray[np.int64] = np.zeros(1, np.int64)
        self.ids: NDArray[np.int32] = np.zeros(0, np.int32)
        self.counts: NDArray[np.int32] = np.zeros(0, np.int32)
        if not parts:
            return
        from scipy.sparse import csr_array

        rank = np.empty(len(terms), np.int32)
        rank[np.fromiter((terms[term] for term in self.vocabulary), np.int64, len(terms))] = np.arange(len(terms))
        sizes = np.concatenate([np.diff(part.indptr) for part in parts])
        columns = np.concatenate([rank[part.terms] for part in parts])
        counts = np.concatenate([part.counts for part in parts])
        starts = np.append(0, np.cumsum(sizes))
        if starts[-1] < 2**31:
            starts = starts.astype(np.int32)
        rows = csr_array((counts, columns, starts), shape=(len(sizes), len(terms)))
        self.lengths = np.asarray(rows.sum(axis=1), np.int32).reshape(-1)
        columns_first = rows.tocsc()
        self.indptr = columns_first.indptr.astype(np.int64)
        self.ids = columns_first.indices.astype(np.int32, copy=False)
        self.counts = columns_first.data

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
    """Return the text under which a chunk is indexed: its header, if wanted, and its context above its own."""
    if isinstance(chunk, str):
        return chunk
    text = f"{chunk.context}\n{chunk.text}" if chunk.context else chunk.text
    return f"{chunk.header}\n{text}" if headers and chunk.header else text
