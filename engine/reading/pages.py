"""A page of HTML -> `Document`: what the page is about, without the navigation and boilerplate around it.

The content is what stands in `main`, in the one `article`, or else in the body; headers, footers, menus, forms, asides
and what is hidden are left out, told by HTML's own elements, ARIA roles and the class names in common use.

Needs the extra `html`.
"""

from __future__ import annotations

import re
from array import array

from engine.reading.events import Heading
from engine.reading.html_tree import Element, HtmlWriter, is_hidden, parse_html, read_blocks, title_of_page
from engine.reading.markdown import sections_of
from engine.reading.source import name_of
from engine.records import Document

_LEFT_OUT_TAGS = frozenset("aside footer menu nav search".split())
_LEFT_OUT_ROLES = frozenset(
    "alert alertdialog banner complementary contentinfo dialog form menu menubar navigation search tablist "
    "toolbar".split()
)
_LEFT_OUT_NAMES = frozenset(
    "advert advertisement breadcrumb breadcrumbs comments cookie-banner cookie-notice cookies footer headerlink "
    "menu nav navbar navigation newsletter pager pagination related related-posts share sharing sidebar "
    "site-footer site-header site-nav skip-link skip-to-content social social-share sr-only subscribe toc "
    "visually-hidden".split()
)
_CONTENT = ("//main", "//*[@role='main']", "//article", "//*[@id='content' or @id='main' or @id='main-content']")
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE)
_LOOKED_AT = 4096
"""Bytes in which a page says how it is encoded; browsers look at 1,024."""
_LINKS_OF_A_MENU = 3
_SHARE_OF_A_MENU = 0.9


def parse_page(html: str, id: str = "page.html", *, modified: str | None = None) -> Document:  # noqa: A002
    r"""Read a page of HTML as a person does.

    Args:
        html: The page; broken HTML is read as browsers do.
        id: The document's id.
        modified: ISO date of the file.

    Raises:
        MissingExtraError: lxml is not installed.

    >>> page = parse_page("<nav>Home</nav><main><h1>Io</h1><ul><li>Hot</ul><pre>a\n  b</pre></main><footer>©</footer>")
    >>> page.title, page.text, [block.kind for block in page.blocks]
    ('Io', 'Io\n\nHot\n\na\n  b', ['heading', 'item', 'code'])
    """
    root = parse_html(html)
    writer, headings = HtmlWriter(), []
    if root is not None:
        content = _content(root)
        whole = content is root
        for block in read_blocks(content, lambda element: _is_left_out(element, whole=whole)):
            start = writer.write(block)
            if block.kind == "heading":
                headings.append(Heading(block.level, start, block.text))
    title = title_of_page(root) or name_of(id)
    return Document(
        id=id,
        title=title,
        text="".join(writer.parts),
        sections=sections_of(headings, writer.length, title),
        blocks=tuple(writer.blocks),
        date=modified,
        line_offsets=array("I", writer.line_offsets),
        line_numbers=array("I", writer.line_numbers),
    )


def declared_encoding(content: bytes) -> str | None:
    """Return the encoding that a page names; `None`: it names none.

    >>> declared_encoding(b"<meta charset=gbk>")
    'gbk'
    """
    found = _CHARSET.search(content, 0, _LOOKED_AT)
    return found[1].decode("ascii") if found else None


def _content(root: Element) -> Element:
    """Return the element with what the page is about; the root where the page does not say."""
    for path in _CONTENT:
        found = root.xpath(path)
        if len(found) == 1 and "".join(found[0].itertext()).strip():
            return found[0]
    return root


def _is_left_out(element: Element, *, whole: bool) -> bool:
    """Say whether an element is boilerplate; `whole`: the page does not say where its content is."""
    tag = element.tag
    if tag in ("html", "body", "main"):
        return False
    if tag in _LEFT_OUT_TAGS or element.get("role") in _LEFT_OUT_ROLES or is_hidden(element):
        return True
    names = {*element.get("class", "").lower().split(), element.get("id", "").lower()}
    if not names.isdisjoint(_LEFT_OUT_NAMES):
        return not element.xpath("boolean(.//main | .//article | .//h1)")
    if not whole:
        return False
    return (tag == "header" and not element.xpath("boolean(.//h1)")) or (tag in ("ul", "ol") and _is_menu(element))


def _is_menu(element: Element) -> bool:
    """Say whether a list consists of links."""
    links = element.xpath(".//a[@href]")
    if len(links) < _LINKS_OF_A_MENU:
        return False
    linked = sum(len("".join("".join(link.itertext()).split())) for link in links)
    return linked >= _SHARE_OF_A_MENU * len("".join("".join(element.itertext()).split()))
