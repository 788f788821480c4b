"""A library and its labelled questions -> one report; `report_tables` draws it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from engine.answering import Generator
from engine.evaluation.answers import AnswerReport, OnRow, Pieces, evaluate_answers
from engine.evaluation.confidence import Calibration, calibrate
from engine.evaluation.labels import check_labels, relevant_chunks, subfolder_of, within
from engine.evaluation.resampling import Interval
from engine.evaluation.retrieval import Judged, OnRankings, RetrievalReport, Search, evaluate_retrieval
from engine.library import Library
from engine.pipeline import ask, find
from engine.ranking.duplicates import Duplicates
from engine.ranking.fusion import reciprocal_rank_fusion
from engine.ranking.search import search_all
from engine.records import Notice, Question, Ranking, Report, ShouldStop
from engine.settings import Settings

NAMES = {"bm25": "BM25", "tfidf": "tf-idf", "lsa": "LSA", "rrf": "RRF", "fused": "fused"}
"""Retrievers in the order of a report, and how they are written."""

ANSWERS = "answers"
"""The group of the figures of answers, beside those of the retrievers."""


@dataclass(frozen=True)
class EvaluationReport:
    """What was measured, on what, with which settings."""

    retrieval: RetrievalReport
    """Recall, MRR, nDCG and MAP by retriever."""
    answers: AnswerReport
    """Right, wrong and refused."""
    settings: Settings
    """The settings it was measured with."""
    n_questions: int
    """Questions asked."""
    n_chunks: int
    """Chunks searched."""
    notices: tuple[Notice, ...] = ()
    """Labels that no longer stand in the notes: the figures are too low by them."""

    @property
    def intervals(self) -> dict[str, dict[str, Interval]]:
        """By retriever, and under `answers`: each figure with its percentile bootstrap interval over questions."""
        return {**self.retrieval.intervals, ANSWERS: self.answers.intervals}

    @property
    def calibration(self) -> Calibration | None:
        """What each threshold would do; `None`: the answers have no probabilities."""
        return calibrate(self.answers.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-ready dicts (the form the command line prints)."""
        return {
            "retrievers": {name: dict(figures) for name, figures in self.retrieval.retrievers.items()},
            "answers": self.answers.to_dict(),
            "diagnosis": self.answers.causes(),
            **({"calibration": self.calibration.to_dict()} if self.calibration else {}),
            "intervals": intervals_to_dict(self.intervals),
            "settings": self.settings.to_public_dict(),
            "questions": self.n_questions,
            "pieces": self.retrieval.n_pieces,
            "chunks": self.n_chunks,
            "warnings": [f"{notice.path}: {notice.problem}" for notice in self.notices],
            "lost": [
                {
                    "question": row.question,
                    "answer": row.answer,
                    "cause": row.diagnosis.cause,
                    "why": row.diagnosis.text,
                }
                for row in self.answers.rows
                if row.diagnosis
            ],
        }


def intervals_to_dict(intervals: Mapping[str, Mapping[str, Interval]]) -> dict[str, Any]:
    """Return low, high and number of questions by group and figure, ready for JSON."""
    return {
        group: {name: {"low": i.low, "high": i.high, "questions": i.n} for name, i in figures.items()}
        for group, figures in intervals.items()
    }


def evaluate(
    library: Library,
    questions: Sequence[Question],
    *,
    generator: Generator | None = None,
    on_row: OnRow | None = None,
    on_rankings: OnRankings | None = None,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> EvaluationReport:
    """Measure a library on labelled questions: every retriever, and the answers of `ask`.

    Args:
        library: what is measured.
        questions: labelled.
        generator: what answers; `None`: the extractive one.
        on_row: called after each question with its judgement and its trace.
        on_rankings: called after each question that has an answer, with its rankings by retriever.
        report: told the progress after each question, of the retrievers and then of the answers.
        should_stop: asked before each question.

    Raises:
        EndpointError: a hosted generator failed.
        Cancelled: `should_stop` returned true.
    """
    folder = subfolder_of(questions, library.documents.keys())
    questions = [within(folder, question) for question in questions]
    pieces = [relevant_chunks(question, library.chunks, library.documents) for question in questions]
    judged = judged_questions(questions, pieces)
    shown = [with_copies(found, library.duplicates) for found in pieces]
    answer = partial(ask, library, generator=generator)
    return EvaluationReport(
        retrieval=evaluate_retrieval(judged, searches(library), on_rankings, report=report, should_stop=should_stop),
        answers=evaluate_answers(questions, answer, shown, on_row, report=report, should_stop=should_stop),
        settings=library.settings,
        n_questions=len(questions),
        n_chunks=len(library.chunks),
        notices=(*about_subfolder(folder), *check_labels(questions, library.documents)),
    )


def about_subfolder(folder: str) -> tuple[Notice, ...]:
    """Say that labels count from a folder within the notes; nothing where they do not."""
    return (Notice(folder, "The labels name notes from this folder on."),) if folder else ()


def judged_questions(questions: Sequence[Question], pieces: Sequence[Pieces]) -> list[Judged]:
    """Return the questions that have evidence, with the chunks that hold each piece of it."""
    return [
        Judged(question.text, tuple(map(frozenset, found)), question.gains, f"q{number}")
        for number, (question, found) in enumerate(zip(questions, pieces, strict=True), 1)
        if question.evidence
    ]


def notes_of(questions: Sequence[Question]) -> list[str]:
    """Return, for each question that has evidence, the note that its first piece stands in."""
    return [question.evidence[0].alternatives[0][0] for question in questions if question.evidence]


def with_copies(pieces: Sequence[Collection[int]], duplicates: Duplicates) -> Pieces:
    """Return the pieces with every copy of their chunks: the lists of a trace show one copy, whichever it is."""
    return [_with_copies(frozenset(piece), duplicates) for piece in pieces]


def _with_copies(piece: frozenset[int], duplicates: Duplicates) -> frozenset[int]:
    members = list(piece)
    if not members or duplicates.copies[members].max() == 1:
        return piece
    return frozenset(np.flatnonzero(np.isin(duplicates.first, duplicates.first[members])).tolist())


def apart(library: Library) -> Library:
    """Return the library with every copy of a chunk in its lists: each may be labelled."""
    return replace(library, duplicates=Duplicates(map(str, range(len(library.chunks)))))


def searches(library: Library, *, as_asked: bool = True) -> dict[str, Search]:
    """Return every retriever of a library by name, lists as deep as its settings say.

    `fused` is what the app fuses; `rrf` is plain reciprocal rank fusion of the `bm25` and `lsa` lists. Copies of a
    chunk are not collapsed: each may be labelled.

    Args:
        library: what is searched.
        as_asked: whether a question goes the way it goes in the app, with filters in it and routing; else its words
            alone are searched.
    """
    settings, tfidf, analyze = library.settings, library.tfidf, library.index.analyzer
    app = apart(library)

    # A question goes through every retriever before the next one comes, so that one remembered result is enough.
    @lru_cache(maxsize=1)
    def lists(text: str) -> Mapping[str, Ranking]:
        if as_asked:
            return find(app, text).rankings
        parts = library.bm25, library.lsa, settings, app.duplicates
        return search_all(
            analyze(text), *parts, titles=library.titles, text_of=library.text_of, note_of=library.note_of
        )

    def rrf(text: str) -> Ranking:
        both = reciprocal_rank_fusion([lists(text)["bm25"], lists(text)["lsa"]], settings.rrf_c)
        return Ranking("rrf", both.hits[: settings.depth])

    return {
        "bm25": lambda text: lists(text)["bm25"],
        "tfidf": lambda text: tfidf.search(text, settings.depth),
        "lsa": lambda text: lists(text)["lsa"],
        "rrf": rrf,
        "fused": lambda text: lists(text)["fused"],
    }
