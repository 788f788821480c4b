import pytest

from engine.reading.plain_text import build_document
from engine.records import Block, Section


def test_lines_are_joined_and_paragraphs_parted() -> None:
    note = build_document("a.rst", "\n one\ntwo \n\n \n# three\n*four*\n")
    assert note.text == "one two\n\n# three *four*"
    assert note.blocks == (Block("paragraph", 0, 7), Block("paragraph", 9, 23))
    assert note.sections == (Section("", 0, "", 0, 23),)


def test_a_line_break_between_chinese_characters_is_no_space() -> None:
    assert build_document("a.txt", "金星\n很热\nand dry").text == "金星很热 and dry"


@pytest.mark.parametrize(
    ("path", "title"), [("a/b.txt", "b"), ("B.RST", "B"), ("d1", "d1"), ("Mr. Smith", "Mr. Smith"), (".md", ".md")]
)
def test_the_title_is_the_name_without_a_note_s_ending(path: str, title: str) -> None:
    assert build_document(path, "x").title == title


def test_a_given_title_and_date_are_kept() -> None:
    note = build_document("d1", "x", title="Venus", modified="2024-01-02")
    assert (note.title, note.date) == ("Venus", "2024-01-02")


def test_nothing_is_a_document_too() -> None:
    note = build_document("a.txt", "")
    assert (note.text, note.blocks, note.sections, note.line_at(0)) == ("", (), (Section("", 0, "", 0, 0),), 1)
