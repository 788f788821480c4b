"""BM25 over an inverted index: term by term, so that every score can be taken apart again.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; the idf is Lucene's.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import accumulate
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.indexing.distinct import distinct
from engine.indexing.exact import Mask
from engine.indexing.inverted_index import InvertedIndex, Prefix
from engine.indexing.top_k import to_ranking
from engine.records import Ranking, TermScore

Variant = Literal["lucene", "classic"]

WORTH = 8
"""The rare terms are looked at first where the others have this many times as many postings."""
MANY = 20_000
"""Postings from which on that is worth while."""
SPARSE = 16
"""Where more than a chunk in so many was touched, all scores are set to 0 again, else those of the touched ones."""
BLOCK = 8_192
"""Postings worked on at a time."""
COMMON, KEPT = 4_096, 2_000_000
"""Postings from which on what a term adds is kept for the next question, and most postings for which it is (16 MB)."""
ROUNDING = 1e-9
"""Share by which sums taken in another order are held to differ at most; far more than they do."""


class _Term(NamedTuple):
    name: str
    idf: float
    """Its idf, as often as it counts."""
    ids: NDArray[np.int32]
    counts: NDArray[np.integer]

    def blocks(self) -> Iterator[slice]:
        """Yield pieces of the postings whose arrays stay in the processor's cache."""
        return (slice(low, low + BLOCK) for low in range(0, len(self.ids), BLOCK))


class BM25:
    """score(q, d) = sum over distinct t in q of idf(t) f (k1 + 1) / (f + K), K = k1 (1 - b + b |d| / avg).

    Nothing is made before the first question, so that k1 and b cost nothing to change. With `repeats_from` a question
    of so many terms is taken for a text, of which a term counts as often as it stands in it: sum of qf(t) idf(t) ….

    >>> bm25 = BM25(InvertedIndex(["Mars has two moons.", "Phobos orbits Mars.", "Jupiter has rings."]))
    >>> bm25.scores("moons of Mars").round(4).tolist()
    [1.3736, 0.445, 0.0]
    """

    def __init__(
        self,
        index: InvertedIndex,
        k1: float = 1.5,
        b: float = 0.75,
        variant: Variant = "lucene",
        *,
        repeats_from: float = math.inf,
    ) -> None:
        """Take the index and the parameters.

        Args:
            index: the collection.
            k1: how slowly repeated words stop counting, at least 0.
            b: how much long chunks are held back, 0 to 1.
            variant: the idf. `lucene`: ln(1 + (N - n + 0.5)/(n + 0.5)), always positive. `classic`:
                ln((N - n + 0.5)/(n + 0.5)), 0 or negative for a term in half of the chunks or more.
            repeats_from: terms of a question, repeats included, from which on they count; by default they never do.

        Raises:
            ValueError: a parameter is out of its range.
        """
        if k1 < 0 or not 0 <= b <= 1 or variant not in ("lucene", "classic"):
            raise ValueError("k1 is at least 0, b in 0 to 1, variant `lucene` or `classic`")
        self.index, self.k1, self.b, self.variant, self.repeats_from = index, k1, b, variant, repeats_from
        self._average = index.average_length
        self._spare: list[NDArray[np.float64]] = []
        self._common: dict[tuple[str, float], NDArray[np.float64]] = {}

    def idf(self, term: str) -> float:
        """Return the inverse document frequency of an analysed term; that of an unknown term has n = 0."""
        n = self.index.document_frequency(term)
        odds = (self.index.n_chunks - n + 0.5) / (n + 0.5)
        return math.log1p(odds) if self.variant == "lucene" else math.log(odds)

    def scores(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return the score of every chunk, (n_chunks,) float64; 0 where no term of the query occurs."""
        scores = np.zeros(self.index.n_chunks)
        self._add(scores, self._terms(query))
        return scores

    def scores_of(self, query: str | Sequence[str], chunks: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the scores of some chunks, equal to those of `scores`: (len(chunks),), ids in any order."""
        return self._scores_of(chunks, self._terms(query))

    def contributions_of(self, query: str | Sequence[str], chunks: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return what each known term of the query adds to the scores of some chunks, (n_terms, len(chunks))."""
        terms = self._terms(query)
        return np.array([self._scores_of(chunks, [term]) for term in terms]).reshape(len(terms), len(chunks))

    def most(self, query: str | Sequence[str]) -> float:
        """Return the score that no chunk can pass: (k1 + 1) times the idf of the query's known terms."""
        counts = self.query_counts(query).items()
        return (self.k1 + 1) * sum(self.idf(term) * n for term, n in counts if self.index.document_frequency(term))

    def gain(self, query: str | Sequence[str], chunk: int, more: Mapping[str, int]) -> float:
        """Return what a chunk's score would gain if it held terms of the query so many times more, at the same length.

        >>> bm25 = BM25(InvertedIndex(["Mars has two moons.", "Phobos orbits Mars."]))
        >>> round(bm25.gain("moons of Mars", 0, {"moons": 1}), 4)
        0.2971
        """
        gained = 0.0
        for term, n in self.query_counts(query).items():
            if more.get(term):
                counts = np.array([0, more[term]], np.int32) + self.index.count(term, chunk)
                held, raised = _saturation(counts, self.k1, self._norms[0][self.index.lengths[chunk]]).tolist()
                gained += n * self.idf(term) * (raised - held)
        return gained

    def query_counts(self, query: str | Sequence[str]) -> dict[str, int]:
        """Return the distinct terms of a query, in order, and how often each counts.

        >>> BM25(InvertedIndex([]), repeats_from=3).query_counts("moons, rings, moons")
        {'moons': 2, 'rings': 1}
        """
        terms = self.index.analyzer(query) if isinstance(query, str) else query
        return dict(Counter(terms)) if len(terms) >= self.repeats_from else dict.fromkeys(terms, 1)

    def search(self, query: str | Sequence[str], k: int = 10, *, allowed: Mask | None = None) -> Ranking:
        """Return the k best chunks that hold a term of the query.

        Args:
            query: a text, or its terms, of which one may be a `Prefix`.
            k: how many.
            allowed: (n_chunks,) which chunks may be found; `None`: all. Scores stay those of the whole collection.
        """
        terms = self._terms(query)
        if not terms or k <= 0:
            return Ranking("bm25")
        few = self._few(terms, k, allowed)
        if few is not None:
            return to_ranking("bm25", self._scores_of(few, terms), k, few)
        with self._accumulated(terms) as scores:
            bound = _bound(scores, terms, k, allowed)
            candidates = _above(scores, self._leading(terms, bound), bound, allowed)
            return to_ranking("bm25", scores[candidates], k, candidates)

    def warm(self) -> None:
        """Make now what the first question needs."""
        self._least_norm  # noqa: B018

    def explain(self, query: str | Sequence[str], chunk: int) -> tuple[TermScore, ...]:
        """Return what each term adds to a chunk's score, in the order of the query.

        The contributions, added one by one in this order, are the score to the last bit (from Python 3.12 on, the
        built-in `sum` corrects its roundings and may differ in the last one).
        """
        return tuple(self._explain(term, n, chunk) for term, n in self.query_counts(query).items())

    def _terms(self, query: str | Sequence[str]) -> list[_Term]:
        """Return the distinct known terms of a query, in its order."""
        found = ((term, n, *self.index.postings(term)) for term, n in self.query_counts(query).items())
        return [_Term(term, n * self.idf(term), ids, counts) for term, n, ids, counts in found if len(ids)]

    def _few(self, terms: Sequence[_Term], k: int, allowed: Mask | None) -> NDArray[np.int32] | None:
        """Return, rising, the few chunks that can be among the k best, told by the rare terms alone; `None`: many can.

        Max-score: what the common terms can add at most is known. Where that is less than the k-th best score of the
        rare terms, a chunk without a rare term is out, and so is one whose rare terms leave it too far behind.
        (Turtle and Flood, "Query evaluation: strategies and optimizations", 1995.)
        """
        total = sum(len(term.ids) for term in terms)
        if total < MANY or min(term.idf for term in terms) < 0:
            return None
        rare_first = sorted(terms, key=lambda term: len(term.ids))
        held = accumulate(len(term.ids) for term in rare_first)
        n_rare = sum(so_far * WORTH <= total for so_far in held)
        rare, common = rare_first[:n_rare], rare_first[n_rare:]
        if not rare or len(rare[-1].ids) < k:
            return None
        rest = sum(map(self._most, common))
        if rest >= sum(map(self._most, rare)):
            return None
        with self._accumulated(rare) as scores:
            bound = _bound(scores, rare, k, allowed) * (1 - ROUNDING) - rest
            return _above(scores, rare, bound, allowed) if bound > 0 else None

    def _leading(self, terms: Sequence[_Term], bound: float) -> Sequence[_Term]:
        """Return the terms, rare ones first, of which a chunk holds one if it reaches a bound."""
        leading, rest = sorted(terms, key=lambda term: len(term.ids)), 0.0
        while len(leading) > 1 and (rest := rest + self._most(leading[-1])) < bound * (1 - ROUNDING):
            leading.pop()
        return leading

    def _most(self, term: _Term) -> float:
        """Return what a term adds to a score at most: in the shortest chunk, as often as it stands anywhere."""
        count = int(term.counts.max())
        return max(0.0, term.idf * count * (self.k1 + 1) / (count + self._least_norm))

    def _scores_of(self, chunks: NDArray[np.int32], terms: Sequence[_Term]) -> NDArray[np.float64]:
        """Return the scores of some chunks, (len(chunks),), by looking them up in the postings."""
        scores = np.zeros(len(chunks))
        for term in terms:
            at = np.searchsorted(term.ids, chunks)
            at[at == len(term.ids)] = 0
            here = np.flatnonzero(term.ids[at] == chunks)
            scores[here] += self._contributions(term.idf, chunks[here], term.counts[at[here]])
        return scores

    @contextmanager
    def _accumulated(self, terms: Sequence[_Term]) -> Iterator[NDArray[np.float64]]:
        """Lend the scores of every chunk; the array is used again, so that a search touches its postings only."""
        scores = self._spare.pop() if self._spare else np.zeros(self.index.n_chunks)
        self._add(scores, terms)
        yield scores
        if sum(len(term.ids) for term in terms) * SPARSE > len(scores):
            scores.fill(0)
        else:
            for term in terms:
                scores[term.ids] = 0
        self._spare.append(scores)

    def _add(self, scores: NDArray[np.float64], terms: Iterable[_Term]) -> None:
        for term in terms:
            known = self._known(term)
            for block in term.blocks():
                ids = term.ids[block]
                added = self._contributions(term.idf, ids, term.counts[block]) if known is None else known[block]
                np.add.at(scores, ids, added)

    def _known(self, term: _Term) -> NDArray[np.float64] | None:
        """Return what a common term adds to each of its chunks, computed at its first use; `None`: it is rare."""
        if len(term.ids) < COMMON:
            return None
        key = term.name, term.idf
        known = self._common.get(key)
        if known is None:
            blocks = (self._contributions(term.idf, term.ids[at], term.counts[at]) for at in term.blocks())
            known = np.concatenate(list(blocks))
            if sum(map(len, list(self._common.values()))) + len(known) > KEPT:
                self._common.clear()
            self._common[key] = known
        return known

    @cached_property
    def _norms(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """K by length, since there are few lengths, and the length of each chunk: (max |d| + 1,), (n_chunks,)."""
        lengths = self.index.lengths
        return self._length_norm(np.arange(int(lengths.max(initial=0)) + 1, dtype=np.int32)), lengths

    @cached_property
    def _least_norm(self) -> float:
        of_length, lengths = self._norms
        return float(of_length[lengths.min()]) if len(lengths) else math.inf

    def _length_norm(self, lengths: NDArray[np.int32]) -> NDArray[np.float64]:
        return np.asarray(self.k1 * (1 - self.b + self.b * lengths / (self._average or 1.0)), np.float64)

    def _contributions(self, idf: float, ids: NDArray[np.int32], counts: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return what a term adds to the scores of chunks that hold it so often, idf f (k1 + 1) / (f + K)."""
        of_length, lengths = self._norms
        return idf * _saturation(counts, self.k1, of_length.take(lengths.take(ids, mode="clip"), mode="clip"))

    def _explain(self, term: str, times: int, chunk: int) -> TermScore:
        count = self.index.count(term, chunk)
        norm = self._norms[0][self.index.lengths[chunk : chunk + 1]]
        saturation = float(_saturation(np.array([count], np.int32), self.k1, norm)[0]) if count else 0.0
        idf = self.idf(term)
        stands_for = self.index.started_by(term, chunk) if isinstance(term, Prefix) and count else ()
        return TermScore(
            term=term,
            count=count,
            document_frequency=self.index.document_frequency(term),
            idf=idf,
            length_norm=float(norm[0]),
            saturation=saturation,
            contribution=times * idf * saturation,
            stands_for=tuple(stands_for),
            times=times,
        )


def _saturation(counts: NDArray[np.integer], k1: float, norms: NDArray[np.float64] | np.float64) -> NDArray[np.float64]:
    """Return f (k1 + 1) / (f + K); one conversion of f and no array more than needed, since this takes most time."""
    frequency = counts.astype(np.float64)
    below = frequency + norms
    frequency *= k1 + 1
    frequency /= below
    return frequency


def _bound(scores: NDArray[np.float64], terms: Sequence[_Term], k: int, allowed: Mask | None) -> float:
    """Return what the k-th best score is at least: the k-th best of one term's chunks, the shortest list that does."""
    for term in sorted(terms, key=lambda term: len(term.ids)):
        ids = term.ids if allowed is None else term.ids[allowed[term.ids]]
        if len(ids) >= k:
            reached = scores.take(ids, mode="clip")
            return float(np.partition(reached, len(ids) - k)[len(ids) - k])
    return -math.inf


def _above(
    scores: NDArray[np.float64], terms: Sequence[_Term], bound: float, allowed: Mask | None
) -> NDArray[np.int32]:
    """Return, rising, the chunks that hold a term and reach a bound."""
    found = [np.zeros(0, np.int32)]
    for term in terms:
        for block in term.blocks():
            ids = term.ids[block]
            ids = ids[scores.take(ids, mode="clip") >= bound]
            found.append(ids if allowed is None else ids[allowed[ids]])
    return distinct(np.concatenate(found))
