"""The figures that planet-tui means to reach, held against what was measured at the largest size."""

from typing import NamedTuple

from engine.evaluation.tables import Column, table


class Target(NamedTuple):
    """One figure and its limit."""

    what: str
    limit: float
    unit: str
    """`×`: a ratio with `peer`."""
    measurement: str
    figure: str
    peer: tuple[str, str] | None = None
    """Measurement and figure of the other one."""
    at_least: bool = False
    """Whether more is better."""


TANTIVY = ("lexical.tantivy", "index s")
TARGETS = (
    Target("index the ready chunks, against tantivy", 1.0, "×", "lexical.planet", "index s", TANTIVY),
    Target("the same, against bm25s", 0.2, "×", "lexical.planet", "index s", ("lexical.bm25s", "index s")),
    Target("the same, growth of peak memory", 400, "MB", "lexical.planet", "index MB"),
    Target("folder to first answers", 1.0, "s", "folders.from_nothing", "first answers after s"),
    Target("folder to BM25, against tantivy's ready chunks", 5, "×", "folders.from_nothing", "BM25 after s", TANTIVY),
    Target("folder to everything ready, the same", 10, "×", "folders.from_nothing", "all after s", TANTIVY),
    Target("the same, peak memory of the process", 700, "MB", "folders.from_nothing", "process MB"),
    Target("LSA in 128 dimensions", 5, "s", "vectors.planet_lsa", "LSA-128 s"),
    Target(
        "its energy, against ARPACK",
        0.99,
        "×",
        "vectors.planet_lsa",
        "energy",
        ("vectors.sklearn_arpack", "energy"),
        at_least=True,
    ),
    Target("process start to the first ranked answer", 0.4, "s", "starts.planet", "first answer s"),
    Target("open the index", 0.002, "s", "folders.kept", "open s"),
    Target(
        "nothing changed, against a bare stat walk",
        2,
        "×",
        "folders.kept",
        "nothing changed s",
        ("folders.kept", "bare stat walk s"),
    ),
    Target("one note edited to searchable", 0.005, "s", "folders.edited", "edit searchable s"),
    Target("one note edited to durable", 0.005, "s", "folders.edited", "edit durable s"),
    Target(
        "BM25 top 10, p50, against tantivy",
        1.0,
        "×",
        "lexical.planet",
        "BM25 p50 ms",
        ("lexical.tantivy", "BM25 p50 ms"),
    ),
    Target(
        "BM25 top 10, p95, against tantivy",
        1.3,
        "×",
        "lexical.planet",
        "BM25 p95 ms",
        ("lexical.tantivy", "BM25 p95 ms"),
    ),
    Target("last word as prefix, p95", 4, "ms", "lexical.planet", "prefix p95 ms"),
    Target(
        "exact vectors, p50, against FAISS Flat",
        1.0,
        "×",
        "vectors.planet_search",
        "exact p50 ms",
        ("vectors.faiss", "exact p50 ms"),
    ),
    Target("IVF build", 0.5, "s", "vectors.planet_search", "IVF s"),
    Target("IVF search, p50", 0.2, "ms", "vectors.planet_search", "IVF p50 ms"),
    Target("its recall at 10", 0.97, "", "vectors.planet_search", "recall", at_least=True),
    Target("whole trace, p95", 10, "ms", "folders.questions", "trace p95 ms"),
    Target("keystroke to refreshed lists, p95", 30, "ms", "keystrokes.typed", "keystroke p95 ms"),
    Target("event loop held, longest", 16, "ms", "keystrokes.typed", "loop held longest ms"),
    Target(
        "first frame, against a bare Textual app",
        1.15,
        "×",
        "starts.first_frame",
        "first frame s",
        ("starts.bare_frame", "first frame s"),
    ),
    Target("lexical part on disk, of the notes", 0.6, "", "folders.sizes", "lexical / notes"),
    Target("index with LSA-128 on disk, of the notes", 2, "", "folders.sizes", "index with LSA-128 / notes"),
)


def target_table(results, size):
    """Return every target with what was measured at a size, and how many times the limit that is."""
    rows = []
    for target in TARGETS:
        value, used = (_measured(results, size, target, named) for named in (str, _of_processor))
        if value is not None:
            sign = "≥" if target.at_least else "≤"
            times = target.limit / value if target.at_least else value / target.limit
            limit = f"{sign} {target.limit:g} {target.unit}".rstrip()
            shown = [None if each is None else f"{each:.3g} {target.unit}".rstrip() for each in (value, used)]
            rows.append([target.what, limit, *shown, times])
    heads = ["what", "target", "measured", "by processor time", Column("times", "times the limit", ".2f")]
    note = "Up to 1.00 times the limit the target is met. Processor time is that of all threads and helpers."
    return table(f"Targets, {size:,} files", heads, rows, note)


def _of_processor(figure):
    """Return the figure that has processor time in place of the clock's, where there is one."""
    name, *rest = figure.rsplit(" ", 2 if figure.endswith(" ms") else 1)
    return " ".join([name, "CPU", *rest])


def _measured(results, size, target, named):
    """Return what was measured for a target, divided by the peer's if there is one; `None`: not measured."""
    value = results.value(size, target.measurement, named(target.figure))
    if value is None or target.peer is None:
        return value
    other = results.value(size, target.peer[0], named(target.peer[1]))
    return value / other if other else None
