"""Every experiment by name: what it shows, and how it is run and drawn.

An experiment is imported when it is run. A new one is a module beside this one, a function below that makes an
`Outcome`, and a line in `EXPERIMENTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine.evaluation.figures import Figure
from engine.evaluation.labelled import Labelled
from engine.evaluation.tables import Table
from engine.records import Notice, Report
from engine.settings import Settings

if TYPE_CHECKING:
    from engine.evaluation.experiments.grounding import Comparison, Recall


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an experiment has to show."""

    tables: tuple[Table, ...]
    """From first to last."""
    figure: Figure | None = None
    """Its picture; `None`: it has none."""
    notices: tuple[Notice, ...] = ()
    """Labels that the documents do not hold: the figures are too low by them."""

    def to_text(self) -> str:
        """Return the tables for a terminal."""
        return "\n\n\n".join(table.to_text() for table in self.tables)

    def to_markdown(self) -> str:
        """Return the tables as Markdown, each under a heading."""
        return "\n\n".join(table.to_markdown() for table in self.tables) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return tables and the points of the figure, ready for JSON."""
        figure = self.figure.to_dict() if self.figure else None
        return {"tables": [table.to_dict() for table in self.tables], "figure": figure}


@dataclass(frozen=True)
class Task:
    """What an experiment is run on, and how."""

    load: Callable[[], Labelled]
    """Reads documents and questions; called only by experiments that need them."""
    settings: Settings
    """How documents are cut, analysed and ranked."""
    given: frozenset[str] = frozenset()
    """Settings that were asked for by name; others give way to what an experiment varies."""
    n_vectors: int = 100_000
    """Synthetic vectors that `vectors` draws; 0: none."""
    report: Report | None = None
    """Told the progress."""

    @cached_property
    def labelled(self) -> Labelled:
        """The documents and questions."""
        return self.load()


@dataclass(frozen=True, slots=True)
class Experiment:
    """One line of the catalogue."""

    shows: str
    """What it shows, half a sentence."""
    run: Callable[[Task], Outcome]
    """Runs it."""
    drawn: bool = True
    """Whether its outcome has a figure."""


def _worked_example(task: Task) -> Outcome:
    from engine.evaluation.experiments.worked_example import worked_example
    from engine.evaluation.experiments.worked_tables import worked_figure, worked_tables

    worked = worked_example()
    return Outcome(worked_tables(worked), worked_figure(worked))


def _chunking(task: Task) -> Outcome:
    from engine.evaluation.experiments.chunking import SIZES, chunking

    sizes = (task.settings.max_words,) if "max_words" in task.given else SIZES
    found = chunking(task.labelled, task.settings, sizes, report=task.report)
    return Outcome(found.tables(), found.figure(), task.labelled.stale)


def _retrievers(task: Task) -> Outcome:
    from engine.evaluation.experiments.retrievers import DIMENSIONS, retrievers

    dimensions = (task.settings.dimensions,) if "dimensions" in task.given else DIMENSIONS
    found = retrievers(task.labelled, task.settings, dimensions, report=task.report)
    return Outcome(found.tables(), found.figure(), task.labelled.stale)


def _vectors(task: Task) -> Outcome:
    from engine.evaluation.experiments.probes import probe_trade_off
    from engine.evaluation.experiments.vectors import vectors

    probes = (task.settings.probes,) if "probes" in task.given else ()
    own = probe_trade_off(task.labelled, task.settings, task.settings.lists, probes, report=task.report)
    if not task.n_vectors:
        return Outcome(own.tables(), own.figure(), task.labelled.stale)
    drawn = vectors(n_vectors=task.n_vectors, report=task.report)
    figure = Figure("Search by lists", (*own.figure().panels, *drawn.figure().panels), "points: probes")
    return Outcome((*own.tables(), *drawn.tables()), figure, task.labelled.stale)


def _routing(task: Task) -> Outcome:
    from engine.evaluation.experiments.routing import routing

    found = routing(task.labelled, task.settings, report=task.report)
    return Outcome(found.tables(), notices=task.labelled.stale)


def _prompts(task: Task) -> Outcome:
    from engine.evaluation.experiments.prompts import strategies

    found = strategies(task.labelled, task.settings, report=task.report)
    return Outcome(found.tables(), found.figure(), task.labelled.stale)


def _answers(task: Task) -> Outcome:
    from engine.evaluation.experiments.answers import THRESHOLDS, answers
    from engine.evaluation.experiments.summaries import summaries

    thresholds = (task.settings.threshold,) if "threshold" in task.given else THRESHOLDS
    found = answers(task.labelled, task.settings, thresholds, report=task.report)
    return Outcome(
        (*found.tables(), *summaries(task.labelled, task.settings).tables()), found.figure(), task.labelled.stale
    )


def _grounding(task: Task) -> Outcome:
    from engine.evaluation.experiments.grounding import grounding
    from engine.evaluation.experiments.grounding_tables import grounding_figure, grounding_tables

    settings, recall, comparison = _demonstration(task)
    demo = grounding(task.labelled.library(settings, report=task.report), recall, comparison)
    return Outcome(grounding_tables(demo), grounding_figure(demo))


def _pitfalls(task: Task) -> Outcome:
    from engine.evaluation.experiments.pitfalls import pitfalls

    settings, recall, comparison = _demonstration(task)
    found = pitfalls(task.labelled, settings, recall, comparison, report=task.report)
    return Outcome(found.tables(), found.figure(), task.labelled.stale)


def _demonstration(task: Task) -> tuple[Settings, Recall | None, Comparison | None]:
    """Return settings and facts for the grounding demonstrations; `None`: the facts of the sample notes."""
    from engine.evaluation.solar_system.facts import COMPARISON, RECALL, SOURCES
    from engine.evaluation.solar_system.labels import NAME as SOLAR_SYSTEM

    if task.labelled.name != SOLAR_SYSTEM:
        return task.settings, None, None
    return task.settings.replace(sources=max(SOURCES, task.settings.sources)), RECALL, COMPARISON


def _query_training(task: Task) -> Outcome:
    from engine.evaluation.experiments.query_training import SPLITS, query_training
    from engine.indexing.lsa import LSA

    library = task.labelled.library(task.settings, "bm25", report=task.report)
    lsa, judged = LSA(library.index, task.settings.dimensions), task.labelled.judged(library)
    found = [query_training(task.labelled.name, lsa, judged, split) for split in SPLITS]
    return Outcome(tuple(table for each in found for table in each.tables()), notices=task.labelled.stale)


def _libraries(task: Task) -> Outcome:
    from engine.evaluation.experiments.libraries import libraries

    return Outcome(libraries(task.labelled, task.settings, report=task.report).tables())


EXPERIMENTS = {
    "worked-example": Experiment("every number of four chunks and one question, step by step", _worked_example),
    "chunking": Experiment("how to cut: recall, words of the prompt, evidence cut, headers", _chunking),
    "retrievers": Experiment("BM25, tf-idf, LSA and their fusion; what fusion moves", _retrievers),
    "vectors": Experiment("what searching vectors by lists finds and costs, clustered or not", _vectors),
    "routing": Experiment("searching the best leading sections first, then their notes", _routing, drawn=False),
    "prompts": Experiment("which passages get into the prompt, by budget and strategy", _prompts),
    "answers": Experiment("quoted answers against the threshold; summaries instead of search", _answers),
    "grounding": Experiment("a model that answers from memory, and one that mixes two sources", _grounding),
    "pitfalls": Experiment("fifteen mistakes by number: each figure with the mistake and without", _pitfalls),
    "query-training": Experiment("a trained question vector, on questions held out", _query_training, drawn=False),
    "libraries": Experiment("agreement with scikit-learn and ir_measures", _libraries, drawn=False),
}
"""In the order in which they are best read."""
