"""Lines about chunks: written once by a model, kept on disk, indexed with their chunk."""

import json

import pytest

from engine.answering.hosted import hosted_generator
from engine.answering.prompt import assemble_prompt
from engine.answering.verification import check_answer
from engine.chunking.contextual import CHARACTERS, ContextLines, context_prompt, model_folder, tidy, write_context
from engine.chunking.corpus import chunk_corpus, chunker_for
from engine.errors import Cancelled, EndpointError, OutputError
from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex, indexed_text
from engine.library import Library
from engine.reading.markdown import parse_markdown
from engine.records import Progress, Span
from engine.settings import Settings

NOTE = parse_markdown("# Venus\n\n## Orbit\n\nIt takes 224.7 days.\n\n## Day\n\nIt is longer.\n", "venus.md")
CHUNKER = chunker_for(Settings())


class Counting:
    """A writer that names what it was asked about, and remembers."""

    def __init__(self):
        self.prompts = []

    def __call__(self, prompt):
        self.prompts.append(prompt.text)
        return f"Line {len(self.prompts)} about the year of Venus."


def test_lines_are_written_once_and_indexed_with_their_chunk(tmp_path):
    writer, kept, told = Counting(), ContextLines(tmp_path / "lines"), []
    assert write_context([NOTE], CHUNKER, writer, kept, report=told.append) == 2
    assert write_context([NOTE], CHUNKER, writer, kept) == 0
    assert len(writer.prompts) == 2 and told[-1] == Progress("writing context", 2, 2)
    chunks = chunk_corpus([NOTE], CHUNKER, about=kept)
    assert [chunk.about for chunk in chunks] == [
        "Line 1 about the year of Venus.",
        "Line 2 about the year of Venus.",
    ]
    assert indexed_text(chunks[0]) == "Venus > Orbit\nLine 1 about the year of Venus.\nIt takes 224.7 days."
    assert chunks[0].text == NOTE.text[chunks[0].start : chunks[0].end]


def test_a_note_that_changed_has_its_lines_written_anew_and_other_notes_keep_theirs(tmp_path):
    writer, kept = Counting(), ContextLines(tmp_path)
    other = parse_markdown("# Mars\n\nIt is red.\n", "mars.md")
    write_context([NOTE, other], CHUNKER, writer, kept)
    changed = parse_markdown("# Venus\n\n## Orbit\n\nIt takes 224.7 days.\n\n## Day\n\nIt is short.\n", "venus.md")
    assert kept(changed, CHUNKER(changed)) == ["", ""]
    assert write_context([changed, other], CHUNKER, writer, kept) == 2
    assert len(list(tmp_path.iterdir())) == 3


def test_what_was_written_before_a_stop_or_a_failure_is_kept(tmp_path):
    writer, kept = Counting(), ContextLines(tmp_path)
    with pytest.raises(Cancelled):
        write_context([NOTE], CHUNKER, writer, kept, should_stop=lambda: len(writer.prompts) == 1)
    assert kept(NOTE, CHUNKER(NOTE)) == ["Line 1 about the year of Venus.", ""]
    assert write_context([NOTE], CHUNKER, writer, kept) == 1


def test_a_hosted_model_is_asked_with_the_note_around_the_passage(endpoint, tmp_path):
    endpoint.play_chat_stream("Sentence: The year of Venus,", " near the opening.")
    endpoint.play(500, {"error": "down"})
    writer = hosted_generator(endpoint.url, "", "tiny", retries=0)
    kept = ContextLines(tmp_path)
    with pytest.raises(EndpointError):
        write_context([NOTE], CHUNKER, writer, kept)
    assert kept(NOTE, CHUNKER(NOTE)) == ["The year of Venus, near the opening.", ""]
    sent = endpoint.received[0].body["messages"][0]["content"]
    assert sent == context_prompt(NOTE, CHUNKER(NOTE)[0]).text
    assert "Note Venus:\n    Venus\n    Orbit\n    It takes 224.7 days.\n    Day" in sent
    assert sent.endswith("Passage:\n    It takes 224.7 days.\n\nSentence:")


def test_only_what_surrounds_a_passage_of_a_long_note_is_shown():
    long = parse_markdown("word. " * 20_000, "long.md")
    prompt = context_prompt(long, Span(60_000, 60_005))
    assert 24_000 < len(prompt.text) < 26_000


@pytest.mark.parametrize("content", ["", "[1]", "{", '{"a": 1}', "null", "[" * 100_000, "\x00"])
def test_a_file_that_holds_no_lines_is_as_good_as_none(tmp_path, content):
    kept = ContextLines(tmp_path)
    kept.write(NOTE, {"digest": "line"})
    (path,) = tmp_path.iterdir()
    assert json.loads(path.read_text(encoding="utf-8")) == {"digest": "line"}
    path.write_text(content, encoding="utf-8")
    assert kept.read(NOTE) == {} and kept(NOTE, CHUNKER(NOTE)) == ["", ""]


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError):
        write_context([NOTE], CHUNKER, Counting(), ContextLines(tmp_path / "file"))


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        ("  It is hot.\n\n", "It is hot."),
        ("**Context:** It is hot.", "It is hot."),
        ("One. Two. Three.", "One. Two."),
        ("", ""),
        ("word " * 200, "word " * 80 + "…"),
    ],
)
def test_a_reply_becomes_one_short_line(reply, line):
    assert tidy(reply) == line
    assert len(tidy(reply)) <= CHARACTERS + 2


def test_lines_of_two_models_lie_apart(tmp_path):
    assert model_folder(tmp_path, "a/b") != model_folder(tmp_path, "a_b")


def test_a_library_is_indexed_with_the_lines_of_the_settings(tmp_path):
    notes, lines = tmp_path / "notes", tmp_path / "lines"
    notes.mkdir()
    (notes / "venus.md").write_text(
        "# Venus\n\nIt takes 224.7 days.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", encoding="utf-8"
    )
    documents = Library.open(notes).documents.values()
    write_context(documents, chunker_for(Settings(chunker="structure", max_words=5)), Counting(), ContextLines(lines))
    plain = Library.open(notes)
    assert plain.bm25.search("year").ids == ()
    library = Library.open(notes, Settings(chunker="structure", max_words=5, context_lines=str(lines)))
    assert library.bm25.search("year").ids == (0, 1)
    assert library.chunks[1].about == "Line 2 about the year of Venus."


def test_what_a_model_wrote_about_a_chunk_is_no_source(tmp_path):
    kept = ContextLines(tmp_path)
    write_context([NOTE], CHUNKER, lambda prompt: "The orbit lasts 999 years.", kept)
    chunks = chunk_corpus([NOTE], CHUNKER, about=kept)
    assert set(BM25(InvertedIndex(chunks)).search("999 years").ids) == {0, 1}
    prompt = assemble_prompt("How long?", chunks)
    assert "999" not in prompt.text
    assert not check_answer("The orbit lasts 999 years [1].", prompt)[0].supported


def test_an_index_in_the_cache_is_made_again_when_lines_are_written(tmp_path):
    notes, lines, cache = tmp_path / "notes", tmp_path / "lines", tmp_path / "cache"
    notes.mkdir()
    (notes / "venus.md").write_text("# Venus\n\nIt takes 224.7 days.\n", encoding="utf-8")
    settings = Settings(context_lines=str(lines))
    before = Library.open(notes, settings, cache=cache)
    assert before.bm25.search("year").ids == ()
    write_context(before.documents.values(), chunker_for(settings), Counting(), ContextLines(lines))
    for _ in range(2):  # made anew, then taken from the cache
        after = Library.open(notes, settings, cache=cache)
        assert after.bm25.search("year").ids == (0,)
        assert after.chunks[0].about == "Line 1 about the year of Venus."
