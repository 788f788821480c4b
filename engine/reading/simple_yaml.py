"""The YAML that most front matter consists of, read ten times faster than by a parser; what is more is left to one.

One key a line; its value is text, a list of quoted texts in brackets, or a list of texts in lines of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import yaml

_SCALAR = r"""(?:"[^"\\\n]*+"[ ]*|'[^'\n]*+'[ ]*|[A-Za-z0-9](?:[^:\#\n]|:(?=[^ \n])|(?<=[^ ])\#)*+)\n"""
_ENTRY = re.compile(
    rf"""(?P<key>[A-Za-z](?:[A-Za-z0-9_. -]{{0,99}}[A-Za-z0-9_.-])?):
    (?:[ ]+(?P<texts>\["[^"\\\n]*+"(?:,[ ]?"[^"\\\n]*+")*+\])[ ]*\n
    |[ ]+(?P<text>{_SCALAR})
    |[ ]*\n(?P<items>(?:-[ ]{_SCALAR})++))""",
    re.VERBOSE,
)
_KINDS: Mapping[str, Sequence[tuple[str, re.Pattern[str]]]] = yaml.SafeLoader.yaml_implicit_resolvers
"""By first character: how YAML tells numbers, dates, `yes` and `null` from text."""


class _NotSimpleError(ValueError):
    """A scalar is no text."""


def read_simple_yaml(block: str) -> dict[str, str | list[str]] | None:
    r"""Return what `yaml.safe_load` returns; `None`: the block is not so simple, or empty.

    >>> read_simple_yaml('title: Venus\ntags: ["hot"]\n'), read_simple_yaml("year: 2024\n")
    ({'title': 'Venus', 'tags': ['hot']}, None)
    """
    if not block.isascii() or not block.replace("\n", "").isprintable():
        return None
    values: dict[str, str | list[str]] = {}
    at = 0
    try:
        while entry := _ENTRY.match(block, at):
            key, texts, text, items = entry.groups()
            values[_text_of(key)] = (
                json.loads(texts)
                if texts
                else _text_of(text)
                if text
                else [_text_of(item[2:]) for item in items.splitlines()]
            )
            at = entry.end()
    except _NotSimpleError:
        return None
    return values if 0 < at == len(block) else None


@lru_cache(10_000)  # notes of a folder have their keys, authors and subjects in common
def _text_of(scalar: str) -> str:
    scalar = scalar.rstrip(" \n")
    if scalar[0] in "\"'":
        return scalar[1:-1]
    if any(kind.match(scalar) for _, kind in _KINDS.get(scalar[0], ())):
        raise _NotSimpleError
    return scalar
