"""Analysed chunks -> postings by term: which chunks hold a term, and how often.

The layout is that of a compressed sparse column matrix: the postings of term t are the slice
`indptr[t]:indptr[t + 1]` of `ids` and `counts`, ids rising.
"""

from __future__ import annotations

from array import array
from collections import Counter
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
        self.vocabulary: dict[str, int] = {}
        terms, counts, widths, lengths = array("i"), array("i"), array("i"), array("i")
        vocabulary = self.vocabulary
        for chunk in chunks:
            found = Counter(analyzer(indexed_text(chunk, headers)))
            terms.extend(vocabulary.setdefault(term, len(vocabulary)) for term in found)
            counts.extend(found.values())
            widths.append(len(found))
            lengths.append(found.total())
        self.lengths: NDArray[np.int32] = _as_array(lengths)
        owners = np.repeat(np.arange(len(widths), dtype=np.int32), _as_array(widths))
        term_ids = _as_array(terms)
        order = np.argsort(term_ids, kind="stable")
        self.ids: NDArray[np.int32] = owners[order]
        self.counts: NDArray[np.int32] = _as_array(counts)[order]
        frequencies = np.bincount(term_ids, minlength=len(vocabulary))
        self.indptr: NDArray[np.int64] = np.concatenate(([0], np.cumsum(frequencies))).astype(np.int64)

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
    """Return the text under which a chunk is indexed: its header, if wanted, above its own."""
    if isinstance(chunk, str):
        return chunk
    return f"{chunk.header}\n{chunk.text}" if headers and chunk.header else chunk.text


def _as_array(values: array[int]) -> NDArray[np.int32]:
    return np.frombuffer(values, dtype=np.int32).copy() if len(values) else np.empty(0, np.int32)
