"""Vectors that were put into lists without being asked for: found as before, kept, and changed with the notes."""

import os

import numpy as np
import pytest

from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.ivf import IVF, ann_recall, automatic_lists, automatic_probes
from engine.indexing.lsa import LSA
from engine.indexing.woven_lsa import WovenLSA
from engine.library import Library
from engine.pipeline import ask, explain
from engine.settings import Settings
from tests.engine.indexing.test_ivf import clustered

WORDS = "mars moon venus orbit dust iron ring ice storm comet crater rover".split()
QUESTION = "mars moon"


@pytest.fixture
def few_are_many(monkeypatch):
    monkeypatch.setattr("engine.indexing.ivf.LISTS_FROM", 20)


def texts(n):
    random = np.random.default_rng(0)
    return [" ".join(random.choice(WORDS, 4)) for _ in range(n)]


def fitted(n=60):
    return LSA(InvertedIndex(texts(n)), 8)


def test_lists_are_made_from_50_000_vectors_on():
    # 2 · √50,000 = 447.2
    assert (automatic_lists(49_999), automatic_lists(50_000)) == (0, 446)
    lsa = fitted()
    assert lsa.arranged() is lsa


def test_exact_search_scores_and_vectors_are_those_of_before(few_are_many):
    lsa = fitted()
    arranged = lsa.arranged()
    assert arranged.lists is not None and arranged.arranged() is arranged
    assert (arranged.embeddings == lsa.embeddings).all() and (arranged.embedding(7) == lsa.embedding(7)).all()
    ids, vector = np.array([7, 3], np.int32), lsa.embed(QUESTION)
    assert (arranged.cosines_of(ids, vector) == lsa.cosines(vector)[ids]).all()
    assert (arranged.scores(QUESTION) == lsa.scores(QUESTION)).all()
    allowed = np.arange(60) % 3 > 0
    for mask in (None, allowed):
        assert arranged.search(QUESTION, 9, allowed=mask) == lsa.search(QUESTION, 9, allowed=mask)
        assert arranged.scanned(QUESTION, allowed=mask) == lsa.scanned(QUESTION, allowed=mask)
        assert arranged.search(QUESTION, 9, allowed=mask, lists=5, probes=5) == lsa.search(QUESTION, 9, allowed=mask)


def test_the_closest_lists_are_scanned_when_the_number_is_left_to_it(few_are_many):
    arranged = fitted().arranged()
    found = arranged.search(QUESTION, 9, lists=-1)
    assert 0 < len(found.hits) <= arranged.scanned(QUESTION, lists=-1) < 60
    scores = arranged.scores(QUESTION)
    assert all(hit.score == scores[hit.chunk] for hit in found.hits)
    lsa = fitted(10)
    assert lsa.search(QUESTION, 9, lists=-1) == lsa.search(QUESTION, 9)


def test_eight_in_ten_of_the_exact_first_ten_are_found_among_clustered_vectors():
    vectors, queries = clustered(5_000, 32, 200), clustered(50, 32, 200, seed=0)
    ivf = IVF(vectors, 2 * 70, sample=32, iterations=4)
    exact = [ivf.search(query, 10, ivf.n_lists) for query in queries]
    assert ann_recall([ivf.search(query, 10, 12) for query in queries], exact) > 0.8


def test_what_is_kept_comes_back(few_are_many):
    arranged = fitted().arranged()
    again = LSA.from_arrays(arranged.index, arranged.to_arrays())
    assert "embeddings" not in arranged.to_arrays()
    assert (again.embeddings == arranged.embeddings).all()
    assert again.search(QUESTION, lists=-1) == arranged.search(QUESTION, lists=-1)


def test_new_vectors_join_the_closest_list_and_no_empty_list_stays():
    vectors = clustered(200, 8, 20)
    ivf = IVF(vectors[:150], 12)
    first = set(ivf.ids[: ivf.starts[1]].tolist())  # all of the first list goes
    stay = [at for at in range(150) if at not in first]
    added = np.arange(50) * 2  # the new ones come between the others
    now = np.full(150, -1, np.int64)
    now[stay] = np.setdiff1d(np.arange(len(stay) + 50), added)
    changed = ivf.changed(now, added, vectors[150:])
    assert (changed.sizes > 0).all() and len(changed.ids) == len(stay) + 50
    expected = {**{int(now[at]): vectors[at] for at in stay}, **dict(zip(added.tolist(), vectors[150:], strict=True))}
    assert sorted(changed.ids.tolist()) == sorted(expected)
    for place, at in enumerate(changed.ids.tolist()):
        assert (changed.vectors[place] == expected[at]).all()
    for low, high in zip(changed.starts, changed.starts[1:], strict=False):
        assert (np.diff(changed.ids[low:high]) > 0).all()
    lists = np.repeat(np.arange(changed.n_lists), changed.sizes)
    for at in added.tolist():
        closest = ivf.centroids[np.argmax(ivf.centroids @ expected[at])]
        assert (changed.centroids[lists[changed.places[at]]] == closest).all()


def test_a_library_keeps_its_lists_and_puts_edited_notes_into_them(few_are_many, tmp_path):
    folder, cache = tmp_path / "notes", tmp_path / "cache"
    folder.mkdir()
    for at, text in enumerate(texts(60)):
        (folder / f"note {at:02}.md").write_text(f"{text}.")
        os.utime(folder / f"note {at:02}.md", (1e9, 1e9))
    first = Library.open(folder, Settings(), cache=cache)
    assert first.lsa is not None and first.lsa.lists is not None
    again = next(Library.stages(folder, Settings(), cache=cache))
    assert again.lsa is not None and again.lsa.lists is not None
    trace = ask(again, QUESTION)
    assert trace.rankings == ask(first, QUESTION).rankings
    assert trace.to_dict()["scanned"] == trace.scanned < 60
    best = trace.rankings["lsa"].hits[0]
    assert explain(again, trace, best.chunk).lsa == best.score
    (folder / "note 07.md").write_text("mars moon mars moon.")
    *_, changed = again.refreshed(cache=cache)
    assert isinstance(changed.lsa, WovenLSA) and changed.lsa.base.lists is not None and changed.lsa.folded == 1
    assert ask(changed, QUESTION).scanned < 60
    trace = ask(changed, QUESTION)
    assert all(explain(changed, trace, hit.chunk).lsa == hit.score for hit in trace.rankings["lsa"].hits)
    assert ask(changed, QUESTION).chunks[ask(changed, QUESTION).rankings["lsa"].hits[0].chunk].document == "note 07.md"


def test_a_large_library_is_mapped_before_lsa_is_fitted_and_answers_as_before(few_are_many, tmp_path):
    folder, cache = tmp_path / "notes", tmp_path / "cache"
    folder.mkdir()
    for at, text in enumerate(texts(60)):
        (folder / f"note {at:02}.md").write_text(f"{text}.")
    stages = list(Library.stages(folder, Settings(), cache=cache))
    assert [library.stage for library in stages] == ["documents", "bm25", "bm25", "lsa", "lsa"]
    read, mapped = stages[1:3]
    assert read.snapshot.columns.postings.flags.writeable and not mapped.snapshot.columns.postings.flags.writeable
    assert mapped.bm25.search(QUESTION) == read.bm25.search(QUESTION)
    assert list(mapped.chunks) == list(read.chunks) and mapped.snapshot.generation == read.snapshot.generation
    assert [library.stage for library in Library.stages(folder, Settings())] == ["documents", "bm25", "lsa", "lsa"]


@pytest.mark.parametrize(("n_lists", "probes"), [(0, 0), (1, 1), (9, 9), (446, 63)])
def test_of_more_lists_a_smaller_share_is_scanned(n_lists, probes):
    # 3 √446 = 63.4, a seventh of the lists; of nine it is all
    assert automatic_probes(n_lists) == probes
