"""Counting by runs finds what the analyzer finds text by text."""

import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.indexing.counting import TermCounter, blocks
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.postings import to_postings
from engine.indexing.runs import _PAIRED, find_runs
from engine.text.analysis import Analyzer, analyze, tokenize
from engine.text.normalizing import normalize_text

PIECES = st.sampled_from(
    [
        "Mars", "mars", "MARS'S", "it's", "don't", "l'été", "qu'est-ce",
        "'s", "_", "__init__", "snake_case", "1,014", "1,01", "12,345,678.9",
        "2.5", ".5", "5.", "v2.8.3", "a.m.", "e.g.", "...", ",", "'", "’s", "“quoted”", "naïve", "e\u0301", "\u0301",
        "金星の年", "ภาษาไทย", "한글", "\u00ad", "\u200d", "ß", "İ", "Σς", "½", "ﬁn", "\ud800", "\0", "\n", " ", "\t",
        "-", "/", "C++", "C#", ".NET", "node.js", "camelCase", "DEC-0054",
        "x" * 7, "x" * 8, "x" * 9, "y" * 63, "y" * 64, "y" * 65, "z" * 200, "the", "what", "\x85",
        "很热，", "．", "2．5", "＝", "\u3000", "“在轨道”", "カ\u3099", "ｶﾞ", "々", "ー", "—", "…", "，\u0338", "我们",
        "\xa0", "=\u0338", "3\u0338", "a\u0338",
    ]
)  # fmt: skip
TEXT = st.lists(PIECES | st.text(st.characters(), max_size=3), max_size=12).map("".join)
NAMES = Analyzer("english", identifiers=True)
ANALYZERS = [
    analyze,
    Analyzer(),
    Analyzer("english"),
    Analyzer("russian", "none"),
    Analyzer("french", "french"),
    Analyzer("none", "chinese"),
    NAMES,
    list,
]


@pytest.mark.parametrize(
    "analyzer", ANALYZERS, ids=["plain", "default", "english", "russian", "french", "chinese", "names", "characters"]
)
@given(texts=st.lists(TEXT, max_size=6))
def test_counts_equal_the_analyzer_on_each_text(analyzer, texts):
    counter = TermCounter(analyzer)
    for block in (texts, texts[::-1]):  # the second block meets runs that are known
        counts = counter.count(block)
        names = list(counter.terms)
        for at, text in enumerate(block):
            span = slice(counts.indptr[at], counts.indptr[at + 1])
            found = {names[term]: int(n) for term, n in zip(counts.terms[span], counts.counts[span], strict=True)}
            assert found == Counter(analyzer(text))


@given(texts=st.lists(TEXT, max_size=6))
def test_runs_that_share_a_slot_are_told_apart(texts):
    roomy, crowded = TermCounter(), TermCounter(slot_bits=1)
    for _ in range(2):
        expected, found = roomy.count(texts), crowded.count(texts)
        assert crowded.terms == roomy.terms
        assert all(map(np.array_equal, found, expected))


@given(texts=st.lists(TEXT, max_size=12), size=st.integers(1, 30))
def test_blocks_that_are_counted_on_threads_make_the_postings_of_one_block(texts, size):
    one, several = TermCounter(), TermCounter()
    expected = to_postings(one.terms, [one.count(texts)])
    found = to_postings(several.terms, several.count_blocks(blocks(texts, size)))
    assert list(found.vocabulary) == list(expected.vocabulary)
    for column, other in zip(found[1:], expected[1:], strict=True):
        assert np.array_equal(column, other)
        assert column.dtype == other.dtype


def test_postings_count_what_the_analyzer_finds():
    texts = ["Mars, Phobos and Mars.", "", "Phobos orbits Mars"] * 30
    index = InvertedIndex(texts)
    for term in ("mars", "phobos", "orbits"):
        expected = [(at, analyze(text).count(term)) for at, text in enumerate(texts) if term in analyze(text)]
        assert list(zip(*(column.tolist() for column in index.postings(term)), strict=True)) == expected


def test_a_mark_belongs_to_a_run_only_where_words_go_on():
    lowered, starts, lengths = find_runs(b"Dogs' 'quoted'. e.g. 1,014.5, a_b_ _c it's_")
    runs = [lowered[at : at + length] for at, length in zip(starts, lengths, strict=True)]
    assert runs == [b"dogs", b"quoted", b"e.g", b"1,014.5", b"a_b_", b"c", b"it's_"]


def test_chinese_is_cut_into_its_pairs_between_separators_and_stays_whole_beside_marks():
    lowered, starts, lengths = find_runs("第2颗，卫星很热。か\u3099く x".encode())
    runs = [lowered[at : at + length].decode() for at, length in zip(starts, lengths, strict=True)]
    assert runs == ["第", "2", "颗", "，", "卫星", "星很", "很热", "。か\u3099く", "x"]


def test_characters_that_are_cut_into_pairs_are_left_as_they_are_by_analysis():
    for first, last in _PAIRED:
        for code in range(ord(first), ord(last) + 1):
            assert normalize_text(chr(code)) == chr(code) == unicodedata.normalize("NFKC", chr(code))
            assert tokenize(f"a{chr(code)}b") == ["a", chr(code), "b"]


def test_blocks_hold_every_text_once_in_order():
    texts = ["a" * n for n in (0, 5, 1, 9, 0, 2)]
    assert [text for block in blocks(texts, size=6) for text in block] == texts
