"""Labelled questions and retrievers -> recall, MRR, nDCG and MAP, and which retriever found what where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from engine.evaluation.metrics import average_precision, ndcg, recall_at_k, reciprocal_rank
from engine.evaluation.resampling import Interval, intervals_of
from engine.evaluation.stepping import stepping
from engine.records import Ranking, Report, ShouldStop

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
    id: str = ""
    """Its name in a run file."""

    @property
    def gain_of(self) -> dict[int, float]:
        """The gain of each relevant chunk: that of the most valuable piece it holds."""
        gains = self.gains or (1.0,) * len(self.pieces)
        found: dict[int, float] = {}
        for piece, gain in zip(self.pieces, gains, strict=True):
            for chunk in piece:
                found[chunk] = max(gain, found.get(chunk, 0.0))
        return found


OnRankings = Callable[[Judged, Mapping[str, Ranking]], None]
"""Takes a question and its rankings by retriever."""


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """How each retriever did on one question."""

    question: str
    """The question."""
    first_relevant: Mapping[str, int | None]
    """By retriever: the rank of the first relevant chunk; `None`: not found."""
    figures: Mapping[str, Mapping[str, float]]
    """By retriever: each of `FIGURES` on this question alone; `mrr` is the reciprocal rank, `map` the precision."""

    @property
    def spread(self) -> float:
        """How far the retrievers are apart, 0 to 1: the largest reciprocal rank minus the least."""
        ranks = [figures["mrr"] for figures in self.figures.values()]
        return max(ranks) - min(ranks)


@dataclass(frozen=True)
class RetrievalReport:
    """The figures of every retriever."""

    retrievers: Mapping[str, Mapping[str, float]]
    """By retriever: each of `FIGURES`, 0 to 1, higher is better."""
    rows: tuple[QuestionRow, ...]
    """One a question, in order."""
    n_pieces: int
    """Pieces of evidence judged."""

    @property
    def disagreements(self) -> tuple[QuestionRow, ...]:
        """The questions, those on which the retrievers disagree most first."""
        return tuple(sorted(self.rows, key=lambda row: -row.spread))

    @cached_property
    def intervals(self) -> dict[str, dict[str, Interval]]:
        """By retriever: each figure with its percentile bootstrap interval over questions."""
        return {name: intervals_of(FIGURES, [row.figures[name] for row in self.rows]) for name in self.retrievers}


def evaluate_retrieval(
    questions: Sequence[Judged],
    searches: Mapping[str, Search],
    on_rankings: OnRankings | None = None,
    *,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> RetrievalReport:
    """Measure every retriever on every question.

    Every figure is the mean over questions; recall@k of one question is its pieces found in the top k over its
    pieces. A piece that no chunk holds whole counts as not found.

    Args:
        questions: each with at least one piece.
        searches: by name; a ranking is judged as deep as it comes.
        on_rankings: called after each question with its rankings by retriever.
        report: told the progress before each question.
        should_stop: asked before each question.

    Raises:
        Cancelled: `should_stop` returned true.

    >>> from engine import BM25, InvertedIndex
    >>> bm25 = BM25(InvertedIndex(["Mars has two moons.", "Jupiter has rings."]))
    >>> measured = evaluate_retrieval([Judged("moons of Mars", (frozenset([0]),))], {"bm25": bm25.search})
    >>> measured.retrievers["bm25"]["recall@1"]
    1.0
    """
    rows = []
    for question in stepping(questions, "searching", report, should_stop):
        rankings = {name: search(question.text) for name, search in searches.items()}
        rows.append(_row(question, rankings))
        if on_rankings is not None:
            on_rankings(question, rankings)
    means = {
        name: {figure: fmean(row.figures[name][figure] for row in rows) if rows else 0.0 for figure in FIGURES}
        for name in searches
    }
    return RetrievalReport(means, tuple(rows), sum(len(question.pieces) for question in questions))


def figures_of(question: Judged, ids: Sequence[int]) -> dict[str, float]:
    """Return each of `FIGURES` of one ranking of chunk ids, best first."""
    gains = question.gain_of
    return {
        **{f"recall@{k}": recall_at_k(question.pieces, ids, k) for k in CUTS},
        "mrr": reciprocal_rank(gains, ids),
        "ndcg@10": ndcg(gains, ids, 10),
        "map": average_precision(gains, ids),
    }


def _row(question: Judged, rankings: Mapping[str, Ranking]) -> QuestionRow:
    gains = question.gain_of
    first = {
        name: next((hit.rank for hit in ranking.hits if hit.chunk in gains), None) for name, ranking in rankings.items()
    }
    return QuestionRow(
        question.text, first, {name: figures_of(question, ranking.ids) for name, ranking in rankings.items()}
    )
