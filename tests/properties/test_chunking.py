"""What holds of every note and every chunker."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chunking.corpus import chunk_corpus, chunker_for
from engine.chunking.packing import pack, pack_blocks, sentences_by_section, spans_by_section
from engine.chunking.sentences import chunk_text
from engine.chunking.structure import structure_chunks, table_headers
from engine.chunking.windows import cut_probability, fixed_windows
from engine.chunking.words import count_words, word_spans
from engine.reading.markdown import parse_markdown
from engine.records import Document
from engine.settings import Settings, describe
from engine.text.sentences import split_sentences

PARTS = [
    "Word",
    "go",
    "end.",
    "dry.It",
    "Dr.",
    "1,014",
    "金星很热。",
    "ok?",
    " ",
    " ",
    "\n",
    "\n\n",
    "\n\n# Head\n\n",
    "\n- ",
    "\n\n| a | b |\n|---|---|\n| 1 | long row |\n| 2 | end. |\n\n",
    "\n```\ncode. Here\n  and on\n```\n",
    "\n\n> quoted. Text\n\n",
    "\n\n",
]
NOTES = st.lists(st.sampled_from(PARTS), max_size=60).map("".join)
LIMITS = st.integers(5, 12).flatmap(lambda limit: st.tuples(st.just(limit), st.integers(0, limit - 1)))
CHUNKERS = next(option.choices for option in describe() if option.name == "chunker")


@pytest.mark.parametrize("name", CHUNKERS)
@given(source=NOTES, limits=LIMITS)
def test_ranges_lie_in_the_note_in_order_and_are_trimmed(name, source, limits):
    document = parse_markdown(source, "note.md")
    chunker = chunker_for(Settings(chunker=name, max_words=limits[0], overlap_words=limits[1]))
    spans = list(chunker(document))
    assert all(0 <= start < end <= len(document.text) for start, end in spans)
    assert all(a.start < b.start and a.end < b.end for a, b in zip(spans, spans[1:], strict=False))
    assert all((text := document.text[start:end]) == text.strip() for start, end in spans)
    assert [chunk.id for chunk in chunk_corpus([document], chunker)] == list(range(len(spans)))
    assert bool(spans) == bool(document.text.strip())


@pytest.mark.parametrize("name", ["sentences", "structure", "semantic"])
@given(source=NOTES, limits=LIMITS)
def test_chunks_cover_every_word_outside_headings_and_cross_no_section(name, source, limits):
    document = parse_markdown(source, "note.md")
    spans = chunker_for(Settings(chunker=name, max_words=limits[0], overlap_words=limits[1]))(document)
    covered = {at for start, end in spans for at in range(start, end)}
    outside = [block for block in document.blocks if block.kind != "heading"]
    visible = {at for b in outside for at in range(b.start, b.end) if not document.text[at].isspace()}
    assert visible <= covered
    for start, end in spans:
        assert document.section_at(start) == document.section_at(end - 1)


@pytest.mark.parametrize("name", ["sentences", "structure", "semantic"])
@given(source=NOTES, limits=LIMITS)
def test_a_chunk_is_over_the_limit_only_by_one_sentence(name, source, limits):
    document = parse_markdown(source, "note.md")
    for start, end in chunker_for(Settings(chunker=name, max_words=limits[0], overlap_words=limits[1]))(document):
        text = document.text[start:end]
        assert count_words(text) <= 4 * limits[0]


@given(source=NOTES, limit=st.integers(1, 12))
def test_blocks_that_are_not_cut_into_sentences_give_the_chunks_of_their_sentences(source, limit):
    document = parse_markdown(source, "note.md")
    packed = [span for sentences in sentences_by_section(document, limit) for span in pack(sentences, limit)]
    assert pack_blocks(document.text, spans_by_section(document), limit) == packed


@given(source=NOTES, limits=LIMITS)
def test_blocks_that_fit_stay_whole_in_structure_chunks(source, limits):
    document = parse_markdown(source, "note.md")
    spans = structure_chunks(document, *limits)
    for block in document.blocks:
        if (
            block.kind in ("item", "row", "code", "quote")
            and count_words(document.text[block.start : block.end]) <= limits[0]
        ):
            assert any(span.start <= block.start and block.end <= span.end for span in spans)


@given(source=NOTES, limits=LIMITS)
def test_a_chunk_that_starts_inside_a_table_has_its_header_row(source, limits):
    document = parse_markdown(source, "note.md")
    for chunk in chunk_corpus([document], lambda document: structure_chunks(document, *limits), table_headers):
        assert bool(chunk.context) == chunk.text.startswith(("1\tlong row", "2\tend."))
        assert chunk.context in ("", "a\tb")


@given(n_words=st.integers(1, 60), window=st.integers(1, 12), data=st.data())
def test_an_overlap_of_one_word_less_never_cuts_a_span(n_words, window, data):
    length = data.draw(st.integers(1, window))
    document = Document("a.md", "A", " ".join("w" * n_words))
    windows = fixed_windows(document, window, length - 1)
    words = word_spans(document.text)
    for first in range(n_words - length + 1):
        start, end = words[first][0], words[first + length - 1][1]
        assert any(w.start <= start and end <= w.end for w in windows)


@given(window=st.integers(1, 12), data=st.data())
def test_the_chance_of_a_cut_is_the_share_of_cut_positions(window, data):
    length = data.draw(st.integers(1, window))
    overlap = data.draw(st.integers(0, window - 1))
    stride = window - overlap
    document = Document("a.md", "A", " ".join("w" * (40 * stride + window)))
    windows = [(w.start // 2, (w.end + 1) // 2) for w in fixed_windows(document, window, overlap)]
    positions = range(10 * stride, 20 * stride)  # ten strides away from either end
    cut = sum(not any(a <= at and at + length <= b for a, b in windows) for at in positions)
    assert cut_probability(length, window, overlap) == pytest.approx(cut / len(positions))


def specified(text, max_tokens, overlap):
    """`chunk_text` word by word from its specification."""
    sentences = []
    for sentence in split_sentences(text):
        words = sentence.split()
        if len(words) > max_tokens:
            sentences += [" ".join(words[i : i + max_tokens]) for i in range(0, len(words), max_tokens)]
        else:
            sentences.append(sentence)

    def total(first, last):
        return sum(len(sentence.split()) for sentence in sentences[first:last])

    chunks, start = [], 0
    while sentences:
        fitting = [end for end in range(start, len(sentences) + 1) if total(start, end) <= max_tokens]
        end = max(fitting)
        chunks.append(" ".join(sentences[start:end]))
        if end == len(sentences):
            break
        start = min(j for j in range(start + 1, end + 1) if total(j, end) <= overlap)
    return chunks


SHORT = st.lists(st.sampled_from(["a", "b c.", "D.", "Word", "ok?", "End."]), max_size=40).map(" ".join)


@given(text=SHORT, max_tokens=st.integers(1, 8), overlap=st.integers(0, 8))
def test_chunk_text_is_the_specified_loop(text, max_tokens, overlap):
    assert chunk_text(text, max_tokens, overlap) == specified(text, max_tokens, overlap)


@given(text=st.text(st.sampled_from("金星火水が กน้aé1 ，。「」-\n")))
def test_words_are_in_order_cover_every_visible_character_and_are_counted_alike(text):
    spans = word_spans(text)
    assert count_words(text) == len(spans)
    assert all(left[1] <= right[0] for left, right in zip(spans, spans[1:], strict=False))
    assert "".join(text[start:end] for start, end in spans) == "".join(text.split())
