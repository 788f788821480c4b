"""What the leading sections alone can answer: a prompt of all summaries instead of a search."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from engine.answering.extractive import extractive_generator
from engine.answering.tokens import count_tokens
from engine.chunking.corpus import lead_summaries
from engine.chunking.words import count_words
from engine.evaluation.answers import evaluate_answers
from engine.evaluation.experiments.answers import NEVER
from engine.evaluation.labelled import Labelled
from engine.evaluation.tables import Column, Table, Value, table
from engine.pipeline import ask
from engine.records import Chunk, Document
from engine.settings import Settings

WINDOW_TOKENS = 128_000
"""A large context window, for comparison."""


@dataclass(frozen=True, slots=True)
class Summaries:
    """Leading sections as the only sources."""

    name: str
    """What was summarised."""
    n_summaries: int
    """Documents with a leading section."""
    words: int
    """Words of all summaries."""
    tokens: int
    """Tokens of all summaries."""
    n_questions: int
    """Questions that one piece of evidence answers."""
    held: int
    """Questions whose answer stands in a summary."""
    right: int
    """Questions answered right from all summaries together."""
    right_document: int
    """Questions for which BM25 ranks the summary of a document with the answer first."""
    fit: int
    """Summaries of this size that a window of `WINDOW_TOKENS` holds."""

    def tables(self) -> tuple[Table, ...]:
        """Return what was counted."""
        rows: list[list[Value]] = [
            ["Summaries", self.n_summaries],
            ["Words", self.words],
            ["Tokens", self.tokens],
            [f"Answers held, of {self.n_questions} questions of one piece", self.held],
            ["Answered right from all summaries", self.right],
            ["BM25 over summaries ranks the right document first", self.right_document],
            [f"Summaries that fit into {WINDOW_TOKENS:,} tokens", self.fit],
        ]
        return (table("Summaries instead of search", ["what", Column("value", form=",")], rows),)


def summaries(labelled: Labelled, settings: Settings | None = None) -> Summaries:
    """Ask every question of one piece with all summaries as sources, and never refuse.

    Args:
        labelled: documents and questions; a document's leading section is its summary.
        settings: analysis, k1 and b; what it says of chunks and the prompt is not used.
    """
    leads = lead_summaries(labelled.documents.values())
    texts = [chunk.text for chunk in leads]
    tokens = sum(map(count_tokens, texts))
    every = (settings or Settings()).replace(
        chunker="sections", sources=min(100, max(1, len(leads))), budget=1_000_000, strategy="prefix"
    )
    questions = tuple(question for question in labelled.questions if len(question.evidence) == 1)
    only_leads = dataclasses.replace(labelled, documents=_shortened(labelled.documents, leads), questions=questions)
    library = only_leads.library(every, "bm25")
    held = [set().union(*question.pieces) for question in only_leads.judged(library)]
    answered = evaluate_answers(
        questions, lambda text: ask(library, text, generator=extractive_generator(library.bm25, NEVER))
    )
    firsts = [library.bm25.search(question.text, 1).ids for question in questions]
    right_document = sum(
        any(library.chunks[chunk].document == document for chunk in first for document, _ in piece.alternatives)
        for question, first in zip(questions, firsts, strict=True)
        for piece in question.evidence
    )
    return Summaries(
        name=labelled.name,
        n_summaries=len(leads),
        words=sum(map(count_words, texts)),
        tokens=tokens,
        n_questions=len(questions),
        held=sum(map(bool, held)),
        right=answered.counts()["right"],
        right_document=right_document,
        fit=WINDOW_TOKENS * len(leads) // tokens if tokens else 0,
    )


def _shortened(documents: Mapping[str, Document], leads: list[Chunk]) -> dict[str, Document]:
    """Return the documents without what follows their leading section."""
    return {lead.document: _until(documents[lead.document], lead.end) for lead in leads}


def _until(document: Document, end: int) -> Document:
    return dataclasses.replace(
        document,
        text=document.text[:end],
        sections=tuple(each._replace(end=min(each.end, end)) for each in document.sections if each.start < end),
        blocks=tuple(each._replace(end=min(each.end, end)) for each in document.blocks if each.start < end),
    )
