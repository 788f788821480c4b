"""A folder of notes -> a library: from nothing, from the cache, after an edit; and questions to it."""

import os
import shutil
import time

import numpy as np

from engine.library import Library
from engine.pipeline import ask
from engine.settings import Settings
from engine.storage.array_file import read_arrays
from engine.storage.shelf import Slot
from planet_tui.jobs import workers
from tests.benchmarks.meter import Meter, peak, processor_seconds

EDITED = 21
"""Notes that are edited."""
LEXICAL = ("terms.bytes", "terms.offsets", "indptr", "postings", "counts", "lengths")


def from_nothing(place):
    """Read a folder into an empty cache; the marks are seconds since the start."""
    shutil.rmtree(place.cache, ignore_errors=True)
    query, meter = place.read("queries")[0], Meter()
    start, cpu = time.perf_counter(), processor_seconds()
    with meter.measure("all ready"):
        for library in Library.stages(place.notes, cache=place.cache, workers=workers()):
            if library.stage == "documents":
                continue
            library.bm25.search(query)
            mark = "all" if library.stage == "lsa" else "BM25" if not library.pending else "first answers"
            meter.figures.setdefault(f"{mark} after s", time.perf_counter() - start)
            meter.figures.setdefault(f"{mark} after CPU s", processor_seconds() - cpu)
            meter.figures.setdefault(f"{mark} peak MB", peak() / 1e6)
    meter.figures.setdefault("first answers after s", meter.figures["BM25 after s"])
    return meter.figures | {"chunks": len(library.chunks)}


def sizes(place):
    """Return what the kept index takes on disk, as a share of the notes."""
    slot, notes = Slot.of(place.cache, place.notes, Settings()).path, place.read("facts")["bytes"]
    _, arrays = read_arrays(slot / "notes")
    dimensions = len(read_arrays(slot / "lsa").arrays["singular_values"])  # all of the file is linear in them
    lexical = sum(arrays[name].nbytes for name in LEXICAL)
    kept = {file: (slot / file).stat().st_size for file in ("notes", "lsa")}
    return {
        "lexical / notes": lexical / notes,
        "index without LSA / notes": kept["notes"] / notes,
        "index / notes": sum(kept.values()) / notes,
        "index with LSA-128 / notes": (kept["notes"] + kept["lsa"] * 128 / dimensions) / notes,
    }


def kept(place):
    """Open what is kept, look whether anything changed, beside a bare walk over the same files."""
    meter, query = Meter(), place.read("queries")[0]
    with meter.measure("open"):
        library = next(iter(Library.stages(place.notes, cache=place.cache)))
    with meter.measure("first question"):
        library.bm25.search(query)
    stat_walk(place.notes)
    with meter.measure("bare stat walk"):
        stat_walk(place.notes)
    with meter.measure("nothing changed"):
        assert not list(library.refreshed(cache=place.cache))
    return meter.figures


def stat_walk(folder):
    """Look at every file below a folder, which is the least that finds a change."""
    for entry in os.scandir(folder):
        entry.stat()
        if entry.is_dir():
            stat_walk(entry.path)


def edited(place):
    """Edit notes of about the median size one by one, as the app is told of it, and return the medians.

    An edit is searchable when a question finds it, and durable when what changed is on the disk. Beside them stands
    the least that this takes: as many bytes written to a file, synchronised and renamed.
    """
    library = Library.open(place.notes, cache=place.cache)
    library.warm()
    paths = sorted((place.notes / note for note in library.documents), key=lambda path: (path.stat().st_size, path))
    middle = max(0, (len(paths) - EDITED) // 2)
    before = {path: path.read_bytes() for path in paths[middle : middle + EDITED]}
    taken = []
    for at, (path, content) in enumerate(before.items()):
        path.write_bytes(content + f"\n\nAn edit that names the quokkaberry{at}.\n".encode())
        start, cpu = time.perf_counter(), processor_seconds()
        states = library.refreshed(touched=[str(path)], cache=place.cache)
        library = next(states)
        assert library.bm25.search(f"quokkaberry{at}").hits
        searchable = time.perf_counter() - start, processor_seconds() - cpu
        *_, library = (library, *states)
        taken.append((*searchable, time.perf_counter() - start, processor_seconds() - cpu))
    names = ("edit searchable s", "edit searchable CPU s", "edit durable s", "edit durable CPU s")
    figures = dict(zip(names, np.median(taken, axis=0).tolist(), strict=True))
    edits = Slot.of(place.cache, place.notes, Settings()).path / "edits"
    size = edits.stat().st_size if edits.exists() else 0
    for path, content in before.items():
        path.write_bytes(content)
    list(library.refreshed(cache=place.cache))
    return figures | {"bare file s": float(np.median([synchronised(place.cache / "bare", size) for _ in before]))}


def synchronised(path, size):
    """Return the seconds that it takes to put a file of so many bytes in the place of another, for good."""
    start = time.perf_counter()
    with open(f"{path}.new", "wb") as file:
        file.write(bytes(size))
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
    return time.perf_counter() - start


def questions(place):
    """Ask whole questions: BM25, LSA, fusion, prompt, answer, check."""
    library, meter = Library.open(place.notes, cache=place.cache), Meter()
    meter.latency("trace", lambda query: ask(library, query), place.read("queries"))
    meter.latency(
        "BM25 of the library", lambda query: library.bm25.search(query, library.settings.depth), place.read("queries")
    )
    return meter.figures
