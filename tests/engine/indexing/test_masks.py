import numpy as np
import pytest

from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA
from engine.indexing.tfidf import Tfidf


@pytest.mark.parametrize("retriever", [BM25, Tfidf, LSA])
def test_a_mask_works_before_ranking(retriever, many_texts):
    """What is left out takes no place: the k best of the allowed ones come, with the scores they always have."""
    ranker = retriever(InvertedIndex(many_texts))
    query = many_texts[3]
    everything = ranker.search(query, 700)
    allowed = np.random.default_rng(0).random(700) < 0.1
    wanted = [(hit.chunk, hit.score) for hit in everything.hits if allowed[hit.chunk]]
    found = ranker.search(query, 10, allowed=allowed)
    assert [(hit.chunk, hit.score) for hit in found.hits] == wanted[:10]
    assert [hit.rank for hit in found.hits] == list(range(1, 11))
    assert ranker.search(query, 10, allowed=np.zeros(700, bool)).hits == ()
