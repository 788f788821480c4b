"""The note files of a folder as they were when it was read, and what has become of them since."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from engine.indexing.vocabulary import Vocabulary
from engine.reading.ignoring import IGNORE_FILES
from engine.reading.source import NOTE_ENDINGS, PAGE_ENDINGS, PDF_ENDINGS
from engine.reading.walking import BYTES_PER_MB, NoteFile
from engine.roots import Folders, Roots
from engine.storage.array_file import Array
from engine.storage.interleaving import interleave
from engine.storage.strings import Blobs, text_of, to_blobs

UNSETTLED_NS = 2_000_000_000
"""A file changed so shortly before the walk may change again without another time: it is read again the next time."""
_UNKNOWN = -1
_TOLD_BY_WALKS = (*NOTE_ENDINGS, *PAGE_ENDINGS, *PDF_ENDINGS, *IGNORE_FILES)


class Found(NamedTuple):
    """What has become of files."""

    files: Files
    """All of them, as they are now."""
    changed: list[NoteFile]
    """Those that are new or other than they were."""
    gone: set[str]
    """Ids of those that are no more."""


class Files(NamedTuple):
    """The note files of a folder, as a walk found them."""

    ids: Blobs
    """In the order of the walk, which is that of the ids."""
    numbers: Array
    """(n_files, 2) int64: size in bytes, time of the last change in nanoseconds; a time of -1 never matches."""

    def know(self, id: str) -> bool:  # noqa: A002
        """Return whether there is a file of this id."""
        return id in Vocabulary(self.ids.bytes.data, self.ids.offsets)

    def since(self, before: Files) -> tuple[Files, Blobs]:
        """Return those that are new or other than before, and the ids of those that are no more."""
        if self.ids is before.ids:
            rows = np.flatnonzero(np.logical_or(*(self.numbers != before.numbers).T))
            return Files(self.ids.take(rows), self.numbers[rows]), Blobs.of(())
        known = dict(zip(before.ids, map(tuple, before.numbers.tolist()), strict=True))
        numbers = enumerate(zip(self.ids, map(tuple, self.numbers.tolist()), strict=True))
        rows = np.array([row for row, (id, each) in numbers if known.pop(id, None) != each], np.int64)  # noqa: A001
        return Files(self.ids.take(rows), self.numbers[rows]), Blobs.of(known)

    def after(self, changed: Files, gone: Blobs) -> Files:
        """Return these after what `since` told."""
        known = Vocabulary(self.ids.bytes.data, self.ids.offsets)
        rows = known.rows(changed.ids)
        if not len(gone) and (rows >= 0).all():
            numbers = self.numbers.copy()
            numbers[rows] = changed.numbers
            return Files(self.ids, numbers)
        stays = np.ones(len(known), np.bool_)
        stays[rows[rows >= 0]] = stays[known.rows(gone)] = False
        order = interleave(known, stays, changed.ids).order
        both = np.concatenate((self.numbers, changed.numbers))
        return Files(Blobs.joined([self.ids, changed.ids]).take(order), both[order])

    @classmethod
    def of(cls, files: Sequence[NoteFile], now_ns: int) -> Files:
        """Take what a walk at `now_ns` found."""
        return cls(to_blobs(file.id for file in files), _settled(_numbers(files), now_ns))

    def walked(self, files: Sequence[NoteFile], now_ns: int) -> Found:
        """Return what has become of these, from what a walk at `now_ns` found."""
        if self._are_named(files):
            numbers = _numbers(files)
            other = np.logical_or(*(self.numbers != numbers).T)
            now = self._replace(numbers=_settled(numbers, now_ns))
            return Found(now, [files[row] for row in np.flatnonzero(other).tolist()], set())
        known = dict(zip(map(text_of, self.ids), map(tuple, self.numbers.tolist()), strict=True))
        changed = [file for file in files if known.pop(file.id, None) != (file.size, file.modified_ns)]
        return Found(Files.of(files, now_ns), changed, set(known))

    def _are_named(self, files: Sequence[NoteFile]) -> bool:
        """Return whether these are files of the same ids in the same order, without making an object for each."""
        if len(files) != len(self.ids):
            return False
        names = list(map(attrgetter("id"), files))
        joined = "".join(names)
        data = joined.encode("utf-8", "surrogatepass")
        each = names if len(data) == len(joined) else [name.encode("utf-8", "surrogatepass") for name in names]
        sizes = np.fromiter(map(len, each), np.int64, len(each))
        return np.array_equal(np.diff(self.ids.offsets), sizes) and self.ids.bytes.data == data

    def below(self, prefix: str, roots: Roots, step: int = 1) -> list[NoteFile]:
        """Return these as a walk would find them unchanged: every `step`-th of those whose ids start with a prefix."""
        rows = Vocabulary(self.ids.bytes.data, self.ids.offsets).prefixed(prefix)[::step]
        names = [text_of(self.ids[row]) for row in rows]
        numbers = self.numbers[rows.start : rows.stop : step].tolist()
        return [NoteFile(name, str(roots.path_of(name)), *each) for name, each in zip(names, numbers, strict=True)]

    def touched(self, folders: Folders, paths: Iterable[str], max_file_mb: float, now_ns: int) -> Found | None:
        """Return what has become of these if nothing but `paths` can have changed: some `stat` and no walk.

        Args:
            folders: whose files they are.
            paths: that were written, made or deleted.
            max_file_mb: a file may have grown beyond it.
            now_ns: the time.

        Returns:
            `None`: only a walk can tell, since something came, or is no plain file, or decides what is a note, or a
            folder is gone.
        """
        known = Vocabulary(self.ids.bytes.data, self.ids.offsets)
        roots = Roots.of(folders)
        if len(roots) > 1 and roots.absent():
            return None
        changed: dict[int, NoteFile] = {}
        gone: dict[int, str] = {}
        for path in paths:
            parent, name = os.path.split(path)
            real = os.path.join(os.path.realpath(parent), name)
            id = roots.id_of(real)  # noqa: A001
            row = None if id is None else known.get(id)
            if id is None or row is None:
                if name.lower().endswith(_TOLD_BY_WALKS) or os.path.isdir(real) or (id and known.prefixed(f"{id}/")):
                    return None
                continue
            try:
                status = os.lstat(real)
            except FileNotFoundError:
                gone[row] = id
                continue
            except OSError:
                return None
            if not stat.S_ISREG(status.st_mode) or status.st_size > max_file_mb * BYTES_PER_MB:
                return None
            if (status.st_size, status.st_mtime_ns) != tuple(self.numbers[row].tolist()):
                changed[row] = NoteFile(id, str(roots.path_of(id)), status.st_size, status.st_mtime_ns)
        return Found(self._with(changed, list(gone), now_ns), sorted(changed.values()), set(gone.values()))

    def _with(self, changed: dict[int, NoteFile], gone: list[int], now_ns: int) -> Files:
        numbers = self.numbers.copy()
        numbers[list(changed)] = _settled(_numbers(list(changed.values())), now_ns)
        if not gone:
            return Files(self.ids, numbers)
        stays = np.delete(np.arange(len(numbers)), gone)
        return Files(self.ids.take(stays), numbers[stays])


def _numbers(files: Sequence[NoteFile]) -> Array:
    """Return size and time of each, (n_files, 2)."""
    numbers = np.empty((len(files), 2), np.int64)
    numbers[:, 0] = np.fromiter(map(attrgetter("size"), files), np.int64, len(files))
    numbers[:, 1] = np.fromiter(map(attrgetter("modified_ns"), files), np.int64, len(files))
    return numbers


def _settled(numbers: Array, now_ns: int) -> Array:
    """Return the numbers without the times of files that were written just before."""
    times = np.where(numbers[:, 1] < now_ns - UNSETTLED_NS, numbers[:, 1], _UNKNOWN)
    return np.column_stack((numbers[:, 0], times))
