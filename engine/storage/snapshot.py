"""What a folder held when it was last read: columns, the files they come from, what was said of them.

`take` reads a folder; `refresh` finds by size and time what has changed since and reads only that. A snapshot is kept
in a file that `load` opens without reading it.
"""

from __future__ import annotations

import secrets
import sys
import time
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from engine.chunking.corpus import about_for
from engine.errors import StorageError
from engine.ranking.names import Names
from engine.reading.folder import NoteFile, read_opening, walk_roots
from engine.reading.walking_roots import Walk
from engine.records import Document, Notice, Report, ShouldStop
from engine.roots import Folders, Roots
from engine.settings import Settings, describe
from engine.storage.array_file import Array, write_arrays
from engine.storage.building import Recipe, checkpoint, cut_documents, read_batches
from engine.storage.columns import Columns
from engine.storage.files import Files
from engine.storage.layers import Layers
from engine.storage.merging import Merged
from engine.storage.parts import READING, Part
from engine.storage.strings import Blobs
from engine.storage.upgrading import read_notes
from engine.text.languages import SAMPLE_TEXTS, detect_language

NOT_OF_COLUMNS = ("dimensions",)
"""Settings whose change leaves the columns as they are and makes only what is computed from them stale."""
_GROWTH = 3
"""A folder that is being read is shown again whenever this many times as many notes are known, up to the half: to
join what is nearly all costs about as much as to join all."""


@dataclass(frozen=True)
class Snapshot:
    """A folder as it was read."""

    layers: Layers
    """What a library is made of."""
    files: Files
    """What was read, or has been so far."""
    notices: tuple[Notice, ...]
    """Sorted by path: what was skipped or guessed."""
    language: str
    """The notes' language, as set or as told by their words."""
    pending: int = 0
    """Files that are still to be read."""
    base_files: Files | None = None
    """The files as they were when the base was written; `None`: the same."""
    devices: Mapping[str, int] = field(default_factory=dict)
    """Which device each folder was on, by its path without symbolic links."""
    names: Names | None = None
    """Titles and aliases of the base's notes, where they were kept; `None`: they are made when they are needed."""
    generation: str = field(default_factory=lambda: secrets.token_hex(8))
    """Names the base: what belongs to it carries the same name."""

    @property
    def columns(self) -> Columns:
        """Everything as one set of columns; where something stands beside the base, they are joined once."""
        return self.layers.columns

    @property
    def files_of_base(self) -> Files:
        """The files as they were when the base was written."""
        return self.base_files or self.files

    def joined(self) -> Snapshot:
        """Return the same with all of it as a base of its own."""
        return replace(
            self, layers=Layers.of(self.columns), base_files=None, names=None, generation=secrets.token_hex(8)
        )

    def save(self, path: Path, folders: Folders, settings: Settings, reader: str | None = None) -> None:
        """Write it down, whole or not at all.

        Raises:
            StorageError: the system refuses.
        """
        about = {
            "folders": Roots.of(folders).key(),
            "recipe": describe_recipe(settings, reader),
            "language": self.language,
            "generation": self.generation,
            "devices": dict(self.devices),
            "notices": [[notice.path, notice.problem] for notice in self.notices],
        }
        ids, numbers = self.files
        files: dict[str, Array] = {"files.bytes": ids.bytes, "files.offsets": ids.offsets, "files.numbers": numbers}
        names = self.names.to_arrays() if self.names is not None else {}
        write_arrays(path, about, files | self.columns.to_arrays() | names)

    @classmethod
    def load(cls, path: Path, settings: Settings, reader: str | None = None) -> Snapshot:
        """Open what `save` wrote.

        Raises:
            StorageError: there is none, it is damaged, or it was made with other settings.
        """
        about, arrays = read_notes(path)
        if about.get("recipe") != describe_recipe(settings, reader):
            raise StorageError(f"{path} was made with other settings.")
        try:
            return cls(
                layers=Layers.of(Columns.from_arrays(arrays)),
                files=Files(Blobs(arrays["files.bytes"], arrays["files.offsets"]), arrays["files.numbers"]),
                notices=tuple(Notice(*each) for each in about["notices"]),
                language=about["language"],
                names=Names.from_arrays(arrays) if "names.rows" in arrays else None,
                generation=about["generation"],
                devices=about.get("devices", {}),
            )
        except (KeyError, TypeError) as error:
            raise StorageError(f"{path} is damaged: {error}") from None


class Change(NamedTuple):
    """A folder after a change."""

    snapshot: Snapshot
    """As it is now."""
    new: Columns
    """The documents that were added or changed."""
    beside: Merged
    """Where the chunks that stood beside the base have come to be."""


def take(
    folders: Folders,
    settings: Settings,
    reader: str | None = None,
    *,
    workers: int = 1,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> Iterator[Snapshot]:
    """Read folders; yield them while they grow, each time with a few times as many notes, and at last whole.

    Raises:
        FolderError: none of the folders can be read: missing, no folder, or unreadable.
        Cancelled: `should_stop` returned true.
    """
    now = time.time_ns()
    files, about_walk, _ = _walk(folders, settings, should_stop)
    recipe = Recipe(settings, reader, _language(settings, files))
    devices = Roots.of(folders).devices()
    known = Files.of(files, now)
    parts: list[Part] = []
    notices = list(about_walk) if reader is None else [notice for notice in about_walk if not notice.path]
    done = shown = 0

    def snapshot(*, last: bool = False) -> Snapshot:
        columns = Columns.of(parts, consume=last, look=checkpoint(should_stop))
        return Snapshot(
            Layers.of(columns), known, _ordered(notices), recipe.language, pending=len(files) - done, devices=devices
        )

    for batch in read_batches(files, recipe, workers=workers, report=report, should_stop=should_stop):
        parts.append(batch.part)
        notices += batch.notices
        done += batch.n_files
        worth = _GROWTH * shown <= done <= len(files) // 2 if shown else done < len(files)
        if worth:
            shown = done
            yield snapshot()
    yield snapshot(last=True)


def cut(
    documents: Iterable[Document],
    settings: Settings,
    *,
    reader: str | None = None,
    files: Files | None = None,
    notices: Iterable[Notice] = (),
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> Snapshot:
    """Make a snapshot of documents that are read already; those that are not open to `reader` are left out.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    ordered = sorted((note for note in documents if note.is_open_to(reader)), key=lambda document: document.id)
    language = settings.language
    if language == "auto":
        language = detect_language([document.text for document in ordered])
    parts = cut_documents(ordered, Recipe(settings, reader, language), report=report, should_stop=should_stop)
    layers = Layers.of(Columns.of(list(parts), look=checkpoint(should_stop)))
    known = {"", *(document.id for document in ordered)}
    found = tuple(notice for notice in notices if reader is None or notice.path in known)
    return Snapshot(layers, files or Files.of((), 0), found, language)


def refresh(
    before: Snapshot,
    folders: Folders,
    settings: Settings,
    reader: str | None = None,
    *,
    touched: Iterable[str] | None = None,
    workers: int = 1,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> Change | None:
    """Read what has changed in folders since; `None`: nothing has. Raises as `take` does.

    With `touched`, the paths below the folders that alone can have changed, they are walked only where those do not
    tell all. What was read from a folder that is absent now stays.
    """
    looked = time.time_ns()
    found = None if touched is None else before.files.touched(folders, touched, settings.max_file_mb, looked)
    about_walk = [notice for notice in before.notices if not before.files.know(notice.path)] if found else []
    if found is None:
        files, about_walk, absent = _walk(folders, settings, should_stop)
        away = Roots.of(folders).unmounted(before.devices)
        for prefix in {*absent, *(prefix for root, prefix in Roots.of(folders).items() if root in away)}:
            files = sorted([*files, *before.files.below(prefix, Roots.of(folders))])
        about_walk = [notice for notice in about_walk if reader is None or not notice.path]
        found = before.files.walked(files, looked)
    stale = found.gone.union(file.id for file in found.changed)
    kept = [notice for notice in before.notices if found.files.know(notice.path) and notice.path not in stale]
    if not stale and _ordered([*kept, *about_walk]) == before.notices:
        return None
    recipe = Recipe(settings, reader, before.language)
    batches = list(read_batches(found.changed, recipe, workers=workers, report=report, should_stop=should_stop))
    new = Columns.of([batch.part for batch in batches], look=checkpoint(should_stop))
    layers, beside = before.layers.changed(stale, new)
    read = [notice for batch in batches for notice in batch.notices]
    ordered = _ordered([*kept, *about_walk, *read])
    now = replace(before, layers=layers, files=found.files, notices=ordered, base_files=before.files_of_base)
    return Change(now, new, beside)


def language_now(snapshot: Snapshot, folders: Folders, settings: Settings) -> str:
    """Return the language that a fresh build would tell the notes to be in, by their files as they are now."""
    step = max(1, len(snapshot.files.ids) // SAMPLE_TEXTS)
    return _language(settings, snapshot.files.below("", Roots.of(folders), step))


def describe_recipe(settings: Settings, reader: str | None) -> dict[str, Any]:
    """Return what decides how notes become columns: equal descriptions make equal columns."""
    options = {
        option.name: getattr(settings, option.name)
        for option in describe()
        if option.rebuild != "nothing" and option.name not in NOT_OF_COLUMNS
    }
    lines = about_for(settings)
    return {"settings": options, "reader": reader, "versions": made_by(), "lines": lines.state() if lines else None}


def made_by() -> list[int | str]:
    """Return the versions of what decides how a text is read."""
    return [*sys.version_info[:2], unicodedata.unidata_version, READING]


def _ordered(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    return tuple(sorted(notices, key=lambda notice: notice.path))


def _walk(folders: Folders, settings: Settings, should_stop: ShouldStop | None) -> Walk:
    return walk_roots(
        folders,
        max_file_mb=settings.max_file_mb,
        html=settings.html,
        pdf=settings.pdf,
        checkpoint=checkpoint(should_stop),
    )


def _language(settings: Settings, files: Sequence[NoteFile]) -> str:
    if settings.language != "auto":
        return settings.language
    step = max(1, len(files) // SAMPLE_TEXTS)
    return detect_language([read_opening(file) for file in files[::step]])
