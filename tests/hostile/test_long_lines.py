"""One line of 100,000 characters, made to send a backtracking pattern back and back: all of it is read in time.

Nothing is timed: work that grew with the square of the length would show as a test run that does not end.
"""

from collections.abc import Iterable

import pytest

from engine.chunking.corpus import chunk_corpus
from engine.chunking.semantic import semantic_chunks
from engine.chunking.sentences import chunk_text, sentence_chunks
from engine.chunking.structure import structure_chunks, table_headers
from engine.chunking.words import word_spans
from engine.reading.markdown import parse_markdown
from engine.records import Document
from engine.text.analysis import analyze, find_terms, tokenize
from engine.text.sentences import sentence_spans

LENGTH = 100_000
PATTERNS = [
    "a", ".", "...x", "1,", "1,000", "1.", "5. a ", "x. y ", "'s", "a's ", "[1]", ". [1", ".)", ". (", '."', "e.g. ",
    "A.", "\n", "\na", " \n", "\t", "\n 1", "金", "。", "。」", "1金", "e\u0301", "\u0301", "が", "ก็", "_", "-", "？!",
    "热．", "! ", "Dr. ", "x. (",
]  # fmt: skip


def without_space(texts: Iterable[str]) -> str:
    return "".join("".join(texts).split())


def line(pattern: str) -> str:
    return (pattern * (LENGTH // len(pattern) + 1))[:LENGTH]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_sentences_and_chunks_hold_every_character_but_white_space(pattern: str) -> None:
    text = line(pattern) + "x"
    note = Document("a", "a", text)
    chunks = sentence_chunks(note, 60), structure_chunks(note, 60), semantic_chunks(note, 60)
    for spans in (sentence_spans(text), word_spans(text), *chunks):
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


def test_a_table_of_very_many_rows_keeps_its_header_in_every_chunk() -> None:
    table = parse_markdown("| moon | month |\n|---|---|\n" + "| Phobos | 0.3 |\n" * 20_000, "table.md")
    chunks = chunk_corpus([table], lambda document: structure_chunks(document, 6), table_headers)
    assert len(chunks) > 6_000
    assert {chunk.context for chunk in chunks[1:]} == {"moon\tmonth"}
