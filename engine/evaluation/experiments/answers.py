"""Quoted answers against the threshold: how many come out right, wrong and refused.

Every question is asked once without a threshold. Since the generator quotes its best sentence or refuses, the coverage
of that sentence says what it does under any threshold.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from engine.answering.extractive import extractive_generator
from engine.evaluation.answers import AnswerReport, evaluate_answers
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.labelled import Labelled
from engine.evaluation.tables import Column, Table, table
from engine.library import Library
from engine.pipeline import ask
from engine.records import Report, Trace
from engine.settings import Settings

THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
NEVER = -1.0
"""Below every coverage: with this threshold nothing is refused."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What became of the questions under one threshold."""

    threshold: float
    """Least coverage of an answer; `NEVER`: none is asked for."""
    right: int
    """Questions of one piece answered right."""
    wrong: int
    """Questions of one piece answered wrong."""
    refused: int
    """Questions of one piece refused."""
    unanswerable_refused: int
    """Unanswerable questions refused, as they should be."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers from one list of sources."""

    name: str
    """What was asked."""
    sources: int
    """Most sources in a prompt."""
    n_answerable: int
    """Questions that one piece of evidence answers."""
    n_unanswerable: int
    """Questions that nothing answers."""
    lists: tuple[tuple[str, tuple[Outcomes, ...]], ...]
    """Where the sources come from, and the outcomes by threshold, rising."""

    def tables(self) -> tuple[Table, ...]:
        """Return a row a list and threshold."""
        columns: list[Column | str] = [
            "sources from",
            Column("threshold", form=".2f"),
            "answered",
            "right",
            "wrong",
            "refused",
            "unanswerable refused",
        ]
        rows = [
            [
                name,
                None if each.threshold == NEVER else each.threshold,
                each.right + each.wrong,
                each.right,
                each.wrong,
                each.refused,
                each.unanswerable_refused,
            ]
            for name, outcomes in self.lists
            for each in outcomes
        ]
        title = (
            f"Quoted answers to {self.n_answerable} questions of one piece and {self.n_unanswerable} unanswerable, "
            f"{self.sources} sources"
        )
        return (table(title, columns, rows, "Threshold –: never refuses."),)

    def figure(self) -> Figure:
        """Return answers against the threshold, a panel a list."""
        return Figure(f"Answers from {self.name}", tuple(self._panel(name, outcomes) for name, outcomes in self.lists))

    def _panel(self, name: str, outcomes: Sequence[Outcomes]) -> Panel:
        shown = [each for each in outcomes if each.threshold != NEVER]
        x = tuple(each.threshold for each in shown)
        curves = (
            Curve("right", x, tuple(each.right for each in shown)),
            Curve("wrong", x, tuple(each.wrong for each in shown)),
            Curve("refused", x, tuple(each.refused for each in shown)),
            Curve("unanswerable refused", x, tuple(each.unanswerable_refused for each in shown)),
        )
        return Panel(f"sources from {name}", "threshold", "questions", curves)


def answers(
    labelled: Labelled,
    settings: Settings | None = None,
    thresholds: Sequence[float] = THRESHOLDS,
    *,
    report: Report | None = None,
) -> Answers:
    """Ask every question, with sources from the fused list and from BM25 alone.

    Args:
        labelled: documents and questions.
        settings: how the documents are cut and ranked and how the prompt is made; `threshold` of it is not used.
        thresholds: the thresholds compared, rising; never refusing comes on top.
        report: told the progress of the indexing.
    """
    settings = settings or Settings()
    library = labelled.library(settings, "lsa", report)
    sparse = dataclasses.replace(library, stage="bm25", lsa=None, settings=settings.replace(near_weight=0.0))
    questions = labelled.questions
    return Answers(
        name=labelled.name,
        sources=settings.sources,
        n_answerable=sum(len(question.evidence) == 1 for question in questions),
        n_unanswerable=sum(not question.evidence for question in questions),
        lists=tuple(
            (name, _outcomes(labelled, source, thresholds)) for name, source in (("fused", library), ("BM25", sparse))
        ),
    )


def _outcomes(labelled: Labelled, library: Library, thresholds: Sequence[float]) -> tuple[Outcomes, ...]:
    traces: list[Trace] = []
    generator = extractive_generator(library.bm25, NEVER)
    judged = evaluate_answers(
        labelled.questions,
        lambda question: ask(library, question, generator=generator),
        on_row=lambda _, trace: traces.append(trace),
    )
    return tuple(_count(judged, traces, threshold) for threshold in (NEVER, *thresholds))


def _count(judged: AnswerReport, traces: Sequence[Trace], threshold: float) -> Outcomes:
    rows = [
        dataclasses.replace(row, outcome="refused") if _coverage(trace) < threshold else row
        for row, trace in zip(judged.rows, traces, strict=True)
    ]
    counts = AnswerReport(tuple(rows)).counts()
    return Outcomes(threshold, counts["right"], counts["wrong"], counts["refused"], counts["unanswerable_refused"])


def _coverage(trace: Trace) -> float:
    return max((candidate.coverage for candidate in trace.answer.candidates), default=NEVER)
