"""Front matter -> who may read the note: the list of names under `access`.

A note without the key is for everyone. A key that cannot be understood closes the note to all but the owner, who
opens the folder without a name: what was meant to be kept back must not come out through a typing error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

_KEY_LINE = re.compile(r"""^\s*["']?access["']?\s*[:=]""", re.IGNORECASE | re.MULTILINE)
_SEVERAL = re.compile(r"[,;\n]")


class Access(NamedTuple):
    """Who may read a note."""

    names: tuple[str, ...] | None
    """The names; `None`: everyone; empty: nobody but the owner."""
    problem: str = ""
    """What is the matter with the list, one line; empty: nothing."""


def access_of(values: Mapping[str, Any], unread: str = "") -> Access:
    """Read the list of names.

    Args:
        values: The front matter; the key may be written in capitals.
        unread: How the note begins, where that looks like front matter and could not be read.

    >>> access_of({"access": ["Ada", "Bo"]}).names, access_of({"title": "Io"}).names, access_of({"access": 7}).names
    (('Ada', 'Bo'), None, ())
    """
    lists = [value for key, value in values.items() if key.strip().casefold() == "access"]
    if not lists:
        if _KEY_LINE.search(unread):
            return Access((), "The front matter names an access list but cannot be read: only the owner sees the note.")
        return Access(None)
    names = [_names(value) for value in lists]
    if len(lists) > 1 or names[0] is None:
        return Access((), "access is no list of names such as [Ada, Bo]: only the owner sees the note.")
    return Access(names[0])


def _names(value: Any) -> tuple[str, ...] | None:  # noqa: ANN401
    """Return the names of a list, or the one name that stands in its place; `None`: it is neither."""
    names = value if isinstance(value, list) else [value]
    if not all(isinstance(name, str) and name.strip() for name in names):
        return None
    if isinstance(value, str) and _SEVERAL.search(value):
        return None
    return tuple(dict.fromkeys(name.strip() for name in names))
