"""A question that went wrong -> the first stage at which its evidence was lost.

The stages are those of the pipeline, so that the cause names what to change: the chunker, the retrievers, the number
of sources, the budget, the generator, or the threshold.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.records import Trace

Cause = Literal[
    "cut", "not_retrieved", "below_cut", "over_budget", "refused", "unsupported", "other_sentence", "not_refused"
]

CAUSES: dict[Cause, str] = {
    "cut": "no chunk holds the evidence whole",
    "not_retrieved": "never retrieved, at any depth searched",
    "below_cut": "retrieved, but below the cut",
    "over_budget": "dropped by the budget",
    "refused": "in the prompt, but refused",
    "unsupported": "in the prompt, but the answer has an unsupported sentence",
    "other_sentence": "in the prompt, but another sentence was chosen",
    "not_refused": "answered, although the notes do not hold the answer",
}
"""Every cause in the order of the pipeline, and how it is written for a person."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why one question went wrong."""

    cause: Cause
    """The first stage that lost the evidence."""
    rank: int | None = None
    """Best rank of the evidence in the fused list, from 1; `None`: it is not there."""
    source: int | None = None
    """The number under which it stood in the prompt; `None`: it did not."""
    middle: bool = False
    """Whether it stood there between two other sources, where a model reads least carefully."""

    @property
    def text(self) -> str:
        """The cause in words, with where the evidence was."""
        if self.source is not None:
            return f"{CAUSES[self.cause]} (source {self.source}{', in the middle' if self.middle else ''})"
        return CAUSES[self.cause] + (f" (rank {self.rank})" if self.rank is not None else "")


def diagnose(trace: Trace, missing: Sequence[Collection[int]]) -> Diagnosis:
    """Say where the evidence of a question that went wrong was lost.

    Args:
        trace: every stage of the question.
        missing: for each piece of evidence that the answer does not state, the ids of the chunks that hold it; empty
            when the notes do not hold the answer, so that it should have been refused.

    Returns:
        The cause of the piece that was lost first.

    >>> from engine.records import Answer, Prompt
    >>> blank = Trace("?", (), None, {}, {}, Prompt("?", "", (), (), 0, 0), Answer("", "", True), (), {})
    >>> diagnose(blank, [{3}]).text
    'never retrieved, at any depth searched'
    """
    if not missing:
        return Diagnosis("not_refused")
    order = list(CAUSES)
    return min((_of_piece(trace, piece) for piece in missing), key=lambda found: order.index(found.cause))


def _of_piece(trace: Trace, piece: Collection[int]) -> Diagnosis:
    if not piece:
        return Diagnosis("cut")
    fused = trace.rankings["fused"].ids if "fused" in trace.rankings else ()
    rank = next((rank for rank, chunk in enumerate(fused, 1) if chunk in piece), None)
    numbers = [source.number for source in trace.prompt.sources if source.chunk.id in piece]
    if numbers:
        between = 1 < numbers[0] < len(trace.prompt.sources)
        return Diagnosis(_in_prompt(trace), rank, numbers[0], between)
    if rank is not None:
        return Diagnosis("below_cut" if rank > trace.settings.sources else "over_budget", rank)
    elsewhere = any(chunk in piece for ranking in trace.rankings.values() for chunk in ranking.ids)
    return Diagnosis("below_cut" if elsewhere else "not_retrieved")


def _in_prompt(trace: Trace) -> Cause:
    if trace.answer.abstained:
        return "refused"
    return "other_sentence" if all(check.supported for check in trace.checks) else "unsupported"
