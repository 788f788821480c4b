"""Figures of many rounds -> tables: medians, ratios within the same run, growth."""

import json
import math
from statistics import median

from engine.evaluation.tables import Column, table
from tests.benchmarks.targets import target_table

OURS = "planet-tui"
PEERS = {
    "lexical.planet": "planet-tui",
    "lexical.tantivy": "tantivy",
    "lexical.fts5": "SQLite FTS5",
    "lexical.sklearn": "scikit-learn",
    "lexical.bm25s": "bm25s",
    "vectors.planet_lsa": "planet-tui",
    "vectors.sklearn_randomized": "scikit-learn, randomised",
    "vectors.sklearn_arpack": "scikit-learn, ARPACK",
    "vectors.planet_search": "planet-tui",
    "vectors.faiss": "FAISS",
    "starts.planet": "planet-tui",
    "starts.tantivy": "tantivy",
    "starts.fts5": "SQLite FTS5",
    "starts.bm25s": "bm25s, mapped",
    "starts.first_frame": "planet-tui",
    "starts.bare_frame": "bare Textual app",
}
"""Who stands behind a measurement; planet-tui is compared with the others of its module."""

COMPARED = (
    ("Index the ready chunks, s", "lexical", "index s"),
    ("Index the ready chunks, s of processor time", "lexical", "index CPU s"),
    ("Index the ready chunks, growth of peak memory, MB", "lexical", "index MB"),
    ("BM25 top 10, p50, ms", "lexical", "BM25 p50 ms"),
    ("BM25 top 10, p95, ms", "lexical", "BM25 p95 ms"),
    ("Last word as prefix, p50, ms", "lexical", "prefix p50 ms"),
    ("Last word as prefix, p95, ms", "lexical", "prefix p95 ms"),
    ("tf-idf top 10, p95, ms", "lexical", "tf-idf p95 ms"),
    ("LSA in 128 dimensions, s", "vectors", "LSA-128 s"),
    ("LSA in 128 dimensions, s of processor time", "vectors", "LSA-128 CPU s"),
    ("LSA in 128 dimensions, sum of squared singular values", "vectors", "energy"),
    ("Exact vector search, p50, ms", "vectors", "exact p50 ms"),
    ("IVF build, s", "vectors", "IVF s"),
    ("IVF build, s of processor time", "vectors", "IVF CPU s"),
    ("IVF search, 28 lists, p50, ms", "vectors", "IVF p50 ms"),
    ("IVF recall at 10", "vectors", "recall"),
    ("Process start to the first ranked answer, s", "starts", "first answer s"),
    ("Process start to the first ranked answer, s of processor time", "starts", "first answer CPU s"),
    ("Process start to the first frame, s", "starts", "first frame s"),
    ("Process start to the first frame, s of processor time", "starts", "first frame CPU s"),
)
"""Title, module and figure of what peers do too."""

ALONE = (
    ("Folder to first answers, s", "folders.from_nothing", "first answers after s"),
    ("Folder to BM25, s", "folders.from_nothing", "BM25 after s"),
    ("Folder to BM25, s of processor time", "folders.from_nothing", "BM25 after CPU s"),
    ("Folder to all ready, s", "folders.from_nothing", "all after s"),
    ("Folder to all ready, s of processor time", "folders.from_nothing", "all after CPU s"),
    ("Chunks that the folder comes to", "folders.from_nothing", "chunks"),
    ("Peak memory of that process up to BM25, MB", "folders.from_nothing", "BM25 peak MB"),
    ("Peak memory of that process, MB", "folders.from_nothing", "process MB"),
    ("Peak memory of it and its helpers, MB", "folders.from_nothing", "family MB"),
    ("Open the kept index, s", "folders.kept", "open s"),
    ("First question after that, s", "folders.kept", "first question s"),
    ("Nothing changed, s", "folders.kept", "nothing changed s"),
    ("Nothing changed, s of processor time", "folders.kept", "nothing changed CPU s"),
    ("Bare stat walk, s", "folders.kept", "bare stat walk s"),
    ("One note edited to searchable, s", "folders.edited", "edit searchable s"),
    ("One note edited to searchable, s of processor time", "folders.edited", "edit searchable CPU s"),
    ("One note edited to durable, s", "folders.edited", "edit durable s"),
    ("One note edited to durable, s of processor time", "folders.edited", "edit durable CPU s"),
    ("A file of as many bytes synchronised and renamed, s", "folders.edited", "bare file s"),
    ("BM25 top 100 of the library, p50, ms", "folders.questions", "BM25 of the library p50 ms"),
    ("Whole trace, p50, ms", "folders.questions", "trace p50 ms"),
    ("Whole trace, p95, ms", "folders.questions", "trace p95 ms"),
    ("Whole trace, p95, ms of processor time", "folders.questions", "trace CPU p95 ms"),
    ("Keystroke to refreshed lists, p50, ms", "keystrokes.typed", "keystroke p50 ms"),
    ("Keystroke to refreshed lists, p95, ms", "keystrokes.typed", "keystroke p95 ms"),
    ("Keystroke to refreshed lists, p95, ms of processor time", "keystrokes.typed", "keystroke p95 CPU ms"),
    ("Turn of the event loop meanwhile, p99, ms of processor time", "keystrokes.typed", "loop turn p99 CPU ms"),
    ("Turn of the event loop meanwhile, longest, ms of processor time", "keystrokes.typed", "loop turn longest CPU ms"),
    ("Event loop held meanwhile, p99, ms", "keystrokes.typed", "loop held p99 ms"),
    ("Event loop held meanwhile, longest, ms", "keystrokes.typed", "loop held longest ms"),
    ("Lexical part on disk / notes", "folders.sizes", "lexical / notes"),
    ("Index without LSA on disk / notes", "folders.sizes", "index without LSA / notes"),
    ("Index on disk / notes", "folders.sizes", "index / notes"),
    ("The same with LSA in 128 dimensions", "folders.sizes", "index with LSA-128 / notes"),
)
"""Title, measurement and figure of what is measured of planet-tui alone."""


class Results:
    """What was measured: `add` figures of a round, `tables` at the end."""

    def __init__(self):
        """Start with nothing measured."""
        self.rounds = {}
        self.facts = {}

    @classmethod
    def load(cls, file):
        """Return what `save` wrote; nothing measured where there is no such file."""
        results = cls()
        if file is not None and file.exists():
            kept = json.loads(file.read_text(encoding="utf-8"))
            results.facts = {facts["files"]: facts for facts in kept["facts"]}
            results.rounds = {tuple(key): values for *key, values in kept["rounds"]}
        return results

    def save(self, file):
        """Write every figure of every round."""
        rounds = [[*key, values] for key, values in self.rounds.items()]
        file.write_text(json.dumps({"facts": list(self.facts.values()), "rounds": rounds}, indent=0), encoding="utf-8")

    def add(self, size, measurement, figures):
        """Take the figures of one round."""
        for name, value in figures.items():
            self.rounds.setdefault((size, measurement, name), []).append(value)

    def value(self, size, measurement, name):
        """Return the median over the rounds; `None`: not measured."""
        found = self.rounds.get((size, measurement, name))
        return median(found) if found else None

    def tables(self):
        """Yield what was measured, a table a stage."""
        sizes = sorted(self.facts)
        heads = [Column("", form="s"), *(Column(str(size), f"{size} files", ".4g") for size in sizes)]
        facts = [[name, *(self.facts[size][name] for size in sizes)] for name in ("files", "chunks", "bytes")]
        yield table("The folders", [heads[0], *(Column(str(size), f"{size} files", ",") for size in sizes)], facts)
        heads += [Column("ratio", "planet-tui / this", ".2f"), Column("growth", "exponent", ".2f")]
        rows = []
        for title, module, figure in COMPARED:
            ours = None
            for measurement, peer in PEERS.items():
                values = [self.value(size, measurement, figure) for size in sizes]
                if measurement.startswith(module + ".") and any(value is not None for value in values):
                    ours = values[-1] if peer == OURS else ours
                    rows.append([title, peer, *values, _divided(ours, values[-1]), self._growth(values)])
        if rows:
            yield table("Beside its peers", [Column("what"), Column("who"), *heads[1:]], rows)
        rows = []
        for title, measurement, figure in ALONE:
            values = [self.value(size, measurement, figure) for size in sizes]
            if any(value is not None for value in values):
                rows.append([title, *values, self._growth(values)])
        if rows:
            yield table("The library", [*heads[:-2], heads[-1]], rows)
        yield target_table(self, sizes[-1])

    def _growth(self, values):
        """Return e where a figure grows as the number of files to the power e, from the least to the most files."""
        sizes = sorted(self.facts)
        if len(sizes) < 2 or not all((values[0], values[-1])):
            return None
        return math.log(values[-1] / values[0]) / math.log(sizes[-1] / sizes[0])


def _divided(one, other):
    return one / other if one is not None and other else None
