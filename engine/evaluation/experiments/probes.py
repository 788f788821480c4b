"""What approximate search costs on labelled questions: IVF over LSA vectors, from one probe to all lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from statistics import fmean

from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.labelled import Labelled
from engine.evaluation.metrics import recall_at_k
from engine.evaluation.tables import Column, Table, table
from engine.indexing.exact import exact_search
from engine.indexing.ivf import ann_recall
from engine.indexing.lsa import LSA
from engine.records import Report
from engine.settings import Settings

TOP = 10
"""Results in which the approximate search is compared with the exact one."""
CUT = 5
"""Depth of the labelled recall."""


@dataclass(frozen=True, slots=True)
class Probes:
    """One number of probes, mean over the questions."""

    probes: int
    """Lists scanned."""
    scanned: float
    """Share of the vectors compared with the question, 0 to 1."""
    found: float
    """Share of the exact first `TOP` that is found, 0 to 1."""
    recall: float
    """recall@`CUT` on the labels, 0 to 1."""


@dataclass(frozen=True, slots=True)
class ProbeTradeOff:
    """What more probes bring."""

    name: str
    """What was searched."""
    n_vectors: int
    """Chunks."""
    n_dims: int
    """LSA dimensions."""
    n_lists: int
    """IVF lists."""
    rows: tuple[Probes, ...]
    """By probes, rising; the last one scans every list."""

    def tables(self) -> tuple[Table, ...]:
        """Return a row a number of probes."""
        columns: list[Column | str] = [
            "probes",
            Column("scanned", "vectors scanned", ".1%"),
            Column(f"found@{TOP}", f"of the exact first {TOP}", ".1%"),
            f"recall@{CUT}",
        ]
        rows = [[each.probes, each.scanned, each.found, each.recall] for each in self.rows]
        title = f"IVF: {self.n_vectors:,} vectors of {self.n_dims} dimensions in {self.n_lists} lists"
        return (table(title, columns, rows),)

    def figure(self) -> Figure:
        """Return what is found against what is scanned."""
        scanned = tuple(each.scanned for each in self.rows)
        curves = (
            Curve(f"of the exact first {TOP}", scanned, tuple(each.found for each in self.rows)),
            Curve(f"recall@{CUT} on the labels", scanned, tuple(each.recall for each in self.rows)),
        )
        panel = Panel("", "share of the vectors scanned", "share found", curves, y_range=(0.0, 1.05))
        return Figure(f"IVF on {self.name}", (panel,), f"{self.n_lists} lists; points: probes")


def probe_trade_off(
    labelled: Labelled,
    settings: Settings | None = None,
    lists: int = 0,
    probes: Sequence[int] = (),
    *,
    report: Report | None = None,
) -> ProbeTradeOff:
    """Search the LSA vectors of a library by lists, with ever more probes.

    Args:
        labelled: documents and questions.
        settings: how the documents are cut and analysed, and `dimensions`.
        lists: L, clamped to the number of chunks; 0 or less: the square root of that number.
        probes: numbers of probes, rising; empty: 1, 2, 3, 4, 6, 8, 12, 16 … up to all lists.
        report: told the progress of the indexing.
    """
    settings = settings or Settings()
    library = labelled.library(settings, "bm25", report)
    lsa = LSA(library.index, settings.dimensions, report=report)
    judged = labelled.judged(library)
    queries = [lsa.embed(question.text) for question in judged]
    exact = [exact_search(lsa.embeddings, query, TOP) for query in queries]
    ivf = lsa.ivf(lists if lists > 0 else max(1, isqrt(len(library.chunks))))

    def measure(p: int) -> Probes:
        found = [ivf.search(query, TOP, p) for query in queries]
        return Probes(
            probes=p,
            scanned=fmean(ivf.scanned(query, p) for query in queries) / max(1, len(library.chunks)),
            found=ann_recall(found, exact, TOP),
            recall=fmean(recall_at_k(q.pieces, hits.ids, CUT) for q, hits in zip(judged, found, strict=True)),
        )

    rows = tuple(measure(p) for p in probes or _rising(ivf.n_lists))
    return ProbeTradeOff(labelled.name, len(library.chunks), lsa.n_dims, ivf.n_lists, rows)


def _rising(n_lists: int) -> list[int]:
    """Return 1, 2, 3, 4, 6, 8, 12 … below `n_lists`, and `n_lists`.

    >>> _rising(16), _rising(5)
    ([1, 2, 3, 4, 6, 8, 12, 16], [1, 2, 3, 4, 5])
    """
    steps = sorted({p for power in range(n_lists.bit_length()) for p in (2**power, 3 * 2**power)})
    return [p for p in steps if p < n_lists] + [n_lists]
