"""What the Markdown parser does not know is blanked before it reads: Obsidian's comments, block ids, MDX.

Every replacement keeps the number of lines, so that the line map stays true. Code and formulas are left as they are.
"""

from __future__ import annotations

import re

_KEPT = r"""
    (?P<kept>
        ^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?P<fence>`{3,}|~{3,}).*?(?:^[ \t>]*(?P=fence)|\Z)   # fenced code
        |(?P<ticks>`+)(?!`)[^\n]{1,2000}?(?<!`)(?P=ticks)(?!`)                                        # a code span
        |\$\$.*?(?:\$\$|\Z)                                                                           # a formula
    )
"""
_FLAGS = re.VERBOSE | re.MULTILINE | re.DOTALL
_COMMENT = re.compile(_KEPT + r"|%%.*?%%", _FLAGS)
_BLOCK_ID = re.compile(
    _KEPT + r"|(?:^|[ \t]+)\^[A-Za-z0-9-]+[ \t]*$(?=\n?\Z|\n[ \t>]*(?:$|[-*+][ \t]|\d{1,9}[.)][ \t]))", _FLAGS
)
_MAYBE_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+[ \t]*$", re.MULTILINE)
_MDX = re.compile(
    _KEPT
    + r"""
    |^(?:import|export)[ \t][^\n]+(?:\n[ \t]*[^ \t\n][^\n]*)*   # an ECMAScript block ends at a blank line
    |\{/\*.*?\*/\}                                              # a comment
    |</?[A-Z](?:[^<>{}"'`]++|"[^"]*+"|'[^']*+'|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+>   # a component's tag
    |<>|</>
    """,
    _FLAGS,
)


def mask(source: str, *, mdx: bool = False) -> str:
    r"""Blank comments and block ids, and with `mdx` also imports, exports and component tags.

    >>> mask("Venus %%check\nthis%% is hot. ^facts")
    'Venus \n is hot.'
    """
    if source.count("%%") > 1:
        source = _COMMENT.sub(_lines_only, source)
    if _MAYBE_BLOCK_ID.search(source):
        source = _BLOCK_ID.sub(_lines_only, source)
    return _MDX.sub(_lines_only, source) if mdx else source


def _lines_only(match: re.Match[str]) -> str:
    return match[0] if match["kept"] else "\n" * match[0].count("\n")
