"""A library edited note by note answers as one that is read anew, before anything is joined and from the cache."""

import dataclasses
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.indexing.exact import exact_search
from engine.library import Library
from engine.pipeline import ask as ask_library
from engine.pipeline import explain, find
from engine.settings import Settings

SETTINGS = Settings(max_words=8, language="english", dimensions=3, depth=6)
WORDS = st.sampled_from(
    ["Mars", "moons", "Phobos", "ring", "1,014", "金星", "dust.", "\n\n", "# Orbit\n", "#tag/inner", "the", "marsh"]
)
TEXT = st.lists(WORDS, min_size=1, max_size=16).map(" ".join)
NOTE = st.tuples(st.sampled_from(["", "---\ndate: 2024-05-01\naliases: [Red Planet]\n---\n"]), TEXT).map("".join)
NAMES = st.sampled_from(["mars.md", "b.md", "b/mars moons.md", "b/ü.md", "c.md", "z.md"])
NOTES = st.dictionaries(NAMES, NOTE, min_size=1, max_size=6)
EDITS = st.lists(st.dictionaries(NAMES, NOTE | st.none(), min_size=1, max_size=3), min_size=1, max_size=4)
QUESTIONS = [
    "mars moons",
    "ring dust 1014",
    "red planet",
    "mars",
    '"phobos"',
    "tag:tag",
    "path:b/ -moons",
    "金星",
    "xyz",
]


def write(folder, notes, times):
    """Write notes, delete those that are `None`; return the paths."""
    for name, text in notes.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(10**18, next(times)))
    return [str(folder / name) for name in notes]


def seen(library):
    """Everything that a person may see of a library without LSA, whose space is the one that was fitted."""
    library = dataclasses.replace(library, lsa=None, stage="bm25")
    found = [
        (list(library.chunks), dict(library.documents), dict(library.documents.facts), dict(library.documents.titles)),
        (library.duplicates.first.tolist(), library.duplicates.copies.tolist(), library.index.lengths.tolist()),
        (library.snapshot.layers.document_rows.tolist(), library.notices),
    ]
    for question in QUESTIONS:
        for typing in (False, True):
            hits = find(library, question, typing=typing)
            found.append((question, hits.rankings, hits.started, hits.fusion))
        trace = ask_library(library, question)
        found.append((trace.answer, trace.chunks, trace.prompt.text, trace.warnings))
        found += [explain(library, trace, chunk) for chunk in trace.rankings["fused"].ids[:2]]
        found.append(library.tfidf.search(question, 5))
    return found


@pytest.fixture(autouse=True)
def nothing_is_joined(monkeypatch):
    monkeypatch.setattr("engine.storage.layers.SHARE", 1e9)
    monkeypatch.setattr("engine.library.DRIFT", 1e9)


@settings(max_examples=30)
@given(before=NOTES, edits=EDITS, by_touch=st.booleans())
def test_an_edited_library_is_the_one_that_is_read_anew(before, edits, by_touch):
    times = iter(range(10**18, 2 * 10**18))
    with tempfile.TemporaryDirectory() as name:
        folder, cache = Path(name) / "notes", Path(name) / "cache"
        write(folder, before, times)
        library = Library.open(folder, SETTINGS, cache=cache)
        base = library.snapshot.layers.base
        for edit in edits:
            touched = write(folder, edit, times)
            for newer in library.refreshed(touched=touched if by_touch else None, cache=cache):
                library = newer
            assert library.snapshot.layers.base is base
            fresh = Library.open(folder, SETTINGS)
            assert seen(library) == seen(fresh)
            assert [stage.stage for stage in Library.stages(folder, SETTINGS, cache=cache)] == ["lsa"]
            kept = Library.open(folder, SETTINGS, cache=cache)
            assert seen(kept) == seen(fresh)
            check_vectors(library, kept)


def check_vectors(library, kept):
    """No chunk that is gone is found, each other one where an exact search over all vectors finds it."""
    assert library.lsa.embeddings.tolist() == kept.lsa.embeddings.tolist()
    assert len(library.lsa.embeddings) == library.lsa.n_vectors == len(library.chunks)
    for question in ("mars moons", "ring dust"):
        query = library.lsa.embed(question)
        exact = exact_search(library.lsa.embeddings, query, 4) if query.any() else library.lsa.search(question, 4)
        assert library.lsa.search(question, 4) == kept.lsa.search(question, 4) == exact
        assert library.lsa.scanned(question) == (len(library.chunks) if query.any() else 0)
