"""Labelled questions and their traces -> which answers were right, wrong, or refused, how good they are, and why not.

The figures of one answer, each 0 to 1; `None` where a figure does not apply to a question.

right                     a cited sentence says what is labelled (questions with an answer)
answer_sentence           a cited sentence holds a labelled span whole
context_recall            share of the pieces of evidence that stand in the prompt
context_precision         rank-weighted: relevant sources stand before the others
citation_precision        share of the citations that lead to a source with evidence
faithfulness              share of the answer's sentences that the check supports
exact_match, token_f1     the answer without its citations against the reference answers
abstain_when_answerable   1 when it was refused (lower is better)
abstain_when_unanswerable 1 when it was refused (higher is better)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import Literal

from engine.answering.citations import strip_citations
from engine.evaluation.diagnosis import CAUSES, Diagnosis, diagnose
from engine.evaluation.metrics import context_precision
from engine.evaluation.resampling import Interval, intervals_of
from engine.evaluation.stepping import stepping
from engine.evaluation.text_metrics import exact_match, token_f1
from engine.records import Evidence, Question, Report, ShouldStop, Trace
from engine.text.analysis import contains_phrase

Outcome = Literal["right", "wrong", "refused"]
Pieces = Sequence[Collection[int]]
"""For each piece of evidence of a question, the ids of the chunks that hold it."""

ANSWER_FIGURES = (
    "right",
    "answer_sentence",
    "context_recall",
    "context_precision",
    "citation_precision",
    "faithfulness",
    "exact_match",
    "token_f1",
    "abstain_when_answerable",
    "abstain_when_unanswerable",
)
"""What is measured of answers, in the order of a report."""


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
    figures: Mapping[str, float | None] = field(default_factory=dict)
    """Each of `ANSWER_FIGURES` on this question."""
    diagnosis: Diagnosis | None = None
    """Why it went wrong; `None` when it did not, or when nobody said which chunks hold the evidence."""
    conflicts: int = 0
    """Facts on which two sources of its prompt give different numbers."""
    confidence: float | None = None
    """The probability that was given to the best sentence; `None`: none was."""
    best_is_right: bool = False
    """Whether the best sentence is right, be it answered or refused."""


OnRow = Callable[[AnswerRow, Trace], None]
"""Takes the judgement of a question and its trace."""


@dataclass(frozen=True)
class AnswerReport:
    """Outcomes of all questions."""

    rows: tuple[AnswerRow, ...]
    """One a question, in order."""

    def counts(self) -> dict[str, int]:
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

    def figures(self) -> dict[str, float]:
        """Return each of `ANSWER_FIGURES` but `right`: means over the questions to which they apply; 0.0: to none."""
        return {name: _mean(row.figures.get(name) for row in self.rows) for name in ANSWER_FIGURES if name != "right"}

    def causes(self) -> dict[str, int]:
        """Return how many questions went wrong by each cause, and how many of them had their evidence in the middle."""
        found = Counter(row.diagnosis.cause for row in self.rows if row.diagnosis)
        middle = sum(row.diagnosis is not None and row.diagnosis.middle for row in self.rows)
        return {**{cause: found[cause] for cause in CAUSES}, "middle": middle}

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """Each of `ANSWER_FIGURES` with its percentile bootstrap interval over the questions to which it applies."""
        return intervals_of(ANSWER_FIGURES, [row.figures for row in self.rows])

    @property
    def conflicts(self) -> int:
        """Facts on which two sources of one prompt give different numbers, over all questions."""
        return sum(row.conflicts for row in self.rows)

    def to_dict(self) -> dict[str, float]:
        """Return counts, figures and `conflicts` by name."""
        return {**self.counts(), **self.figures(), "conflicts": self.conflicts}


def evaluate_answers(
    questions: Sequence[Question],
    ask: Callable[[str], Trace],
    pieces: Sequence[Pieces] | None = None,
    on_row: OnRow | None = None,
    *,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> AnswerReport:
    """Ask every question and judge the answer by its sentences that cite a source of the prompt.

    An answer is right when one of them holds a labelled span, is part of one, or holds a reference answer, all word
    for word after normalisation. A question of several pieces needs such a sentence for the spans of each piece:
    a short reference cannot say that both were found.

    Args:
        questions: labelled.
        ask: answers one.
        pieces: by question, which chunks hold each piece of its evidence; `None`: what depends on it is not measured.
        on_row: called after each question.
        report: told the progress before each question.
        should_stop: asked before each question.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    rows = []
    for at, question in enumerate(stepping(questions, "answering", report, should_stop)):
        trace = ask(question.text)
        rows.append(judge_answer(question, trace, None if pieces is None else pieces[at]))
        if on_row is not None:
            on_row(rows[-1], trace)
    return AnswerReport(tuple(rows))


def judge_answer(question: Question, trace: Trace, pieces: Pieces | None = None) -> AnswerRow:
    """Return how one question was answered; `pieces` as in `evaluate_answers`, for this question."""
    sentences = cited_sentences(trace)
    outcome: Outcome = "wrong"
    if trace.answer.abstained:
        outcome = "refused"
    elif question.evidence and _is_right(question, sentences):
        outcome = "right"
    figures = _figures(question, trace, sentences, outcome, pieces)
    lost = None if pieces is None else _diagnose(question, trace, sentences, outcome, pieces)
    n_pieces, answer, conflicts = len(question.evidence), trace.answer.text, len(trace.conflicts)
    best = [candidate.sentence for candidate in trace.answer.candidates[:1]]
    right = outcome == "right" or (outcome == "refused" and bool(question.evidence) and _is_right(question, best))
    confidence = trace.answer.confidence
    return AnswerRow(question.text, n_pieces, outcome, answer, figures, lost, conflicts, confidence, right)


def cited_sentences(trace: Trace) -> list[str]:
    """Return the sentences of an answer that cite a source of its prompt, without their citations."""
    numbers = {source.number for source in trace.prompt.sources}
    return [strip_citations(check.sentence) for check in trace.checks if not numbers.isdisjoint(check.citations)]


def _figures(
    question: Question, trace: Trace, sentences: Sequence[str], outcome: Outcome, pieces: Pieces | None
) -> dict[str, float | None]:
    answerable, refused = bool(question.evidence), outcome == "refused"
    text = "" if refused else strip_citations(trace.answer.text)
    judged = question.references and answerable
    context: dict[str, float | None] = _context(trace, pieces) if pieces else {}
    return {
        "right": float(outcome == "right") if answerable else None,
        "answer_sentence": float(_holds_span(question, sentences)) if answerable else None,
        "context_recall": context.get("context_recall"),
        "context_precision": context.get("context_precision"),
        "citation_precision": context.get("citation_precision"),
        "faithfulness": fmean(check.supported for check in trace.checks) if trace.checks and not refused else None,
        "exact_match": exact_match(text, question.references) if judged else None,
        "token_f1": token_f1(text, question.references) if judged else None,
        "abstain_when_answerable": float(refused) if answerable else None,
        "abstain_when_unanswerable": None if answerable else float(refused),
    }


def _context(trace: Trace, pieces: Pieces) -> dict[str, float | None]:
    """Judge the prompt and the citations of an answerable question by the chunks that hold its evidence."""
    relevant = frozenset().union(*pieces)
    ranks = {chunk: rank for rank, chunk in enumerate(trace.rankings["fused"].ids)} if trace.rankings else {}
    context = [source.chunk.id for source in trace.prompt.sources]
    by_rank = sorted(context, key=lambda chunk: ranks.get(chunk, len(ranks)))
    relevant_numbers = {source.number for source in trace.prompt.sources if source.chunk.id in relevant}
    cited = [number for check in trace.checks for number in check.citations]
    return {
        "context_recall": fmean(not frozenset(piece).isdisjoint(context) for piece in pieces),
        "context_precision": context_precision(relevant, by_rank),
        "citation_precision": fmean(number in relevant_numbers for number in cited) if cited else None,
    }


def _diagnose(
    question: Question, trace: Trace, sentences: Sequence[str], outcome: Outcome, pieces: Pieces
) -> Diagnosis | None:
    if outcome == ("right" if question.evidence else "refused"):
        return None
    stated = [_states(sentences, evidence) for evidence in question.evidence]
    return diagnose(trace, [piece for piece, said in zip(pieces, stated, strict=True) if not said])


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


def _holds_span(question: Question, sentences: Sequence[str]) -> bool:
    return any(
        contains_phrase(sentence, span)
        for sentence in sentences
        for evidence in question.evidence
        for _, span in evidence.alternatives
    )


def _mean(values: Iterable[float | None]) -> float:
    measured = [value for value in values if value is not None]
    return fmean(measured) if measured else 0.0
