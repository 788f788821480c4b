"""What is no text to the reader is blanked before the parser sees it: comments, Obsidian's block ids, MDX and such.

The parser knows HTML comments, but inside other HTML it ends them at a blank line; browsers do not.

Every replacement keeps the number of lines, so that the line map stays true. Code and formulas are left as they are.
"""

from __future__ import annotations

import re

_KEPT = r"""
    (?P<kept>
        ^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?P<fence>`{3,}|~{3,}).*?(?:^[ \t>]*(?P=fence)|\Z)   # fenced code
        |(?P<ticks>`+)(?!`)[^\n]{1,2000}?(?<!`)(?P=ticks)(?!`)                                        # a code span
        |\$\$.*?\$\$                                                                                  # a formula
    )
"""
_FLAGS = re.VERBOSE | re.MULTILINE | re.DOTALL
_FORMULA = re.compile(
    r"^(?P<margin>(?:[ ]{0,3}>)*[ ]{0,3})\$\$[ \t]*\n(?P<formula>(?:(?!\$\$).)*?)\n[ \t>]*\$\$[ \t]*$|" + _KEPT,
    _FLAGS,
)
_COMMENT = re.compile(_KEPT + r"|%%.*?%%|<!--(?:(?!<!--).)*?-->", _FLAGS)
_BLOCK_ID = re.compile(
    _KEPT + r"|(?:^|[ \t]+)\^[A-Za-z0-9-]+[ \t]*$(?=\n?\Z|\n[ \t>]*(?:$|[-*+][ \t]|\d{1,9}[.)][ \t]))", _FLAGS
)
_MARKED = r"""==(?<![A-Za-z0-9_=!<>)\]'"]==)(?P<marked>[^\s=](?:[^=\n]{0,500}[^\s=])?)==(?![A-Za-z0-9_='"(])"""
_MAYBE_HIGHLIGHT = re.compile(_MARKED)
_HIGHLIGHT = re.compile(_KEPT + "|" + _MARKED, _FLAGS)
_CONTENTS = re.compile(r"^[ ]{0,3}(?:\[TOC\]|\[\[_?TOC_?\]\])[ \t]*$", re.MULTILINE)
_MAYBE_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+[ \t]*$", re.MULTILINE)
_MDX = re.compile(
    _KEPT
    + r"""
    |^(?:import|export)[ \t][^\n]+(?:\n[ \t]*[^ \t\n][^\n]*)*   # an ECMAScript block ends at a blank line
    |\{/\*(?:(?!\{/\*).)*?\*/\}                                              # a comment
    |</?[A-Z](?:[^<>{}"'`]++|"[^"]*+"|'[^']*+'|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+>   # a component's tag
    |<>|</>
    """,
    _FLAGS,
)


def mask(source: str, *, mdx: bool = False) -> str:
    r"""Blank comments, block ids and marks of highlights; fence formulas; with `mdx` blank its code and tags too.

    >>> mask("Venus %%check\nthis%% is hot. ^facts")
    'Venus \n is hot.'
    """
    # One character is looked for many times faster than two.
    if "$" in source and "$$" in source:
        source = _FORMULA.sub(_fenced, source)
    if "<!--" in source or ("%" in source and source.count("%%") > 1):
        source = _COMMENT.sub(_lines_only, source)
    if "==" in source and _MAYBE_HIGHLIGHT.search(source):
        source = _HIGHLIGHT.sub(_unmarked, source)
    if "TOC" in source:
        source = _CONTENTS.sub("", source)
    if _MAYBE_BLOCK_ID.search(source):
        source = _BLOCK_ID.sub(_lines_only, source)
    return _MDX.sub(_lines_only, source) if mdx else source


def _fenced(match: re.Match[str]) -> str:
    """Make a code block of a formula: a line of it that starts with `+` is no list."""
    margin = match["margin"]
    return match[0] if match["kept"] else f"{margin}```math\n{match['formula']}\n{margin}```"


def _unmarked(match: re.Match[str]) -> str:
    return match[0] if match["kept"] else match["marked"]


def _lines_only(match: re.Match[str]) -> str:
    return match[0] if match["kept"] else "\n" * match[0].count("\n")
