"""Labelled questions and their traces -> which answers were right, wrong, or refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.answering.citations import strip_citations
from engine.records import Question, Trace
from engine.text.analysis import contains_phrase

Outcome = Literal["right", "wrong", "refused"]


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """How one question was answered."""

    question: str
    """The question."""
    answerable: bool
    """Whether the notes hold the answer."""
    outcome: Outcome
    """Over an unanswerable question `refused` is the right outcome, and an answer is `wrong`."""
    answer: str
    """What was answered."""


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """Counts over the answerable and the unanswerable questions."""

    rows: tuple[AnswerRow, ...]
    """One a question."""

    def to_dict(self) -> Mapping[str, int]:
        """Return the counts by name."""
        counts = Counter((row.answerable, row.outcome) for row in self.rows)
        answerable = sum(row.answerable for row in self.rows)
        return {
            "answerable": answerable,
            "right": counts[True, "right"],
            "wrong": counts[True, "wrong"],
            "refused": counts[True, "refused"],
            "unanswerable": len(self.rows) - answerable,
            "unanswerable_refused": counts[False, "refused"],
        }


def evaluate_answers(questions: Sequence[Question], ask: Callable[[str], Trace]) -> AnswerReport:
    """Ask every question and judge the answer.

    An answer is right when it holds a reference answer, or a labelled span, word for word after normalisation; or
    when it is itself part of a labelled span. A question of several pieces needs every piece.
    """
    return AnswerReport(tuple(_judge(question, ask(question.text)) for question in questions))


def _judge(question: Question, trace: Trace) -> AnswerRow:
    answer = trace.answer
    outcome: Outcome = "wrong"
    if answer.abstained:
        outcome = "refused"
    elif not question.unanswerable and is_right(question, answer.text):
        outcome = "right"
    return AnswerRow(question.text, not question.unanswerable, outcome, answer.text)


def is_right(question: Question, answer: str) -> bool:
    """Return whether an answer says what the labels say; see `evaluate_answers`."""
    text = strip_citations(answer)
    if len(question.evidence) == 1 and any(contains_phrase(text, reference) for reference in question.references):
        return True
    return bool(question.evidence) and all(
        any(contains_phrase(text, span) or contains_phrase(span, text) for _, span in evidence.alternatives)
        for evidence in question.evidence
    )
