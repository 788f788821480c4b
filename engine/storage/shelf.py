"""Folders and what their index is made with -> the files in the cache that hold the index.

Each pair has a folder of its own, `SHELF/DIGEST/`, with `notes` (a `Snapshot`) and `lsa` (the space that belongs to
it). All of it can be made again: nothing here is ever the only copy.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from engine.errors import StorageError
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA
from engine.roots import Folders, Roots
from engine.settings import Settings
from engine.storage.array_file import is_sound, read_arrays, write_arrays
from engine.storage.snapshot import Snapshot, describe_recipe

SHELF = "indexes"
"""The folder's name below the cache."""


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
        key = json.dumps([roots.key(), describe_recipe(settings, reader)]).encode("utf-8", "surrogatepass")
        return cls(cache / SHELF / sha256(key).hexdigest()[:24], roots, settings, reader)

    def load(self) -> Snapshot | None:
        """Return the snapshot that is kept; `None`: there is none that can be used."""
        with suppress(StorageError):
            return Snapshot.load(self.path / "notes", self.settings, self.reader)
        return None

    def load_lsa(self, snapshot: Snapshot, index: InvertedIndex) -> LSA | None:
        """Return the space that belongs to a snapshot; `None`: there is none, or it has other dimensions."""
        with suppress(StorageError, KeyError):
            about, arrays = read_arrays(self.path / "lsa")
            if (about.get("generation"), about.get("dimensions")) == (snapshot.generation, self.settings.dimensions):
                return LSA.from_arrays(index, arrays)
        return None

    def save(self, snapshot: Snapshot, lsa: LSA | None = None) -> None:
        """Keep a snapshot, unless it is kept already, and the space that belongs to it; raise `StorageError`."""
        notes = self.path / "notes"
        if _generation(notes) != snapshot.generation:
            snapshot.save(notes, self.roots, self.settings, self.reader)
        if lsa is not None:
            about = {"generation": snapshot.generation, "dimensions": self.settings.dimensions}
            write_arrays(self.path / "lsa", about, lsa.to_arrays())

    def is_sound(self) -> bool:
        """Return whether what is kept is what was written: reads all of it."""
        files = [self.path / name for name in ("notes", "lsa")]
        return all(is_sound(file) for file in files if file.exists())


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
    """When it was last written, seconds since 1970."""


def kept_indexes(cache: Path) -> Iterator[Kept]:
    """Yield what a cache holds, in the order of the folders' names."""
    found = []
    with suppress(OSError):
        for slot in (cache / SHELF).iterdir():
            files = [file for file in slot.iterdir() if file.is_file()]
            sizes = [file.stat() for file in files]
            folders, exclude, notes = (), (), 0
            with suppress(StorageError, KeyError, TypeError, ValueError):
                about, arrays = read_arrays(slot / "notes")
                notes = len(arrays["ids.offsets"]) - 1
                folders = tuple(folder for folder, *_ in about["folders"])
                exclude = tuple(dict.fromkeys(pattern for _, *patterns in about["folders"] for pattern in patterns))
            newest = max((each.st_mtime for each in sizes), default=0.0)
            found.append(Kept(slot, folders, exclude, notes, sum(each.st_size for each in sizes), newest))
    return iter(sorted(found, key=lambda kept: (kept.folders, kept.path)))


def _generation(file: Path) -> str | None:
    with suppress(StorageError):
        generation: str | None = read_arrays(file).about.get("generation")
        return generation
    return None
