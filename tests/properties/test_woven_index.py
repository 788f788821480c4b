"""An index woven of two says what one says that was made at once of the chunks seen, to the last bit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex, Prefix
from engine.indexing.tfidf import Tfidf
from engine.indexing.weave import Weave
from engine.indexing.woven_index import WovenIndex

WORDS = st.sampled_from(["mars", "marsh", "march", "moon", "moons", "ring", "ü", "x" * 40, "金星"])
TEXTS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=8)
QUERIES = [["mars"], ["mars", "moon", "金星"], ["ring", Prefix("ma")], [Prefix("m")], [Prefix("q")], ["venus"]]
QUERIES.append([Prefix("ma", ["moon", "ring"])])


@st.composite
def woven(draw):
    """Return an index woven of two, and the one that is made at once."""
    base, beside = draw(TEXTS), draw(TEXTS)
    gone = sorted(draw(st.sets(st.sampled_from(range(len(base)))))) if base else []
    before = sorted(draw(st.lists(st.integers(0, len(base)), min_size=len(beside), max_size=len(beside))))
    weave = Weave(len(base), np.array(gone, np.int64), np.array(before, np.int64))
    fresh = InvertedIndex(weave.stacked(base, beside), str.split)
    parts = InvertedIndex(base, str.split), InvertedIndex(beside, str.split)
    return WovenIndex(*parts, weave, whole=lambda: fresh.columns), fresh


@given(woven())
def test_postings_and_statistics_are_those_of_a_fresh_index(both):
    index, fresh = both
    assert (index.n_chunks, index.average_length) == (fresh.n_chunks, fresh.average_length)
    assert index.lengths.tolist() == fresh.lengths.tolist()
    for term in {term for query in QUERIES for term in query}:
        assert [part.tolist() for part in index.postings(term)] == [part.tolist() for part in fresh.postings(term)]
        assert index.document_frequency(term) == fresh.document_frequency(term)
        for chunk in range(fresh.n_chunks):
            assert index.count(term, chunk) == fresh.count(term, chunk)
            if isinstance(term, Prefix):
                assert index.started_by(term, chunk) == fresh.started_by(term, chunk)
    for prefix in (*map(Prefix, ("m", "ma", "mars", "q")), Prefix("marsh", ["moon", "ring"])):
        assert index.started_by(prefix) == fresh.started_by(prefix)


@given(woven(), st.data())
def test_rankings_and_explanations_are_those_of_a_fresh_index(both, data):
    index, fresh = both
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=index.n_chunks, max_size=index.n_chunks)), np.bool_)
    for query in QUERIES:
        for mask in (None, allowed):
            assert BM25(index).search(query, 5, allowed=mask) == BM25(fresh).search(query, 5, allowed=mask)
        assert BM25(index).scores(query).tolist() == BM25(fresh).scores(query).tolist()
        for chunk in range(fresh.n_chunks):
            assert BM25(index).explain(query, chunk) == BM25(fresh).explain(query, chunk)
        assert Tfidf(index).search(query, 5) == Tfidf(fresh).search(query, 5)
