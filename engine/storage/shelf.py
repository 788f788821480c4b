"""Folders and what their index is made with -> the files in the cache that hold the index.

Each pair has a folder of its own, `SHELF/DIGEST/`, with `notes` (the base of a `Snapshot`), `lsa` (the space that
belongs to it) and `edits` (what changed since). All of it can be made again: nothing here is ever the only copy.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.errors import StorageError
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA
from engine.indexing.top_k import FloatArray
from engine.indexing.woven_lsa import WovenLSA
from engine.ranking.names import Names
from engine.records import ShouldStop
from engine.roots import Folders, Roots
from engine.settings import Settings
from engine.storage.array_file import FORMAT, format_of, is_sound, read_arrays, write_arrays
from engine.storage.edits import load_edits, save_edits
from engine.storage.snapshot import Snapshot, describe_recipe, made_by

SHELF = "indexes"
"""The folder's name below the cache."""
FILES = ("notes", "edits", "lsa")
"""What the folder of a slot holds."""


@dataclass(frozen=True)
class Slot:
    """Where the index of one folder, or of several as one library, made in one way, is kept."""

    path: Path
    """Its folder; need not exist."""
    roots: Roots
    """The notes."""
    settings: Settings
    """What the index is made with."""
    reader: str | None = None
    """For whom it is made; `None`: the owner."""

    @classmethod
    def of(cls, cache: Path, folders: Folders, settings: Settings, reader: str | None = None) -> Slot:
        """Return the slot of folders under a cache, in whatever order they are named."""
        roots = Roots.of(folders)
        return cls(cache / SHELF / _digest(roots.key(), settings, reader), roots, settings, reader)

    def load(self) -> Snapshot | None:
        """Return the base that is kept; `None`: there is none that can be used."""
        self._adopt()
        with suppress(StorageError):
            snapshot = Snapshot.load(self.path / "notes", self.settings, self.reader)
            with suppress(OSError):
                os.utime(self.path)  # it is in use
            return snapshot
        return None

    def _adopt(self) -> None:
        """Take over the index of a folder alone from where format 2 kept it."""
        ((folder, *exclude), *others) = self.roots.key()
        if others or exclude or self.path.exists():
            return
        with suppress(OSError):
            self.path.with_name(_digest(folder, self.settings, self.reader)).rename(self.path)

    def load_edits(self, base: Snapshot, lsa: LSA | None) -> tuple[Snapshot, FloatArray | None]:
        """Return the snapshot with what changed since its base was kept, and the vectors of what came, if known."""
        with suppress(StorageError):
            return load_edits(self.path / "edits", base, _name_of(lsa))
        return base, None

    def load_lsa(self, snapshot: Snapshot, index: InvertedIndex) -> LSA | None:
        """Return the space that belongs to a base; `None`: there is none, or it has other dimensions."""
        with suppress(StorageError, KeyError):
            about, arrays = read_arrays(self.path / "lsa")
            if (about.get("generation"), about.get("dimensions")) == (snapshot.generation, self.settings.dimensions):
                lsa = LSA.from_arrays(index, arrays)
                return lsa if lsa.n_vectors == index.n_chunks else None
        return None

    def save(self, snapshot: Snapshot, lsa: LSA | None = None, names: Callable[[], Names] | None = None) -> None:
        """Keep a snapshot and the space that belongs to it, as far as they are not kept already.

        What changed since the base was kept goes into a small file of its own. Where somebody else keeps another base
        meanwhile, that one stays: the next look at the folder finds what it lacks.

        Args:
            snapshot: the notes.
            lsa: the space, when there is one.
            names: gives the names of the base's notes, which are kept with it; `None`: they are not.

        Raises:
            StorageError: the system refuses.
        """
        if snapshot.pending:
            return
        notes, is_plain = self.path / "notes", snapshot.layers.documents.is_plain
        if _about(notes).get("generation") != snapshot.generation:
            if not is_plain:
                return
            named = snapshot if names is None else replace(snapshot, names=names())
            named.save(notes, self.roots, self.settings, self.reader)
            (self.path / "edits").unlink(missing_ok=True)
        if lsa is not None:
            self._save_lsa(lsa.base if isinstance(lsa, WovenLSA) else lsa, snapshot.generation)
        if not is_plain or snapshot.base_files is not None:
            rows = lsa.rows if isinstance(lsa, WovenLSA) else None
            save_edits(self.path / "edits", snapshot, rows, _name_of(lsa))

    def drop_damaged(self, should_stop: ShouldStop | None = None) -> bool:
        """Remove the files that are not what was written, and what is of no use without them; return whether any was.

        Opening looks at no array: this reads all of them, and the next time what is gone is made again.

        Raises:
            Cancelled: `should_stop` returned true.
        """
        found = damaged(self.path, should_stop)
        for name in FILES if "notes" in found else found:
            with suppress(OSError):
                (self.path / name).unlink(missing_ok=True)
        return bool(found)

    def _save_lsa(self, lsa: LSA, generation: str) -> None:
        about = {
            "generation": generation,
            "dimensions": self.settings.dimensions,
            "space": _name_of(lsa),
            "lists": 0 if lsa.lists is None else lsa.lists.n_lists,
        }
        if _about(self.path / "lsa") != about:
            write_arrays(self.path / "lsa", about, lsa.to_arrays())


def damaged(slot: Path, should_stop: ShouldStop | None = None) -> list[str]:
    """Return the names of the files of a slot's folder that are not what was written: reads all of them.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    return [name for name in FILES if not is_sound(slot / name, should_stop) and (slot / name).exists()]


def _digest(folders: object, settings: Settings, reader: str | None) -> str:
    key = json.dumps([folders, describe_recipe(settings, reader)]).encode("utf-8", "surrogatepass")
    return sha256(key).hexdigest()[:24]


def discard(slot: Path) -> bool:
    """Remove what a slot's folder holds; return whether it is gone."""
    shutil.rmtree(slot, ignore_errors=True)
    return not slot.exists()


class Kept(NamedTuple):
    """An index in the cache, as a list of them shows it."""

    path: Path
    """The slot's folder."""
    folders: tuple[str, ...]
    """The notes it is of; empty: not known, the index is of no use."""
    exclude: tuple[str, ...]
    """Patterns of what of them is left out."""
    n_notes: int
    """How many it holds."""
    bytes: int
    """On disk."""
    used: float
    """When it was last opened or written, seconds since 1970."""
    is_old: bool
    """Whether it is of an older format, or of another Python: it is made again or brought up to date when opened."""


def kept_indexes(cache: Path) -> Iterator[Kept]:
    """Yield what a cache holds, in the order of the folders' names."""
    found = []
    with suppress(OSError):
        for slot in (cache / SHELF).iterdir():
            with suppress(OSError):  # another program may remove it meanwhile
                found.append(_kept(slot))
    return iter(sorted(found, key=lambda kept: (kept.folders, kept.path)))


def _kept(slot: Path) -> Kept:
    """Look into a slot, whatever format it is of."""
    stats = [file.stat() for file in slot.iterdir() if file.is_file()]
    used = max(each.st_mtime for each in (slot.stat(), *stats))
    folders: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    notes, is_old = 0, True
    with suppress(StorageError, KeyError, TypeError, ValueError):
        about, arrays = read_arrays(slot / "notes", range(FORMAT + 1))
        roots = about["folders"] if "folders" in about else [[about["folder"]]]
        folders = tuple(folder for folder, *_ in roots)
        exclude = tuple(dict.fromkeys(pattern for _, *patterns in roots for pattern in patterns))
        is_old = format_of(slot / "notes") != FORMAT or about["recipe"]["versions"] != made_by()
        notes = len(arrays["ids.offsets"]) - 1
    return Kept(slot, folders, exclude, notes, sum(each.st_size for each in stats), used, is_old)


def _about(file: Path) -> dict[str, Any]:
    with suppress(StorageError):
        return read_arrays(file).about
    return {}


def _name_of(lsa: LSA | None) -> str:
    """Return a name for a space: vectors belong to one and mean nothing in another."""
    if lsa is None:
        return ""
    values = np.ascontiguousarray(lsa.singular_values)
    return f"{zlib.crc32(values.tobytes()):08x}-{len(values)}-{len(lsa.kept)}"
