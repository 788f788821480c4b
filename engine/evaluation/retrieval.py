"""Labelled questions and retrievers -> recall, MRR, nDCG and MAP, and which retriever found what where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from engine.evaluation.metrics import average_precision, ndcg, recall_at_k, reciprocal_rank
from engine.records import Ranking

CUTS = (1, 3, 5, 10)
"""Depths at which recall is measured."""

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


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """The figures of every retriever."""

    retrievers: Mapping[str, Mapping[str, float]]
    """By retriever: `recall@1`, `recall@3`, `recall@5`, `recall@10`, `mrr`, `ndcg@10`, `map`, each 0 to 1."""
    rows: tuple[QuestionRow, ...]
    """One a question."""
    n_pieces: int
    """Pieces of evidence judged."""


def evaluate_retrieval(questions: Sequence[Judged], searches: Mapping[str, Search]) -> RetrievalReport:
    """Measure every retriever on every question.

    recall@k is pieces found in the top k over all pieces of all questions; MRR, nDCG@10 and MAP are means over
    questions.

    Args:
        questions: each with at least one piece.
        searches: by name; a ranking is judged as deep as it comes.
    """
    rankings = {name: [search(question.text).ids for question in questions] for name, search in searches.items()}
    rows = [
        QuestionRow(
            question.text,
            {name: _first(question, rankings[name][at]) for name in searches},
        )
        for at, question in enumerate(questions)
    ]
    figures = {name: _figures(questions, rankings[name]) for name in searches}
    return RetrievalReport(figures, tuple(rows), sum(len(question.pieces) for question in questions))


def _figures(questions: Sequence[Judged], rankings: Sequence[Sequence[int]]) -> dict[str, float]:
    pairs = list(zip(questions, rankings, strict=True))
    n_pieces = sum(len(question.pieces) for question in questions)

    def recall(k: int) -> float:
        found = sum(recall_at_k(question.pieces, ranking, k) * len(question.pieces) for question, ranking in pairs)
        return found / n_pieces if n_pieces else 0.0

    def mean(values: list[float]) -> float:
        return fmean(values) if values else 0.0

    return {
        **{f"recall@{k}": recall(k) for k in CUTS},
        "mrr": mean([reciprocal_rank(frozenset(question.gain_of), ranking) for question, ranking in pairs]),
        "ndcg@10": mean([ndcg(question.gain_of, ranking, 10) for question, ranking in pairs]),
        "map": mean([average_precision(frozenset(question.gain_of), ranking) for question, ranking in pairs]),
    }


def _first(question: Judged, ranking: Sequence[int]) -> int | None:
    relevant = question.gain_of
    return next((rank for rank, chunk in enumerate(ranking, 1) if chunk in relevant), None)
