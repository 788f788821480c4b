"""What was measured of a pitfall, and what it was measured on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from engine.evaluation.labelled import Labelled
from engine.evaluation.retrieval import Judged
from engine.library import Library
from engine.records import Report
from engine.settings import Settings

Better = Literal["high", "low", "true"]
"""`true`: the figure with the mistake is what one believes, the one without it what is so."""


@dataclass(frozen=True, slots=True)
class Pitfall:
    """One mistake by one figure, made and avoided."""

    name: str
    """The mistake in a few words."""
    measured: str
    """What the figure is, in a few words."""
    better: Better
    """Which end of the figure is better."""
    made: float | None
    """The figure with the mistake; `None`: it is not measurable here."""
    avoided: float | None
    """The figure without it; `None`: it is not measurable here."""
    says: str
    """What that means, one sentence; why not, where it is not measurable."""

    @property
    def measurable(self) -> bool:
        """Whether these documents and labels allow it to be measured."""
        return self.made is not None and self.avoided is not None


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What is measured of one pitfall, before it is."""

    name: str
    """As `Pitfall.name`."""
    measured: str
    """As `Pitfall.measured`."""
    better: Better
    """As `Pitfall.better`."""

    def of(self, made: float, avoided: float, says: str) -> Pitfall:
        """Return it as measured."""
        return Pitfall(self.name, self.measured, self.better, made, avoided, says)

    def missing(self, why: str) -> Pitfall:
        """Return it as a pitfall that these documents and labels do not show.

        >>> Yardstick("a mistake", "a figure", "low").missing("no labels").says
        'Not measurable here: no labels.'
        """
        return Pitfall(self.name, self.measured, self.better, None, None, f"Not measurable here: {why}.")


@dataclass(frozen=True)
class Ground:
    """What pitfalls are measured on; what several of them need is made once."""

    labelled: Labelled
    """Documents and questions."""
    settings: Settings
    """How documents are cut, analysed and ranked, and how a prompt is made."""
    report: Report | None = None
    """Told the progress."""

    @cached_property
    def library(self) -> Library:
        """The documents cut and indexed as the settings say."""
        return self.labelled.library(self.settings, "lsa", self.report)

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """The answerable questions with the chunks of the library that are relevant to them."""
        return self.labelled.judged(self.library)
