import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chunking.corpus import chunk_corpus
from engine.chunking.windows import fixed_windows
from engine.errors import LabelsError
from engine.evaluation.label_files import append_question
from engine.evaluation.labels import check_labels, find_questions, find_span, load_questions, relevant_chunks
from engine.reading.markdown import parse_markdown
from engine.records import Chunk, Document, Evidence, Question

GOOD = """
[[question]]
text = "How long is a year on Venus?"
reference = ["224.7 days"]
gains = [2]
[[question.evidence]]
spans = [{ document = "venus.md", text = "224.7 days" }, { document = "planets.md", text = "225 days" }]

[[question]]
text = "How hot is Titan?"
unanswerable = true
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "questions.toml"
    path.write_text(text, encoding="utf-8")
    return path


def question(*pieces: list[tuple[str, str]]) -> Question:
    return Question("Why?", tuple(Evidence(tuple(piece)) for piece in pieces))


def chunk(number: int, start: int, end: int, document: str = "a.md") -> Chunk:
    return Chunk(number, document, start, end, "")


def test_a_file_becomes_questions_with_alternatives_references_and_gains(tmp_path: Path):
    year, titan = load_questions(write(tmp_path, GOOD))
    assert year.text == "How long is a year on Venus?"
    assert year.evidence == (Evidence((("venus.md", "224.7 days"), ("planets.md", "225 days"))),)
    assert (year.references, year.gains, year.unanswerable) == (("224.7 days",), (2.0,), False)
    assert (titan.evidence, titan.unanswerable) == ((), True)


def test_the_folder_s_file_is_found_and_only_there(tmp_path: Path):
    assert find_questions(tmp_path) is None
    path = write(tmp_path, GOOD)
    assert find_questions(tmp_path) == path
    (tmp_path / "deeper" / "questions.toml").mkdir(parents=True)
    assert find_questions(tmp_path / "deeper") is None, "a folder of that name is no file"


def test_a_file_of_a_later_version_is_neither_read_nor_written_to(tmp_path: Path):
    assert load_questions(write(tmp_path, f"version = 1\n{GOOD}")) == load_questions(write(tmp_path, GOOD))
    path = write(tmp_path, f"version = 2\n{GOOD}")
    for use in (load_questions, lambda path: append_question(path, Question("Why?", unanswerable=True))):
        with pytest.raises(LabelsError, match="version = 2: this planet-tui reads labels of version 1"):
            use(path)
    assert path.read_text(encoding="utf-8") == f"version = 2\n{GOOD}"


def test_a_byte_order_mark_does_no_harm(tmp_path: Path):
    assert len(load_questions(write(tmp_path, "\ufeff" + GOOD))) == 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[question]\ntext = 1", "is not TOML: .*line 1"),
        ("", r"holds no \[\[question\]\]"),
        ("question = 3", r"holds no \[\[question\]\]"),
        ("question = [3]", "question 1: a question is a table"),
        ("[[questions]]\ntext = 'a'", "unknown key 'questions'"),
        ("\n\n[[question]]\nreference = ['x']", "line 3: text is missing"),
        ("[[question]]\ntext = '  '", "line 1: the question has no text"),
        ("[[question]]\ntext = 3", "line 1: text = 3 is of the wrong kind"),
        ("[[question]]\ntext = 'a'", r"line 1 \(“a”\): it has no evidence"),
        ("[[question]]\ntext = 'a'\nunanswerable = 'yes'", "unanswerable = 'yes' is of the wrong kind"),
        ("[[question]]\ntext = 'a'\nunanswered = true", "unknown key 'unanswered'"),
        ("[[question]]\ntext = 'a'\nevidence = 'b'", "evidence = 'b' is of the wrong kind"),
        ("[[question]]\ntext = 'a'\nevidence = ['b']", "a piece of evidence is a table"),
        ("[[question]]\ntext = 'a'\n[[question.evidence]]", "spans is missing"),
        ("[[question]]\ntext = 'a'\n[[question.evidence]]\nspans = []", "has no spans"),
        ("[[question]]\ntext = 'a'\n[[question.evidence]]\nspan = []", "unknown key 'span'"),
        ("[[question]]\ntext = 'a'\n[[question.evidence]]\nspans = ['b']", "a span is a table"),
        ("[[question]]\ntext = 'a'\n[[question.evidence]]\nspans = [{ document = 'b' }]", "text is missing"),
        ("[[question]]\ntext = 'a'\n[[question.evidence]]\nspans = [{ text = 'b' }]", "document is missing"),
        (
            "[[question]]\ntext = 'a'\n[[question.evidence]]\nspans = [{ document = 'b', text = ' ' }]",
            "a span has no text",
        ),
        (GOOD.replace("[2]", "[2, 3]"), "gains is a list of positive numbers"),
        (GOOD.replace("[2]", "[true]"), "gains is a list of positive numbers"),
        (GOOD.replace("[2]", "[nan]"), "gains is a list of positive numbers"),
        (GOOD.replace("[2]", f"[{'9' * 4000}]"), "gains is a list of positive numbers"),
        (GOOD.replace("[2]", f"[{'9' * 5000}]"), "is not TOML"),
        (f"[[question]]\ntext = 0x{'f' * 5000}", "text = a number of 20000 bits is of the wrong kind"),
        (GOOD.replace("[2]", "[0]"), "gains is a list of positive numbers"),
        (GOOD.replace('["224.7 days"]', "[224.7]"), "reference is a list of texts"),
        (GOOD.replace("gains = [2]", "unanswerable = true"), "is marked unanswerable but has evidence"),
    ],
)
def test_a_fault_is_named_with_its_file_its_place_and_what_to_do(tmp_path: Path, text: str, complaint: str):
    path = write(tmp_path, text)
    with pytest.raises(LabelsError, match=complaint) as caught:
        load_questions(path)
    assert caught.value.message.startswith(str(path))
    assert caught.value.hint


def test_the_fault_of_a_later_question_is_given_by_its_own_line(tmp_path: Path):
    with pytest.raises(LabelsError, match="line 13:"):
        load_questions(write(tmp_path, GOOD + "\n[[question]]\nunanswerable = true\n"))


def test_a_header_inside_a_text_falls_back_to_the_question_s_number(tmp_path: Path):
    tricky = '[[question]]\ntext = """\n[[question]]\n"""\nunanswerable = true\n[[question]]\n'
    with pytest.raises(LabelsError, match="question 2: text is missing"):
        load_questions(write(tmp_path, tricky))


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"text = \x00", b"[" * 5000])
def test_bytes_that_are_no_toml_are_one_clear_error(tmp_path: Path, content: bytes):
    path = tmp_path / "questions.toml"
    path.write_bytes(content)
    with pytest.raises(LabelsError, match="is not TOML"):
        load_questions(path)


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_a_file_that_cannot_be_read_is_one_clear_error(tmp_path: Path, name: str):
    with pytest.raises(LabelsError, match="cannot be read"):
        load_questions(tmp_path / name)


def test_a_span_matches_across_line_breaks_and_table_cells_and_every_time():
    text = "Io\t3,643  km.\nIo 3,643 km"
    assert [text[start:end] for start, end in find_span(text, " Io 3,643 km ")] == ["Io\t3,643  km", "Io 3,643 km"]
    assert find_span(text, "Europa") == find_span(text, " \n") == []


def test_a_span_is_taken_literally_never_as_a_pattern():
    assert find_span("a.b a+b axb", "a.b") == [(0, 3)]


@given(st.text(alphabet="ab \n\t", min_size=1, max_size=40), st.data())
def test_whatever_is_cut_from_a_text_is_found_where_it_was_cut(text: str, data: st.DataObject):
    start = data.draw(st.integers(0, len(text) - 1))
    wanted = text[start : data.draw(st.integers(start + 1, len(text)))].strip()
    found = find_span(text, wanted)
    assert bool(found) == bool(wanted)
    assert all(re.split(r"\s+", text[span.start : span.end]) == wanted.split() for span in found)


def test_a_chunk_is_relevant_only_when_it_holds_a_span_whole():
    # "bc" stands at 1..3: the first chunk cuts it, the second and third hold it.
    documents = {"a.md": Document("a.md", "a", "abcd")}
    chunks = [chunk(0, 0, 2), chunk(1, 0, 4), chunk(2, 1, 3), chunk(3, 2, 4)]
    assert relevant_chunks(question([("a.md", "bc")]), chunks, documents) == [{1, 2}]


def test_any_alternative_and_any_occurrence_will_do_and_pieces_stay_apart():
    documents = {"a.md": Document("a.md", "a", "x y x"), "b.md": Document("b.md", "b", "z")}
    chunks = [chunk(0, 0, 1), chunk(1, 2, 3), chunk(2, 4, 5), chunk(3, 0, 1, "b.md")]
    both = question([("a.md", "x"), ("b.md", "z")], [("a.md", "y")])
    assert relevant_chunks(both, chunks, documents) == [{0, 2, 3}, {1}]


def test_a_chunk_of_another_note_is_never_relevant():
    documents = {name: Document(name, name, "same") for name in ("a.md", "b.md")}
    chunks = [chunk(0, 0, 4), chunk(1, 0, 4, "b.md")]
    assert relevant_chunks(question([("b.md", "same")]), chunks, documents) == [{1}]


def test_a_span_that_every_chunk_cuts_leaves_an_empty_piece():
    documents = {"a.md": Document("a.md", "a", "abcd")}
    assert relevant_chunks(question([("a.md", "bc")]), [chunk(0, 0, 2), chunk(1, 2, 4)], documents) == [set()]


@given(st.integers(1, 9), st.data())
def test_relevance_agrees_with_looking_at_every_chunk(words: int, data: st.DataObject):
    text = " ".join(data.draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=25)))
    documents = {name: parse_markdown(text, name) for name in ("m.md", "n.md")}
    overlap = data.draw(st.integers(0, words - 1))
    chunks = chunk_corpus(documents.values(), lambda document: fixed_windows(document, words, overlap))
    wanted = data.draw(st.sampled_from(["a", "b c", "a b a"]))
    spans = find_span(text, wanted)
    expected = {
        chunk.id
        for chunk in chunks
        if chunk.document == "n.md" and any(chunk.start <= start and end <= chunk.end for start, end in spans)
    }
    assert relevant_chunks(question([("n.md", wanted)]), chunks, documents) == [expected]


def test_a_label_that_no_longer_stands_is_reported_with_question_note_and_span():
    documents = {"a.md": Document("a.md", "a", "The old text.")}
    stale = question([("a.md", "old text"), ("a.md", "new text"), ("gone.md", "anything")])
    changed, gone = check_labels([stale], documents)
    assert changed.path == "a.md"
    assert "Why?" in changed.problem and "new text" in changed.problem
    assert gone.path == "gone.md" and "Why?" in gone.problem
