"""Admonitions, tabs and containers of site generators, and other marks that are no text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.reading.containers import unfold_containers
from engine.reading.markdown import parse_markdown


def read(source: str) -> list[tuple[str, str]]:
    note = parse_markdown(source)
    return [(block.kind, note.text[block.start : block.end]) for block in note.blocks]


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ('!!! note "Why"\n    Hot.\n\nEnd.', [("quote", "Why"), ("quote", "Hot."), ("paragraph", "End.")]),
        ("!!! note\n    Hot.\n\n    Dry.", [("quote", "Hot."), ("quote", "Dry.")]),
        ("!!! note\n    Hot.\nEnd.", [("quote", "Hot. End.")]),  # no empty line: the paragraph goes on
        ("??? tip inline\n    Hot.", [("quote", "Hot.")]),
        ('???+ tip ""\n\n    Hot.', [("quote", "Hot.")]),
        ('=== "One"\n    A\n\n=== "Two"\n    B', [("quote", "One"), ("quote", "A"), ("quote", "Two"), ("quote", "B")]),
        ("- item\n\n    !!! note\n        Hot.\n\n- next", [("item", "item"), ("quote", "Hot."), ("item", "next")]),
        ('??? a\n    x\n\n    ??? b "T"\n        y', [("quote", "x"), ("quote", "T"), ("quote", "y")]),
        ("!!! note\n    - a\n    - b", [("item", "a"), ("item", "b")]),
        (":::note\nHot.\n:::\nEnd.", [("quote", "Hot."), ("paragraph", "End.")]),
        ("::: warning Mind *it*\nHot.\n:::", [("quote", "Mind it"), ("quote", "Hot.")]),
        (":::tip[Label]{#id}\nHot.\n:::", [("quote", "Label"), ("quote", "Hot.")]),
        (":::{note} Title\nHot.\n:::", [("quote", "Title"), ("quote", "Hot.")]),
        ("/// note | Title\nHot.\n///", [("quote", "Title"), ("quote", "Hot.")]),
        ("::::a\n:::b\nHot.\n:::\nDry.\n::::", [("quote", "Hot."), ("quote", "Dry.")]),
        ("::: {.column}\n# Title\nHot.\n:::", [("heading", "Title"), ("paragraph", "Hot.")]),
        ("!!! wow\nno body", [("paragraph", "!!! wow no body")]),
        (":::open\nHot.", [("paragraph", ":::open Hot.")]),
        ("a ::: b\n\n!!!", [("paragraph", "a ::: b"), ("paragraph", "!!!")]),
        ("```\n!!! note\n    x\n:::a\n:::\n```", [("code", "!!! note\n    x\n:::a\n:::")]),
        ("[TOC]\n\nHot.", [("paragraph", "Hot.")]),
        ("==Very== hot, `==x==`, a == b == c", [("paragraph", "Very hot, ==x==, a == b == c")]),
    ],
)  # fmt: skip
def test_blocks(source: str, blocks: list[tuple[str, str]]) -> None:
    assert read(source) == blocks


@given(
    st.lists(
        st.sampled_from(
            [
                '!!! note "T"',
                "    body",
                "        deep",
                ":::tip Hi",
                ":::",
                "::::x",
                "::::",
                "",
                "text",
                "> q",
                "- i",
                "```",
                "\tt",
                "/// a",
                "///",
                '=== "T"',
            ]
        ),
        max_size=14,
    )
)
def test_no_line_is_added_and_no_word_is_lost_or_moved(lines: list[str]) -> None:
    numbered = [re.sub("(body|deep|text|q|i|t)$", rf"\g<1>{number}w", line) for number, line in enumerate(lines)]
    source = "\n".join(numbered)
    assert unfold_containers(source).count("\n") == source.count("\n")
    note = parse_markdown(source)
    for number, line in enumerate(numbered):
        for word in re.findall(r"[a-z]+\d+w", line):
            at = note.text.find(word)
            assert at >= 0 and note.line_at(at) == number + 1


def test_a_hundred_thousand_openings_end() -> None:
    for piece in ("!!! a\n    ", ":::a\n", ":::\n", "/// a\n///\n", "    " * 3 + "!!! a\n", '=== "'):
        assert unfold_containers(piece * (100_000 // len(piece))).count("\n") == (
            piece * (100_000 // len(piece))
        ).count("\n")
