"""The tables `[folders]` and `[libraries]` of the settings file: what is left out of a folder, folders under one name.

    [folders."~/notes"]
    exclude = ["archive/", "*.tmp.md"]

    [libraries.work]
    folders = ["~/notes", "~/wiki"]

A person writes them; the app reads them and leaves them as they are.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.errors import SettingsError
from engine.roots import Roots
from engine.settings import shown
from planet_tui import paths

TABLES = {"folders": "exclude", "libraries": "folders"}
"""Each of the two, and the list that its tables hold."""

Note = Callable[[str, str, str], None]
"""Takes a table, a key and what is the matter there."""


@dataclass(frozen=True, slots=True)
class FolderSettings:
    """What the settings file says of folders."""

    exclude: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By folder, as it is written: patterns in the syntax of `.gitignore`."""
    libraries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By name: the folders that are opened together, as they are written."""

    def with_excludes(self, roots: Roots) -> Roots:
        """Return folders with what the file leaves out of each; patterns that they have already go before those."""
        known: dict[str, tuple[str, ...]] = {}
        for written, patterns in self.exclude.items():
            folder = _real(paths.expanded(written))
            known[folder] = known.get(folder, ()) + patterns
        added = (root._replace(exclude=known.get(_real(root.folder), ()) + root.exclude) for root in roots)
        return dataclasses.replace(roots, roots=tuple(added))

    def to_dict(self) -> dict[str, dict[str, dict[str, list[str]]]]:
        """Return the tables as the file has them."""
        lists = {"folders": self.exclude, "libraries": self.libraries}
        return {
            table: {name: {TABLES[table]: list(found)} for name, found in entries.items()}
            for table, entries in lists.items()
        }

    def library(self, name: str) -> tuple[str, ...]:
        """Return the folders that are opened under a name.

        Raises:
            SettingsError: the file knows no such name.
        """
        if name not in self.libraries:
            known = ", ".join(f"@{each}" for each in self.libraries) or "none"
            raise SettingsError(
                f"There is no library @{name}",
                f"Known: {known}. The settings file names one as [libraries.{name or 'work'}] with folders = [...]",
            )
        return self.libraries[name]


def read_tables(tables: Mapping[str, Any], note: Note) -> FolderSettings:
    """Take what is good of the two tables; say of the rest why it is not used."""
    return FolderSettings(
        {folder: found for folder, found in _lists(tables, "folders", note) if _is_whole("folders", folder, note)},
        {
            name: tuple(folder for folder in found if _is_whole("libraries", folder, note))
            for name, found in _lists(tables, "libraries", note)
            if found
        },
    )


def _lists(tables: Mapping[str, Any], table: str, note: Note) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names below a table, each with its list of texts."""
    wanted = TABLES[table]
    entries = tables.get(table, {})
    if not isinstance(entries, dict):
        return  # that is said where tables are checked
    for name, entry in entries.items():
        if not isinstance(entry, dict):
            note(table, name, f"{name} is a table: write it as [{table}.{name!r}] with {wanted} = [...]")
            continue
        for key in entry:
            if key != wanted:
                note(table, key, f"[{table}] knows {wanted} alone: {shown(key)} is left as it is")
        found = entry.get(wanted, [])
        if isinstance(found, list) and all(isinstance(each, str) for each in found):
            yield name, tuple(found)
        else:
            note(table, wanted, f"{wanted} of {name} takes a list of texts")


def _is_whole(table: str, folder: str, note: Note) -> bool:
    """Say whether a folder is written as a whole path, so that it is one wherever the program is started."""
    if paths.expanded(folder).is_absolute():
        return True
    note(table, folder, f"{shown(folder)} is no whole path: write it from / or ~ on; it is left as it is")
    return False


def _real(folder: Path) -> str:
    try:
        return os.path.realpath(folder)
    except (OSError, ValueError):
        return str(folder)
