"""How passages are chosen and ordered for the prompt: `prefix` against `edges`, at several budgets.

What a strategy can change is what stands in the prompt and where. Both are counted; what a hosted model makes of the
order is not: it takes a model (Liu et al., "Lost in the Middle", 2023, found the middle of long prompts read worst).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from engine.evaluation.answers import evaluate_answers
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.labelled import Labelled
from engine.evaluation.metrics import recall_at_k
from engine.evaluation.retrieval import Judged
from engine.evaluation.tables import Column, Table, Value, table
from engine.library import Library
from engine.pipeline import ask
from engine.records import Prompt, Report
from engine.settings import Settings

BUDGETS = (200, 300, 400, 600, 2000)
STRATEGIES = ("prefix", "edges")


@dataclass(frozen=True, slots=True)
class StrategyFigures:
    """What one strategy makes of one budget; means are over the questions that have evidence."""

    strategy: str
    """`prefix` or `edges`."""
    budget: int
    """Most tokens of a prompt."""
    sources: float
    """Mean sources in a prompt."""
    tokens: float
    """Mean tokens of a prompt."""
    recall: float
    """Share of the pieces of evidence that stand in the prompt, 0 to 1."""
    at_ends: float
    """Share of the pieces that stand in its first or last source, 0 to 1."""
    right: int
    """Questions of one piece that quoting answers right."""
    wrong: int
    """Questions of one piece that quoting answers wrong."""
    refused: int
    """Questions of one piece that quoting refuses."""


@dataclass(frozen=True, slots=True)
class Strategies:
    """Strategies and budgets compared on one collection."""

    name: str
    """What was asked."""
    sources: int
    """Most sources in a prompt."""
    n_questions: int
    """Questions that have evidence."""
    rows: tuple[StrategyFigures, ...]
    """By budget, rising, then strategy."""

    def tables(self) -> tuple[Table, ...]:
        """Return a row a budget and strategy."""
        columns: list[Column | str] = [
            Column("budget", form=","),
            "strategy",
            Column("sources", form=".2f"),
            Column("tokens", form=".0f"),
            "recall in the prompt",
            "at its ends",
            "right",
            "wrong",
            "refused",
        ]
        rows: list[list[Value]] = [
            [r.budget, r.strategy, r.sources, r.tokens, r.recall, r.at_ends, r.right, r.wrong, r.refused]
            for r in self.rows
        ]
        title = f"Prompts from {self.name}: {self.n_questions} questions, at most {self.sources} sources"
        return (table(title, columns, rows),)

    def figure(self) -> Figure:
        """Return the evidence in the prompt, and in its first and last source, against the budget."""
        curves = []
        for strategy in dict.fromkeys(row.strategy for row in self.rows):
            rows = [row for row in self.rows if row.strategy == strategy]
            budgets = tuple(float(row.budget) for row in rows)
            curves += [
                Curve(f"{strategy}, in the prompt", budgets, tuple(row.recall for row in rows)),
                Curve(f"{strategy}, at its ends", budgets, tuple(row.at_ends for row in rows)),
            ]
        panel = Panel("", "budget in tokens", "share of the evidence", tuple(curves), y_range=(0.0, 1.0))
        return Figure(f"Prompts from {self.name}", (panel,), f"At most {self.sources} sources.")


def strategies(
    labelled: Labelled,
    settings: Settings | None = None,
    budgets: Sequence[int] = BUDGETS,
    *,
    report: Report | None = None,
) -> Strategies:
    """Make the prompt of every question under both strategies and every budget, and answer from it by quoting.

    Args:
        labelled: documents and questions.
        settings: how the documents are cut and ranked, the most sources, the template and the threshold; `strategy`
            and `budget` of it are not used.
        budgets: tokens of a whole prompt, rising.
        report: told the progress of the indexing.
    """
    library = labelled.library(settings or Settings(), "lsa", report)
    judged = labelled.judged(library)
    return Strategies(
        name=labelled.name,
        sources=library.settings.sources,
        n_questions=len(judged),
        rows=tuple(
            _measure(labelled, library, judged, library.settings.replace(strategy=strategy, budget=budget))
            for budget in budgets
            for strategy in STRATEGIES
        ),
    )


def _measure(labelled: Labelled, library: Library, judged: Sequence[Judged], settings: Settings) -> StrategyFigures:
    library = library.with_settings(settings)
    prompts: list[Prompt] = []
    answered = evaluate_answers(
        labelled.questions,
        lambda text: ask(library, text),
        on_row=lambda _, trace: prompts.append(trace.prompt),
    )
    counts = answered.counts()
    asked = [prompt for prompt, question in zip(prompts, labelled.questions, strict=True) if question.evidence]
    chosen = [[source.chunk.id for source in prompt.sources] for prompt in asked]
    return StrategyFigures(
        strategy=settings.strategy,
        budget=settings.budget,
        sources=_mean(map(len, chosen)),
        tokens=_mean(prompt.tokens for prompt in asked),
        recall=_share_found(judged, chosen),
        at_ends=_share_found(judged, [[*ids[:1], *ids[-1:]] for ids in chosen]),
        right=counts["right"],
        wrong=counts["wrong"],
        refused=counts["refused"],
    )


def _share_found(judged: Sequence[Judged], chosen: Sequence[Sequence[int]]) -> float:
    """Return the mean over questions of the share of pieces that a chosen chunk holds."""
    pairs = zip(judged, chosen, strict=True)
    return _mean(recall_at_k(question.pieces, ids, len(ids)) for question, ids in pairs)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fmean(found) if found else 0.0
