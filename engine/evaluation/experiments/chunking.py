"""How to cut documents: recall and prompt words of each way of cutting, the pieces it cuts, and what headers add.

BM25 alone ranks, so that only the cutting differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from engine.chunking.words import count_words
from engine.evaluation.cuts import cut_counts, pieces_of
from engine.evaluation.experiments.retrievers import FIGURES, figures_of
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.labelled import Labelled
from engine.evaluation.metrics import recall_at_k
from engine.evaluation.retrieval import Judged
from engine.evaluation.tables import Column, Table, Value, table
from engine.records import Report
from engine.settings import Settings

SIZES = (30, 50, 60, 100)
"""Limits, in words, of sentence chunks."""
WINDOW = 100
"""Words of a window and of a structure chunk."""
DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)
"""How many chunks are put into a prompt, for the curve of recall against words."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """One way of cutting, measured."""

    name: str
    """How it cuts: `sentences 100`, `windows 100, overlap 25`, `sections` …"""
    n_chunks: int
    """Chunks it made."""
    mean_words: float
    """Mean words of a chunk."""
    pieces_cut: int
    """Pieces of evidence of which no chunk holds any span whole."""
    pieces_cut_expected: float | None
    """How many windows of this size and overlap cut on average; `None`: no windows."""
    figures: Mapping[str, float]
    """Each of `FIGURES` of BM25, 0 to 1."""
    words: tuple[float, ...]
    """Mean words of the first k chunks, for each of `DEPTHS`."""
    recall: tuple[float, ...]
    """recall@k for each of `DEPTHS`."""


@dataclass(frozen=True, slots=True)
class Headers:
    """Sentence chunks indexed with and without title and section path."""

    max_words: int
    """The limit of a chunk."""
    with_headers: Mapping[str, float]
    """Each of `FIGURES` with headers."""
    without: Mapping[str, float]
    """Each of `FIGURES` without."""
    nameless: int
    """Pieces that stand only in chunks which do not name their document's title."""


@dataclass(frozen=True, slots=True)
class Chunking:
    """Ways of cutting the same documents."""

    name: str
    """What was cut."""
    n_questions: int
    """Questions with evidence."""
    n_pieces: int
    """Pieces of evidence."""
    strategies: tuple[Strategy, ...]
    """In the order of the table."""
    headers: tuple[Headers, ...]
    """With and without headers, by size."""

    def tables(self) -> tuple[Table, ...]:
        """Return a row a strategy, and what headers add."""
        return (self._strategies(), self._headers())

    def figure(self) -> Figure:
        """Return recall against the words of the prompt, a curve a strategy."""
        curves = tuple(Curve(each.name, each.words, each.recall) for each in self.strategies)
        panel = Panel("", "words of the first k chunks", "recall@k", curves, log_x=True, y_range=(0.0, 1.0))
        return Figure(f"Chunking of {self.name}", (panel,), f"k = {', '.join(map(str, DEPTHS))}. BM25.")

    def _strategies(self) -> Table:
        columns: list[Column | str] = [
            "strategy",
            Column("chunks", form=","),
            Column("words", "mean words", ".0f"),
            "pieces cut",
            Column("by the formula", form=".1f"),
            *FIGURES,
            Column("words@5", "words of five", ",.0f"),
        ]
        at = DEPTHS.index(5)
        rows = [
            [
                each.name,
                each.n_chunks,
                each.mean_words,
                each.pieces_cut,
                each.pieces_cut_expected,
                *(each.figures[figure] for figure in FIGURES),
                each.words[at],
            ]
            for each in self.strategies
        ]
        title = f"Chunking: {self.n_questions} questions, {self.n_pieces} pieces of evidence, BM25"
        return table(title, columns, rows)

    def _headers(self) -> Table:
        columns = ["words", "headers", *FIGURES, "nameless pieces"]
        rows: list[list[Value]] = [
            [each.max_words, said, *(row[figure] for figure in FIGURES), each.nameless]
            for each in self.headers
            for said, row in (("with", each.with_headers), ("without", each.without))
        ]
        note = "Nameless: pieces that stand only in chunks whose own text does not hold the title's first word."
        return table("Headers on sentence chunks, BM25", columns, rows, note)


def chunking(
    labelled: Labelled,
    settings: Settings | None = None,
    sizes: Sequence[int] = SIZES,
    *,
    report: Report | None = None,
) -> Chunking:
    """Cut the documents every way and measure BM25 on the labelled questions.

    Args:
        labelled: documents and questions.
        settings: analysis, headers, k1 and b; its chunker and sizes are not used.
        sizes: limits of sentence chunks; the largest is also the size of windows and structure chunks.
        report: told the progress.
    """
    settings = settings or Settings()
    largest = max(sizes)
    ways: dict[str, dict[str, Any]] = {
        f"windows {largest}": {"chunker": "windows", "max_words": largest},
        f"windows {largest}, overlap {largest // 4}": {
            "chunker": "windows",
            "max_words": largest,
            "overlap_words": largest // 4,
        },
        **{f"sentences {size}": {"chunker": "sentences", "max_words": size} for size in sizes},
        f"structure {largest}": {"chunker": "structure", "max_words": largest},
        "sections": {"chunker": "sections"},
    }
    plain = settings.replace(overlap_words=0)
    return Chunking(
        name=labelled.name,
        n_questions=len(labelled.answerable),
        n_pieces=labelled.n_pieces,
        strategies=tuple(_measure(labelled, name, plain.replace(**way), report) for name, way in ways.items()),
        headers=tuple(
            measure_headers(labelled, plain.replace(max_words=size)) for size in sorted({min(sizes), largest})
        ),
    )


def pieces_cut(judged: Iterable[Judged]) -> int:
    """Return how many pieces of evidence no chunk holds whole, in any of their alternatives."""
    return sum(not piece for question in judged for piece in question.pieces)


def _measure(labelled: Labelled, name: str, settings: Settings, report: Report | None) -> Strategy:
    library = labelled.library(settings, "bm25", report)
    judged = labelled.judged(library)
    rankings = [library.bm25.search(question.text, settings.depth) for question in judged]
    words = [count_words(chunk.text) for chunk in library.chunks]
    expected = None
    if settings.chunker == "windows":
        pieces = list(pieces_of(labelled.questions, labelled.documents))
        (count,) = cut_counts(labelled.documents, pieces, [(settings.max_words, settings.overlap_words)])
        expected = count.expected
    pairs = list(zip(judged, rankings, strict=True))
    return Strategy(
        name=name,
        n_chunks=len(library.chunks),
        mean_words=fmean(words) if words else 0.0,
        pieces_cut=pieces_cut(judged),
        pieces_cut_expected=expected,
        figures=figures_of(judged, rankings),
        words=tuple(fmean(sum(words[at] for at in ranking.ids[:k]) for ranking in rankings) for k in DEPTHS),
        recall=tuple(
            fmean(recall_at_k(question.pieces, ranking.ids, k) for question, ranking in pairs) for k in DEPTHS
        ),
    )


def measure_headers(labelled: Labelled, settings: Settings) -> Headers:
    """Measure BM25 on sentence chunks of `settings.max_words`, indexed with and without their headers."""
    rows = {}
    for said in (True, False):
        library = labelled.library(settings.replace(chunker="sentences", headers=said), "bm25")
        judged = labelled.judged(library)
        rows[said] = figures_of(judged, [library.bm25.search(question.text, settings.depth) for question in judged])
    analyze = library.index.analyzer
    names = [not (first := analyze(chunk.title)[:1]) or first[0] in analyze(chunk.text) for chunk in library.chunks]
    held = [piece for question in judged for piece in question.pieces if piece]
    nameless = sum(not any(names[chunk] for chunk in piece) for piece in held)
    return Headers(settings.max_words, rows[True], rows[False], nameless)
