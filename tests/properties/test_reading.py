"""What holds for every source whatever."""

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from engine.reading.markdown import parse_markdown
from engine.reading.plain_text import build_document
from engine.reading.simple_yaml import read_simple_yaml
from engine.records import Document

MARKUP = st.sampled_from(
    "# - + * > | ` ~ $ % ^ [ ] ( ) ! < > { } \\ & : = _ \n \n \n a b 中 文 é 1 . ; / ' \" \t".split(" ")
    + ["\n\n", "    ", "```", "$$", "%%", "[[", "]]", "![[", "|-|-|", "> [!n] ", "- [ ] ", "<p>", "<br>", "<!--", "-->"]
    + [
        "&amp;",
        "[^1]",
        "[^1]: ",
        "---\n",
        "#tag ",
        " ^id",
        "{#id}",
        "|100]]",
        "import a\n",
        "\ud800",
        "\r",
        "\0",
        "  \n",
    ]
)
SOURCES = st.one_of(st.lists(MARKUP, max_size=60).map("".join), st.text(max_size=200))


def assert_consistent(note: Document) -> None:
    position = 0
    for block in note.blocks:
        assert position <= block.start < block.end
        assert note.text[position : block.start].strip() == ""
        assert note.text[block.start : block.end].strip() != ""
        position = block.end
    assert position == len(note.text)
    assert note.sections[0].start == 0
    assert note.sections[-1].end == len(note.text)
    assert all(left.end == right.start for left, right in zip(note.sections, note.sections[1:], strict=False))
    headings = [block.start for block in note.blocks if block.kind == "heading"]
    assert headings == [section.start for section in note.sections if section.level]
    for link in note.links:
        assert note.text[link.position : link.position + len(link.label)] == link.label


@given(SOURCES, st.sampled_from(["a.md", "a.mdx"]))
@example("![[|100]]x", "a.md")
@example("![[![[+|]]|0]]", "a.md")
@example("[[[-|]]", "a.md")
@example("> [!n]\n> ``` ", "a.md")
def test_blocks_sections_and_links_fit_the_text(source: str, path: str) -> None:
    assert_consistent(parse_markdown(source, path))


@given(SOURCES)
def test_the_line_map_rises_and_stays_inside_the_source(source: str) -> None:
    for note in (parse_markdown(source), build_document("a.txt", source)):
        offsets, lines = list(note.line_offsets), list(note.line_numbers)
        assert offsets[0] == 0 and len(offsets) == len(lines)
        assert all(left < right for left, right in zip(offsets, offsets[1:], strict=False))
        assert all(left <= right for left, right in zip(lines, lines[1:], strict=False))
        n_lines = source.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        assert 1 <= lines[0] and lines[-1] <= n_lines


@given(st.lists(st.text(alphabet="abcé中 *_`", min_size=1, max_size=12), min_size=1, max_size=12))
def test_every_marked_word_leads_to_its_line(lines: list[str]) -> None:
    source = "\n".join(f"{line} w{number} {line}" for number, line in enumerate(lines, 1))
    note = parse_markdown(source)
    for number in range(1, len(lines) + 1):
        if (at := note.text.find(f"w{number} ")) >= 0:
            assert note.line_at(at) == number


@given(SOURCES)
def test_plain_text_keeps_every_word_in_order(source: str) -> None:
    note = build_document("a.txt", source)
    assert_consistent(note)
    words = source.removeprefix("\ufeff").replace("\ud800", "\ufffd")
    assert "".join(note.text.split()) == "".join(words.split())


SCALARS = st.sampled_from(
    [
        "Venus",
        "no",
        "1.5",
        "2024-05-01",
        "5/1/2024",
        "1e3",
        "a: b",
        "a:b",
        "a #b",
        "a#b",
        "C# x",
        '"a"',
        "'it''s'",
        '"\\n"',
        "x ",
        "",
    ]
    + [
        "true story",
        "null",
        "[a]",
        '["a", "b"]',
        '["a",]',
        "- x",
        "{}",
        "é",
        "a\tb",
        "T:A.#c",
        "'a' b",
        '"a": b',
        "|",
        "&a",
        "0x1F",
        "a'b",
    ]
)
KEYS = st.sampled_from(["title", "yes", "ms.date", "a key", "n", "key ", "1", "no-loc", "title"])
LINES = st.one_of(
    st.builds("{}: {}\n".format, KEYS, SCALARS),
    st.builds("{}:\n".format, KEYS),
    st.builds("- {}\n".format, SCALARS),
    st.sampled_from(["  more\n", "\n", "# comment\n", "---\n"]),
)


@given(st.lists(LINES, max_size=6).map("".join))
def test_simple_yaml_is_read_as_a_parser_reads_it_or_left_to_one(block):
    values = read_simple_yaml(block)
    if values is not None:
        assert list(values.items()) == list(yaml.safe_load(block).items())
