"""HTML inside Markdown: its tags and comments go, its words stay on their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import NamedTuple

_MARKUP = re.compile(
    r"""<!--.*?(?:-->|\Z)                                      # a comment
    |<(?P<hidden>script|style)\b.*?(?:</(?P=hidden)\s*+>|\Z)   # what a browser does not show
    |</?(?P<name>[a-z][\w:.-]*+)(?:[^<>"']++|"[^"]*+"|'[^']*+')*+>?   # a tag; an attribute may hold `>`
    |<[!?][^>]*+>?                                             # a declaration or an instruction
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_BREAKING = frozenset(
    "address article aside blockquote br caption center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr li main nav ol option p pre section summary table tbody td tfoot th thead tr "
    "ul".split()
)
_BREAK = "\v"


class HtmlLine(NamedTuple):
    """Words of an HTML block that stand on one source line."""

    row: int
    """The line, from 0."""
    gap: str
    """What parts them from the words before: a line break after a block-level tag, else a space."""
    text: str
    """The words."""


def html_lines(html: str) -> Iterator[HtmlLine]:
    r"""Yield the words of an HTML block, line by line.

    >>> [line.text for line in html_lines("<p>Hot &amp; <b>dry</b>\n<!-- why? --> air</p>")]
    ['Hot & dry', 'air']
    """
    gap = " "
    for row, line in enumerate(_MARKUP.sub(_what_remains, html).split("\n")):
        for piece_number, piece in enumerate(line.split(_BREAK)):
            if piece_number:
                gap = "\n"
            if text := " ".join(unescape(piece).split()):
                yield HtmlLine(row, gap, text)
                gap = " "


@lru_cache(1000)
def breaks_line(tag: str) -> bool:
    """Say whether an inline tag starts a new line.

    >>> breaks_line("<br/>"), breaks_line("<b>")
    (True, False)
    """
    found = _MARKUP.match(tag)
    return found is not None and (found["name"] or "").lower() in _BREAKING


def _what_remains(markup: re.Match[str]) -> str:
    breaks = _BREAK if (markup["name"] or "").lower() in _BREAKING else ""
    return breaks + "\n" * markup[0].count("\n")
