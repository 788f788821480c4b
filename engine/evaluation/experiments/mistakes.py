"""Two mistakes by number: adding raw scores of two retrievers, and tf-idf without the division by length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.labelled import Labelled
from engine.evaluation.metrics import recall_at_k
from engine.indexing.dense import DenseRetriever
from engine.indexing.tfidf import Tfidf
from engine.indexing.top_k import to_ranking
from engine.library import Library
from engine.ranking.fusion import reciprocal_rank_fusion
from engine.settings import Settings

TOP = 5
"""Results that are compared."""


@dataclass(frozen=True, slots=True)
class ScoreSum:
    """What becomes of adding the scores of BM25 and LSA as they are."""

    same: float
    """Share of the questions, 0 to 1, whose first five of the sum are BM25's first five."""
    same_rrf: float
    """The same share when the two lists are fused by ranks."""
    largest_bm25: float
    """The largest score of BM25."""
    largest_cosine: float
    """The largest cosine of LSA, at most 1."""


@dataclass(frozen=True, slots=True)
class LengthDivision:
    """Tf-idf over whole sections with and without the division by the length of the weight vector."""

    recall_with: float
    """recall@5 of the cosine."""
    recall_without: float
    """recall@5 of the plain dot product."""
    words_with: float
    """Mean words of the five best sections."""
    words_without: float
    """The same without the division."""
    words_all: float
    """Mean words of all sections."""


def score_sum(library: Library, lsa: DenseRetriever, questions: Sequence[str]) -> ScoreSum:
    """Add BM25's scores and LSA's cosines as they are, and compare the first five with BM25's."""
    same, same_rrf, largest_bm25, largest_cosine = 0, 0, 0.0, 0.0
    depth, c = library.settings.depth, library.settings.rrf_c
    for question in questions:
        bm25, cosines = library.bm25.scores(question), lsa.scores(question)
        best = set(to_ranking("bm25", bm25, TOP).ids)
        fused = reciprocal_rank_fusion([library.bm25.search(question, depth), to_ranking("lsa", cosines, depth)], c)
        same += set(to_ranking("sum", bm25 + cosines, TOP).ids) == best
        same_rrf += set(fused.ids[:TOP]) == best
        largest_bm25 = max(largest_bm25, float(bm25.max(initial=0.0)))
        largest_cosine = max(largest_cosine, float(cosines.max(initial=0.0)))
    n_questions = max(1, len(questions))
    return ScoreSum(same / n_questions, same_rrf / n_questions, largest_bm25, largest_cosine)


def length_division(labelled: Labelled, settings: Settings) -> LengthDivision:
    """Rank whole sections by tf-idf, as cosines and as plain dot products."""
    library = labelled.library(settings.replace(chunker="sections"), "bm25")
    judged = labelled.judged(library)
    tfidf, lengths = library.tfidf, vector_lengths(library.tfidf)
    words = np.array([len(chunk.text.split()) for chunk in library.chunks])

    def measure(score: Callable[[str], NDArray[np.float64]]) -> tuple[float, float]:
        rankings = [to_ranking("tfidf", score(question.text), TOP) for question in judged]
        recall = fmean(recall_at_k(q.pieces, found.ids, TOP) for q, found in zip(judged, rankings, strict=True))
        return recall, fmean(float(words[list(found.ids)].mean()) for found in rankings)

    recall_with, words_with = measure(tfidf.scores)
    recall_without, words_without = measure(lambda text: tfidf.scores(text) * lengths)
    return LengthDivision(recall_with, recall_without, words_with, words_without, float(words.mean()))


def vector_lengths(tfidf: Tfidf) -> NDArray[np.float64]:
    """Return the length of each chunk's weight vector, (n_chunks,) float64: what its cosines have been divided by."""
    index = tfidf.index
    frequency = 1 + np.log(index.counts, dtype=np.float64) if tfidf.sublinear else index.counts
    weights = frequency * np.repeat(tfidf.idf, index.document_frequencies())
    return np.sqrt(np.bincount(index.ids, weights**2, minlength=index.n_chunks))
