"""Names of things -> terms beside the plain ones: `snake_case`, `node.js`, `DEC-0054`, `C++`, `.NET`.

The tokenizer parts such names at every sign, which finds them by their parts; here the whole is one more term, so that
a question for the whole ranks the whole first. A name in camelCase is a whole already; here its parts are added.
"""

from __future__ import annotations

import re
from functools import lru_cache

_NAME = "[A-Za-z][A-Za-z0-9]*+(?:_++[A-Za-z0-9]++)*+"
_WHOLE = re.compile(
    rf"(?<![A-Za-z0-9_])(?:\.?{_NAME}(?:\.{_NAME})++"  # node.js, package.module_name, .tar.gz
    rf"|(?<!\.)\.{_NAME}"  # .NET
    r"|[A-Za-z0-9]++(?:_++[A-Za-z0-9]++)++"  # snake_case
    r"|[A-Za-z]++-[0-9][A-Za-z0-9]*+(?:-[A-Za-z0-9]++)*+"  # DEC-0054
    r"|[A-Za-z]++(?:\+\+[0-9]*+|#)(?![A-Za-z0-9_+#]))"  # C++, C++20, C#
)
_VERSION = re.compile(r"(?<![A-Za-z0-9_.])[vV]([0-9]++(?:\.[0-9]++)++)")
_CAMEL = re.compile(r"[A-Za-z0-9]*?[a-z][A-Z][A-Za-z0-9]*+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

# Bytes of a text as kinds: a, A and 0 for letters and digits, the signs that names hold, blank for all others.
_KINDS = bytes(
    ord("a" if chr(byte).islower() else "A" if chr(byte).isupper() else "0" if chr(byte).isdecimal() else chr(byte))
    if byte < 128 and (chr(byte).isalnum() or chr(byte) in "._-+#")
    else 32
    for byte in range(256)
)
# Where a name may have a joint. Each alternative starts with one character, so that the search runs at full speed.
_JOINT = re.compile(rb"A(?<=aA)|_(?=[aA0])|#(?<=[aA]#)|\+(?=\+)|\.(?=[aA0])|-(?=0)(?<=[aA]-)")


def name_terms(text: str) -> tuple[list[str], list[str]]:
    """Return the terms that names in a text have besides those of the tokenizer: whole names, and parts of names.

    >>> name_terms("Use snake_case in node.js, C++ or .NET, says DEC-0054; parseHTTPResponse came in v2.8.3.")
    (['snake_case', 'node.js', 'c++', '.net', 'dec-0054'], ['parse', 'http', 'response', '2.8.3'])
    """
    written = text.encode(errors="replace")
    kinds = written.translate(_KINDS)
    wholes: list[str] = []
    parts: list[str] = []
    end = 0
    for joint in _JOINT.finditer(kinds):
        at = joint.start()
        if at >= end:
            end = kinds.find(b" ", at)
            end = len(kinds) if end < 0 else end
            whole, part = _terms_of(written[kinds.rfind(b" ", 0, at) + 1 : end])
            wholes += whole
            parts += part
    return wholes, parts


@lru_cache(maxsize=50_000)
def _terms_of(word: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return whole names and parts of names in a run of letters, digits and signs."""
    name = word.decode()
    wholes = [whole.lower() for whole in _WHOLE.findall(name)]
    parts = [part.lower() for camel in _CAMEL.findall(name) for part in _HUMP.findall(camel) if len(part) > 1]
    return tuple(wholes), (*parts, *_VERSION.findall(name))
