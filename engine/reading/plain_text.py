"""Plain text -> `Document`: paragraphs at blank lines, one section, the file's name as title."""

from __future__ import annotations

from array import array

from engine.reading.source import clean_source, joins_without_space, name_of
from engine.records import Block, Document, Section


def build_document(
    id: str,  # noqa: A002
    text: str,
    *,
    title: str | None = None,
    modified: str | None = None,
) -> Document:
    r"""Read plain text: the lines of a paragraph are joined, paragraphs parted by a blank line.

    Args:
        id: The document's id.
        text: The source, with any line ends.
        title: Its title; `None`: the last part of the id without its ending.
        modified: ISO date of the file.

    >>> build_document("io.txt", "A moon\nof Jupiter.\n\n\nHot.").text
    'A moon of Jupiter.\n\nHot.'
    """
    parts: list[str] = []
    blocks: list[Block] = []
    offsets, numbers = [0], [1]
    length = start = 0
    in_paragraph = False
    for number, raw in enumerate(clean_source(text).split("\n"), 1):
        line = raw.strip()
        if in_paragraph and not line:
            blocks.append(Block("paragraph", start, length))
        if line:
            gap = _gap(parts, line, in_paragraph)
            length += len(gap)
            start = start if in_paragraph else length
            offsets.append(length)
            numbers.append(number)
            parts += (gap, line)
            length += len(line)
        in_paragraph = bool(line)
    if in_paragraph:
        blocks.append(Block("paragraph", start, length))
    if numbers[1:]:
        del offsets[0], numbers[0]  # the first words stand at 0
    return Document(
        id=id,
        title=title or name_of(id),
        text="".join(parts),
        sections=(Section("", 0, "", 0, length),),
        blocks=tuple(blocks),
        date=modified,
        line_offsets=array("I", offsets),
        line_numbers=array("I", numbers),
    )


def _gap(parts: list[str], line: str, in_paragraph: bool) -> str:
    if not parts:
        return ""
    if not in_paragraph:
        return "\n\n"
    return "" if joins_without_space(parts[-1][-1], line[0]) else " "
