"""A folder -> its `Document`s and `Notice`s: walk it, read each file, never stop at a bad one.

An incremental index walks with `walk_folder`, compares sizes and times, and calls `read_note` on what has changed.
"""

from __future__ import annotations

import codecs
import dataclasses
import datetime
import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from engine.errors import Cancelled
from engine.reading.markdown import parse_markdown
from engine.reading.pages import declared_encoding, parse_page
from engine.reading.pdf import parse_pdf
from engine.reading.plain_text import build_document
from engine.reading.source import MARKDOWN_ENDINGS, PAGE_ENDINGS, PDF_ENDINGS
from engine.reading.walking import BYTES_PER_MB, NoteFile, too_large, walk_folder
from engine.reading.walking_roots import walk_roots
from engine.records import Document, Notice, Progress, Report, ShouldStop
from engine.roots import Folders, absence

__all__ = ["Folder", "NoteFile", "load_markdown_folder", "read_note", "walk_folder", "walk_roots"]

_PULSE = 0.05
"""Seconds between two reports, and between two looks at `should_stop`."""
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder of notes holds."""

    documents: tuple[Document, ...]
    """Sorted by id."""
    notices: tuple[Notice, ...]
    """Sorted by path: what was skipped or guessed, the documents' own notices among them."""


def load_markdown_folder(
    folder: Folders,
    *,
    max_file_mb: float = 10.0,
    html: bool = False,
    pdf: bool = False,
    reader: str | None = None,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> Folder:
    """Read every note under `folder`.

    Args:
        folder: The folder with the notes, or several; then the ids start with the folders' names.
        max_file_mb: Files over this many megabytes (10^6 bytes) are skipped with a notice.
        html: Whether to read pages of HTML too (extra `html`).
        pdf: Whether to read PDFs too (extra `pdf`).
        reader: Whose eyes it is for: notes whose `access` does not list this name are left out, and so are the
            notices about all files but those that are left; `None`: the owner, who sees everything.
        report: Told how far it is, some 20 times a second.
        should_stop: Asked as often.

    Raises:
        FolderError: `folder` is missing, is not a folder or cannot be read.
        Cancelled: `should_stop` returned true.

    >>> [document.id for document in load_markdown_folder("sample_docs").documents][:3]
    ['earth.md', 'jupiter.md', 'mars.md']
    """
    pulse = _Pulse(report, should_stop)
    with _without_cycle_collection():
        walk = walk_roots(folder, max_file_mb=max_file_mb, html=html, pdf=pdf, checkpoint=pulse.beat)
        files, notices = walk.files, [*walk.notices, *absence(walk.absent.values())]
        pulse.total = len(files)
        documents = []
        for file in files:
            pulse.beat()
            note = read_note(file, max_file_mb=max_file_mb, checkpoint=pulse.beat)
            if isinstance(note, Document):
                documents.append(note)
                notices += note.notices
            else:
                notices.append(note)
            pulse.done += 1
        pulse.tell()
    if reader is not None:
        documents = [document for document in documents if document.is_open_to(reader)]
        known = {"", *(document.id for document in documents)}
        notices = [notice for notice in notices if notice.path in known]
    return Folder(tuple(documents), tuple(sorted(notices, key=lambda notice: notice.path)))


def read_note(
    file: NoteFile,
    *,
    max_file_mb: float = 10.0,
    checkpoint: Callable[[], object] = lambda: None,
) -> Document | Notice:
    """Read one file; a `Notice` says why it is no document.

    The file may have changed since the walk. Then the newest state is read, and the document says so.

    Args:
        file: As found by `walk_folder`.
        max_file_mb: It may have grown beyond this since.
        checkpoint: Called every few milliseconds on long notes; what it raises ends the reading.
    """
    limit = int(max_file_mb * BYTES_PER_MB)
    try:
        with open(file.path, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            content = stream.read(min(size, limit) + 1)  # for more, Python would make room each time
            if size < len(content) <= limit:
                content += stream.read(limit + 1 - len(content))  # it has grown
            status = os.fstat(stream.fileno())
    except OSError as error:
        return Notice(file.id, f"The file cannot be read and was skipped: {error.strerror or type(error).__name__}.")
    if len(content) > limit:
        return Notice(file.id, too_large(status.st_size, max_file_mb))
    note = _document(file.id, content, _day(status.st_mtime_ns), checkpoint)
    if isinstance(note, Document) and (status.st_size, status.st_mtime_ns) != (file.size, file.modified_ns):
        changed = Notice(file.id, "The file changed while the folder was read; this is its newest state.")
        return dataclasses.replace(note, notices=(*note.notices, changed))
    return note


def read_opening(file: NoteFile, size: int = 4_000) -> str:
    """Return the text of a note's first bytes; empty where it cannot be read."""
    try:
        with open(file.path, "rb") as stream:
            content = stream.read(size)
    except OSError:
        return ""
    if file.id.lower().endswith(PDF_ENDINGS):
        return ""  # its beginning is no PDF
    # A character that is cut in two would make it no UTF-8.
    whole_lines = content[: content.rfind(b"\n")] if len(content) == size and b"\n" in content else content
    note = _document(file.id, whole_lines, None, lambda: None)
    return note.text if isinstance(note, Document) else ""


def decode(content: bytes, declared: str | None = None) -> tuple[str | None, str]:
    r"""Decode a file: UTF-8, UTF-16 with its mark, else what it declares, else Windows-1252.

    Args:
        content: The file.
        declared: The encoding that it names itself; one that nobody knows is passed over.

    Returns:
        The text, or `None` when it is no text; and what was the matter, empty when nothing.

    >>> decode(b"\xff\xfeA\x00"), decode(b"caf\xe9")
    (('A', ''), ('café', 'The file is not UTF-8 and was read as Windows-1252.'))
    """
    problem = ""
    if content.startswith(_UTF_16_MARKS):
        text = content.decode("utf-16", errors="replace")
        if "\ufffd" in text:
            problem = "Some of the file is not valid UTF-16; it stands as \ufffd."
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            encoding = _text_encoding(declared) or "cp1252"
            text = content.decode(encoding, errors="replace")
            problem = "" if encoding != "cp1252" else "The file is not UTF-8 and was read as Windows-1252."
    if "\0" in text:
        return None, "The file is binary and was skipped."
    return text, problem


def _text_encoding(name: str | None) -> str | None:
    """Return the name of an encoding of text that this Python knows."""
    try:
        found = codecs.lookup(name or "")
        b"x".decode(found.name)
    except (LookupError, ValueError):
        return None
    return found.name


def _document(
    id: str,  # noqa: A002
    content: bytes,
    modified: str | None,
    checkpoint: Callable[[], object],
) -> Document | Notice:
    """Read a file by its ending."""
    ending = id.lower()
    if ending.endswith(PDF_ENDINGS):
        return parse_pdf(content, id, modified=modified, checkpoint=checkpoint)
    is_page = ending.endswith(PAGE_ENDINGS)
    text, problem = decode(content, declared_encoding(content) if is_page else None)
    if text is None:
        return Notice(id, problem)
    if is_page:
        document = parse_page(text, id, modified=modified)
    elif ending.endswith(MARKDOWN_ENDINGS):
        document = parse_markdown(text, id, modified=modified, checkpoint=checkpoint)
    else:
        document = build_document(id, text, modified=modified)
    if not problem:
        return document
    return dataclasses.replace(document, notices=(Notice(id, problem), *document.notices))


def _day(modified_ns: int) -> str | None:
    try:
        return datetime.date.fromtimestamp(modified_ns / 1e9).isoformat()
    except (ValueError, OverflowError, OSError):  # a file system may hold any number
        return None


class _Pulse:
    """Asks whether to stop and tells how far the job is, both at a fixed pace."""

    def __init__(self, report: Report | None, should_stop: ShouldStop | None) -> None:
        self.done = self.total = 0
        self._report = report
        self._should_stop = should_stop
        self._next = 0.0

    def beat(self) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PULSE
        if self._should_stop and self._should_stop():
            raise Cancelled
        self.tell()

    def tell(self) -> None:
        if self._report:
            self._report(Progress("reading", self.done, self.total))


@contextmanager
def _without_cycle_collection() -> Iterator[None]:
    """Pause the search for reference cycles: reading makes none, and the search costs a fifth of its time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
