"""Rendered encyclopedia pages: own ones in every detail, real ones in three languages."""

import os
import re
import sys
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import parse_article
from engine.errors import MissingExtraError

PAGES = Path(__file__).parent / "pages"
OWN = (PAGES / "article.html").read_text(encoding="utf-8")
DATA = Path(os.environ.get("PLANET_TUI_DATA", Path(__file__).parents[4] / "shared" / "data")) / "wikipedia-html"
REAL = ("Dog", "ar-Mathematics", "parse_contents_zh")


def real(name: str) -> str:
    path = DATA / f"{name}.html"
    if not path.is_file():
        pytest.skip("PLANET_TUI_DATA names no folder with wikipedia-html")
    return path.read_text(encoding="utf-8")


def test_headings_and_paragraphs_stay_and_nothing_else() -> None:
    assert parse_article(OWN).text == "\n\n".join(
        [
            "Io is the innermost of the four Galilean moons of Jupiter. It holds over 400 volcanoes, each some 10^6"
            " years old.",
            "Orbit",
            "It takes T = 42.5 hours, as shows.",
            "Resonance",
            "Once for every four times.",
        ]
    )


def test_the_leading_section_is_the_summary_and_headings_without_text_are_gone() -> None:
    article = parse_article(OWN, "io.html", modified="2024-05-01")
    assert (article.id, article.title, article.date) == ("io.html", "Io (moon)", "2024-05-01")
    sections = [(section.heading, section.level, section.path) for section in article.sections]
    assert sections == [("summary", 0, "summary"), ("Orbit", 2, "Orbit"), ("Resonance", 3, "Orbit > Resonance")]
    assert [article.text[s.start : s.start + len(s.heading)] for s in article.sections[1:]] == ["Orbit", "Resonance"]


def test_every_word_leads_back_to_its_source_line() -> None:
    article, lines = parse_article(OWN), OWN.split("\n")
    words = list(re.finditer(r"[A-Za-z]+", article.text))
    assert len(words) > 20
    for word in words:
        assert word[0] in lines[article.line_at(word.start()) - 1]


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<p>x</p>", "io"),
        ("<title>Io – An Encyclopedia</title><p>x</p>", "Io"),
        ("<title>Io</title><h1>The <i>moon</i>\nIo</h1><p>x</p>", "The moon Io"),
        ("<h1></h1><title>Io</title><p>x</p>", "Io"),
    ],
)
def test_the_title_is_the_page_s_else_the_name(html: str, title: str) -> None:
    assert parse_article(html, "moons/io.html").title == title
    assert parse_article(html, title="Given").title == "Given"


def test_only_the_article_is_read_of_a_page_that_holds_more() -> None:
    page = "<p>around</p><div class='mw-parser-output'><p>notice</p></div><div class='x mw-parser-output'><p>a</p><p>b"
    assert parse_article(page).text == "a\n\nb"


@pytest.mark.parametrize("html", ["", " \n", "<!-- only -->", "<", "\0", "<html>", "<p>", "</p>", "<table><p>"])
def test_a_page_without_words_is_a_document_without_words(html: str) -> None:
    article = parse_article(html, "io.html")
    assert (article.title, article.text.strip("<\ufffd"), len(article.sections)) == ("io", "", 1)


def test_without_lxml_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lxml", None)
    with pytest.raises(MissingExtraError, match="lxml") as caught:
        parse_article("<p>x</p>")
    assert "-m pip install lxml" in caught.value.hint


def test_declared_encodings_and_lone_surrogates_are_no_obstacle() -> None:
    article = parse_article('<?xml version="1.0" encoding="latin-1"?><meta charset="gbk"><p>caf\u00e9 \ud800</p>')
    assert article.text == "caf\u00e9 \ufffd"


def test_ten_thousand_open_elements_end() -> None:
    assert "moon" in parse_article("<p>moon</p>" + "<div><b>" * 5_000).text


@given(st.text(alphabet="<>/pahbrtdl1 \n&;='x—金", max_size=80))
def test_any_characters_are_a_page(html: str) -> None:
    article = parse_article(html)
    assert article.sections[-1].end == len(article.text)
    assert all(article.text[block.start : block.end].strip() for block in article.blocks)


@pytest.mark.parametrize("name", REAL)
def test_a_real_article_holds_prose_only(name: str) -> None:
    article = parse_article(real(name))
    assert len(article.text) > 9_000 and len(article.sections) > 15
    assert not re.search(r"\[\d+\]|\[\w*edit|displaystyle|\{\\|[<>]{2}|\[编|mw-|ISBN", article.text)
    assert "\n\n\n" not in article.text
    assert all(not section.heading.startswith(("References", "External")) for section in article.sections)


def test_a_real_article_begins_with_its_lead() -> None:
    assert parse_article(real("Dog")).text.startswith("The domestic dog (Canis lupus familiaris when considered a")
    assert parse_article(real("ar-Mathematics")).title == "رياضيات"
    assert parse_article(real("parse_contents_zh")).text.startswith("貓（英語：Cat）通常指家貓")


def test_a_page_of_references_only_has_no_text() -> None:
    assert parse_article(real("ReferencesWithTables")).text == ""


@pytest.mark.parametrize("name", REAL)
def test_the_words_of_a_real_article_stand_on_the_lines_they_are_mapped_to(name: str) -> None:
    html = real(name)
    article, lines = parse_article(html), [unescape(line) for line in html.split("\n")]
    words = list(re.finditer(r"\w+", article.text))
    astray = [
        word[0] for word in words if word[0] not in re.sub("<[^>]*>", "", lines[article.line_at(word.start()) - 1])
    ]
    assert len(astray) <= len(words) / 100, astray[:5]  # words that a tag divides over two lines
