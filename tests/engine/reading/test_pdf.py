"""PDFs: made here with Cairo, read page by page."""

import io
import sys
from pathlib import Path

import cairocffi
import pytest

from engine import Library
from engine.errors import Cancelled, MissingExtraError
from engine.reading.folder import load_markdown_folder
from engine.reading.pdf import paragraphs, parse_pdf
from engine.records import Document, Notice
from engine.settings import Settings

PAGES = [
    [
        "Io is the innermost of the four large moons of Jupi-",
        "ter. It is hot.",
        "Its radius is 1,821 km, a little more than",
    ],
    [],
    ["that of our own moon."],
]


def make_pdf(pages: list[list[str]], title: str = "") -> bytes:
    file = io.BytesIO()
    surface = cairocffi.PDFSurface(file, 500, 300)
    if title:
        surface.set_metadata(cairocffi.PDF_METADATA_TITLE, title)
    context = cairocffi.Context(surface)
    context.set_font_size(14)
    for lines in pages:
        for row, line in enumerate(lines):
            context.move_to(20, 40 + 20 * row)
            context.show_text(line)
        surface.show_page()
    surface.finish()
    return file.getvalue()


def read(pages: list[list[str]], **options: str) -> Document:
    document = parse_pdf(make_pdf(pages, **options), "moons/io.pdf", modified="2024-05-01")
    assert isinstance(document, Document)
    return document


def test_every_page_with_text_is_a_section_and_the_line_is_its_number() -> None:
    document = read(PAGES)
    assert document.text == (
        "Io is the innermost of the four large moons of Jupiter. It is hot.\n\n"
        "Its radius is 1,821 km, a little more than\n\nthat of our own moon."
    )
    assert [(section.path, section.level) for section in document.sections] == [("page 1", 1), ("page 3", 1)]
    assert document.sections[-1].end == len(document.text) and document.sections[0].end == document.sections[1].start
    assert document.line_at(document.text.index("radius")) == 1
    assert document.line_at(document.text.index("that")) == 3
    assert [document.text[block.start : block.end][:2] for block in document.blocks] == ["Io", "It", "th"]


def test_pages_without_text_are_a_notice() -> None:
    (notice,) = read(PAGES).notices
    assert notice.problem.startswith("1 of 3 pages hold no text")
    empty = read([[]])
    assert (empty.text, len(empty.sections), len(empty.notices)) == ("", 1, 1)


def test_the_title_is_the_pdf_s_else_the_name() -> None:
    assert read([["x"]]).title == "io"
    assert read([["x"]], title="Hot\nmoons").title == "Hot moons"


@pytest.mark.parametrize("content", [b"", b"%PDF-1.4 nonsense", b"\0" * 100, make_pdf(PAGES)[:400]])
def test_a_damaged_file_is_a_notice(content: bytes) -> None:
    notice = parse_pdf(content, "a.pdf")
    assert isinstance(notice, Notice) and "damaged" in notice.problem


def test_without_pypdfium2_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(MissingExtraError, match="pypdfium2") as caught:
        parse_pdf(make_pdf(PAGES))
    assert "-m pip install pypdfium2" in caught.value.hint


def test_the_reading_can_be_stopped() -> None:
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        parse_pdf(make_pdf(PAGES), checkpoint=stop)
    assert isinstance(parse_pdf(make_pdf(PAGES)), Document)  # and the next one can begin


@pytest.mark.parametrize("text", ["", "\n\n", "one", "one\ntwo\n\n\nthree.", "金星。\n很热。\n"])
def test_paragraphs_hold_every_word(text: str) -> None:
    assert "".join("".join(line for line in lines) for lines in paragraphs(text)) == "".join(text.split("\n"))


def test_a_library_reads_them_on_request_and_cites_the_page(tmp_path: Path) -> None:
    (tmp_path / "io.pdf").write_bytes(make_pdf(PAGES))
    (tmp_path / "broken.pdf").write_bytes(b"x")
    (tmp_path / "a.md").write_text("Venus", encoding="utf-8")
    assert list(Library.open(tmp_path).documents) == ["a.md"]
    library = Library.open(tmp_path, Settings(pdf=True))
    assert list(library.documents) == ["a.md", "io.pdf"]
    assert [notice.path for notice in library.notices] == ["broken.pdf", "io.pdf"]
    hit = library.bm25.search("radius").hits[0]
    assert (library.chunks[hit.chunk].header, library.chunks[hit.chunk].line) == ("io > page 1", 1)


def test_a_library_without_the_extra_says_so_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(make_pdf(PAGES))
    monkeypatch.setattr("engine.reading.walking.find_spec", lambda name: None)
    (notice,) = load_markdown_folder(tmp_path, pdf=True).notices
    assert notice.problem == (
        "2 PDF files were passed over: reading them needs pypdfium2; "
        "`planet-tui doctor` says how to install what is missing."
    )
