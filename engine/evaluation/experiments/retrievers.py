"""Which retriever finds the evidence: recall, MRR and nDCG of BM25, tf-idf, LSA and their fusion.

Beside the figures: where the fusion moves the first relevant chunk, what becomes of a sum of raw scores, and what
tf-idf does without the division by length.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from engine.evaluation.experiments.mistakes import LengthDivision, ScoreSum, length_division, score_sum
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.labelled import Labelled
from engine.evaluation.metrics import ndcg, recall_at_k, reciprocal_rank
from engine.evaluation.resampling import Paired, compare_paired
from engine.evaluation.retrieval import Judged
from engine.evaluation.tables import Column, Table, Value, table
from engine.indexing.lsa import LSA
from engine.ranking.fusion import reciprocal_rank_fusion
from engine.records import Ranking, Report
from engine.settings import Settings

CUTS = (1, 3, 5, 10, 20)
"""Depths at which recall is measured."""
FIGURES = (*(f"recall@{k}" for k in CUTS), "mrr", "ndcg@10")
"""What is measured of a list, in the order of a table."""
DIMENSIONS = (32, 64, 128)
"""LSA is measured in each of these; the last one is fused."""
SHOWN = 5
"""Questions shown that the fusion moves, each way."""


@dataclass(frozen=True, slots=True)
class Move:
    """One question whose first relevant chunk stands elsewhere in the fused list than in BM25's."""

    question: str
    """The question."""
    bm25: int | None
    """The rank in BM25's list; `None`: not in it."""
    lsa: int | None
    """The rank in LSA's list."""
    fused: int | None
    """The rank in the fused list."""


@dataclass(frozen=True, slots=True)
class Retrievers:
    """What each retriever found."""

    name: str
    """What was searched."""
    n_chunks: int
    """Chunks searched."""
    n_questions: int
    """Questions with evidence."""
    figures: Mapping[str, Mapping[str, float]]
    """By retriever: each of `FIGURES`, 0 to 1, mean over the questions."""
    fusion: Mapping[str, Paired]
    """By figure: the fused list against BM25 on the same questions."""
    up: tuple[Move, ...]
    """Questions whose first relevant chunk the fusion moves up against BM25, farthest first."""
    down: tuple[Move, ...]
    """Those it moves down."""
    score_sum: ScoreSum
    """The sum of raw scores."""
    length_division: LengthDivision
    """Tf-idf without the division by length."""

    def tables(self) -> tuple[Table, ...]:
        """Return the figures and what stands beside them."""
        return (self._figures(), self._fusion(), self._moves(), self._beside())

    def figure(self) -> Figure:
        """Return recall at each depth, a curve a retriever."""
        curves = tuple(
            Curve(name, tuple(map(float, CUTS)), tuple(row[f"recall@{k}"] for k in CUTS))
            for name, row in self.figures.items()
        )
        return Figure(f"Retrievers on {self.name}", (Panel("", "results k", "recall@k", curves, y_range=(0.0, 1.0)),))

    def _figures(self) -> Table:
        title = f"Retrievers: {self.n_chunks:,} chunks, {self.n_questions} questions"
        return table(
            title, ["retriever", *FIGURES], [[name, *(row[k] for k in FIGURES)] for name, row in self.figures.items()]
        )

    def _fusion(self) -> Table:
        columns: list[Column | str] = ["figure", "BM25", "RRF", Column("difference", form="+.3f"), "from", "to", "p"]
        rows: list[list[Value]] = [
            [name, pair.before, pair.after, pair.difference, pair.low, pair.high, pair.p]
            for name, pair in self.fusion.items()
        ]
        note = "From, to: 95% bootstrap interval of the difference; p: randomisation test, two-sided."
        return table("RRF against BM25, question by question", columns, rows, note)

    def _moves(self) -> Table:
        title = f"First relevant chunk against BM25: RRF moves it up {len(self.up)} and down {len(self.down)} times"
        moves = [*self.up[:SHOWN], *self.down[:SHOWN]]
        rows = [[move.question, move.bm25, move.lsa, move.fused] for move in moves]
        return table(title, ["question", "rank in BM25", "in LSA", "in RRF"], rows, f"The farthest {SHOWN} each way.")

    def _beside(self) -> Table:
        total, division = self.score_sum, self.length_division
        rows: list[list[str | float]] = [
            ["Sum of raw scores has BM25's first five, share of questions", total.same],
            ["Largest score of BM25", total.largest_bm25],
            ["Largest cosine of LSA", total.largest_cosine],
            ["tf-idf on sections, recall@5", division.recall_with],
            ["tf-idf on sections without length division, recall@5", division.recall_without],
            ["Mean words of its first five", division.words_with],
            ["Mean words of its first five without length division", division.words_without],
            ["Mean words of all sections", division.words_all],
        ]
        return table("What not to do", ["what", "value"], rows)


def retrievers(
    labelled: Labelled,
    settings: Settings | None = None,
    dimensions: Sequence[int] = DIMENSIONS,
    *,
    report: Report | None = None,
) -> Retrievers:
    """Measure every retriever on the labelled questions.

    Args:
        labelled: documents and questions.
        settings: how the documents are cut, analysed and ranked; `dimensions` of it is not used.
        dimensions: LSA in each of these; 0 chooses by the size of the collection. The last one is fused.
        report: told the progress of the indexing.
    """
    settings = settings or Settings()
    library = labelled.library(settings, "bm25", report)
    judged = labelled.judged(library)
    spaces = [LSA(library.index, r, report=report) for r in dimensions]
    largest = f"LSA-{spaces[-1].n_dims}"
    lists = {
        "BM25": [library.bm25.search(question.text, settings.depth) for question in judged],
        "tf-idf": [library.tfidf.search(question.text, settings.depth) for question in judged],
    }
    for space in spaces:
        lists[f"LSA-{space.n_dims}"] = [space.search(question.text, settings.depth) for question in judged]
    pairs = zip(lists["BM25"], lists[largest], strict=True)
    lists["RRF"] = [reciprocal_rank_fusion(pair, settings.rrf_c) for pair in pairs]
    moves = [
        Move(question.text, *(_first(question, ranking) for ranking in ranked))
        for question, *ranked in zip(judged, lists["BM25"], lists[largest], lists["RRF"], strict=True)
    ]
    gains = sorted(moves, key=_gain)
    return Retrievers(
        name=labelled.name,
        n_chunks=len(library.chunks),
        n_questions=len(judged),
        figures={name: figures_of(judged, rankings) for name, rankings in lists.items()},
        fusion=_compare(judged, lists["BM25"], lists["RRF"]),
        up=tuple(move for move in reversed(gains) if _gain(move) > 0),
        down=tuple(move for move in gains if _gain(move) < 0),
        score_sum=score_sum(library, spaces[-1], [question.text for question in judged]),
        length_division=length_division(labelled, settings),
    )


def figures_of(judged: Sequence[Judged], rankings: Sequence[Ranking]) -> dict[str, float]:
    """Return each of `FIGURES`, mean over the questions; every question has its ranking at the same place."""
    return {name: _mean(values) for name, values in _by_question(judged, rankings).items()}


def _by_question(judged: Sequence[Judged], rankings: Sequence[Ranking]) -> dict[str, list[float]]:
    """Return each of `FIGURES` for every question."""
    pairs = list(zip(judged, rankings, strict=True))
    return {
        **{f"recall@{k}": [recall_at_k(q.pieces, ranking.ids, k) for q, ranking in pairs] for k in CUTS},
        "mrr": [reciprocal_rank(q.gain_of, ranking.ids) for q, ranking in pairs],
        "ndcg@10": [ndcg(q.gain_of, ranking.ids, 10) for q, ranking in pairs],
    }


def _compare(judged: Sequence[Judged], before: Sequence[Ranking], after: Sequence[Ranking]) -> dict[str, Paired]:
    one, other = _by_question(judged, before), _by_question(judged, after)
    return {name: compare_paired(one[name], other[name]) for name in FIGURES}


def _first(question: Judged, ranking: Ranking) -> int | None:
    relevant = question.gain_of
    return next((hit.rank for hit in ranking.hits if hit.chunk in relevant), None)


def _gain(move: Move) -> float:
    """Return how many places up the fusion moves the chunk; one that is not listed stands behind all others."""
    if move.bm25 == move.fused:
        return 0.0
    return (move.bm25 or float("inf")) - (move.fused or float("inf"))


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fmean(found) if found else 0.0
