"""Two settings on the same questions -> by how much each figure differs, and whether chance could do that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.evaluation.answers import ANSWER_FIGURES, AnswerReport
from engine.evaluation.report import ANSWERS, NAMES, EvaluationReport
from engine.evaluation.resampling import LEVEL, Paired, compare_paired
from engine.evaluation.retrieval import FIGURES, RetrievalReport
from engine.evaluation.tables import Column, Table, table
from engine.library import Library
from engine.records import Report, ShouldStop
from engine.settings import Settings


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """One figure under both settings."""

    group: str
    """The retriever, or `answers`."""
    figure: str
    """The figure's name."""
    paired: Paired
    """Both means, their difference with its interval, and the p value."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every figure under both settings."""

    changes: Mapping[str, Any]
    """The settings that differ, with their values after."""
    before: Mapping[str, Any]
    """The same settings with their values before."""
    figures: tuple[ComparedFigure, ...]
    """In the order of a report."""

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON-ready dicts."""
        rows = [{"group": row.group, "figure": row.figure} | row.paired._asdict() for row in self.figures]
        return {"before": dict(self.before), "after": dict(self.changes), "figures": rows}

    def tables(self) -> tuple[Table]:
        """Return `to_table` alone."""
        return (self.to_table(),)

    def to_table(self) -> Table:
        """Return the figures that differ on some question; the note says how many do not."""
        differ = [row for row in self.figures if row.paired.n_different]
        rows = [(NAMES.get(row.group, row.group), row.figure, *row.paired) for row in differ]
        signed = [Column(name, form="+.3f") for name in ("difference", "low", "high")]
        means = map(Column, ("group", "figure", "before", "after"))
        columns = [*means, *signed, Column("p", form=".4f"), Column("questions"), Column("different")]
        same = len(self.figures) - len(differ)
        note = (
            f"low to high: {LEVEL:.0%} percentile bootstrap interval of the difference. p: two-sided randomisation "
            f"test, not corrected for the number of figures. {same} of {len(self.figures)} figures are the same on "
            "every question."
        )
        return table(f"{_listed(self.before)} against {_listed(self.changes)}", columns, rows, note)


def compare_reports(before: EvaluationReport, after: EvaluationReport) -> Comparison:
    """Compare two reports on the same questions.

    Raises:
        ValueError: they are not on the same questions.
    """
    figures = (*_retrieval(before.retrieval, after.retrieval), *_answers(before.answers, after.answers))
    return _comparison(before.settings, after.settings, figures)


def compare_retrieval(
    before: RetrievalReport, after: RetrievalReport, settings: Settings, changed: Settings
) -> Comparison:
    """Compare two reports of retrievers on the same questions, measured with `settings` and with `changed`.

    Raises:
        ValueError: they are not on the same questions.
    """
    return _comparison(settings, changed, tuple(_retrieval(before, after)))


def library_with(
    library: Library, settings: Settings, *, report: Report | None = None, should_stop: ShouldStop | None = None
) -> Library:
    """Return the library as `settings` would have it, made anew only as far as they differ.

    Raises:
        FolderError: the folder has to be read again and cannot be.
        Cancelled: `should_stop` returned true.
    """
    stale = library.settings.stale_after(settings)
    if stale == "nothing":
        return library.with_settings(settings)
    if stale == "folder":
        return Library.open(library.roots, settings, reader=library.reader, report=report, should_stop=should_stop)
    *_, rebuilt = Library.from_documents(
        library.documents,
        settings,
        library.roots,
        library.notices,
        reader=library.reader,
        report=report,
        should_stop=should_stop,
    )
    return rebuilt


def _comparison(settings: Settings, changed: Settings, figures: tuple[ComparedFigure, ...]) -> Comparison:
    before, after = settings.to_public_dict(), changed.to_public_dict()
    names = [name for name in before if before[name] != after[name]]
    return Comparison({name: after[name] for name in names}, {name: before[name] for name in names}, figures)


def _retrieval(before: RetrievalReport, after: RetrievalReport) -> Iterable[ComparedFigure]:
    for name in before.retrievers:
        one = [row.figures[name] for row in before.rows]
        two = [row.figures[name] for row in after.rows]
        yield from _figures(name, FIGURES, one, two)


def _answers(before: AnswerReport, after: AnswerReport) -> Iterable[ComparedFigure]:
    one, two = [row.figures for row in before.rows], [row.figures for row in after.rows]
    return _figures(ANSWERS, ANSWER_FIGURES, one, two)


def _figures(
    group: str,
    names: Sequence[str],
    before: Sequence[Mapping[str, float | None]],
    after: Sequence[Mapping[str, float | None]],
) -> Iterable[ComparedFigure]:
    for name in names:
        one, two = [row.get(name) for row in before], [row.get(name) for row in after]
        yield ComparedFigure(group, name, compare_paired(one, two))


def _listed(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in settings.items()) or "the same settings"
