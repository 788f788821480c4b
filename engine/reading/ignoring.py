"""Lines in the syntax of `.gitignore` -> which paths stay out: those of ignore files, and those that a person gives.

Nearest rules first: what a person gives for the whole folder goes before every file, a file before those above it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from engine.errors import SettingsError
from engine.settings import shown

IGNORE_FILES = (".gitignore", ".ignore")


class Rules(NamedTuple):
    """What one source excludes."""

    prefix: str
    """The id of the folder that it holds for, with a final `/`; empty for the root."""
    patterns: tuple[GitIgnoreSpecPattern, ...]
    """In the order of the lines."""


class Parsed(NamedTuple):
    """What lines say."""

    patterns: tuple[GitIgnoreSpecPattern, ...]
    bad: tuple[int, ...]
    """Places of the lines that are no valid pattern, from 0."""


def parse_patterns(lines: Sequence[str]) -> Parsed:
    """Read lines as Git does; comments and lines that name nothing are passed over.

    >>> parsed = parse_patterns(["# mine", "archive/", "[z-a]"])
    >>> len(parsed.patterns), parsed.bad
    (1, (2,))
    """
    patterns: list[GitIgnoreSpecPattern] = []
    bad: list[int] = []
    for at, line in enumerate(lines):
        if "/" in line and not line.strip().strip("!/"):  # it names nothing
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # brackets that a later Python may read otherwise
                pattern = GitIgnoreSpecPattern(line)
        except (ValueError, re.error):
            bad.append(at)
        else:
            if pattern.include is not None:  # a comment
                patterns.append(pattern)
    return Parsed(tuple(patterns), tuple(bad))


def check_patterns(lines: Sequence[str]) -> None:
    """Raise where a line that a person gave excludes nothing.

    Raises:
        SettingsError: it is empty, a comment, or no valid pattern.
    """
    for line in lines:
        if not parse_patterns([line]).patterns:
            raise SettingsError(
                f"exclude: {shown(line)} is no pattern",
                "Patterns are those of .gitignore, such as archive/ or *.tmp.md; \\# stands for a # at the start.",
            )


def is_ignored(id: str, rules: Iterable[Rules]) -> bool:  # noqa: A002
    """Ask the rules in order, each from its last line up; the first that names the path decides."""
    for prefix, patterns in rules:
        path = id.removeprefix(prefix)
        for pattern in reversed(patterns):
            if _names(pattern, path):
                return bool(pattern.include)
    return False


def _names(pattern: GitIgnoreSpecPattern, path: str) -> bool:
    """Return whether a pattern names the path itself: what lies below a folder is not asked when the folder is out."""
    found = pattern.regex.search(path) if pattern.regex else None
    if found is None:
        return False
    return found.end() == len(path) or "ps_d" not in found.re.groupindex or found["ps_d"] is None
