"""Judged answers with their probabilities -> what each threshold would do, and whether the probabilities are true.

The best sentence is judged whether it was answered with or refused, so that one run says what every threshold does.
Reliability: of the answers that are called 0.7, seven in ten should be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from engine.evaluation.answers import AnswerRow
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.tables import Column, Table, Value, table

THRESHOLDS = tuple(step / 10 for step in range(10))
BINS = 5
"""Equal ranges of probability that reliability is counted in."""


@dataclass(frozen=True, slots=True)
class AtThreshold:
    """What a threshold does."""

    threshold: float
    """Least probability of an answer."""
    answered: int
    """Questions answered."""
    right: int
    """Of them right."""
    unanswerable_refused: int
    """Unanswerable questions refused, as they should be."""

    @property
    def decided(self) -> int:
        """Right decisions: right answers, and refusals where there is no answer."""
        return self.right + self.unanswerable_refused


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers that were given about the same probability."""

    low: float
    """Least probability."""
    high: float
    """Greatest; it belongs to the next bin, but 1 to the last."""
    n: int
    """Answers."""
    said: float
    """Their mean probability."""
    right: float
    """Share of them that is right."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curve of thresholds and the reliability of the probabilities."""

    n: int
    """Questions whose answer has a probability."""
    curve: tuple[AtThreshold, ...]
    """By threshold, rising."""
    bins: tuple[Bin, ...]
    """Those that hold an answer, rising."""
    brier: float
    """Mean squared difference of probability and outcome, 0 to 1; lower is better."""

    def to_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {
            "questions": self.n,
            "brier": self.brier,
            "curve": [
                {
                    "threshold": each.threshold,
                    "answered": each.answered,
                    "right": each.right,
                    "unanswerable_refused": each.unanswerable_refused,
                    "right_decisions": each.decided,
                }
                for each in self.curve
            ],
            "reliability": [
                {"low": each.low, "high": each.high, "questions": each.n, "said": each.said, "right": each.right}
                for each in self.bins
            ],
        }

    def tables(self) -> tuple[Table, ...]:
        """Return the curve, a row a threshold, and the reliability, a row a bin."""
        columns: list[Column | str] = [
            Column("threshold", form=".1f"),
            "answered",
            "right of them",
            "unanswerable refused",
            "right decisions",
        ]
        rows: list[list[Value]] = [
            [each.threshold, each.answered, each.right, each.unanswerable_refused, each.decided] for each in self.curve
        ]
        reliability: list[list[Value]] = [
            [f"{each.low:.1f} to {each.high:.1f}", each.n, each.said, each.right] for each in self.bins
        ]
        return (
            table(f"Thresholds: {self.n} questions", columns, rows),
            table(
                "Reliability of the probabilities",
                ["said", "answers", "mean said", "right"],
                reliability,
                f"Brier score {self.brier:.3f} (0 is best).",
            ),
        )

    def figure(self) -> Figure:
        """Return answered against right, and the reliability diagram."""
        answered = [each.answered / self.n for each in self.curve]
        precision = [each.right / each.answered if each.answered else 1.0 for each in self.curve]
        said, right = tuple(each.said for each in self.bins), tuple(each.right for each in self.bins)
        return Figure(
            "Knowing when not to answer",
            (
                Panel(
                    "Answered against right",
                    "share of questions answered",
                    "share of answers right",
                    (Curve("", tuple(answered), tuple(precision)),),
                    y_range=(0, 1),
                ),
                Panel(
                    "Reliability",
                    "probability said",
                    "share right",
                    (Curve("true", (0, 1), (0, 1)), Curve("measured", said, right, kind="points")),
                    y_range=(0, 1),
                ),
            ),
        )


def calibrate(rows: Sequence[AnswerRow]) -> Calibration | None:
    """Return the calibration of judged answers; `None`: none of them has a probability.

    >>> calibrate([]) is None
    True
    """
    judged = [(row.confidence, row.best_is_right, row.n_pieces == 0) for row in rows if row.confidence is not None]
    if not judged:
        return None
    curve = [
        AtThreshold(
            threshold=threshold,
            answered=sum(said >= threshold for said, _, _ in judged),
            right=sum(right for said, right, _ in judged if said >= threshold),
            unanswerable_refused=sum(unanswerable for said, _, unanswerable in judged if said < threshold),
        )
        for threshold in THRESHOLDS
    ]
    bins = []
    for number in range(BINS):
        inside = [(said, right) for said, right, _ in judged if min(int(said * BINS), BINS - 1) == number]
        if inside:
            means = fmean(said for said, _ in inside), fmean(right for _, right in inside)
            bins.append(Bin(number / BINS, (number + 1) / BINS, len(inside), *means))
    brier = fmean((said - right) ** 2 for said, right, _ in judged)
    return Calibration(len(judged), tuple(curve), tuple(bins), brier)
