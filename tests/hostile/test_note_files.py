"""Files nobody would write on purpose, and folders hold all the same."""

import codecs
import os
import sys
from pathlib import Path

import pytest

from engine.reading.folder import Folder, load_markdown_folder


def load(folder: Path, files: dict[str, bytes]) -> Folder:
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return load_markdown_folder(folder)


@pytest.mark.parametrize(
    "content",
    [
        "# Café\n".encode(),
        codecs.BOM_UTF8 + "# Café\n".encode(),
        codecs.BOM_UTF16_LE + "# Café\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "# Café\n".encode("utf-16-be"),
        "# Café\r\n".encode(),
        "\r# Café\r".encode(),
    ],
    ids=["utf-8", "utf-8 with mark", "utf-16 le", "utf-16 be", "CRLF", "CR"],
)
def test_every_unicode_encoding_reads_alike(tmp_path: Path, content: bytes) -> None:
    folder = load(tmp_path, {"a.md": content})
    assert [(document.title, document.text) for document in folder.documents] == [("Café", "Café")]
    assert folder.notices == ()


@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_other_bytes_are_read_as_windows_1252_with_a_notice(tmp_path: Path, name: str) -> None:
    folder = load(tmp_path, {name: b"\x93Caf\xe9\x94 \x81"})  # 0x81 means nothing there
    (document,) = folder.documents
    assert document.text == "“Café” \ufffd"
    assert folder.notices == document.notices
    assert ["Windows-1252" in notice.problem for notice in folder.notices] == [True]


@pytest.mark.parametrize(
    "content", [b"a\0b", b"\x89PNG\r\n\x1a\n\0\0", b"\xff\xfe\0\0a\0\0\0", "x".encode("utf-16-le")]
)
def test_a_binary_file_is_skipped_with_a_notice(tmp_path: Path, content: bytes) -> None:
    folder = load(tmp_path, {"a.md": content, "b.md": b"kept"})
    assert [document.id for document in folder.documents] == ["b.md"]
    assert [(n.path, "binary" in n.problem) for n in folder.notices] == [("a.md", True)]


@pytest.mark.parametrize("content", [codecs.BOM_UTF16_LE + b"a\0b", codecs.BOM_UTF16_LE + b"\x00\xd8a\0"])
def test_damaged_utf_16_is_read_as_far_as_it_goes(tmp_path: Path, content: bytes) -> None:
    folder = load(tmp_path, {"a.md": content})
    (document,) = folder.documents
    assert "a" in document.text and "\ufffd" in document.text
    assert ["UTF-16" in notice.problem for notice in folder.notices] == [True]


@pytest.mark.parametrize("content", [b"", b"\n\n", codecs.BOM_UTF8, codecs.BOM_UTF16_LE])
def test_an_empty_note_is_a_document_without_words(tmp_path: Path, content: bytes) -> None:
    (document,) = load(tmp_path, {"a.md": content}).documents
    assert (document.title, document.text, document.blocks) == ("a", "", ())


def test_20_megabytes_are_skipped_and_the_notice_says_why(tmp_path: Path) -> None:
    folder = load(tmp_path, {"a.md": b"x" * 20_000_000, "b.md": b"kept"})
    assert [document.id for document in folder.documents] == ["b.md"]
    (notice,) = folder.notices
    assert "20.0 MB" in notice.problem and "10 MB" in notice.problem


def test_the_limit_itself_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"x" * 1000)
    (tmp_path / "b.md").write_bytes(b"x" * 1001)
    folder = load_markdown_folder(tmp_path, max_file_mb=0.001)
    assert [document.id for document in folder.documents] == ["a.md"]


def test_broken_front_matter_is_a_notice_of_the_document_and_of_the_folder(tmp_path: Path) -> None:
    folder = load(tmp_path, {"a.md": b"---\ntitle: [\n---\n# Body"})
    (document,) = folder.documents
    assert document.title == "Body"
    assert len(folder.notices) == 1 and folder.notices == document.notices


def test_markup_and_escape_sequences_are_text(tmp_path: Path) -> None:
    (document,) = load(tmp_path, {"a.md": b"[/] [bold]x[/bold] \x1b[31mred\x1b[0m"}).documents
    assert document.text == "[/] [bold]x[/bold] \x1b[31mred\x1b[0m"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not allow such names")
@pytest.mark.parametrize("name", ["[/].md", "a\nb.md", "\x1b[31m.md", "💫 ü.md", "-rf.md", "a\\b.md", "%41.md"])
def test_a_note_of_any_name_is_read_and_found_again_by_its_id(tmp_path: Path, name: str) -> None:
    (document,) = load(tmp_path, {name: b"x"}).documents
    assert document.id == name
    assert (tmp_path / document.id).read_bytes() == b"x"
    assert "\n" not in document.title


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep names in Unicode")
def test_a_name_that_is_not_utf_8_leads_back_to_its_file(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.md"
    with open(path, "wb") as file:
        file.write(b"x")
    (document,) = load_markdown_folder(tmp_path).documents
    assert (tmp_path / document.id).read_bytes() == b"x"
    assert document.title == "caf\ufffd"
    document.title.encode()


def test_two_names_for_a_note_in_a_folder_named_like_a_note(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "folder.md" / "a.md").write_text("x", encoding="utf-8")
    assert [document.id for document in load_markdown_folder(tmp_path).documents] == ["folder.md/a.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_named_like_a_note_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    folder = load(tmp_path, {"b.md": b"kept"})
    assert [document.id for document in folder.documents] == ["b.md"]
    assert [notice.path for notice in folder.notices] == ["a.md"]


def test_an_ignore_file_of_any_bytes_is_no_obstacle(tmp_path: Path) -> None:
    folder = load(tmp_path, {".gitignore": b"\xff\0\n[\n!\nb.md\n", "a.md": b"x", "b.md": b"y"})
    assert [document.id for document in folder.documents] == ["a.md"]


def test_a_folder_in_place_of_an_ignore_file_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").mkdir()
    folder = load(tmp_path, {"a.md": b"x"})
    assert [document.id for document in folder.documents] == ["a.md"]
    assert [notice.path for notice in folder.notices] == [".gitignore"]
