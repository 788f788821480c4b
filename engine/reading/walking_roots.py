"""The folders of a library -> the note files in all of them, with ids that are unique among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine.errors import FolderError
from engine.reading.walking import NoteFile, walk_folder
from engine.records import Notice
from engine.roots import Folders, Roots


class Walk(NamedTuple):
    """What folders hold."""

    files: list[NoteFile]
    """Sorted by id."""
    notices: list[Notice]
    """Sorted by path: what was passed over that a person might miss."""
    absent: Mapping[str, FolderError]
    """Folders that cannot be read now, by what the ids of their notes start with, and why."""


def walk_roots(
    folders: Folders,
    *,
    max_file_mb: float = 10.0,
    html: bool = False,
    pdf: bool = False,
    checkpoint: Callable[[], object] = lambda: None,
) -> Walk:
    """Find the notes under one folder or several, each with its own excludes; ids start as `Roots` says.

    Args:
        folders: Where to look.
        max_file_mb: As for `walk_folder`, and so are the others.
        html: Whether pages of HTML are notes.
        pdf: Whether PDFs are.
        checkpoint: Called for every folder.

    Raises:
        FolderError: None of the folders can be read; why the first cannot.
    """
    roots = Roots.of(folders)
    files: list[NoteFile] = []
    notices: list[Notice] = []
    absent: dict[str, FolderError] = {}
    for root, prefix in roots.items():
        try:
            found, said = walk_folder(
                root.folder,
                max_file_mb=max_file_mb,
                html=html,
                pdf=pdf,
                exclude=root.exclude,
                checkpoint=checkpoint,
            )
        except FolderError as error:
            absent[prefix] = error
        else:
            files += [NoteFile(prefix + file.id, *file[1:]) for file in found] if prefix else found
            notices += [notice._replace(path=(prefix + notice.path).rstrip("/")) for notice in said]
    if len(absent) == len(roots):
        raise next(iter(absent.values()))
    notices = sorted([*roots.notices, *notices], key=lambda notice: notice.path)
    return Walk(sorted(files) if len(roots) > 1 else files, notices, absent)
