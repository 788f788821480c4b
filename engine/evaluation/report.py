"""A library and its labelled questions -> one report with several forms: text, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.evaluation.answers import AnswerReport, evaluate_answers
from engine.evaluation.labels import check_labels, relevant_chunks
from engine.evaluation.retrieval import FIGURES, Judged, RetrievalReport, Search, evaluate_retrieval
from engine.library import Library
from engine.pipeline import ask
from engine.ranking.fusion import reciprocal_rank_fusion
from engine.records import Notice, Question, Ranking
from engine.settings import Settings

NAMES = {"bm25": "BM25", "tfidf": "tf-idf", "lsa": "LSA", "rrf": "RRF", "fused": "fused"}
"""Retrievers in the order of a report, and how they are written."""


@dataclass(frozen=True, slots=True)
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

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-ready dicts (the form the command line prints)."""
        return {
            "retrievers": {name: dict(figures) for name, figures in self.retrieval.retrievers.items()},
            "answers": dict(self.answers.to_dict()),
            "settings": self.settings.to_dict(),
            "questions": self.n_questions,
            "pieces": self.retrieval.n_pieces,
            "chunks": self.n_chunks,
            "warnings": [f"{notice.path}: {notice.problem}" for notice in self.notices],
        }

    def to_text(self) -> str:
        """Return the report as an aligned table for a terminal."""
        counts = self.answers.to_dict()
        lines = [
            f"{self.n_questions} questions, {self.retrieval.n_pieces} pieces of evidence, {self.n_chunks} chunks",
            "",
            f"{'':<7}" + "".join(f"{figure:>11}" for figure in FIGURES),
        ]
        for name, row in self.retrieval.retrievers.items():
            lines.append(f"{NAMES.get(name, name):<7}" + "".join(f"{row[figure]:>11.3f}" for figure in FIGURES))
        lines += [
            "",
            f"Of {counts['answerable']} questions that one passage answers: "
            f"{counts['right']} right, {counts['wrong']} wrong, {counts['refused']} refused.",
        ]
        if counts["several"]:
            lines.append(f"Of {counts['several']} that need several passages: {counts['several_right']} right.")
        if counts["unanswerable"]:
            lines.append(
                f"Of {counts['unanswerable']} that the notes cannot answer: {counts['unanswerable_refused']} refused."
            )
        return "\n".join(lines)


def evaluate(library: Library, questions: Sequence[Question]) -> EvaluationReport:
    """Measure a library on labelled questions: every retriever, and the answers of `ask`."""
    judged = [
        Judged(
            question.text,
            tuple(relevant_chunks(question, library.chunks, library.documents)),
            question.gains,
        )
        for question in questions
        if question.evidence
    ]
    return EvaluationReport(
        retrieval=evaluate_retrieval(judged, searches(library)),
        answers=evaluate_answers(questions, lambda text: ask(library, text)),
        settings=library.settings,
        n_questions=len(questions),
        n_chunks=len(library.chunks),
        notices=check_labels(questions, library.documents),
    )


def searches(library: Library) -> dict[str, Search]:
    """Return every retriever of a library by name. Copies of a chunk are not collapsed: each may be labelled."""
    depth, c, lsa = library.settings.depth, library.settings.rrf_c, library.lsa
    bm25, tfidf = library.bm25, library.tfidf

    # A question goes through every retriever before the next one comes, so that one remembered ranking is enough.
    @lru_cache(maxsize=1)
    def sparse(text: str) -> Ranking:
        return bm25.search(text, depth)

    @lru_cache(maxsize=1)
    def dense(text: str) -> Ranking:
        return Ranking("lsa") if lsa is None else lsa.search(text, depth)

    @lru_cache(maxsize=1)
    def fused(text: str) -> Ranking:
        return reciprocal_rank_fusion([sparse(text), dense(text)], c)

    return {
        "bm25": sparse,
        "tfidf": lambda text: tfidf.search(text, depth),
        "lsa": dense,
        "rrf": fused,
        "fused": fused,
    }
