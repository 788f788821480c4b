"""Sources made to be slow, deep or broken: each is read to the end, in one go."""

import pytest

from engine.reading.markdown import parse_markdown
from engine.reading.plain_text import build_document

REPEATED = [
    "[",
    "![",
    "[[",
    "*a ",
    "_",
    "`",
    "`` ` ",
    "<",
    '<a "',
    "<!--",
    "<!-- `",
    "<p>\n",
    "$",
    "$$ ",
    "$$\n",
    "%%",
    "%% `",
    "^a\n",
    "> ",
    "- ",
    "#",
    "# a {#",
    "\\",
    "&",
    "|",
    "[^1]",
    "\n[a]: b",
    "\n```\n",
    "\n~~~",
    "{/*",
    "<A b={",
    "import a\n",
    "\t",
    "a<br>",
    "[a](b) ",
    "#a ",
    "| |\n|-|\n",
]


@pytest.mark.parametrize("piece", REPEATED)
@pytest.mark.parametrize("path", ["a.md", "a.mdx"])
def test_a_hundred_thousand_characters_of_the_same_kind(piece: str, path: str) -> None:
    note = parse_markdown(piece * (100_000 // len(piece)), path)
    assert note.sections[-1].end == len(note.text)


def test_a_thousand_levels_of_quotes_and_lists() -> None:
    quotes = parse_markdown(">" * 1000 + " deep")
    assert [(block.kind, block.level) for block in quotes.blocks] == [("quote", 1000)]
    items = parse_markdown("\n".join("  " * depth + "- x" for depth in range(1000)))
    assert [block.level for block in items.blocks] == list(range(1, 1001))


def test_a_table_of_a_hundred_thousand_rows() -> None:
    note = parse_markdown("| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 100_000)
    assert len(note.blocks) == 100_001
    assert note.line_at(note.blocks[-1].start) == 100_002


def test_a_line_of_twenty_thousand_characters() -> None:
    note = parse_markdown("before\n\n" + "*word* " * 3000 + "\n\nafter")
    assert note.line_at(note.text.index("after")) == 5
    assert len(note.blocks) == 3


def test_a_note_of_nine_megabytes() -> None:
    note = parse_markdown("Venus is the second planet from the [Sun](sun.md), and hot.\n\n" * 150_000)
    assert len(note.blocks) == len(note.links) == 150_000
    assert note.line_at(note.blocks[-1].start) == 299_999


@pytest.mark.parametrize("read", [parse_markdown, lambda source: build_document("a.txt", source)])
@pytest.mark.parametrize(
    "source", ["a\ud800b\udfff", "\ufeffab", "a\0b", "\x1b]0;title\x07", "\u2028\u2029\x85\x0b\x0c"]
)
def test_characters_that_no_text_should_hold(read: object, source: str) -> None:
    note = read(source)  # type: ignore[operator]
    note.text.encode()
    assert not note.text.startswith("\ufeff")
    assert note.line_at(len(note.text)) == 1
