"""What approximate search finds, and how it hangs on whether the vectors form clusters.

Three sets: a library's own vectors, synthetic ones around centres, and independent ones, of which every direction
is as likely as any other. Jégou, Douze and Schmid, "Product quantization for nearest neighbor search", 2011, judge
the inverted file in the same way: the share scanned against the share of the true neighbours found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from engine.errors import Cancelled
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.tables import Column, Table, table
from engine.indexing.exact import exact_search
from engine.indexing.ivf import IVF, ann_recall
from engine.indexing.top_k import FloatArray
from engine.library import Library
from engine.records import Progress, Report, ShouldStop

TOP = 10
"""Neighbours that are looked for."""
CENTRES = 1_000
SPREAD = 1.2
"""Length of what is added to a centre, on average: more than the centre's own."""
SAMPLE, ITERATIONS = 400, 20
"""A thorough training, so that what is measured is the search and not the haste of the clustering."""


@dataclass(frozen=True, slots=True)
class Probed:
    """One number of probes, mean over the queries."""

    probes: int
    """Lists scanned."""
    scanned: float
    """Share of the vectors compared with the query, 0 to 1."""
    found: float
    """ann_recall: share of the exact first `TOP` that is found, 0 to 1."""


@dataclass(frozen=True, slots=True)
class VectorSet:
    """One set of vectors and what its lists find."""

    name: str
    """What the vectors are."""
    n_vectors: int
    """How many."""
    n_dims: int
    """Their length."""
    n_lists: int
    """IVF lists."""
    n_queries: int
    """Queries averaged over."""
    rows: tuple[Probed, ...]
    """By probes, rising."""


@dataclass(frozen=True, slots=True)
class VectorSearch:
    """Several sets beside each other."""

    sets: tuple[VectorSet, ...]
    """In the order they were measured."""

    def tables(self) -> tuple[Table, ...]:
        """Return a table a set, a row a number of probes."""
        columns: list[Column | str] = [
            "probes",
            Column("scanned", "vectors scanned", ".1%"),
            Column(f"found@{TOP}", f"of the exact first {TOP}", ".1%"),
        ]
        return tuple(
            table(
                f"{one.name}: {one.n_vectors:,} vectors of {one.n_dims} dimensions in {one.n_lists} lists",
                columns,
                [[row.probes, row.scanned, row.found] for row in one.rows],
                f"Mean over {one.n_queries} queries.",
            )
            for one in self.sets
        )

    def figure(self) -> Figure:
        """Return what is found against what is scanned, a curve a set."""
        curves = tuple(
            Curve(one.name, tuple(row.scanned for row in one.rows), tuple(row.found for row in one.rows))
            for one in self.sets
        )
        label = f"share of the exact first {TOP} found"
        panel = Panel("", "share of the vectors scanned", label, curves, log_x=True, y_range=(0.0, 1.05))
        return Figure("Approximate search by lists", (panel,), "points: probes")


def vectors(
    library: Library | None = None,
    *,
    n_vectors: int = 100_000,
    n_dims: int = 64,
    lists: int = 256,
    library_lists: int = 16,
    n_queries: int = 200,
    seed: int = 0,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> VectorSearch:
    """Measure a library's vectors and two synthetic sets, which differ only in whether they are clustered.

    Args:
        library: whose vectors to search, with its first `n_queries` chunks as queries; `None`: the synthetic only.
        n_vectors: of each synthetic set.
        n_dims: of each synthetic set.
        lists: for the synthetic sets.
        library_lists: for the library.
        n_queries: queries a set; a synthetic set's are drawn as its vectors are, and do not belong to it.
        seed: of everything drawn.
        report: told which set is measured.
        should_stop: asked between blocks and probes.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    random = np.random.default_rng(seed)
    sets = []
    if library is not None and library.lsa is not None and len(library.lsa.embeddings):
        own = library.lsa.embeddings
        queries = own[random.permutation(len(own))[:n_queries]]
        sets.append(measure_lists("the library's vectors", own, queries, library_lists, should_stop=should_stop))
    makers = (("clustered", clustered_vectors), ("independent", independent_vectors))
    for at, (name, make) in enumerate(makers):
        if report is not None:
            report(Progress(f"{name} vectors", at, len(makers)))
        drawn = make(n_vectors + n_queries, n_dims, random)
        sets.append(
            measure_lists(name, drawn[n_queries:], drawn[:n_queries], lists, seed=seed, should_stop=should_stop)
        )
    return VectorSearch(tuple(sets))


def measure_lists(
    name: str,
    vectors: FloatArray,
    queries: FloatArray,
    lists: int,
    probes: Sequence[int] = (),
    *,
    seed: int = 0,
    should_stop: ShouldStop | None = None,
) -> VectorSet:
    """Search one set of unit vectors by lists, with ever more probes.

    Args:
        name: what the vectors are.
        vectors: (n_vectors, n_dims) unit rows.
        queries: (n_queries, n_dims) unit rows.
        lists: L.
        probes: numbers of probes, rising; empty: 1, 2, 4, 8 … and all lists.
        seed: of the clustering.
        should_stop: asked between blocks and probes.
    """
    ivf = IVF(vectors, lists, seed=seed, sample=SAMPLE, iterations=ITERATIONS, should_stop=should_stop)
    exact = [exact_search(vectors, query, TOP) for query in queries]

    def measure(p: int) -> Probed:
        if should_stop is not None and should_stop():
            raise Cancelled
        found = [ivf.search(query, TOP, p) for query in queries]
        scanned = fmean(ivf.scanned(query, p) for query in queries) / len(vectors)
        return Probed(p, scanned, ann_recall(found, exact, TOP))

    doubled = [2**power for power in range(ivf.n_lists.bit_length()) if 2**power < ivf.n_lists]
    rows = tuple(measure(p) for p in probes or [*doubled, ivf.n_lists])
    return VectorSet(name, len(vectors), vectors.shape[1], ivf.n_lists, len(queries), rows)


def independent_vectors(n_vectors: int, n_dims: int, random: np.random.Generator) -> NDArray[np.float32]:
    """Return N(0, I) made unit, (n_vectors, n_dims): every direction is as likely as any other."""
    return _unit(random.standard_normal((n_vectors, n_dims), dtype=np.float32))


def clustered_vectors(n_vectors: int, n_dims: int, random: np.random.Generator) -> NDArray[np.float32]:
    """Return c + `SPREAD` N(0, I) / sqrt(n_dims) made unit, (n_vectors, n_dims), c one of `CENTRES` unit vectors."""
    centres = independent_vectors(CENTRES, n_dims, random)
    noise = random.standard_normal((n_vectors, n_dims), dtype=np.float32)
    noise *= np.float32(SPREAD / n_dims**0.5)
    noise += centres[random.integers(CENTRES, size=n_vectors)]
    return _unit(noise)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows
