import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.indexing.vocabulary import Vocabulary


def test_terms_are_numbered_in_the_order_of_their_code_points():
    words = Vocabulary.of(["ü", "z", "mars", "moon", "\U0001f680", "\uffff"])
    assert list(words) == ["mars", "moon", "z", "ü", "\uffff", "\U0001f680"]
    assert [words[word] for word in words] == list(range(6))


def test_an_unknown_term_is_missing_whatever_it_holds():
    words = Vocabulary.of(["mars"])
    assert words.get("") is None
    assert words.get("marsh") is None
    assert "\ud800" not in words
    with pytest.raises(KeyError):
        words["pluto"]


def test_nothing_is_in_an_empty_vocabulary():
    words = Vocabulary.of([])
    assert list(words) == [] and "mars" not in words and words.prefixed("m") == range(0)


@given(st.sets(st.text(st.characters(exclude_categories=["Cs"]), max_size=4)), st.text(max_size=2))
def test_a_prefix_is_the_slice_of_the_terms_that_start_with_it(terms, prefix):
    words = Vocabulary.of(terms)
    assert [words.name(at) for at in words.prefixed(prefix)] == sorted(t for t in terms if t.startswith(prefix))
    assert {word: words[word] for word in words} == {word: at for at, word in enumerate(sorted(terms))}
