"""Labelled questions and their traces -> which answers were right, wrong, or refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.answering.citations import strip_citations
from engine.records import Evidence, Question, Trace
from engine.text.analysis import contains_phrase

Outcome = Literal["right", "wrong", "refused"]


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """How one question was answered."""

    question: str
    """The question."""
    n_pieces: int
    """Pieces of evidence the answer needs; 0: the notes do not hold it."""
    outcome: Outcome
    """Where the notes do not hold the answer, an answer is `wrong` and `refused` is as it should be."""
    answer: str
    """What was answered."""


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """Outcomes of all questions."""

    rows: tuple[AnswerRow, ...]
    """One a question, in order."""

    def to_dict(self) -> Mapping[str, int]:
        """Return counts by name: of questions that one piece of evidence answers, that need several, that none does."""
        one = Counter(row.outcome for row in self.rows if row.n_pieces == 1)
        several = Counter(row.outcome for row in self.rows if row.n_pieces > 1)
        none = Counter(row.outcome for row in self.rows if row.n_pieces == 0)
        return {
            "answerable": one.total(),
            "right": one["right"],
            "wrong": one["wrong"],
            "refused": one["refused"],
            "several": several.total(),
            "several_right": several["right"],
            "unanswerable": none.total(),
            "unanswerable_refused": none["refused"],
        }


def evaluate_answers(questions: Sequence[Question], ask: Callable[[str], Trace]) -> AnswerReport:
    """Ask every question and judge the answer by its sentences that cite a source of the prompt.

    An answer is right when one of them holds a labelled span, is part of one, or holds a reference answer, all word
    for word after normalisation. A question of several pieces needs such a sentence for the spans of each piece:
    a short reference cannot say that both were found.
    """
    return AnswerReport(tuple(_judge(question, ask(question.text)) for question in questions))


def _judge(question: Question, trace: Trace) -> AnswerRow:
    outcome: Outcome = "wrong"
    if trace.answer.abstained:
        outcome = "refused"
    elif question.evidence and _is_right(question, cited_sentences(trace)):
        outcome = "right"
    return AnswerRow(question.text, len(question.evidence), outcome, trace.answer.text)


def cited_sentences(trace: Trace) -> list[str]:
    """Return the sentences of an answer that cite a source of its prompt, without their citations."""
    numbers = {source.number for source in trace.prompt.sources}
    return [strip_citations(check.sentence) for check in trace.checks if not numbers.isdisjoint(check.citations)]


def _is_right(question: Question, sentences: Sequence[str]) -> bool:
    single = len(question.evidence) == 1
    if single and any(contains_phrase(text, wanted) for text in sentences for wanted in question.references):
        return True
    return all(_states(sentences, evidence) for evidence in question.evidence)


def _states(sentences: Sequence[str], evidence: Evidence) -> bool:
    return any(
        contains_phrase(sentence, span) or contains_phrase(span, sentence)
        for sentence in sentences
        for _, span in evidence.alternatives
    )
