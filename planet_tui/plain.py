"""Text from outside (a note, a name, a reply, an error) -> text that is safe to draw.

A terminal obeys control characters wherever they come from, and bidirectional controls can show a sentence in
another order than it is stored in. Each becomes U+FFFD, one for one, so that offsets into the text stay true.
"""

from __future__ import annotations

import re

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# C0 but tab and line feed; DEL and C1; Arabic letter mark; left-to-right and right-to-left marks; embeddings and
# overrides; isolates; lone surrogates, which no encoder accepts.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_BREAKS = str.maketrans("\n\t", "  ")


def plain(text: str) -> str:
    r"""Return `text`, the same length, with every character that a terminal would obey replaced.

    >>> plain("red: \x1b[31m, kept:\ttab")
    'red: \ufffd[31m, kept:\ttab'
    """
    return _UNSAFE.sub(REPLACEMENT, text)


def one_line(text: str) -> str:
    r"""Return `plain(text)` with line feeds and tabs as spaces: for names, titles and messages.

    >>> one_line("two\nlines")
    'two lines'
    """
    return plain(text).translate(_BREAKS)
