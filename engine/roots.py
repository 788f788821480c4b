"""One folder or several -> the roots of a library: what the ids of their notes start with, and where an id leads.

In one folder alone an id is the note's path in it. Among several the folder's name comes first, `wiki/moons/io.md`,
so that ids are unique; folders of one name are told apart by a folder above them, `notes (work)/io.md`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from engine.errors import FolderError
from engine.notices import Notice


class Root(NamedTuple):
    """A folder of notes, and what of it is left out.

    >>> Root(Path("notes"), ("archive/", "*.tmp.md")).exclude
    ('archive/', '*.tmp.md')
    """

    folder: Path
    """Where it is."""
    exclude: tuple[str, ...] = ()
    """Patterns in the syntax of `.gitignore`, from this folder on, that go before its ignore files."""


Folders = Path | str | Root | Iterable[Path | str | Root]
"""What names the folders of a library; a `Roots` is one of them."""


@dataclass(frozen=True, slots=True)
class Roots:
    """The folders of a library.

    >>> roots = Roots.of(["/a/notes", "/b/wiki"])
    >>> roots.names, roots.path_of("wiki/io.md").as_posix()
    (('notes', 'wiki'), '/b/wiki/io.md')
    """

    roots: tuple[Root, ...]
    """In the order in which they were named; at least one."""
    names: tuple[str, ...]
    """What the ids of each start with; one empty name: the folder is alone."""
    notices: tuple[Notice, ...] = ()
    """Folders that were named and are read as part of another."""

    @classmethod
    def of(cls, folders: Folders) -> Roots:
        """Take folders as they are named: one twice counts once, and one within another is part of that.

        Raises:
            FolderError: none is named.
        """
        if isinstance(folders, Roots):
            return folders
        if isinstance(folders, (Path, str, Root)):
            return cls((_root(folders),), ("",))
        known: dict[str, Root] = {}
        for root in map(_root, folders):
            known.setdefault(_real(root.folder), root)
        if not known:
            raise FolderError("No folder is named", "Name a folder of Markdown.")
        outer = {real: above for real in known if (above := _above(real, known)) is not None}
        inside = (Notice("", f"{known[real].folder} is read as part of {known[outer[real]].folder}.") for real in outer)
        left = {real: root for real, root in known.items() if real not in outer}
        names = ("",) if len(left) == 1 else _names([root.folder for root in left.values()])
        return cls(tuple(left.values()), names, tuple(inside))

    def __iter__(self) -> Iterator[Root]:
        """Yield the roots."""
        return iter(self.roots)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.roots)

    @property
    def first(self) -> Path:
        """The folder that was named first."""
        return self.roots[0].folder

    @property
    def folders(self) -> tuple[Path, ...]:
        """Every folder."""
        return tuple(root.folder for root in self.roots)

    def items(self) -> Iterator[tuple[Root, str]]:
        """Yield each root with what the ids of its notes start with."""
        return zip(self.roots, self.prefixes, strict=True)

    @property
    def prefixes(self) -> tuple[str, ...]:
        """What the ids of each start with: its name with a final `/`, nothing where it is alone."""
        return tuple(f"{name}/" if name else "" for name in self.names)

    def path_of(self, id: str) -> Path:  # noqa: A002
        """Return where the note of an id is."""
        name, _, rest = id.partition("/")
        if len(self) > 1 and name in self.names:
            return self.roots[self.names.index(name)].folder / rest
        return self.first / id

    def id_of(self, real: str) -> str | None:
        """Return the id that a file has by its path, which is one without symbolic links; `None`: it is in no root."""
        for root, prefix in self.items():
            above = _real(root.folder).rstrip(os.sep) + os.sep
            if real.startswith(above):
                return prefix + real[len(above) :].replace(os.sep, "/")
        return None

    def absent(self) -> dict[Root, FolderError]:
        """Return the folders that cannot be read now, and why."""
        found = {root: _closed(root.folder) for root in self.roots}
        return {root: error for root, error in found.items() if error is not None}

    def devices(self) -> dict[str, int]:
        """Return which device each folder that can be read is on, by its path without symbolic links."""
        found = {(real := _real(root.folder)): _device(real) for root in self.roots}
        return {real: device for real, device in found.items() if device is not None}

    def unmounted(self, devices: Mapping[str, int]) -> dict[Root, FolderError]:
        """Return the folders that have become the empty place where something else was mounted.

        Args:
            devices: where they were when they were read, as `devices` told.
        """
        found = [root for root in self.roots if _is_left(_real(root.folder), devices)]
        return {root: FolderError(f"{root.folder} is empty and on another device", "Is it mounted?") for root in found}

    def key(self) -> list[list[str]]:
        """Return what tells these folders from others, in whatever order they are named: path, then the patterns."""
        return sorted([_real(root.folder), *root.exclude] for root in self.roots)


def absence(errors: Iterable[FolderError]) -> tuple[Notice, ...]:
    """Say which folders of a library are not there.

    >>> absence([FolderError("There is no folder x", "Check the path.")])[0].problem
    'There is no folder x. Of its notes only those are shown that were read before.'
    """
    return tuple(
        Notice("", f"{error.message}. Of its notes only those are shown that were read before.") for error in errors
    )


def folder_error(folder: str | Path, error: OSError | ValueError) -> FolderError:
    """Return why a folder cannot be read, from what the system said."""
    if isinstance(error, FileNotFoundError):
        return FolderError(f"There is no folder {folder}", "Check the path; it is taken from the current folder on.")
    if isinstance(error, NotADirectoryError):
        return FolderError(f"{folder} is a file, not a folder", "Give the folder that holds your notes.")
    if isinstance(error, PermissionError):
        return FolderError(f"The folder {folder} cannot be read", "Check its permissions.")
    reason = (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)
    return FolderError(f"The folder {str(folder)!r} cannot be opened: {reason}", "Check the path.")


def _root(folder: Path | str | Root) -> Root:
    return folder if isinstance(folder, Root) else Root(Path(folder))


def _closed(folder: Path) -> FolderError | None:
    try:
        os.scandir(folder).close()
    except (OSError, ValueError) as error:
        return folder_error(folder, error)
    return None


def _device(real: str) -> int | None:
    try:
        return os.stat(real).st_dev
    except (OSError, ValueError):
        return None


def _is_left(real: str, devices: Mapping[str, int]) -> bool:
    """Return whether a folder holds nothing, not even a hidden file, and is on another device than it was."""
    if real not in devices or _device(real) in (None, devices[real]):
        return False
    try:
        with os.scandir(real) as found:
            return next(found, None) is None
    except OSError:
        return False


def _real(folder: Path) -> str:
    """Return a path without symbolic links; one that no system takes stays as it is."""
    try:
        return os.path.realpath(folder)
    except (OSError, ValueError):
        return str(folder)


def _above(real: str, known: Iterable[str]) -> str | None:
    """Return the outermost of the known folders that a folder lies in."""
    found = [other for other in known if other != real and real.startswith(other.rstrip(os.sep) + os.sep)]
    return min(found, key=len, default=None)


def _names(folders: Sequence[Path]) -> tuple[str, ...]:
    """Return a name for each folder, whatever the order: its own, else with the nearest folder above that differs.

    >>> _names([Path("/a/notes"), Path("/b/notes"), Path("/c/wiki")])
    ('notes (a)', 'notes (b)', 'wiki')
    """
    parts = [Path(os.path.abspath(folder)).parts for folder in folders]
    groups: dict[str, list[tuple[str, ...]]] = {}
    for each in parts:
        groups.setdefault(_part(each[-1]), []).append(each)
    own = [(_part(each[-1]), groups[_part(each[-1])], each) for each in parts]
    names = [name if len(group) == 1 else f"{name} ({_distinction(each, group)})" for name, group, each in own]
    if len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{name} ({_digest(each)})" for name, _, each in own)  # one is really called `notes (a)`


def _distinction(parts: Sequence[str], group: Sequence[Sequence[str]]) -> str:
    """Return the nearest part above that no other of the group has as far up, else a digest."""
    for depth in range(2, len(parts) + 1):
        if [len(each) >= depth and each[-depth] == parts[-depth] for each in group].count(True) == 1:
            return _part(parts[-depth])
    return _digest(parts)


def _part(part: str) -> str:
    return part.strip(os.sep) or "root"


def _digest(parts: Sequence[str]) -> str:
    from hashlib import sha256  # a library of one folder, and the app before its first frame, do without it

    return sha256("/".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:6]
