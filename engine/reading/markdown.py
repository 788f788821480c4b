"""Markdown source -> `Document`: CommonMark, GFM and Obsidian, front matter, MDX as far as it is plain text.

Task boxes, footnote marks and list numbers go, as all markup does; a `#tag` stays in the text as it is written.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from engine.reading.access import access_of
from engine.reading.containers import unfold_containers
from engine.reading.events import Heading, TextReader
from engine.reading.front_matter import aliases_of, date_of, read_front_matter, tags_of, title_of, unread_head
from engine.reading.masking import mask
from engine.reading.plain_text import build_document
from engine.reading.source import clean_source, name_of
from engine.records import Document, Notice, Section

__all__ = ["build_document", "parse_markdown"]


def parse_markdown(
    source: str,
    id: str = "note.md",  # noqa: A002
    *,
    modified: str | None = None,
    checkpoint: Callable[[], object] = lambda: None,
) -> Document:
    r"""Read a note as a person does, and keep the way back to its source lines.

    Soft line breaks become a space, between characters of scripts without spaces nothing. Blocks are parted by a
    blank line; rows of one table, and items of one list, by a line break; cells by a tab.

    Args:
        source: Markdown with any line ends.
        id: The document's id; an ending of `.mdx` drops imports, exports and component tags.
        modified: ISO date of the file, the document's date where the front matter has none.
        checkpoint: Called every few milliseconds on long notes; what it raises ends the reading.

    >>> note = parse_markdown("# Venus\n\nA *hot*\nworld.", "venus.md")
    >>> note.title, note.text, note.line_at(note.text.index("world"))
    ('Venus', 'Venus\n\nA hot world.', 4)
    """
    source = clean_source(source)
    front = read_front_matter(source)
    body = mask(unfold_containers(source[front.end :]), mdx=id.lower().endswith(".mdx"))
    reader = TextReader("\n" * source.count("\n", 0, front.end) + body)
    reader.read(checkpoint)
    access = access_of(front.values, unread_head(source, front))
    title = title_of(front.values) or _first_title(reader.headings) or name_of(id)
    return Document(
        id=id,
        title=title,
        text="".join(reader.parts),
        sections=sections_of(reader.headings, reader.length, title),
        blocks=tuple(reader.blocks),
        links=tuple(reader.links),
        front_matter=front.values,
        tags=tuple(dict.fromkeys(tags_of(front.values) + reader.tags)),
        aliases=tuple(dict.fromkeys(aliases_of(front.values))),
        date=date_of(front.values) or modified,
        access=access.names,
        notices=tuple(Notice(id, problem) for problem in (front.problem, access.problem) if problem),
        line_offsets=array("I", reader.line_offsets),
        line_numbers=array("I", reader.line_numbers),
    )


def _first_title(headings: Sequence[Heading]) -> str:
    return next((heading.text for heading in headings if heading.level == 1), "")


def sections_of(headings: Sequence[Heading], length: int, title: str, opening: str = "") -> tuple[Section, ...]:
    """Return the sections that headings make of a text.

    Args:
        headings: In order; where each starts in the text.
        length: Characters of the text.
        title: The document's; a level-1 heading of that name is left out of the paths.
        opening: What to call the section before the first heading.
    """
    sections = []
    if not headings or headings[0].start > 0:
        sections.append(Section(opening, 0, opening, 0, headings[0].start if headings else length))
    above: list[Heading] = []
    ends = [heading.start for heading in headings[1:]] + [length]
    for heading, end in zip(headings, ends, strict=bool(headings)):
        while above and above[-1].level >= heading.level:
            above.pop()
        above.append(heading)
        path = " > ".join(each.text for each in above if each.level > 1 or each.text != title)
        sections.append(Section(heading.text, heading.level, path, heading.start, end))
    return tuple(sections)
