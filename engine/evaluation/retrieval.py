"""Labelled questions and retrievers -> recall, MRR, nDCG and MAP, and which retriever found what where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from engine.evaluation.metrics import average_precision, ndcg, recall_at_k, reciprocal_rank
from engine.records import Ranking

CUTS = (1, 3, 5, 10)
"""Depths at which recall is measured."""

FIGURES = (*(f"recall@{k}" for k in CUTS), "mrr", "ndcg@10", "map")
"""What is measured of a retriever, in the order of a report."""

Search = Callable[[str], Ranking]
"""Ranks chunk ids for a question's text."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with the chunks that are relevant to it."""

    text: str
    """The question."""
    pieces: tuple[frozenset[int], ...]
    """For each piece of evidence the relevant chunk ids; a piece that no chunk holds whole is an empty set."""
    gains: tuple[float, ...] = ()
    """Gain of each piece; empty: 1 each."""

    @property
    def gain_of(self) -> dict[int, float]:
        """The gain of each relevant chunk: that of the most valuable piece it holds."""
        gains = self.gains or (1.0,) * len(self.pieces)
        found: dict[int, float] = {}
        for piece, gain in zip(self.pieces, gains, strict=True):
            for chunk in piece:
                found[chunk] = max(gain, found.get(chunk, 0.0))
        return found


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """How each retriever did on one question."""

    question: str
    """The question."""
    first_relevant: Mapping[str, int | None]
    """By retriever: the rank of the first relevant chunk; `None`: not found."""
    figures: Mapping[str, Mapping[str, float]]
    """By retriever: each of `FIGURES` on this question alone; `mrr` is the reciprocal rank, `map` the precision."""


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """The figures of every retriever."""

    retrievers: Mapping[str, Mapping[str, float]]
    """By retriever: each of `FIGURES`, 0 to 1, higher is better."""
    rows: tuple[QuestionRow, ...]
    """One a question, in order."""
    n_pieces: int
    """Pieces of evidence judged."""


def evaluate_retrieval(questions: Sequence[Judged], searches: Mapping[str, Search]) -> RetrievalReport:
    """Measure every retriever on every question.

    Every figure is the mean over questions; recall@k of one question is its pieces found in the top k over its
    pieces. A piece that no chunk holds whole counts as not found.

    Args:
        questions: each with at least one piece.
        searches: by name; a ranking is judged as deep as it comes.
    """
    rows = tuple(_row(question, searches) for question in questions)
    means = {
        name: {figure: fmean(row.figures[name][figure] for row in rows) if rows else 0.0 for figure in FIGURES}
        for name in searches
    }
    return RetrievalReport(means, rows, sum(len(question.pieces) for question in questions))


def _row(question: Judged, searches: Mapping[str, Search]) -> QuestionRow:
    gains = question.gain_of
    first: dict[str, int | None] = {}
    figures: dict[str, dict[str, float]] = {}
    for name, search in searches.items():
        ranking = search(question.text).ids
        first[name] = next((rank for rank, chunk in enumerate(ranking, 1) if chunk in gains), None)
        figures[name] = {
            **{f"recall@{k}": recall_at_k(question.pieces, ranking, k) for k in CUTS},
            "mrr": reciprocal_rank(gains, ranking),
            "ndcg@10": ndcg(gains, ranking, 10),
            "map": average_precision(gains, ranking),
        }
    return QuestionRow(question.text, first, figures)
