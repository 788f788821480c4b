"""What holds of every text: one set of terms by either path, ranges in order, nothing lost."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text import analysis
from engine.text.analysis import Analyzer, analyze, contains_phrase, find_terms, tokenize
from engine.text.normalizing import fold, normalize_text
from engine.text.sentences import sentence_spans, split_sentences

ASCII = st.text(st.sampled_from("aZs '.,_-1234\n\tdont")) | st.text(st.characters(max_codepoint=127))
ANY = st.text() | st.text(st.sampled_from("aéе\u0301\u00ad金がか\u3099ｶﾞ한\u1112\u1161\u11abกำ้हिी ’'.,1२Ⅷﬁ½\n-"))
WRITTEN = 'a B 1 . .. … ! ? 。 " ) ( [1] - * Dr e.g J Word word 水'.split() + [
    " ",
    "  ",
    "\n",
    "\r\n",
    " \n",
    "\t",
    "\x0c",
]
PROSE = st.lists(st.sampled_from(WRITTEN)).map("".join) | st.text()


@given(ASCII)
def test_ascii_text_has_the_same_terms_on_the_general_path(text):
    general = [analysis._cleaned(word) for word in analysis._WORD.findall(text.lower())]
    assert tokenize(text) == general


@given(ANY)
def test_normalising_twice_changes_nothing(text):
    assert normalize_text(normalize_text(text)) == normalize_text(text)


@given(st.text(st.characters(max_codepoint=0x24F)))
def test_latin_text_is_nfkd_without_marks_case_folded(text):
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    assert normalize_text(text) == unicodedata.normalize("NFC", bare.replace("\u00ad", "").casefold())


@given(ANY)
def test_the_default_analyzer_is_analyze(text):
    assert Analyzer()(text) == analyze(text)


@given(ANY)
def test_folding_piece_by_piece_is_folding_the_text(text):
    folded, pieces = analysis._folded_with_pieces(text)
    assert folded == fold(text, "NFKD")
    assert len(pieces) == len(folded)


@pytest.mark.parametrize("analyzer", [Analyzer(), Analyzer(stemming="english"), Analyzer(stopwords="none")])
@given(text=ANY)
def test_marked_ranges_are_in_order_and_hold_the_terms_and_no_term_is_left_out(analyzer, text):
    terms = analyzer(text)
    spans = find_terms(text, set(terms), analyzer)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(left.end <= right.start for left, right in zip(spans, spans[1:], strict=False))
    found = {term for start, end in spans for term in analyzer(text[start:end])}
    assert found == set(terms)


@given(ANY)
def test_a_text_contains_itself_unless_it_has_no_words(text):
    assert contains_phrase(text, text) == bool(tokenize(text))


@given(PROSE)
def test_sentences_are_in_order_trimmed_and_cover_every_visible_character(text):
    spans = sentence_spans(text)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    assert all(left.end <= right.start for left, right in zip(spans, spans[1:], strict=False))
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


@given(PROSE, PROSE)
def test_a_blank_line_always_ends_a_sentence(before, after):
    assert split_sentences(f"{before}\n\n{after}") == split_sentences(before) + split_sentences(after)
