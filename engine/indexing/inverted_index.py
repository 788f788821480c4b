"""Analysed chunks -> postings by term: which chunks hold a term, and how often.

The layout is that of a compressed sparse column matrix: the postings of term t are the slice
`indptr[t]:indptr[t + 1]` of `ids` and `counts`, ids rising.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.records import Chunk
from engine.text.analysis import analyze

Analyze = Callable[[str], list[str]]


class InvertedIndex:
    """Postings, document frequencies and lengths of a collection; immutable once built.

    Attributes:
        analyzer: text to terms; queries are analysed by it too.
        vocabulary: term to term id; ids follow first appearance.
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
        self.analyzer = analyzer
        vocabulary: defaultdict[str, int] = defaultdict()
        vocabulary.default_factory = vocabulary.__len__
        terms, lengths = array("i"), array("i")
        for chunk in chunks:
            found = analyzer(indexed_text(chunk, headers))
            terms.extend(map(vocabulary.__getitem__, found))
            lengths.append(len(found))
        self.vocabulary: dict[str, int] = dict(vocabulary)
        self.lengths: NDArray[np.int32] = np.array(lengths, np.int32)
        self.indptr: NDArray[np.int64]
        self.ids: NDArray[np.int32]
        self.counts: NDArray[np.int32]
        self.indptr, self.ids, self.counts = _count(np.asarray(terms, np.int32), self.lengths, len(vocabulary))

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


def _count(
    terms: NDArray[np.int32], lengths: NDArray[np.int32], n_terms: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return (indptr, ids, counts) for the term ids of all chunks, one chunk after the other.

    Each word is one number, term above chunk, so that a plain sort brings equal pairs together: numbers sort
    several times faster than an order of positions does.
    """
    keys = terms.astype(np.int64) << 32
    keys |= np.repeat(np.arange(len(lengths)), lengths)
    keys.sort()
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    counts = np.diff(first, append=len(keys)).astype(np.int32)
    keys = keys[first]
    frequencies = np.bincount(keys >> 32, minlength=n_terms)
    return np.append(0, np.cumsum(frequencies)), keys.astype(np.int32), counts
