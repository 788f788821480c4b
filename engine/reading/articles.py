"""Rendered MediaWiki and Parsoid HTML -> `Document`: the headings and paragraphs of an encyclopedia article.

Tables, lists, infoboxes, figures, references, edit links, hatnotes and navigation are left out, and headings with
nothing left under them. What is left out is told by MediaWiki's own class names, which are the same in every
language, and by ARIA roles.

Needs the extra `html`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator

from engine.reading.events import Heading
from engine.reading.html_tree import Element, HtmlBlock, HtmlWriter, is_hidden, parse_html, read_blocks, title_of_page
from engine.reading.markdown import sections_of
from engine.records import Document

SUMMARY = "summary"
"""Heading of the leading section."""

_LEFT_OUT_TAGS = frozenset("aside dl figcaption figure footer header img link menu meta nav ol sup table ul".split())
_LEFT_OUT_CLASSES = frozenset(
    "Inline-Template Template-Fact Z3988 ambox authority-control catlinks dablink error ext-phonos gallery hatnote "
    "infobox infobox_v2 infobox_v3 magnify metadata mw-cite-backlink mw-editsection mw-editsection-like mw-empty-elt "
    "mw-indicators mw-jump-link mw-kartographer-maplink mw-ref mw-references-wrap mwe-math-fallback-image-display "
    "mwe-math-fallback-image-inline navbar navbox navbox-styles navigation-not-searchable noexcerpt nomobile noprint "
    "portalbox printfooter reference references reflist rellink shortdescription side-box sidebar sisterlinks "
    "sistersitebox succession-box thumb tleft tmbox toc tocnumber toctogglespan toggle tright vertical-navbox "
    "wikitable".split()
)
_LEFT_OUT_IDS = frozenset("catlinks coordinates mw-toc-heading siteSub toc".split())
_LEFT_OUT_ROLES = frozenset(("banner", "complementary", "contentinfo", "navigation", "note", "presentation", "search"))
_STYLE_OF_TEX = re.compile(r"^\{\\(?:display|text|script)style\s*(.*?)\s*\}$", re.DOTALL)


def parse_article(
    html: str,
    id: str = "article.html",  # noqa: A002
    *,
    title: str | None = None,
    modified: str | None = None,
) -> Document:
    r"""Read an encyclopedia article: a whole page, the text that MediaWiki's API returns, or Parsoid's output.

    Args:
        html: The rendered page; broken HTML is read as browsers do.
        id: The document's id.
        title: The article's title; `None`: the page's, else the last part of the id.
        modified: ISO date of the revision.

    Returns:
        A document whose sections are the article's; the leading section is called `summary` and has level 0.
        Formulas stay where they are plain (`E = mc^{2}`), others go.

    Raises:
        MissingExtraError: lxml is not installed.

    >>> article = parse_article("<h1>Io</h1><p>A moon.<sup class='reference'>[1]</sup></p><h2>Core</h2><p>Iron.</p>")
    >>> article.title, article.text, [section.path for section in article.sections]
    ('Io', 'A moon.\n\nCore\n\nIron.', ['summary', 'Core'])
    """
    root = parse_html(html)
    writer, headings = HtmlWriter(), []
    if root is not None:
        for block in _with_words_below(read_blocks(_content(root), _is_left_out)):
            start = writer.write(block)
            if block.kind == "heading":
                headings.append(Heading(block.level, start, block.text))
    title = title or title_of_page(root) or id.rsplit("/", 1)[-1].removesuffix(".html")
    return Document(
        id=id,
        title=title,
        text="".join(writer.parts),
        sections=sections_of(headings, writer.length, title, opening=SUMMARY),
        blocks=tuple(writer.blocks),
        date=modified,
        line_offsets=array("I", writer.line_offsets),
        line_numbers=array("I", writer.line_numbers),
    )


def _content(root: Element) -> Element:
    """Return the element that holds the article, without the page around it."""
    bodies = root.xpath("//*[contains(concat(' ', normalize-space(@class), ' '), ' mw-parser-output ')]")
    return max(bodies, key=lambda body: len(body.xpath(".//p")), default=root)


def _is_left_out(element: Element) -> bool:
    if element.tag in _LEFT_OUT_TAGS:
        return element.tag != "sup" or _is_reference(element)
    if element.tag == "h1":
        return True
    classes = element.get("class", "").split()
    if "mwe-math-element" in classes:
        _leave_tex(element)
        return False
    return (
        not _LEFT_OUT_CLASSES.isdisjoint(classes)
        or element.get("id") in _LEFT_OUT_IDS
        or element.get("role") in _LEFT_OUT_ROLES
        or "mw:Extension/ref" in element.get("typeof", "")
        or is_hidden(element)
    )


def _is_reference(sup: Element) -> bool:
    return bool(sup.get("class") or sup.get("typeof")) or sup.find(".//a") is not None


def _leave_tex(element: Element) -> None:
    """Put a formula's source for its three renderings, where a reader can read it: where it has no TeX commands."""
    texts = element.xpath(".//*[local-name()='math']/@alttext") or element.xpath(".//img/@alt")
    tex = " ".join(_STYLE_OF_TEX.sub(r"\1", texts[0].strip()).split()) if texts else ""
    for child in list(element):
        element.remove(child)
    element.text = "" if "\\" in tex else tex


def _with_words_below(blocks: Iterable[HtmlBlock]) -> Iterator[HtmlBlock]:
    """Pass on paragraphs, and the headings above them once there is one."""
    above: list[HtmlBlock] = []
    for block in blocks:
        if block.kind == "heading":
            above = [heading for heading in above if heading.level < block.level]
            above.append(block)
        elif block.tag == "p":
            yield from above
            above = []
            yield block
