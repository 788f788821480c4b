"""The hot paths in steps of the Python interpreter, counted and not timed: the same on every machine.

An array operation is one step, however long the array; a loop in Python is steps for every item. Ten times as many
postings must therefore cost no more steps, and ten times as many notes no more than so many a note. A limit is about
twice what was counted when it was set: it is there to catch loops, not percents.
"""

import os
import random
import sys
import tracemalloc
from functools import cache
from threading import get_ident

import numpy as np
import pytest

from engine.indexing.bm25 import BM25
from engine.indexing.counting import TermCounter
from engine.indexing.exact import exact_search
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.ivf import IVF
from engine.indexing.lsa import LSA
from engine.indexing.tfidf import Tfidf
from engine.library import Library
from engine.pipeline import ask
from engine.settings import Settings

WORDS = [f"{first}{second}" for first in ("mars", "moon", "ring", "dust", "orbit") for second in range(100)]
QUESTION = "Which moon7 orbits ring3 in the dust1 of mars?"
SETTINGS = Settings(language="english", dimensions=8, lists=4, probes=2, depth=10)


def steps(work):
    """Return how many bytecode instructions `work` takes; what it calls is counted, what runs in C is not."""
    return _monitored(work) if sys.version_info >= (3, 12) else _traced(work)


def _traced(work):
    n = 0

    def look(frame, event, argument):
        nonlocal n
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        n += event == "opcode"
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(before)
    return n


def _monitored(work):
    """Count as `_traced` does: from Python 3.12 on, a tracer misses the first run of a function."""
    n, here, monitoring = 0, get_ident(), sys.monitoring

    def look(code, offset):
        nonlocal n
        n += get_ident() == here

    tool, event = monitoring.PROFILER_ID, monitoring.events.INSTRUCTION
    monitoring.use_tool_id(tool, "steps")
    monitoring.register_callback(tool, event, look)
    monitoring.set_events(tool, event)
    try:
        work()
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)
    return n


def texts(n, words=40):
    chosen = random.Random(n)
    return [" ".join(chosen.choices(WORDS, k=words)) for _ in range(n)]


@cache
def index(n):
    return InvertedIndex(texts(n))


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """Return folders of 20 and of 200 notes, each with its cache and its library."""
    found = {}
    for n in (20, 200):
        folder, kept = tmp_path_factory.mktemp("notes"), tmp_path_factory.mktemp("cache")
        for at, text in enumerate(texts(n, 100)):
            write(folder / f"{at:03}.md", f"# Note {at}\n\n{text}.\n")
        found[n] = folder, kept, Library.open(folder, SETTINGS, cache=kept)
    return found


def write(path, text):
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(10**18, 10**18 + len(text)))


def test_counting_costs_nothing_for_a_word_that_is_known():
    few, long, many = texts(50, 40), texts(50, 4_000), texts(500, 40)
    counter = TermCounter()
    counter.count([" ".join(WORDS)])
    alone = steps(lambda: counter.count(few))
    assert steps(lambda: counter.count(long)) <= alone + 200
    assert steps(lambda: counter.count(many)) <= alone + 40 * (len(many) - len(few))


def test_a_new_word_costs_its_analysis_once():
    words = [f"neptune{at}" for at in range(1_000)]
    once, often = [" ".join(words)], [" ".join(words * 20)]
    alone, again = steps(lambda: TermCounter().count(once)), steps(lambda: TermCounter().count(often))
    assert again <= 1.01 * alone
    assert alone <= 400 * len(words)


def test_memory_of_counting_is_so_many_times_the_text():
    block = texts(500, 400)
    counter = TermCounter()
    counter.count(block[:1])
    tracemalloc.start()
    counter.count(block)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= 30 * sum(map(len, block))


@pytest.mark.parametrize("retriever", [BM25, Tfidf, lambda index: LSA(index, 8)], ids=["bm25", "tfidf", "lsa"])
def test_a_question_costs_as_much_however_many_chunks_there_are(retriever):
    small, large = retriever(index(200)), retriever(index(5_000))
    for each in (small, large):
        each.search(QUESTION)  # what is made once
    assert steps(lambda: large.search(QUESTION)) <= steps(lambda: small.search(QUESTION)) + 300
    assert steps(lambda: large.search(QUESTION)) <= 8_000


def test_vector_search_costs_as_much_however_many_vectors_there_are():
    vectors = np.random.default_rng(0).standard_normal((80_000, 16)).astype(np.float32)
    ivf = {n: IVF(vectors[:n], 16) for n in (16_000, 80_000)}
    exact = {n: steps(lambda n=n: exact_search(vectors[:n], vectors[0], 10)) for n in ivf}
    probed = {n: steps(lambda n=n: ivf[n].search(vectors[0], 10, 4)) for n in ivf}
    assert exact[80_000] <= exact[16_000] + 50
    assert probed[80_000] <= probed[16_000] + 50


def test_a_kept_library_opens_in_as_many_steps_however_large_it_is(libraries):
    taken = {}
    for n, (folder, kept, _) in libraries.items():
        taken[n] = steps(lambda folder=folder, kept=kept: next(Library.stages(folder, SETTINGS, cache=kept)))
    assert taken[200] <= taken[20] + 500


def test_looking_for_changes_costs_so_many_steps_a_file(libraries):
    taken = {n: steps(lambda library=library: list(library.refreshed())) for n, (*_, library) in libraries.items()}
    assert (taken[200] - taken[20]) / 180 <= 400


def test_an_edit_costs_so_many_steps_for_every_other_note(libraries):
    taken = {}
    for n, (folder, _, library) in libraries.items():
        write(folder / "003.md", f"# Note 3\n\n{'Edited. ' * 40}\n")
        taken[n] = steps(lambda library=library: list(library.refreshed()))
    assert (taken[200] - taken[20]) / 180 <= 550


def test_an_edit_beside_the_index_costs_as_much_however_many_notes_there_are(libraries, monkeypatch):
    monkeypatch.setattr("engine.storage.layers.SHARE", 1e9)
    monkeypatch.setattr("engine.library.DRIFT", 1e9)
    taken = {}
    for n, (folder, kept, library) in libraries.items():
        library.warm()
        path = folder / "004.md"
        write(path, f"# Note 4\n\n{'Edited. ' * 40}\n")
        taken[n] = steps(
            lambda library=library, path=path, kept=kept: list(library.refreshed(touched=[str(path)], cache=kept))
        )
    assert taken[200] <= 1.1 * taken[20]
    assert taken[200] <= 100_000


def test_a_whole_question_costs_as_much_however_many_notes_there_are(libraries):
    for _, _, library in libraries.values():
        ask(library, QUESTION)
    taken = {n: steps(lambda library=library: ask(library, QUESTION)) for n, (*_, library) in libraries.items()}
    assert taken[200] <= 1.3 * taken[20]


def test_building_costs_so_many_steps_a_note(tmp_path, libraries):
    taken = {n: steps(lambda folder=folder: Library.open(folder, SETTINGS)) for n, (folder, *_) in libraries.items()}
    assert (taken[200] - taken[20]) / 180 <= 10_000
