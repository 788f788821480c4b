"""A labelled collection -> the figures of every retriever over it; each of its texts is one chunk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.evaluation.collections import Collection
from engine.evaluation.report import intervals_to_dict, searches
from engine.evaluation.resampling import Interval
from engine.evaluation.retrieval import Judged, OnRankings, RetrievalReport, evaluate_retrieval
from engine.evaluation.runs import word
from engine.library import Library
from engine.records import Document, Notice, Report, ShouldStop
from engine.settings import Settings

DEPTH = 1_000
"""Places of a list at least: those of a run in TREC's evaluations, over which average precision is meant."""


@dataclass(frozen=True)
class CollectionReport:
    """What was measured on a collection, with which settings."""

    name: str
    """The collection's name."""
    n_texts: int
    """Texts in the collection."""
    retrieval: RetrievalReport
    """Recall, MRR, nDCG and MAP by retriever."""
    settings: Settings
    """The settings it was measured with."""
    notices: tuple[Notice, ...] = ()
    """Judgements of what is not in the collection."""

    @property
    def intervals(self) -> dict[str, dict[str, Interval]]:
        """By retriever: each figure with its percentile bootstrap interval over questions."""
        return self.retrieval.intervals

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-ready dicts (the form the command line prints)."""
        return {
            "collection": self.name,
            "texts": self.n_texts,
            "questions": len(self.retrieval.rows),
            "retrievers": {name: dict(figures) for name, figures in self.retrieval.retrievers.items()},
            "intervals": intervals_to_dict(self.intervals),
            "settings": self.settings.to_public_dict(),
            "warnings": [f"{notice.path}: {notice.problem}" for notice in self.notices],
        }


def collection_library(
    collection: Collection,
    settings: Settings,
    *,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> Library:
    """Return a library in which each text of a collection is one document and one chunk, lists `DEPTH` deep.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    # Named by place: names may repeat in capitals only, and ids of chunks follow those of their documents.
    names = (_place_name(place) for place in range(len(collection.sources)))
    documents = {
        name: Document(name, source.title, source.text if source.text.strip() else source.title)
        for name, source in zip(names, collection.sources, strict=True)
    }
    whole = settings.replace(chunker="sections", depth=max(settings.depth, DEPTH))
    *_, library = Library.from_documents(documents, whole, Path(), report=report, should_stop=should_stop)
    return library


def evaluate_collection(
    collection: Collection,
    library: Library,
    on_rankings: OnRankings | None = None,
    *,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> CollectionReport:
    """Measure every retriever of a library on the questions of its collection.

    Args:
        collection: with its sources.
        library: made of it by `collection_library`.
        on_rankings: called after each question with its rankings by retriever.
        report: told the progress before each question.
        should_stop: asked before each question.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    judged, found = judged_texts(collection, library), searches(library, as_asked=False)
    measured = evaluate_retrieval(judged, found, on_rankings, report=report, should_stop=should_stop)
    return CollectionReport(collection.name, len(collection.texts), measured, library.settings, collection.notices)


def judged_texts(collection: Collection, library: Library) -> list[Judged]:
    """Return the questions of a collection with the chunks that its judgements name."""
    # A text without words is no chunk and is never found; judgements of it count all the same, under an id of its own.
    chunk_of = {place: len(library.chunks) + place for place in range(len(collection.sources))}
    chunk_of.update({int(chunk.document): chunk.id for chunk in library.chunks})
    return [
        Judged(
            question.text,
            tuple(frozenset((chunk_of[place],)) for place in question.gains),
            tuple(question.gains.values()),
            question.id or f"q{number}",
        )
        for number, question in enumerate(collection.questions, 1)
    ]


def subjects_of(collection: Collection) -> list[str]:
    """Return, for each question, the title of its most relevant text, or its name where it has none."""
    best = (max(question.gains, key=question.gains.__getitem__) for question in collection.questions)
    return [collection.sources[place].title or collection.sources[place].id for place in best]


def text_names(collection: Collection, library: Library) -> list[str]:
    """Return the collection's name of each chunk by its id, and of each text as `evaluate_collection` numbers it."""
    found = [collection.sources[int(chunk.document)].id for chunk in library.chunks]
    return [word(name) for name in (*found, *(source.id for source in collection.sources))]


def _place_name(place: int) -> str:
    return f"{place:09d}"
