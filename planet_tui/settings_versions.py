"""Tables of a settings file of any version -> the tables as this version has them.

A file says its version at its top; one that says none is of version 1. What a later version brought is read as far as
it is known here, and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engine.settings import shown

VERSION = 2
"""Of the files that are written here. Since version 2 several folders are remembered: `last_folders`."""
KEY = "version"
"""Where a file says its version."""

Tables = dict[str, Any]


class Migrated(NamedTuple):
    """A settings file as this version would have written it."""

    tables: Tables
    """Its tables, without the version."""
    version: int
    """The version that it is read as."""
    said: Any
    """The version that it is to say when it is written again."""
    changed: bool = False
    """Whether an older way of writing was replaced."""
    problem: str = ""
    """What is odd about the version; empty: nothing."""


def migrate(tables: Mapping[str, Any]) -> Migrated:
    """Bring tables to this version, step by step; those of a later one stay as they are.

    >>> migrate({"app": {"last_folder": "/notes"}}).tables
    {'app': {'last_folders': ['/notes']}}
    """
    now = {name: table for name, table in tables.items() if name != KEY}
    version = tables.get(KEY, 1)
    if type(version) is not int or version < 1:
        problem = f"version = {shown(version)} is none; the file is read as one of version {VERSION}"
        return Migrated(now, VERSION, version, problem=problem)
    if version > VERSION:
        problem = f"it is of version {version}, from a newer planet-tui; what version {VERSION} knows of it is read"
        return Migrated(now, version, version, problem=problem)
    before = now
    for step in _STEPS[version - 1 :]:
        now = step(now)
    return Migrated(now, version, VERSION, changed=now is not before)


def _several_folders(tables: Tables) -> Tables:
    """Version 1 to 2: the folder opened last became a list of folders."""
    app = tables.get("app")
    if not isinstance(app, dict) or not isinstance(folder := app.get("last_folder"), str):
        return tables
    others = {key: value for key, value in app.items() if key != "last_folder"}
    return {**tables, "app": {"last_folders": [folder] if folder else [], **others}}


_STEPS: tuple[Callable[[Tables], Tables], ...] = (_several_folders,)
"""The step from each version to the next."""
