"""One line of 100,000 characters, made to send a backtracking pattern back and back: all of it is read in time.

Nothing is timed: work that grew with the square of the length would show as a test run that does not end.
"""

from collections.abc import Iterable

import pytest

from engine.chunking.sentences import chunk_text, sentence_chunks
from engine.chunking.words import word_spans
from engine.records import Document
from engine.text.analysis import analyze, find_terms, tokenize
from engine.text.sentences import sentence_spans

LENGTH = 100_000
PATTERNS = [
    "a", ".", "...x", "1,", "1,000", "1.", "5. a ", "x. y ", "'s", "a's ", "[1]", ". [1", ".)", ". (", '."', "e.g. ",
    "A.", "\n", "\na", " \n", "\t", "\n 1", "金", "。", "。」", "1金", "e\u0301", "\u0301", "が", "ก็", "_", "-", "？!",
]  # fmt: skip


def without_space(texts: Iterable[str]) -> str:
    return "".join("".join(texts).split())


def line(pattern: str) -> str:
    return (pattern * (LENGTH // len(pattern) + 1))[:LENGTH]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_sentences_and_chunks_hold_every_character_but_white_space(pattern: str) -> None:
    text = line(pattern) + "x"
    for spans in (sentence_spans(text), word_spans(text), sentence_chunks(Document("a", "a", text), 60)):
        assert without_space(text[start:end] for start, end in spans) == without_space([text])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_plain_text_chunks_hold_every_word(pattern: str) -> None:
    text = line(pattern)[: LENGTH // 2]
    assert without_space(chunk_text(text, 60, 0)) == without_space([text])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_terms_are_found_again_where_they_stand(pattern: str) -> None:
    text = line(pattern) + " venus"
    assert tokenize(text)[-1] == analyze(text)[-1] == "venus"
    assert find_terms(text, {"venus"}) == [(len(text) - 5, len(text))]
