"""A report of `evaluate` -> its picture: recall by depth, beside what approximate vector search costs."""

from __future__ import annotations

from dataclasses import replace

from engine.evaluation.experiments.probes import probe_trade_off
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.labelled import Labelled
from engine.evaluation.report import NAMES, EvaluationReport
from engine.evaluation.retrieval import CUTS, RetrievalReport


def recall_panel(retrieval: RetrievalReport) -> Panel:
    """Return recall@k by depth k, a curve a retriever; that of `fused` with its intervals."""
    curves = []
    for name, figures in retrieval.retrievers.items():
        x, y = tuple(map(float, CUTS)), tuple(figures[f"recall@{k}"] for k in CUTS)
        banded = [retrieval.intervals[name][f"recall@{k}"] for k in CUTS] if name == "fused" else []
        low, high = tuple(band.low for band in banded), tuple(band.high for band in banded)
        curves.append(Curve(NAMES.get(name, name), x, y, low, high))
    return Panel("Recall", "results k", "recall@k", tuple(curves), y_range=(0.0, 1.02))


def report_figure(report: EvaluationReport, name: str) -> Figure:
    """Return what a report alone can draw: recall, and answered against right where answers have probabilities."""
    panels = [recall_panel(report.retrieval), *(report.calibration.figure().panels if report.calibration else ())]
    size = f"{report.n_questions} questions, {report.n_chunks} chunks"
    return Figure(f"Evaluation of {name}", tuple(panels), f"{size}; band: bootstrap interval of fused.")


def evaluation_figure(report: EvaluationReport, labelled: Labelled) -> Figure:
    """Return recall beside the trade-off of IVF on the same notes, in as many lists as the settings say, or √N."""
    panels = [recall_panel(report.retrieval)]
    if report.retrieval.rows:
        trade_off = probe_trade_off(labelled, report.settings, report.settings.lists)
        panels += [replace(panel, title=f"IVF, {trade_off.n_lists} lists") for panel in trade_off.figure().panels]
    size = f"{report.n_questions} questions, {report.n_chunks} chunks"
    note = f"{size}; band: bootstrap interval of fused; points of IVF: probes."
    return Figure(f"Evaluation of {labelled.name}", tuple(panels), note)
