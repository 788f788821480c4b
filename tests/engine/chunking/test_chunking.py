"""Where notes are cut: windows, sentences, sections, and the chunks made of them."""

import pytest

from engine.chunking.corpus import chunk_corpus, chunker_for
from engine.chunking.semantic import semantic_chunks
from engine.chunking.sentences import chunk_text, section_chunks, sentence_chunks
from engine.chunking.structure import structure_chunks
from engine.chunking.windows import cut_probability, fixed_windows
from engine.chunking.words import count_words
from engine.reading.markdown import parse_markdown
from engine.records import Document
from engine.settings import Settings, describe

TEN = Document("ten.md", "Ten", "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9")
NOTE = parse_markdown(
    "# Venus\n\nVenus is hot. It is dry.\n\n## Orbit\n\n## Year\n\n- A year takes 224.7 days.\n- A day is longer.\n",
    "venus.md",
)


def texts(document, spans):
    return [document.text[start:end] for start, end in spans]


def test_windows_of_four_words_that_share_one():
    assert texts(TEN, fixed_windows(TEN, words=4, overlap=1)) == ["w0 w1 w2 w3", "w3 w4 w5 w6", "w6 w7 w8 w9"]


def test_no_window_starts_after_one_has_reached_the_last_word():
    assert texts(TEN, fixed_windows(TEN, words=9, overlap=8)) == [TEN.text[:26], TEN.text[3:]]
    assert texts(TEN, fixed_windows(TEN, words=50)) == [TEN.text]


@pytest.mark.parametrize(("words", "overlap"), [(0, 0), (4, 4), (4, -1)])
def test_windows_that_cannot_move_are_refused(words, overlap):
    with pytest.raises(ValueError):
        fixed_windows(TEN, words, overlap)


def test_the_chance_of_a_cut():
    assert cut_probability(11, 100, 0) == 10 / 100
    assert cut_probability(30, 100, 25) == 4 / 75
    assert cut_probability(26, 100, 25) == 0
    assert cut_probability(101, 100, 0) == 1


def test_sentences_fill_a_chunk_up_to_the_limit_and_sections_are_not_crossed():
    assert texts(NOTE, sentence_chunks(NOTE, 60)) == [
        "Venus is hot. It is dry.",
        "A year takes 224.7 days.\nA day is longer.",
    ]
    assert texts(NOTE, sentence_chunks(NOTE, 5)) == [
        "Venus is hot.",
        "It is dry.",
        "A year takes 224.7 days.",
        "A day is longer.",
    ]


def test_an_overlap_repeats_whole_sentences_and_never_only_them():
    document = Document("a.md", "A", "One two. Three four. Five.")
    assert texts(document, sentence_chunks(document, 4, 2)) == ["One two. Three four.", "Three four. Five."]


def test_a_long_sentence_is_whole_up_to_four_times_the_limit():
    whole = Document("a.md", "A", "Short. " + "word " * 39 + "word. End.")
    assert [count_words(text) for text in texts(whole, sentence_chunks(whole, 10))] == [1, 40, 1]
    cut = Document("a.md", "A", "Short. " + "word " * 40 + "word. End.")
    assert [count_words(text) for text in texts(cut, sentence_chunks(cut, 10))] == [1, 10, 10, 10, 10, 2]


def test_a_section_is_a_chunk_without_its_heading():
    assert texts(NOTE, section_chunks(NOTE)) == [
        "Venus is hot. It is dry.",
        "A year takes 224.7 days.\nA day is longer.",
    ]


def test_a_note_of_headings_alone_is_chunked_by_them_section_by_section():
    headings = parse_markdown("# Mars\n\n## Moons\n", "mars.md")
    assert texts(headings, sentence_chunks(headings, 60)) == ["Mars", "Moons"]


@pytest.mark.parametrize("chunker", next(option.choices for option in describe() if option.name == "chunker"))
@pytest.mark.parametrize("text", ["", " \n\n\t"])
def test_an_empty_note_has_no_chunks(chunker, text):
    assert list(chunker_for(Settings(chunker=chunker))(Document("a.md", "A", text))) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [("two words", 2), ("金星的一年", 3), ("金星很热，真的。", 3), ("Python 语言", 2), ("naïve café", 2), ("", 0)],
)
def test_two_characters_of_a_script_without_spaces_count_as_a_word(text, words):
    assert count_words(text) == words


def test_a_chinese_note_is_not_one_word():
    note = Document("zh.md", "金星", "金星很热。" * 100)
    chunks = sentence_chunks(note, 60)
    assert all(count_words(text) <= 60 for text in texts(note, chunks)) and len(chunks) == 4


def test_chunk_text_keeps_a_chunk_made_of_overlap_alone():
    # Lengths 2, 2, 4; limit 4, overlap 2: sentences 0-1, the second alone (the third does not fit), the third.
    assert chunk_text("One two. Three four. Five six seven eight.", max_tokens=4, overlap=2) == [
        "One two. Three four.",
        "Three four.",
        "Five six seven eight.",
    ]


def test_ids_follow_document_and_start_whatever_the_order_of_the_documents():
    other = parse_markdown("---\ndate: 2024-05-01\n---\n# Mars\n\nText.\n\n## Moons\n\nMars has two.\n", "mars.md")
    chunker = chunker_for(Settings())
    chunks = chunk_corpus([NOTE, other], chunker)
    assert chunks == chunk_corpus(iter([other, NOTE]), chunker)
    assert [(c.id, c.document, c.header, c.text) for c in chunks[:2]] == [
        (0, "mars.md", "Mars", "Text."),
        (1, "mars.md", "Mars > Moons", "Mars has two."),
    ]
    assert (chunks[1].line, chunks[1].date) == (10, "2024-05-01")
    assert all(c.text == {"venus.md": NOTE, "mars.md": other}[c.document].text[c.start : c.end] for c in chunks)


@pytest.mark.parametrize(
    ("settings", "chunker"),
    [
        (Settings(max_words=7, overlap_words=3), lambda d: sentence_chunks(d, 7, 3)),
        (Settings(chunker="windows", max_words=7, overlap_words=3), lambda d: fixed_windows(d, 7, 3)),
        (Settings(chunker="sections"), section_chunks),
        (Settings(chunker="structure", max_words=7, overlap_words=3), lambda d: structure_chunks(d, 7, 3)),
        (Settings(chunker="semantic", max_words=7), lambda d: semantic_chunks(d, 7)),
    ],
)
def test_the_settings_choose_the_chunker(settings, chunker):
    assert list(chunker_for(settings)(NOTE)) == list(chunker(NOTE))
