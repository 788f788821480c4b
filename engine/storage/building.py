"""Note files -> parts, a batch of files at a time, here or in processes of their own, in the order of the files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine.errors import Cancelled
from engine.indexing.counting import SLOT_BITS, TermCounter
from engine.reading.folder import NoteFile, read_note
from engine.records import Document, Notice, Progress, Report, ShouldStop
from engine.settings import Settings
from engine.storage.parts import Part, make_part
from engine.storage.processes import Processes
from engine.text.languages import analyzer_for

FIRST_BYTES, BATCH_BYTES = 500_000, 4_000_000
"""Size of the first batch, so that there is soon something to ask, and of the later ones."""
LAST_SHARE = 8
"""A batch is at most this part of what is left, down to `FIRST_BYTES`: all processes end at about the same time."""
BATCH_FILES = 1_000
"""Most files of a batch: tiny notes cost by the note."""
WORTH_PROCESSES = 12_000_000
"""Bytes of notes from which on other processes are started: it takes them half a second to be ready."""


class Recipe(NamedTuple):
    """How notes are made into parts."""

    settings: Settings
    """Reading, cutting and analysis."""
    reader: str | None
    """Notes that are not open to this name are left out; `None`: the owner."""
    language: str
    """The notes' language."""


class Batch(NamedTuple):
    """What came of a batch of files."""

    part: Part
    notices: tuple[Notice, ...]
    """What was skipped or guessed, the documents' own among them."""
    n_files: int


class Worker:
    """Makes parts; what it has learnt of words serves the next part."""

    def __init__(self, recipe: Recipe, n_bytes: int = BATCH_BYTES) -> None:
        """Take the recipe, and about how much there is to read: one note needs no table for millions of words."""
        self._recipe = recipe
        bits = min(SLOT_BITS, max(10, n_bytes.bit_length() - 1))
        self._counter = TermCounter(analyzer_for(recipe.settings, recipe.language), slot_bits=bits)

    def read(self, files: Sequence[NoteFile], checkpoint: Callable[[], object] = lambda: None) -> Batch:
        """Read files and make a part of them; what `checkpoint` raises ends it."""
        notices: list[Notice] = []
        documents: list[Document] = []
        reader, limit = self._recipe.reader, self._recipe.settings.max_file_mb
        for file in files:
            checkpoint()
            note = read_note(file, max_file_mb=limit, checkpoint=checkpoint)
            if isinstance(note, Notice):
                notices += [note] if reader is None else []
            elif note.is_open_to(reader):
                documents.append(note)
                notices += note.notices
        return Batch(self.cut(documents, checkpoint), tuple(notices), len(files))

    def cut(self, documents: Sequence[Document], checkpoint: Callable[[], object] = lambda: None) -> Part:
        """Make a part of documents, in the order of their ids."""
        return make_part(documents, self._recipe.settings, self._counter, checkpoint)


def cut_documents(
    documents: Sequence[Document],
    recipe: Recipe,
    *,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> Iterator[Part]:
    """Yield the parts of documents that are read already, in the order of their ids.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    worker, look = Worker(recipe), checkpoint(should_stop)
    for start in range(0, len(documents), BATCH_FILES):
        if report is not None:
            report(Progress("cutting", start, len(documents)))
        yield worker.cut(documents[start : start + BATCH_FILES], look)


def read_batches(
    files: Sequence[NoteFile],
    recipe: Recipe,
    *,
    workers: int = 1,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> Iterator[Batch]:
    """Yield the batches of files in order.

    Args:
        files: in the order of their ids.
        recipe: how they are made into parts.
        workers: processes that work beside this one, where the notes are many; with 1 this one works itself.
        report: told how many files are done.
        should_stop: asked ten times a second.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    batches = list(_batches(files))
    many = workers > 1 and sum(file.size for file in files) >= WORTH_PROCESSES
    found = _in_processes(batches, recipe, workers, should_stop) if many else _here(batches, recipe, should_stop)
    done = 0
    if report is not None:
        report(Progress("reading", 0, len(files)))
    for batch in found:
        done += batch.n_files
        if report is not None:
            report(Progress("reading", done, len(files)))
        yield batch


def _batches(files: Sequence[NoteFile]) -> Iterator[Sequence[NoteFile]]:
    start = size = 0
    limit, left = FIRST_BYTES, sum(file.size for file in files)
    for at, file in enumerate(files):
        size += file.size
        if size >= limit or at + 1 - start >= BATCH_FILES:
            yield files[start : at + 1]
            left -= size
            limit = min(BATCH_BYTES, max(FIRST_BYTES, left // LAST_SHARE))
            start, size = at + 1, 0
    if start < len(files):
        yield files[start:]


def _here(batches: Sequence[Sequence[NoteFile]], recipe: Recipe, should_stop: ShouldStop | None) -> Iterator[Batch]:
    worker = Worker(recipe, sum(file.size for batch in batches for file in batch))
    return (worker.read(batch, checkpoint(should_stop)) for batch in batches)


def checkpoint(should_stop: ShouldStop | None) -> Callable[[], None]:
    """Return a function that raises `Cancelled` once `should_stop` returns true."""

    def look() -> None:
        if should_stop is not None and should_stop():
            raise Cancelled

    return look


def _in_processes(
    batches: Sequence[Sequence[NoteFile]], recipe: Recipe, workers: int, should_stop: ShouldStop | None
) -> Iterator[Batch]:
    """Read the first batch here, while others get ready for the rest."""
    worker, look = Worker(recipe), checkpoint(should_stop)
    with Processes(workers, _reader, recipe) as processes:
        yield worker.read(batches[0], look)
        yield from processes.map(batches[1:], worker.read, look)


def _reader(recipe: Recipe) -> Callable[[Sequence[NoteFile]], Batch]:
    return Worker(recipe).read
