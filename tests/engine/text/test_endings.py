"""What a started word can become under a stemmer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.analysis import Analyzer, tokenize
from engine.text.endings import Endings

ENGLISH = Analyzer("english")
TEXT = "Mars has moons. Happiness is running; she carried the ponies, and flying is fun."


@pytest.mark.parametrize(
    ("start", "terms"),
    [
        ("happines", ["happin", "happi"]),  # itself, happiness
        ("happiness", ["happi"]),  # the word itself
        ("runni", ["run"]),  # running, its n doubled
        ("flyi", ["fli"]),  # flying, with another letter put in its place
        ("phobos", ["phobo"]),  # never seen: its own stem all the same
        ("happ", []),  # the term starts so itself
        ("marsh", []),  # nothing that Mars can end in
    ],
)
def test_a_started_word_has_the_stems_of_what_it_can_become(start, terms):
    assert Endings([TEXT], ENGLISH).terms(start) == terms


def test_other_languages_have_endings_of_their_own():
    german = Analyzer("german", "german")
    assert Endings(["Die Beobachtungen der Häuser."], german).terms("beobachtunge") == ["beobacht"]


def test_without_a_stemmer_a_start_is_what_it_is():
    assert Endings([TEXT], Analyzer()).terms("moons") == []


@given(st.lists(st.text("aeginrsty", min_size=3, max_size=9), min_size=1, max_size=6), st.data())
def test_a_start_of_any_word_seen_leads_to_its_term(words, data):
    text = " ".join(words)
    word = data.draw(st.sampled_from(tokenize(text)))
    start = word[: data.draw(st.integers(1, len(word)))]
    for term in ENGLISH(word):
        kept = next((at for at, (one, other) in enumerate(zip(word, term, strict=False)) if one != other), len(term))
        if kept >= 2:
            assert term.startswith(start) or term in Endings([text], ENGLISH).terms(start)
