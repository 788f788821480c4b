"""Questions and collections that nobody should send, and that must not hurt."""

import numpy as np
import pytest

from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA
from engine.indexing.tfidf import Tfidf
from engine.ranking.duplicates import Duplicates
from engine.ranking.search import search_all
from engine.settings import Settings

TEXTS = ["mars has two moons", "venus has no moons", "\ud800 lone surrogate mars", "[/] \x1b[31mred\x1b[0m mars", ""]


@pytest.fixture(scope="module")
def index():
    return InvertedIndex(TEXTS)


@pytest.mark.parametrize("retriever", [BM25, Tfidf, LSA])
@pytest.mark.parametrize(
    "question",
    ["", " \n\t", "the of and", "?!…", "pluto", "\ud800", "\x00\x1b[2J", "mars " * 10_000, "😀", "a" * 100_000],
    ids=["empty", "spaces", "stopwords", "marks", "unknown", "surrogate", "controls", "10,000 words", "emoji", "long"],
)
def test_every_retriever_takes_any_question(retriever, question, index):
    ranking = retriever(index).search(question, 10)
    assert bool(ranking.hits) is ("mars" in question)
    assert all(np.isfinite(hit.score) for hit in ranking.hits)


def test_a_question_of_10_000_different_words_finds_the_one_that_is_known(index):
    question = " ".join(f"word{number}" for number in range(10_000)) + " moons"
    assert BM25(index).search(question).ids == BM25(index).search("moons").ids
    assert len(BM25(index).explain(question, 0)) == 10_001


@pytest.mark.parametrize("retriever", [BM25, Tfidf, LSA])
def test_depths_of_nothing_and_of_more_than_there_is(retriever, index):
    assert retriever(index).search("mars", 0).hits == ()
    assert retriever(index).search("mars", -5).hits == ()
    assert len(retriever(index).search("mars", 10**9).hits) <= len(TEXTS)


def test_a_chunk_of_one_word_a_hundred_thousand_times_is_counted_and_does_not_win_without_limit():
    index = InvertedIndex(["mars " * 100_000, "mars", "venus"])
    bm25 = BM25(index)
    assert index.count("mars", 0) == 100_000
    assert bm25.scores("mars").max() <= bm25.idf("mars") * (bm25.k1 + 1)


def test_a_collection_of_nothing_but_copies():
    texts = ["mars moon"] * 1_000
    index = InvertedIndex(texts)
    lists = search_all(["mars"], BM25(index), LSA(index), Settings(), Duplicates(texts))
    assert {name: [(hit.chunk, hit.copies) for hit in ranking.hits] for name, ranking in lists.items()} == {
        name: [(0, 1_000)] for name in ("bm25", "lsa", "fused")
    }
