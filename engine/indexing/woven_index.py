"""A large index and a small one beside it -> one index, as if all chunks had been indexed at once.

The postings of a term are those of the base, without the chunks that are gone, with those of the small index put in
between. N, n(t), lengths and their mean are those of the chunks seen, so that every score is that of a fresh index to
the last bit, and ids, by which ties are decided, are the same too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.indexing.inverted_index import MOST_NAMED, InvertedIndex, Prefix
from engine.indexing.postings import Postings
from engine.indexing.weave import Weave

REMEMBERED = 256
"""Terms whose woven postings are kept for the next question."""

Held = tuple[NDArray[np.int32], NDArray[np.integer]]


class WovenIndex(InvertedIndex):
    """What an index says of the chunks of a base that are still there and of those beside it.

    A question costs a few array operations a term more than one to the base alone. What needs all postings at once,
    such as `vocabulary` or `ids`, has them made at the first use.

    >>> base, beside = InvertedIndex(["Mars has moons.", "Old.", "Venus."]), InvertedIndex(["Mars is red."])
    >>> weave = Weave(3, gone=np.array([1]), before=np.array([1]))
    >>> index = WovenIndex(base, beside, weave, whole=lambda: InvertedIndex(["…"]).columns)
    >>> index.n_chunks, index.postings("mars")[0].tolist(), index.document_frequency("old")
    (3, [0, 1], 0)
    """

    def __init__(self, base: InvertedIndex, beside: InvertedIndex, weave: Weave, whole: Callable[[], Postings]) -> None:
        """Take both.

        Args:
            base: the large one.
            beside: the small one, with the same analyzer.
            weave: how their chunks make one list.
            whole: makes the postings of all chunks seen; called once, when they are needed.
        """
        self.analyzer = base.analyzer
        self.base, self.beside, self.weave, self._whole = base, beside, weave, whole
        self._held: dict[tuple[str, ...], Held] = {}

    @cached_property
    def _all(self) -> Postings:
        return self._whole()

    @property
    def columns(self) -> Postings:
        """All postings, term by term; made at the first use."""
        return self._all

    @cached_property
    def _lengths(self) -> NDArray[np.int32]:
        return self.weave.stacked_arrays(self.base.lengths, self.beside.lengths)

    @property
    def lengths(self) -> NDArray[np.int32]:
        """(n_chunks,) terms in each chunk, |d|."""
        return self._lengths

    def document_frequency(self, term: str) -> int:
        """Return n(t): how many chunks hold a term."""
        return len(self.postings(term)[0])

    def postings(self, term: str) -> Held:
        """Return (chunk ids, counts) of a term, ids rising; both empty for an unknown term."""
        key = (term, *(term.also if isinstance(term, Prefix) else ()))
        found = self._held.get(key)
        if found is None:
            if len(self._held) >= REMEMBERED:
                self._held = {}
            found = self._held[key] = self._woven(self.base.postings(term), self.beside.postings(term))
        return found

    def _woven(self, base: Held, beside: Held) -> Held:
        ids, seen = self.weave.of_base(base[0])
        counts = base[1] if seen is None else base[1][seen]
        if not len(beside[0]):
            return ids, counts
        new = self.weave.of_beside(beside[0])
        at = np.searchsorted(ids, new)
        wide = counts.astype(np.result_type(counts, beside[1]), copy=False)
        return np.insert(ids, at, new), np.insert(wide, at, beside[1])

    def started_by(self, prefix: Prefix, chunk: int | None = None) -> list[str]:
        """Return the terms that a start stands for, those of most chunks first; with `chunk`, those that it holds."""
        if chunk is not None:
            is_base, row = self.weave.find(chunk)
            names = (self.base if is_base else self.beside).started_by(prefix, row)
            return sorted(names, key=lambda term: (-self.document_frequency(term), term))
        sizes = self._sizes(prefix.start)
        named = sorted(sizes, key=lambda term: (-sizes[term], term))[:MOST_NAMED]
        sizes |= (also := {term: held for term in prefix.also if (held := self.document_frequency(term))})
        return sorted([*named, *also], key=lambda term: (-sizes[term], term)) if also else named

    def _sizes(self, start: str) -> dict[str, int]:
        """Return how many chunks hold each term that starts so, of the base's terms for the most frequent only."""
        vocabulary, indptr = self.base.vocabulary, self.base.indptr
        terms = vocabulary.prefixed(start)
        here = indptr[terms.start : terms.stop + 1]
        left = np.diff(here)
        if len(self.weave.gone) and len(terms):
            gone = np.flatnonzero(self._is_gone[self.base.ids[here[0] : here[-1]]]) + here[0]
            left -= np.bincount(np.searchsorted(here, gone, side="right") - 1, minlength=len(left))
        new = {self.beside.vocabulary.name(at): at for at in self.beside.vocabulary.prefixed(start)}
        most = np.argsort(-left, kind="stable")[: MOST_NAMED + len(new)]
        sizes = {vocabulary.name(terms.start + at): int(left[at]) for at in most[left[most] > 0].tolist()}
        for term in new:
            at = None if term in sizes else vocabulary.get(term)
            before = sizes.get(term, 0) if at is None else int(left[at - terms.start])
            sizes[term] = before + self.beside.document_frequency(term)
        return sizes

    @cached_property
    def _is_gone(self) -> NDArray[np.bool_]:
        marks = np.zeros(self.weave.n_base, np.bool_)
        marks[self.weave.gone] = True
        return marks
