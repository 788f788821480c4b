"""Search the leading sections first, then the chunks of the best notes: against searching all chunks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from engine.evaluation.labelled import Labelled
from engine.evaluation.metrics import recall_at_k
from engine.evaluation.retrieval import Judged
from engine.evaluation.tables import Column, Table, table
from engine.library import Library
from engine.ranking.routing import Routed, router_for
from engine.ranking.search import search_all
from engine.records import Report
from engine.settings import Settings

ROUTED = (1, 2, 3, 5, 10, 20, 50)
CUTS = (1, 5, 10)
LISTS = ("bm25", "fused")


@dataclass(frozen=True, slots=True)
class RoutingFigures:
    """What the lists hold when so many notes are searched; means over the questions."""

    documents: int | None
    """Notes with the best leads that were searched; `None`: all."""
    searched: float
    """Share of the chunks searched, 0 to 1."""
    kept: float
    """Share of the pieces of evidence that stand in a chunk searched, 0 to 1: no retriever can find more."""
    recall: Mapping[str, tuple[float, ...]]
    """By list, recall at each of `CUTS`."""


@dataclass(frozen=True, slots=True)
class Routing:
    """Routing through leads compared with plain retrieval."""

    name: str
    """What was searched."""
    n_documents: int
    """Notes."""
    n_chunks: int
    """Chunks."""
    n_questions: int
    """Questions that have evidence."""
    rows: tuple[RoutingFigures, ...]
    """By notes searched, rising, then all of them."""

    def tables(self) -> tuple[Table, ...]:
        """Return a row a number of notes."""
        columns: list[Column | str] = [
            Column("notes searched"),
            "chunks searched",
            "evidence among them",
            *(f"{name} recall@{k}" for name in LISTS for k in CUTS),
        ]
        rows = [
            [r.documents or "all", r.searched, r.kept, *(value for name in LISTS for value in r.recall[name])]
            for r in self.rows
        ]
        size = f"{self.n_documents:,} notes, {self.n_chunks:,} chunks, {self.n_questions} questions"
        return (table(f"Routing on {self.name}: {size}", columns, rows),)


def routing(
    labelled: Labelled,
    settings: Settings | None = None,
    routed: Sequence[int] = ROUTED,
    *,
    report: Report | None = None,
) -> Routing:
    """Search for every question in the notes with the best leads, and in all.

    Args:
        labelled: documents and questions.
        settings: how the documents are cut and ranked; `routing` and `routed_documents` of it are not used.
        routed: numbers of notes, rising; those that are not fewer than all are passed over.
        report: told the progress of the indexing.
    """
    library = labelled.library(settings or Settings(), "lsa", report)
    judged = labelled.judged(library)
    router = router_for(library.index, library.documents, library.chunks)
    k1, b = library.settings.k1, library.settings.b
    rows = [
        _measure(library, judged, n, lambda terms, n=n: router.route(terms, n, k1=k1, b=b))  # type: ignore[misc]
        for n in routed
        if n < len(library.documents)
    ]
    rows.append(_measure(library, judged, None, lambda terms: Routed((), None)))
    return Routing(labelled.name, len(library.documents), len(library.chunks), len(judged), tuple(rows))


def _measure(
    library: Library, judged: Sequence[Judged], documents: int | None, route: Callable[[Sequence[str]], Routed]
) -> RoutingFigures:
    searched: list[float] = []
    kept: list[float] = []
    found: dict[str, list[list[float]]] = {name: [] for name in LISTS}
    for question in judged:
        terms = library.index.analyzer(question.text)
        allowed = route(terms).allowed
        parts = library.bm25, library.lsa, library.settings, library.duplicates
        lists = search_all(terms, *parts, allowed=allowed, text_of=library.text_of, note_of=library.note_of)
        mask = np.ones(len(library.chunks), np.bool_) if allowed is None else allowed
        searched.append(float(mask.mean()))
        kept.append(fmean(any(mask[chunk] for chunk in piece) for piece in question.pieces))
        for name in LISTS:
            found[name].append([recall_at_k(question.pieces, lists[name].ids, k) for k in CUTS])
    recall = {name: tuple(map(fmean, zip(*rows, strict=True))) for name, rows in found.items()}
    return RoutingFigures(documents, fmean(searched), fmean(kept), recall)
