"""What tuning came to: the settings before and after, and the gain on questions that had no say in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.evaluation.resampling import LEVEL, Paired
from engine.evaluation.tables import Column, Table, Value, table
from engine.settings import Settings

FIGURE = "ndcg@10"
"""What settings are chosen by."""
CHANCE = 0.05
"""p value from which on a gain may be chance."""
TUNED = ("k1", "b", "lsa_weight", "near_weight")
"""The settings that are tuned."""


@dataclass(frozen=True)
class Tuning:
    """The outcome of `tune`."""

    before: Settings
    """The untouched settings."""
    after: Settings
    """Those chosen on all questions; the untouched ones where none are better by more than a standard error."""
    chosen: tuple[Settings, ...]
    """By fold: those chosen on the questions of the other folds."""
    figures: Mapping[str, Paired]
    """Each figure of the fused list now, and of every question under the settings chosen without it."""
    n_questions: int
    """Questions with evidence."""
    n_groups: int
    """Notes, or other groups, that they are about."""
    n_candidates: int
    """Settings tried."""

    @property
    def changes(self) -> dict[str, Any]:
        """The settings that differ, with their values after."""
        return {name: getattr(self.after, name) for name in TUNED if getattr(self.after, name) != self._now(name)}

    @property
    def helps(self) -> bool:
        """Whether questions left out gained by more than chance would explain."""
        gain = self.figures[FIGURE]
        return bool(self.changes) and gain.difference > 0 and gain.p < CHANCE

    @property
    def tuned(self) -> Settings:
        """The settings to go on with: those tuned, marked with the number of questions, or the untouched ones."""
        return self.after.replace(tuned_on=self.n_questions) if self.helps else self.before

    @property
    def advice(self) -> str:
        """What to do, in words."""
        gain = self.figures[FIGURE]
        measured = f"{FIGURE} {gain.before:.3f} now, {gain.after:.3f} tuned, {gain.difference:+.3f}"
        sure = f"{LEVEL:.0%} interval {gain.low:+.3f} to {gain.high:+.3f}, p = {gain.p:.4f}"
        if self.helps:
            new = ", ".join(f"{name} = {value:g}" for name, value in self.changes.items())
            return f"Tuned on {self.n_questions} questions: {new}. On questions left out: {measured} ({sure})."
        return f"Keep what you have: on questions left out the gain is not beyond noise: {measured} ({sure})."

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as JSON-ready dicts."""
        return {
            "questions": self.n_questions,
            "groups": self.n_groups,
            "folds": len(self.chosen),
            "candidates": self.n_candidates,
            "before": {name: self._now(name) for name in TUNED},
            "after": {name: getattr(self.after, name) for name in TUNED},
            "by_fold": [{name: getattr(one, name) for name in TUNED} for one in self.chosen],
            "figures": {name: paired._asdict() for name, paired in self.figures.items()},
            "helps": self.helps,
            "advice": self.advice,
        }

    def tables(self) -> tuple[Table, ...]:
        """Return what was chosen, and what it brings."""
        return self._chosen(), self._gains()

    def _chosen(self) -> Table:
        folds = [Column(f"fold {number}", form="g") for number in range(1, len(self.chosen) + 1)]
        columns = [Column("setting"), Column("now", form="g"), Column("all questions", form="g"), *folds]
        rows: list[list[Value]] = [
            [name, *(float(getattr(one, name)) for one in (self.before, self.after, *self.chosen))] for name in TUNED
        ]
        note = (
            f"Chosen by {FIGURE} of the fused list among {self.n_candidates} settings on {self.n_questions} questions "
            f"about {self.n_groups} notes, in {len(self.chosen)} folds by note. Settings that are not better than "
            "those of now by more than a standard error are not chosen."
        )
        return table("Tuning: the settings chosen", columns, rows, note)

    def _gains(self) -> Table:
        signed = [Column(name, form="+.3f") for name in ("difference", "low", "high")]
        columns = [*map(Column, ("figure", "before", "after")), *signed, Column("p", form=".4f")]
        rows = [(name, *paired) for name, paired in self.figures.items()]
        columns += [Column("questions"), Column("different")]
        return table("Tuning: the fused list on questions left out", columns, rows, self.advice)

    def _now(self, name: str) -> float:
        return float(getattr(self.before, name))
