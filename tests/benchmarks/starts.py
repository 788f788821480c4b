"""Processes from their start to the first ranked answer, and apps to their first frame."""

import os
import signal
import subprocess
import sys
import time

from tests.benchmarks.meter import ROOT, processor_seconds

PLANET = """
import sys
from pathlib import Path
from engine.library import Library
library = next(iter(Library.stages(sys.argv[1], cache=Path(sys.argv[2]))))
print(library.bm25.search(sys.argv[3]).ids)
"""
TANTIVY = """
import sys, tantivy
index = tantivy.Index.open(sys.argv[1])
searcher = index.searcher()
print(searcher.search(index.parse_query(sys.argv[2], ["body"]), 10).hits)
"""
FTS5 = """
import sys, sqlite3
match = " OR ".join(f'"{word}"' for word in sys.argv[2].split())
sql = "SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY rank LIMIT 10"
print(sqlite3.connect(sys.argv[1] + "/index.db").execute(sql, (match,)).fetchall())
"""
BM25S = """
import sys, bm25s
retriever = bm25s.BM25.load(sys.argv[1], mmap=True)
print(retriever.retrieve(bm25s.tokenize(sys.argv[2], show_progress=False), k=10, show_progress=False))
"""
BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("the first frame")
Bare().run()
"""


def planet(place):
    """Open the kept index and ask."""
    return _first_answer(PLANET, place.notes, place.cache, place.read("queries")[0])


def tantivy(place):
    """The same by tantivy, on the index that `lexical.tantivy` left."""
    import tantivy as _  # noqa: F401

    return _first_answer(TANTIVY, place.peer("tantivy"), place.read("queries")[0])


def fts5(place):
    """The same by SQLite."""
    return _first_answer(FTS5, place.peer("fts5"), place.read("queries")[0])


def bm25s(place):
    """The same by bm25s, its arrays mapped."""
    import bm25s as _  # noqa: F401

    return _first_answer(BM25S, place.peer("bm25s"), place.read("queries")[0])


def _first_answer(program, *words):
    command = [sys.executable, "-c", program, *map(str, words)]
    subprocess.run(command, check=True, capture_output=True)  # compiles what is imported
    start, cpu = time.perf_counter(), processor_seconds()
    said = subprocess.run(command, check=True, capture_output=True).stdout
    assert said.strip() not in (b"()", b"[]")
    return {"first answer s": time.perf_counter() - start, "first answer CPU s": processor_seconds() - cpu}


def first_frame(place):
    """Start planet-tui on the notes in a terminal; the frame is there when the line for the question is."""
    words = place.peer("home"), "-m", "planet_tui", str(place.notes)
    _first_frame(*words, mark="sk your notes")  # compiles what is imported
    return _first_frame(*words, mark="sk your notes")


def bare_frame(place):
    """Start a Textual app with one line."""
    words = place.peer("home"), "-c", BARE
    _first_frame(*words, mark="the first frame")
    return _first_frame(*words, mark="the first frame")


def _first_frame(home, *words, mark):
    import pty

    variables = {"PLANET_TUI_HOME": str(home), "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    start = time.perf_counter()
    process, terminal = pty.fork()
    if not process:
        os.environ.update(variables)
        os.chdir(ROOT)
        os.execv(sys.executable, [sys.executable, *words])
    seen = b""
    try:
        while mark.encode() not in seen:
            seen += os.read(terminal, 65_536)
        taken = time.perf_counter() - start
    finally:
        os.kill(process, signal.SIGKILL)
        _, _, used = os.wait4(process, 0)
        os.close(terminal)
    return {"first frame s": taken, "first frame CPU s": used.ru_utime + used.ru_stime}
