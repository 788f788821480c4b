"""Chunks and an analyzer -> an index that is asked for terms: which chunks hold one, and how often."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.indexing.counting import TermCounter, blocks
from engine.indexing.distinct import grouped
from engine.indexing.postings import Postings, to_postings
from engine.indexing.vocabulary import Vocabulary
from engine.records import Chunk
from engine.text.analysis import analyze

Analyze = Callable[[str], list[str]]


ENDS_OPEN = "…"
MOST_NAMED = 200
"""Terms named of those that a start stands for."""
FEW = 16
"""Where less than a chunk in so many holds one of several terms, their postings are sorted, else counted."""
PREFIXES = 16
"""Starts of terms whose postings are remembered: a question is typed letter by letter, and explained after."""


class Prefix(str):
    """The start of a term, in a query where a term may stand: it is every term that starts so, taken as one.

    In a chunk it occurs as often as these do together, and n(t) counts the chunks that hold any of them.

    Attributes:
        also: terms that it stands for besides: stems that are shorter than what was typed.

    >>> Prefix("moo"), Prefix("moo").start
    ('moo…', 'moo')
    """

    __slots__ = ("also",)
    also: tuple[str, ...]

    def __new__(cls, start: str, also: Iterable[str] = ()) -> Prefix:
        """Take the start; what is shown ends in `…`, which no term holds."""
        prefix = super().__new__(cls, start.removesuffix(ENDS_OPEN) + ENDS_OPEN)
        prefix.also = tuple(also)
        return prefix

    @property
    def start(self) -> str:
        """What the terms start with."""
        return self.removesuffix(ENDS_OPEN)


class InvertedIndex:
    """Postings, document frequencies and lengths of a collection; immutable once built.

    Attributes:
        analyzer: text to terms; queries are analysed by it too.

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
        counts = counter.count_blocks(blocks(indexed_text(chunk, headers) for chunk in chunks))
        self._take(to_postings(counter.terms, counts), analyzer)

    @classmethod
    def from_postings(cls, postings: Postings, analyzer: Analyze = analyze) -> InvertedIndex:
        """Take postings that were made before, with the analyzer they were made with."""
        index = cls.__new__(cls)
        index._take(postings, analyzer)
        return index

    def _take(self, postings: Postings, analyzer: Analyze) -> None:
        self.analyzer = analyzer
        self._columns = postings
        self._starts: dict[tuple[str, ...], tuple[NDArray[np.int32], NDArray[np.integer]]] = {}

    @property
    def columns(self) -> Postings:
        """All postings, term by term."""
        return self._columns

    @property
    def vocabulary(self) -> Vocabulary:
        """As `Postings.vocabulary`."""
        return self.columns.vocabulary

    @property
    def indptr(self) -> NDArray[np.int64]:
        """As `Postings.indptr`."""
        return self.columns.indptr

    @property
    def ids(self) -> NDArray[np.int32]:
        """As `Postings.ids`."""
        return self.columns.ids

    @property
    def counts(self) -> NDArray[np.unsignedinteger]:
        """As `Postings.counts`."""
        return self.columns.counts

    @property
    def lengths(self) -> NDArray[np.int32]:
        """As `Postings.lengths`."""
        return self.columns.lengths

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
        if isinstance(term, Prefix):
            return len(self._prefixed(term)[0])
        at = self.vocabulary.get(term)
        return 0 if at is None else int(self.indptr[at + 1] - self.indptr[at])

    def document_frequencies(self) -> NDArray[np.int64]:
        """Return n(t) of every term: (n_terms,)."""
        return np.diff(self.indptr)

    def postings(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.integer]]:
        """Return (chunk ids, counts) of a term, ids rising; both empty for an unknown term."""
        if isinstance(term, Prefix):
            return self._prefixed(term)
        at = self.vocabulary.get(term)
        span = slice(0, 0) if at is None else slice(self.indptr[at], self.indptr[at + 1])
        return self.ids[span], self.counts[span]

    def count(self, term: str, chunk: int) -> int:
        """Return f(t, d): how often a chunk holds a term."""
        ids, counts = self.postings(term)
        at = int(np.searchsorted(ids, chunk))
        return int(counts[at]) if at < len(ids) and ids[at] == chunk else 0

    def started_by(self, prefix: Prefix, chunk: int | None = None) -> list[str]:
        """Return the terms that a start stands for, those of most chunks first; with `chunk`, those that it holds."""
        terms = self.vocabulary.prefixed(prefix.start)
        first, last = self.indptr[terms.start], self.indptr[terms.stop]
        sizes = np.diff(self.indptr[terms.start : terms.stop + 1])
        if chunk is not None:
            at = np.flatnonzero(self.ids[first:last] == chunk) + first
            held = np.searchsorted(self.indptr, at, side="right") - 1 - terms.start
            sizes = np.where(np.isin(np.arange(len(sizes)), held), sizes, 0)
        order = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
        also = [term for term in prefix.also if self.document_frequency(term)]
        also = [term for term in also if chunk is None or self.count(term, chunk)]
        named = [self.vocabulary.name(terms.start + at) for at in order[:MOST_NAMED].tolist()]
        return sorted([*named, *also], key=lambda term: (-self.document_frequency(term), term)) if also else named

    def _prefixed(self, prefix: Prefix) -> tuple[NDArray[np.int32], NDArray[np.integer]]:
        key = (prefix, *prefix.also)
        found = self._starts.get(key)
        if found is None:
            if len(self._starts) >= PREFIXES:
                self._starts = {}
            found = self._starts[key] = self._joined(prefix)
        return found

    def _joined(self, prefix: Prefix) -> tuple[NDArray[np.int32], NDArray[np.integer]]:
        """Return the postings of all terms that it stands for, as of one: those that start so are one slice."""
        terms = self.vocabulary.prefixed(prefix.start)
        span = slice(self.indptr[terms.start], self.indptr[terms.stop])
        ids, counts = self.ids[span], self.counts[span]
        also = [(held, often) for held, often in map(self.postings, prefix.also) if len(held)]
        if len(terms) + len(also) < 2:
            return also[0] if also else (ids, counts)
        if also:
            ids = np.concatenate([ids, *(held for held, _ in also)])
            counts = np.concatenate([counts, *(often for _, often in also)])
        if len(ids) * FEW < self.n_chunks:
            found, _, place = grouped(ids)
            return found, np.bincount(place, counts, len(found)).astype(np.int32)
        together = np.bincount(ids, counts, self.n_chunks)
        found = np.flatnonzero(together).astype(np.int32)
        return found, together[found].astype(np.int32)

    def query_terms(self, query: str | Sequence[str]) -> list[str]:
        """Return the distinct terms of a query, in order; a str is analysed, a sequence of terms is taken as it is."""
        return list(dict.fromkeys(self.analyzer(query) if isinstance(query, str) else query))


def indexed_text(chunk: Chunk | str, headers: bool = True) -> str:
    """Return the text under which a chunk is indexed: header, if wanted, line about it and context above its own."""
    if isinstance(chunk, str):
        return chunk
    return join_indexed(chunk.header if headers else "", chunk.about, chunk.context, chunk.text)


def join_indexed(header: str, about: str, context: str, text: str) -> str:
    r"""Return what a chunk is indexed under, of its parts; empty ones are left out.

    >>> join_indexed("Venus", "", "", "Hot.")
    'Venus\nHot.'
    """
    if header and not about and not context:  # as nearly always
        return f"{header}\n{text}" if text else header
    return "\n".join(filter(None, (header, about, context, text)))


def readable_text(chunk: Chunk) -> str:
    """Return what a chunk says as a source: its text under its header and its context, nothing that a model wrote."""
    return "\n".join(filter(None, (chunk.header, chunk.context, chunk.text)))
