"""Pages of HTML: what they are about stays, what is around it goes."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.reading.folder import load_markdown_folder
from engine.reading.pages import declared_encoding, parse_page

OWN = (Path(__file__).parent / "pages" / "page.html").read_text(encoding="utf-8")


def test_the_content_stays_with_its_blocks_and_the_rest_goes() -> None:
    page = parse_page(OWN, "moons.html", modified="2024-05-01")
    assert (page.id, page.title, page.date) == ("moons.html", "Hot moons", "2024-05-01")
    assert [(block.kind, page.text[block.start : block.end]) for block in page.blocks] == [
        ("heading", "Hot moons"),
        ("paragraph", "By Ada, 1 May 2024"),
        ("paragraph", "Io is the hottest,\nand the driest."),
        ("item", "Volcanoes"),
        ("item", "Loki"),
        ("item", "Pele"),
        ("item", "Plumes"),
        ("row", "Moon\tRadius"),
        ("row", "Io\t1,821 km"),
        ("quote", "A pizza."),
        ("code", "def heat():\n    return 130"),
        ("heading", "Further"),
        ("item", "Europa"),
        ("item", "Ganymede"),
        ("item", "Callisto"),
    ]
    assert [(section.heading, section.path) for section in page.sections] == [("Hot moons", ""), ("Further", "Further")]


def test_items_and_rows_stand_close_and_know_their_depth() -> None:
    page = parse_page(OWN)
    assert "Volcanoes\nLoki\nPele\nPlumes\n\nMoon\tRadius\nIo\t1,821 km\n\nA pizza." in page.text
    assert [block.level for block in page.blocks if block.kind == "item"] == [1, 2, 2, 1, 1, 1, 1]


def test_every_word_leads_back_to_its_source_line() -> None:
    page, lines = parse_page(OWN), OWN.split("\n")
    for word in re.finditer(r"\w+", page.text):
        assert word[0] in lines[page.line_at(word.start()) - 1]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a<p>b", "a\n\nb"),
        ("plain", "plain"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("<p>金\n星</p>", "金星"),
        ("<ul><li><a href=a>Home</a><li><a href=b>About</a><li><a href=c>Contact</a></ul><p>Hot.", "Hot."),
        ("<ul><li><a href=a>Io</a>, the hottest moon of all<li><a href=b>Europa</a> of ice<li><a href=c>x</a></ul>",
         "Io, the hottest moon of all\nEuropa of ice\nx"),
        ("<div class='sidebar'><h1>Io</h1>Hot.</div>", "Io\n\nHot."),  # a page that calls its content so
        ("<article>one</article><article>two</article>", "one\n\ntwo"),
        ("<main></main><p>outside</p>", "outside"),
        ("<p style='display: none'>x</p><p aria-hidden=true>y</p>z<!-- c --><noscript>n</noscript>", "z"),
        ("<header><h1>Io</h1></header><header>Site</header><p>Hot.", "Io\n\nHot."),
        ("<table><tr><td></td><td>b</td></tr></table>", "b"),
        ("<p>3 &lt; 4 &amp; &eacute;", "3 < 4 & é"),
    ],
)  # fmt: skip
def test_small_pages(html: str, text: str) -> None:
    assert parse_page(html).text == text


@given(st.text(alphabet="<>/pahbrtdluimn1 \n&;='x—金", max_size=80))
def test_any_characters_are_a_page(html: str) -> None:
    page = parse_page(html)
    assert page.sections[-1].end == len(page.text)
    ends = [0, *(block.end for block in page.blocks)]
    assert all(
        block.start >= end and page.text[block.start : block.end].strip()
        for block, end in zip(page.blocks, ends, strict=False)
    )
    assert len(page.line_offsets) == len(page.line_numbers)
    assert list(page.line_offsets) == sorted(set(page.line_offsets))
    assert list(page.line_numbers) == sorted(page.line_numbers)


class TestFolder:
    def test_they_are_read_on_request(self, tmp_path: Path) -> None:
        (tmp_path / "moons.html").write_text(OWN, encoding="utf-8")
        (tmp_path / "old.HTM").write_bytes("<meta charset=gbk><p>金星".encode("gbk"))
        (tmp_path / "utf.html").write_bytes("<meta charset=gbk><p>é".encode())
        (tmp_path / "odd.html").write_bytes(b"<meta charset=rot13><p>caf\xe9")
        (tmp_path / "binary.html").write_bytes(b"a\0b")
        folder = load_markdown_folder(tmp_path, html=True)
        texts = {document.id: document.text for document in folder.documents}
        assert sorted(texts) == ["moons.html", "odd.html", "old.HTM", "utf.html"]
        assert (texts["old.HTM"], texts["utf.html"], texts["odd.html"]) == ("金星", "é", "café")
        assert [notice.path for notice in folder.notices] == ["binary.html", "odd.html"]

    def test_else_one_notice_counts_them(self, tmp_path: Path) -> None:
        for name in ("a.html", "b.HTM", "c/d.html", "e.pdf", "ignored.html"):
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"x")
        (tmp_path / ".gitignore").write_text("ignored.html\n", encoding="utf-8")
        (notice,) = load_markdown_folder(tmp_path).notices
        assert notice.path == ""
        assert notice.problem == "3 HTML and 1 PDF files were passed over: the settings `html` and `pdf` read them."
        (notice,) = load_markdown_folder(tmp_path, html=True).notices[:1]
        assert notice.problem.startswith("1 PDF file was passed over")

    def test_without_the_library_the_notice_says_what_to_install(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "a.html").write_bytes(b"x")
        monkeypatch.setattr("engine.reading.walking.find_spec", lambda name: None)
        (notice,) = load_markdown_folder(tmp_path, html=True).notices
        assert "needs lxml; `planet-tui doctor`" in notice.problem

    @pytest.mark.skipif(not hasattr(os, "symlink"), reason="no symbolic links")
    def test_a_link_to_a_page_is_followed_only_on_request(self, tmp_path: Path) -> None:
        (tmp_path / ".store.html").write_bytes(b"x")
        (tmp_path / "a.html").symlink_to(".store.html")
        assert [document.id for document in load_markdown_folder(tmp_path, html=True).documents] == ["a.html"]
        assert load_markdown_folder(tmp_path).documents == ()


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (b"<META CHARSET='Big5'>", "Big5"),
        (b'<meta http-equiv=x content="text/html; charset=koi8-r">', "koi8-r"),
        (b"<p>", None),
        (b"x" * 9000 + b"<meta charset=gbk>", None),
    ],
)
def test_the_encoding_a_page_names_is_found_near_its_beginning(content: bytes, encoding: str | None) -> None:
    assert declared_encoding(content) == encoding
