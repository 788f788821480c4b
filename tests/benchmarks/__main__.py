"""Measure planet-tui beside its peers and print tables: `make bench`, or `python -m tests.benchmarks --help`."""

import argparse
import os
import sys
import tarfile
import tempfile
from pathlib import Path

from tests.benchmarks.meter import run
from tests.benchmarks.place import make_place
from tests.benchmarks.results import Results

FOLDER = "docs-20k"
MEASUREMENTS = (
    *("lexical.planet", "lexical.tantivy", "lexical.fts5", "lexical.sklearn", "lexical.bm25s"),
    *("vectors.planet_lsa", "vectors.sklearn_randomized", "vectors.planet_search", "vectors.faiss"),
    *("folders.from_nothing", "folders.sizes", "folders.kept", "folders.edited", "folders.questions"),
    *("starts.planet", "starts.tantivy", "starts.fts5", "starts.bm25s", "starts.bare_frame", "starts.first_frame"),
    "keystrokes.typed",
    "vectors.sklearn_arpack",
)
"""In this order: some use what an earlier one leaves."""
ONCE = ("vectors.sklearn_arpack", "folders.sizes")
"""What one round of is enough: the others take long, or say the same every time."""


def main():
    """Run the rounds; after each size print where things are, at the end the tables."""
    options = _options()
    results = Results.load(options.keep)
    for size in options.sizes:
        place = make_place(_source(options), options.work / f"{size or 'all'}", size)
        facts = place.read("facts")
        results.facts[facts["files"]] = facts
        for turn in range(options.rounds):
            for measurement in MEASUREMENTS:
                if (turn and measurement in ONCE) or not measurement.startswith(tuple(options.only)):
                    continue
                print(f"{facts['files']} files, round {turn + 1}: {measurement}", file=sys.stderr)  # noqa: T201
                results.add(facts["files"], measurement, run(measurement, place) or {})
                if options.keep:
                    results.save(options.keep)
    print("\n\n".join(each.to_markdown(3) for each in results.tables()))  # noqa: T201


def _options():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--folder", type=Path, help="the notes; else docs-20k below PLANET_TUI_VAULTS, or unpacked")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 5000, 0], help="files; 0: all")
    parser.add_argument("--rounds", type=int, default=3, help="the tables hold medians of so many")
    parser.add_argument("--only", nargs="+", default=[""], metavar="START", help="measurements whose names start so")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "planet-tui-bench")
    parser.add_argument("--keep", type=Path, help="a file that figures are added to, so that runs add up")
    return parser.parse_args()


def _source(options):
    """Return the folder of notes, unpacked where need be."""
    if options.folder:
        return options.folder
    if "PLANET_TUI_VAULTS" in os.environ:
        return Path(os.environ["PLANET_TUI_VAULTS"]) / FOLDER
    data = Path(os.environ.get("PLANET_TUI_DATA", "../shared/data")) / "vaults" / f"{FOLDER}.tar.xz"
    if not data.exists():
        raise SystemExit(f"No notes: give --folder, or set PLANET_TUI_DATA; {data} is not there")
    unpacked = options.work / "source"
    if not unpacked.exists():
        with tarfile.open(data) as archive:
            archive.extractall(unpacked, filter="data")
    return unpacked / FOLDER


if __name__ == "__main__":
    main()
