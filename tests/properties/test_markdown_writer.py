"""A text kept as Markdown reads back as the same text."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from engine.reading.markdown import parse_markdown
from engine.reading.markdown_writer import to_markdown
from engine.records import Block, Document

SIGNS = st.text(alphabet="ab1 .\\`*_[]<>#|~$%&!^{}=-+:()\"'/@;,?金\n", min_size=1, max_size=40)


@example([("paragraph", "#a")])
@given(st.lists(st.tuples(st.sampled_from(["paragraph", "heading"]), SIGNS), min_size=1, max_size=4))
def test_headings_and_paragraphs_read_back(pieces: list[tuple[str, str]]) -> None:
    blocks, text = [], ""
    for kind, words in pieces:
        separator = " " if kind == "heading" else "\n"
        words = re.sub(r"\s*\n\s*", separator, " ".join(words.split(" ")).strip())
        if not (words := words.strip()):
            continue
        text += "\n\n" if text else ""
        blocks.append(Block(kind, len(text), len(text) + len(words), 2 if kind == "heading" else 0))
        text += words
    document = Document("a.md", "a", text, blocks=tuple(blocks))
    again = parse_markdown(to_markdown(document))
    assert (again.text, [block.kind for block in again.blocks]) == (text, [block.kind for block in blocks])
    assert again.links == again.tags == ()
