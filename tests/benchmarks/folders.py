"""A folder of notes -> a library: from nothing, from the cache, after an edit; and questions to it."""

import os
import shutil
import time

from engine.library import Library
from engine.pipeline import ask
from engine.settings import Settings
from engine.storage.array_file import read_arrays
from engine.storage.shelf import Slot
from planet_tui.jobs import workers
from tests.benchmarks.meter import Meter, peak, processor_seconds

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
    """Edit one note; it is searchable when the next library is there and durable when the last one is."""
    library = Library.open(place.notes, cache=place.cache)
    (hit,) = library.bm25.search(place.read("queries")[0], 1).hits
    path = place.notes / library.chunks[hit.chunk].document
    before, meter = path.read_bytes(), Meter()
    path.write_bytes(before + b"\n\nAn edit that names the quokkaberry.\n")
    try:
        start, cpu = time.perf_counter(), processor_seconds()
        with meter.measure("edit durable"):
            for newer in library.refreshed(cache=place.cache):
                assert newer.bm25.search("quokkaberry").hits
                meter.figures.setdefault("edit searchable s", time.perf_counter() - start)
                meter.figures.setdefault("edit searchable CPU s", processor_seconds() - cpu)
    finally:
        path.write_bytes(before)
        list(newer.refreshed(cache=place.cache))
    return meter.figures


def questions(place):
    """Ask whole questions: BM25, LSA, fusion, prompt, answer, check."""
    library, meter = Library.open(place.notes, cache=place.cache), Meter()
    meter.latency("trace", lambda query: ask(library, query), place.read("queries"))
    meter.latency(
        "BM25 of the library", lambda query: library.bm25.search(query, library.settings.depth), place.read("queries")
    )
    return meter.figures
