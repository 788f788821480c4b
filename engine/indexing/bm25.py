"""BM25 over an inverted index: term by term, so that every score can be taken apart again.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; the idf is Lucene's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.indexing.exact import Mask
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.top_k import to_ranking
from engine.records import Ranking, TermScore

Variant = Literal["lucene", "classic"]


class BM25:
    """score(q, d) = sum over distinct t in q of idf(t) f (k1 + 1) / (f + K), K = k1 (1 - b + b |d| / avg).

    Nothing is precomputed, so that k1 and b cost nothing to change.
    """

    def __init__(self, index: InvertedIndex, k1: float = 1.5, b: float = 0.75, variant: Variant = "lucene") -> None:
        """Take the index and the parameters.

        Args:
            index: the collection.
            k1: how slowly repeated words stop counting, at least 0.
            b: how much long chunks are held back, 0 to 1.
            variant: the idf. `lucene`: ln(1 + (N - n + 0.5)/(n + 0.5)), always positive. `classic`:
                ln((N - n + 0.5)/(n + 0.5)), 0 or negative for a term in half of the chunks or more.

        Raises:
            ValueError: a parameter is out of its range.
        """
        if k1 < 0 or not 0 <= b <= 1 or variant not in ("lucene", "classic"):
            raise ValueError("k1 is at least 0, b in 0 to 1, variant `lucene` or `classic`")
        self.index, self.k1, self.b, self.variant = index, k1, b, variant
        self._average = index.average_length

    def idf(self, term: str) -> float:
        """Return the inverse document frequency of an analysed term; that of an unknown term has n = 0."""
        n = self.index.document_frequency(term)
        odds = (self.index.n_chunks - n + 0.5) / (n + 0.5)
        return math.log1p(odds) if self.variant == "lucene" else math.log(odds)

    def scores(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return the score of every chunk, (n_chunks,) float64; 0 where no term of the query occurs."""
        scores, _ = self._accumulate(query)
        return scores

    def search(self, query: str | Sequence[str], k: int = 10, *, allowed: Mask | None = None) -> Ranking:
        """Return the k best chunks that hold a term of the query.

        Args:
            query: a text, or its terms.
            k: how many.
            allowed: (n_chunks,) which chunks may be found; `None`: all. Scores stay those of the whole collection.
        """
        scores, lists = self._accumulate(query)
        if allowed is not None:
            lists = [kept for ids in lists if len(kept := ids[allowed[ids]])]
        if not lists:
            return Ranking("bm25")
        candidates = _candidates(scores, lists, k)
        return to_ranking("bm25", scores[candidates], k, candidates)

    def explain(self, query: str | Sequence[str], chunk: int) -> tuple[TermScore, ...]:
        """Return what each term adds to a chunk's score, in the order of the query.

        The contributions, added one by one in this order, are the score to the last bit (from Python 3.12 on, the
        built-in `sum` corrects its roundings and may differ in the last one).
        """
        return tuple(self._explain(term, chunk) for term in self.index.query_terms(query))

    def _accumulate(self, query: str | Sequence[str]) -> tuple[NDArray[np.float64], list[NDArray[np.int32]]]:
        """Add up the postings of the query's terms; return the scores and each known term's chunk ids."""
        scores = np.zeros(self.index.n_chunks)
        lists = []
        for term in self.index.query_terms(query):
            ids, counts = self.index.postings(term)
            if len(ids):
                scores[ids] += self.idf(term) * self._saturation(counts, self.index.lengths[ids])
                lists.append(ids)
        return scores, lists

    def _length_norm(self, lengths: NDArray[np.int32]) -> NDArray[np.float64]:
        return np.asarray(self.k1 * (1 - self.b + self.b * lengths / (self._average or 1.0)), np.float64)

    def _saturation(self, counts: NDArray[np.int32], lengths: NDArray[np.int32]) -> NDArray[np.float64]:
        saturation: NDArray[np.float64] = counts * (self.k1 + 1) / (counts + self._length_norm(lengths))
        return saturation

    def _explain(self, term: str, chunk: int) -> TermScore:
        lengths = self.index.lengths[chunk : chunk + 1]
        count = self.index.count(term, chunk)
        saturation = float(self._saturation(np.array([count], np.int32), lengths)[0]) if count else 0.0
        idf = self.idf(term)
        return TermScore(
            term=term,
            count=count,
            document_frequency=self.index.document_frequency(term),
            idf=idf,
            length_norm=float(self._length_norm(lengths)[0]),
            saturation=saturation,
            contribution=idf * saturation,
        )


def _candidates(scores: NDArray[np.float64], lists: Sequence[NDArray[np.int32]], k: int) -> NDArray[np.int32]:
    """Return, rising, the ids of the lists among which the k best are.

    The k-th best of one list is a bound: whatever scores less is beaten by k others.
    """
    longest = scores[max(lists, key=len)]
    if 0 < k < len(longest):
        bound = np.partition(longest, len(longest) - k)[len(longest) - k]
        lists = [ids[scores[ids] >= bound] for ids in lists]
    return np.unique(np.concatenate(lists))
