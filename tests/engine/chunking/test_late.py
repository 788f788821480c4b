"""Late chunking: the vectors of a document's tokens, averaged over each chunk."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chunking.late import late_chunk_vectors
from engine.chunking.sentences import sentence_chunks
from engine.records import Document, Span


class Letters:
    """A toy encoder: a token is a word; its vector counts the word's letters, and those of the words so far."""

    def __init__(self, most: int = 10_000) -> None:
        self.most, self.calls = most, 0

    def encode_tokens(self, text):
        self.calls += 1
        words = list(re.finditer(r"\w+", text))[: self.most]
        own = np.array([len(word[0]) for word in words], np.float32)
        vectors = np.stack([own, np.cumsum(own)], axis=1) if words else np.zeros((0, 2), np.float32)
        return vectors.astype(np.float32), [Span(*word.span()) for word in words]


def test_a_chunk_is_the_mean_of_its_tokens_read_with_all_before_them():
    # Words of 1, 3 | 2, 2, 5 letters; sums so far 1, 4 | 6, 8, 13.
    text = "a bcd. Ef gh ijklm."
    encoder = Letters()
    vectors = late_chunk_vectors(text, sentence_chunks(Document("a", "A", text), 3), encoder)
    assert vectors.dtype == np.float32 and encoder.calls == 1
    assert vectors.tolist() == [[2.0, 2.5], [3.0, 9.0]]


def test_tokens_that_reach_over_a_border_belong_to_both_sides():
    assert late_chunk_vectors("abcd", [Span(0, 2), Span(2, 4)], Letters()).tolist() == [[4, 4], [4, 4]]


def test_ranges_without_a_token_are_zero():
    text = "one two three"
    assert late_chunk_vectors(text, [Span(3, 4), Span(8, 13), Span(0, 0)], Letters(most=2)).tolist() == [[0, 0]] * 3
    assert late_chunk_vectors("", [Span(0, 0)], Letters()).tolist() == [[0, 0]]
    assert late_chunk_vectors(text, [], Letters()).shape == (0, 2)


def test_an_encoder_that_miscounts_is_refused():
    class Broken:
        def encode_tokens(self, text):
            return np.zeros((2, 3), np.float32), [Span(0, 1)]

    with pytest.raises(ValueError, match="1 ranges"):
        late_chunk_vectors("ab", [Span(0, 1)], Broken())


@given(st.text(st.sampled_from("ab .")), st.data())
def test_the_vector_is_the_mean_over_the_tokens_that_share_a_character(text, data):
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, len(text))))
    vectors, tokens = Letters().encode_tokens(text)
    inside = [
        row for row, token in zip(vectors, tokens, strict=True) if token.start < span.end and span.start < token.end
    ]
    expected = np.mean(inside, axis=0) if inside else np.zeros(2)
    np.testing.assert_allclose(late_chunk_vectors(text, [span], Letters())[0], expected, rtol=1e-6)
