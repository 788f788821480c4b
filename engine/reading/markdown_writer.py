"""A document -> Markdown that reads back as the same text: every sign that Markdown would take for its own is escaped.

The way back from `parse_article`, so that an article can be kept as a note.
"""

from __future__ import annotations

import re

from engine.records import Block, Document

_SIGNS = re.compile(r"[\\`*_\[\]<>#|~$%&!^{}=]")
_OPENINGS = re.compile(r"^(\s*)([-+]|:{3,}|\d{1,9}[.)])", re.MULTILINE)


def to_markdown(document: Document) -> str:
    r"""Return headings and paragraphs as Markdown, one block a paragraph.

    >>> to_markdown(Document("a", "a", "A*\n\n1. b", blocks=(Block("heading", 0, 2, 2), Block("paragraph", 4, 8))))
    '## A\\*\n\n1\\. b\n'
    """
    return "\n\n".join(_block(block, document.text[block.start : block.end]) for block in document.blocks) + "\n"


def escaped(text: str) -> str:
    r"""Escape what Markdown would read as markup in one paragraph.

    >>> escaped("#1 of [x]"), escaped("- 5 °C")
    ('\\#1 of \\[x\\]', '\\- 5 °C')
    """
    return _OPENINGS.sub(_escape_opening, _SIGNS.sub(r"\\\g<0>", text))


def _block(block: Block, text: str) -> str:
    if block.kind == "heading":
        return f"{'#' * block.level} {escaped(text)}"
    return escaped(text).replace("\n", "\\\n")


def _escape_opening(match: re.Match[str]) -> str:
    return f"{match[1]}{match[2][:-1]}\\{match[2][-1]}"
