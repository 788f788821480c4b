"""Judged answers with their probabilities -> the threshold that decides best, and the gain on questions left out.

A decision is right where the answer is, or where it was refused and the notes hold no answer. One run says what every
threshold does (`confidence.py`); folds, choice and comparison are those of `search.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.evaluation.answers import AnswerRow
from engine.evaluation.resampling import LEVEL, Paired, compare_paired
from engine.evaluation.tables import Column, Table, Value, table
from engine.evaluation.tuning.folds import grouped_folds
from engine.evaluation.tuning.record import CHANCE
from engine.evaluation.tuning.search import FEWEST, FOLDS, choose
from engine.records import Question

STEPS = tuple(step / 20 for step in range(20))
"""Thresholds tried, beside that of now."""


@dataclass(frozen=True)
class TunedThreshold:
    """The outcome of `tune_threshold`."""

    before: float
    """The threshold of now."""
    after: float
    """The one chosen on all questions."""
    chosen: tuple[float, ...]
    """By fold: the one chosen on the others."""
    gain: Paired
    """Share of right decisions now, and of every question under the threshold chosen without it."""

    @property
    def helps(self) -> bool:
        """Whether questions left out gained by more than chance would explain."""
        return self.after != self.before and self.gain.difference > 0 and self.gain.p < CHANCE

    @property
    def advice(self) -> str:
        """What to do, in words."""
        gain = self.gain
        measured = f"right decisions {gain.before:.3f} now, {gain.after:.3f} tuned, {gain.difference:+.3f}"
        sure = f"{LEVEL:.0%} interval {gain.low:+.3f} to {gain.high:+.3f}, p = {gain.p:.4f}"
        if self.helps:
            return (
                f"Tuned on {gain.n} questions: threshold = {self.after:g}. On questions left out: {measured} ({sure})."
            )
        return f"Keep the threshold: on questions left out the gain is not beyond noise: {measured} ({sure})."

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as JSON-ready dicts."""
        return {
            "before": self.before,
            "after": self.after,
            "by_fold": list(self.chosen),
            "right_decisions": self.gain._asdict(),
            "helps": self.helps,
            "advice": self.advice,
        }

    def tables(self) -> tuple[Table, ...]:
        """Return what was chosen, with the advice."""
        folds = [Column(f"fold {number}", form="g") for number in range(1, len(self.chosen) + 1)]
        columns = [Column("setting"), Column("now", form="g"), Column("all questions", form="g"), *folds]
        rows: list[list[Value]] = [["threshold", self.before, self.after, *self.chosen]]
        return (table("Tuning: the threshold", columns, rows, self.advice),)


def tune_threshold(
    rows: Sequence[AnswerRow], questions: Sequence[Question], threshold: float, n_folds: int = FOLDS
) -> TunedThreshold | None:
    """Choose the threshold with the most right decisions, by cross-validation over notes.

    Args:
        rows: the judged answers of the questions.
        questions: the same, in the same order.
        threshold: that of now.
        n_folds: at most.

    Returns:
        `None`: fewer than `search.FEWEST` answers have a probability.
    """
    pairs = [pair for pair in zip(rows, questions, strict=True) if pair[0].confidence is not None]
    if len(pairs) < FEWEST:
        return None
    tried = sorted({threshold, *STEPS}, key=lambda each: abs(each - threshold))
    said = np.array([row.confidence for row, _ in pairs], np.float64)
    right = np.array([row.best_is_right for row, _ in pairs])
    none = np.array([row.n_pieces == 0 for row, _ in pairs])
    answered = said >= np.array(tried)[:, None]
    values = np.where(answered, right, none).astype(np.float64)
    folds = grouped_folds([_note(question) for _, question in pairs], n_folds)
    chosen = [choose(values[:, folds != fold]) for fold in range(folds.max() + 1)]
    after = values[np.array(chosen)[folds], np.arange(len(pairs))]
    gain = compare_paired(values[0].tolist(), after.tolist())
    return TunedThreshold(threshold, tried[choose(values)], tuple(tried[at] for at in chosen), gain)


def _note(question: Question) -> str:
    return question.evidence[0].alternatives[0][0] if question.evidence else question.text
