"""An encyclopedia page saved as plain text -> Markdown of its headings and paragraphs.

Such a page is what a browser shows, copied: infobox, lead, table of contents, body, references, one line a paragraph,
cell or caption. Nothing marks a heading but the table of contents, which names and numbers them all in order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

BACK_MATTER = frozenset(
    [
        "Gallery",
        "See also",
        "Notes",
        "Explanatory notes",
        "References",
        "Bibliography",
        "Further reading",
        "External links",
    ]
)
"""Headings with which the part of an article begins that states nothing itself."""

MIN_WORDS = 8
"""A line with fewer words is a cell or a caption."""

_CONTENTS = "Contents"
_ENTRY = re.compile(r"(\d+(?:\.\d+)*) +(\S.*)")
_NOT_READ = re.compile(r"\[(?:\d+|[a-z]|note \d+|citation needed)\]|\d{6,}♠")
"""Reference marks, and the hidden keys by which tables sort numbers."""
_SENTENCE_END = re.compile(r"[.!?:][\"'”’)]*$")
_HATNOTE = re.compile(r"Main articles?:|Further information:|See also:|This article is about")
_MARKUP = re.compile(r"[\\`*_\[\]<>#|~$]")


def rendered_to_markdown(page: str, title: str) -> str:
    r"""Keep the headings and paragraphs of a page saved as text.

    A paragraph has at least `MIN_WORDS` words, ends as a sentence does, and touches another paragraph, a heading or
    the note below it; the same words alone between blank lines are a caption. The page ends at the first heading of
    `BACK_MATTER`.

    Args:
        page: one line a paragraph, heading, cell or caption.
        title: the article's title.

    >>> page = "Contents\n\n1 Name\n2 Notes\n\nName\nPluto was named by a girl of eleven years.[3]\n\nNotes"
    >>> rendered_to_markdown(page, "Pluto")
    '# Pluto\n\n## Name\n\nPluto was named by a girl of eleven years.\n'
    """
    lines = _joined([_NOT_READ.sub("", line).strip() for line in page.splitlines()])
    headings = _headings(lines)
    lead_ends = lines.index(_CONTENTS) if headings else len(lines)
    parts = [f"# {title}"]
    for at, line in enumerate(lines):
        if at in headings:
            if line in BACK_MATTER:
                break
            parts.append("#" * headings[at] + " " + line)
        elif _is_prose(line) and any(_holds(lines, headings, near) for near in (at - 1, at + 1)):
            if at < lead_ends or headings and at > min(headings):
                parts.append(_MARKUP.sub(r"\\\g<0>", line))
    return "\n\n".join(parts) + "\n"


def _joined(lines: Sequence[str]) -> list[str]:
    """Join a paragraph that a formula has broken over several lines."""
    joined = [""]
    for line in lines:
        before = joined[-1]
        broken = len(before.split()) >= MIN_WORDS and not _SENTENCE_END.search(before) and not _HATNOTE.match(before)
        if line and broken:
            joined[-1] = f"{before} {line}"
        else:
            joined.append(line)
    return joined


def _headings(lines: Sequence[str]) -> dict[int, int]:
    """Return the level of each heading by its line: the lines that repeat the table of contents, in its order."""
    if _CONTENTS not in lines:
        return {}
    at = lines.index(_CONTENTS) + 1
    entries = []
    while at < len(lines) and (not lines[at] or _ENTRY.fullmatch(lines[at])):
        entries += [match.groups() for match in [_ENTRY.fullmatch(lines[at])] if match]
        at += 1
    headings = {}
    for number, name in entries:
        if name in lines[at:]:
            at = lines.index(name, at) + 1
            headings[at - 1] = number.count(".") + 2
    return headings


def _holds(lines: Sequence[str], headings: dict[int, int], at: int) -> bool:
    """Return whether a line is such as paragraphs stand beside."""
    return 0 <= at < len(lines) and (at in headings or _is_prose(lines[at]) or bool(_HATNOTE.match(lines[at])))


def _is_prose(line: str) -> bool:
    return len(line.split()) >= MIN_WORDS and bool(_SENTENCE_END.search(line)) and not _HATNOTE.match(line)
