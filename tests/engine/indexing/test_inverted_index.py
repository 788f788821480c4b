import math

import numpy as np
import pytest

from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex, indexed_text
from engine.indexing.tfidf import Tfidf
from engine.records import Chunk


def as_lists(postings):
    return [array.tolist() for array in postings]


def test_postings_name_the_chunks_that_hold_a_term_and_how_often():
    index = InvertedIndex(["mars phobos mars", "venus", "mars"], str.split)
    assert as_lists(index.postings("mars")) == [[0, 2], [2, 1]]
    assert as_lists(index.postings("venus")) == [[1], [1]]
    assert as_lists(index.postings("pluto")) == [[], []]
    assert (index.document_frequency("mars"), index.document_frequency("pluto")) == (2, 0)
    assert (index.count("mars", 0), index.count("mars", 1), index.count("pluto", 0)) == (2, 0, 0)


def test_the_worked_example_has_lengths_6_6_7_7(four_chunks):
    assert four_chunks.lengths.tolist() == [6, 6, 7, 7]
    assert four_chunks.average_length == 6.5


def test_a_generator_is_consumed_once_and_in_order():
    seen = []

    def chunks():
        for text in ("b a", "a c"):
            seen.append(text)
            yield text

    index = InvertedIndex(chunks(), str.split)
    assert seen == ["b a", "a c"]
    assert dict(index.vocabulary) == {"a": 0, "b": 1, "c": 2}


def test_looking_up_an_unknown_term_does_not_add_it():
    index = InvertedIndex(["a"], str.split)
    index.postings("b")
    assert list(index.vocabulary) == ["a"]


def test_arrays_are_compact():
    index = InvertedIndex(["a b a", "", "b"], str.split)
    assert (index.indptr.tolist(), index.ids.tolist(), index.counts.tolist()) == ([0, 1, 3], [0, 0, 2], [2, 1, 1])
    assert (index.indptr.dtype, index.ids.dtype, index.counts.dtype, index.lengths.dtype) == (
        np.int64,
        np.int32,
        np.uint8,
        np.int32,
    )
    assert index.document_frequencies().tolist() == [1, 2]


def test_a_count_that_needs_more_bytes_gets_them_and_weighs_as_any_other():
    index = InvertedIndex(["mars " * 300, "mars moon", "moon"], str.split)
    assert (index.counts.dtype, index.counts.tolist()) == (np.uint16, [300, 1, 1, 1])
    assert index.lengths.tolist() == [300, 2, 1]
    idf, norm = math.log(1 + 1.5 / 2.5), 1.5 * (0.25 + 0.75 * 300 / 101)
    assert BM25(index).search("mars", 1).hits[0].score == pytest.approx(idf * 300 * 2.5 / (300 + norm), rel=1e-15)
    assert Tfidf(index).matrix.toarray()[1].tolist() == pytest.approx([0.5**0.5, 0.5**0.5], rel=1e-15)


def test_an_empty_collection_and_chunks_without_terms_are_collections_too():
    empty, silent = InvertedIndex([]), InvertedIndex(["the of and", ""])
    assert (empty.n_chunks, empty.n_terms, empty.average_length) == (0, 0, 0.0)
    assert (silent.n_chunks, silent.n_terms, silent.average_length) == (2, 0, 0.0)
    assert silent.indptr.tolist() == [0]


def test_a_chunk_is_indexed_under_its_title_and_section_unless_headers_are_off():
    chunk = Chunk(0, "venus.md", 0, 9, "Slow spin", title="Venus", section="Rotation")
    assert indexed_text(chunk) == "Venus > Rotation\nSlow spin"
    assert InvertedIndex([chunk]).document_frequency("venus") == 1
    assert InvertedIndex([chunk], headers=False).document_frequency("venus") == 0
    assert indexed_text(Chunk(0, "a.md", 0, 1, "x")) == "x"


def test_query_terms_are_distinct_and_in_order(four_chunks):
    assert four_chunks.query_terms("Moons of Mars, Mars' moons") == ["moons", "mars"]
    assert four_chunks.query_terms(["mars", "of", "mars"]) == ["mars", "of"]
