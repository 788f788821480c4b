"""Admonitions of site generators -> callouts, line by line, so that the parser knows them.

| written | by | its body |
|---|---|---|
| `!!! note "Title"`, `??? note`, `=== "Tab"` | MkDocs | what follows, indented by four |
| `:::note Title` … `:::` | Docusaurus, VuePress, MyST | what stands between |
| `/// note | Title` … `///` | PyMdown Blocks | what stands between |

Each becomes a quote that opens with `[!note] Title`. Pandoc's `::: {.class}` only loses its marks, since whole
sections may stand in it. No line is added or taken away, and code is left as it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_SIGNS = ("!!!", "???", "===", ":::", "///")
_MAYBE = re.compile(r"\n[ \t>]*(?:!!!|\?\?\?|===\+?!? *\"|:::|///)")
_INDENTED = re.compile(
    r"""(?P<indent>[ ]*)(?:
        (?:!!!|\?\?\?\+?)[ ]+(?P<name>[\w-]+)(?:[ ]+[\w-]+)*(?:[ ]+"(?P<title>.*)")?
        |===[+!]?[ ]+"(?P<tab>.*)"
    )[ ]*$""",
    re.VERBOSE,
)
_FENCED = re.compile(
    r"""(?P<indent>[ ]*)(?P<marks>:{3,}|/{3,})[ ]*
    (?:\{[ ]*(?P<directive>[\w-]+)[ ]*\}|(?P<div>\{[^{}]*\})|(?P<name>[A-Za-z][\w-]*))?
    (?:\[(?P<label>[^\[\]]*)\])?(?:\{[^{}]*\})?[ ]*\|?[ ]*(?P<title>.*?)[ ]*$""",
    re.VERBOSE,
)
_CODE = re.compile(r"[ >]*(`{3,}|~{3,})")
_BODY_INDENT = 4


class _Container(NamedTuple):
    column: int
    """Where its quote mark goes."""
    dropped: int
    """Columns of the body's indent that the mark takes the place of."""
    last: int
    """Its last line; -1: as long as lines are indented."""


def unfold_containers(source: str) -> str:
    r"""Write admonitions as callouts.

    >>> unfold_containers('!!! tip "Why"\n    It is hot.\n\nEnd.')
    '> [!tip] Why\n> It is hot.\n\nEnd.'
    >>> unfold_containers(":::tip\nIt is hot.\n:::\nEnd.")
    '> [!tip]\n> It is hot.\n\nEnd.'
    """
    if not _MAYBE.search("\n" + source):
        return source
    lines = source.split("\n")
    in_code = _code_lines(lines)
    ends = _fence_ends(lines, in_code)
    inside: list[_Container] = []
    closing = set(ends.values())
    filled = _next_filled(lines)
    for number, line in enumerate(lines):
        if not inside and line.lstrip()[:3] not in _SIGNS:
            continue
        line = _spaced(line)
        inside = _still_inside(inside, *filled[number])
        rest, prefix, column = _prefixed(line, inside)
        if in_code[number]:
            lines[number] = prefix + rest
        elif number in closing:
            lines[number] = prefix.rstrip()
        elif number in ends:
            lines[number], opened = _open_fenced(line, prefix, ends[number])
            inside += opened
        elif (match := _INDENTED.match(line, column)) and _has_body(lines, number, match.end("indent")):
            title = match["title"] or match["tab"] or ""
            lines[number] = f"{prefix}{match['indent']}> [!{match['name'] or 'tab'}] {title}".rstrip()
            inside.append(_Container(match.end("indent"), _BODY_INDENT, -1))
        else:
            lines[number] = prefix + rest
    return "\n".join(lines)


def _indent(line: str) -> int:
    """Return the columns before the first word."""
    blank = len(line) - len(line.lstrip(" \t"))
    return len(line[:blank].expandtabs(4)) if "\t" in line else blank


def _spaced(line: str) -> str:
    """Write the tabs of an indent as spaces."""
    return " " * _indent(line) + line.lstrip(" \t")


def _code_lines(lines: list[str]) -> list[bool]:
    """Say of each line whether it belongs to fenced code."""
    found, fence = [], ""
    for line in lines:
        mark = _CODE.match(line)
        if fence:
            found.append(True)
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
        else:
            fence = mark[1] if mark and not ("`" in mark[1] and "`" in line[mark.end() :]) else ""
            found.append(bool(fence))
    return found


def _fence_ends(lines: list[str], in_code: list[bool]) -> dict[int, int]:
    """Return the closing line of each opening one; marks without a partner are text."""
    ends: dict[int, int] = {}
    waiting: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        stripped = line.strip()
        if in_code[number] or not stripped.startswith((":::", "///")) or not (match := _FENCED.match(line)):
            continue
        if match["directive"] or match["div"] or match["name"]:
            waiting.append((number, match["marks"]))
        elif stripped == match["marks"] and waiting:
            same = [at for at, (_, marks) in enumerate(waiting[-8:]) if marks == stripped]
            at = len(waiting) - len(waiting[-8:]) + same[-1] if same else len(waiting) - 1
            if waiting[at][1][0] == stripped[0]:
                ends[waiting[at][0]] = number
                del waiting[at:]
    return ends


def _next_filled(lines: list[str]) -> list[tuple[str, int]]:
    """Return for each line itself, or the next one that is not empty, and its number."""
    found = []
    following = ("", len(lines))
    for number in range(len(lines) - 1, -1, -1):
        if lines[number].strip():
            following = (lines[number], number)
        found.append(following)
    return found[::-1]


def _still_inside(inside: list[_Container], line: str, number: int) -> list[_Container]:
    """Return the containers that a line belongs to; an empty one belongs where the next line does."""
    indent = _indent(line)
    for depth, each in enumerate(inside):
        if number > each.last if each.last >= 0 else indent < each.column + each.dropped:
            return inside[:depth]
    return inside


def _prefixed(line: str, inside: list[_Container]) -> tuple[str, str, int]:
    """Return what is left of a line, its quote marks, and the column in which the rest begins."""
    prefix, column = "", 0
    for each in inside:
        prefix += line[column : each.column].ljust(each.column - column) + "> "
        column = each.column + each.dropped
    rest = line[column:]
    return (rest, prefix, column) if rest.strip() else ("", prefix.rstrip(), column)


def _open_fenced(line: str, prefix: str, last: int) -> tuple[str, list[_Container]]:
    match = _FENCED.match(line)
    if match is None or match["div"]:
        return prefix.rstrip(), []
    column = match.end("indent")
    title = match["label"] or match["title"] or ""
    opening = f"{prefix}> [!{match['directive'] or match['name']}] {title}".rstrip()
    return opening, [_Container(column, 0, last - 1)]


def _has_body(lines: list[str], number: int, column: int) -> bool:
    """Return whether the next line that is not empty is indented as a body."""
    following = next((line for line in lines[number + 1 : number + 4] if line.strip()), "")
    return _indent(following) >= column + _BODY_INDENT
