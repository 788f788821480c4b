"""A folder -> the note files in it, by the rules a person expects: hidden, ignored and foreign things stay out.

The walk costs one `scandir` a folder and one `stat` a note. Ignore files are consulted only where there are some;
real paths are resolved only for symbolic links.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from engine.reading.ignoring import IGNORE_FILES, Rules, is_ignored, parse_patterns
from engine.reading.source import NOTE_ENDINGS, PAGE_ENDINGS, PDF_ENDINGS
from engine.records import Notice
from engine.roots import folder_error
from engine.settings import shown

BYTES_PER_MB = 1_000_000


class NoteFile(NamedTuple):
    """A file that holds a note, as the walk found it."""

    id: str
    """Path relative to the folder, with `/`; bytes that are no UTF-8 stay in it as lone surrogates."""
    path: str
    """Where to open it."""
    size: int
    """In bytes."""
    modified_ns: int
    """Time of its last change, nanoseconds since 1970."""


class _Other(NamedTuple):
    """A kind of file beside notes that can be read on request."""

    setting: str
    """The setting that asks for it; also the extra it needs."""
    name: str
    """What to call it."""
    endings: tuple[str, ...]
    """In small letters."""
    is_wanted: bool
    """Whether it was asked for."""
    library: str
    """The module that reads it."""

    @property
    def is_read(self) -> bool:
        """Whether it was asked for and can be read."""
        return self.is_wanted and find_spec(self.library) is not None


class _Place(NamedTuple):
    """Something in the folder that is to be looked at."""

    id: str
    path: str
    real: str
    """Its path without symbolic links."""
    rules: tuple[Rules, ...]
    """Nearest first."""


def walk_folder(
    folder: Path | str,
    *,
    max_file_mb: float = 10.0,
    html: bool = False,
    pdf: bool = False,
    exclude: Sequence[str] = (),
    checkpoint: Callable[[], object] = lambda: None,
) -> tuple[list[NoteFile], list[Notice]]:
    """Find the notes under `folder`, sorted by id, and say what was passed over that a person might miss.

    Hidden files and folders, `node_modules` and what `.gitignore` and `.ignore` exclude are passed over in silence.
    Symbolic links are followed when they lead to something inside the folder that has not been read by another way.

    Args:
        folder: Where to start.
        max_file_mb: Larger files are left out, with a notice.
        html: Whether pages of HTML are notes; else one notice counts them.
        pdf: Whether PDFs are.
        exclude: Patterns in the syntax of `.gitignore` that go before the folder's own; `!drafts/` reads what those
            leave out.
        checkpoint: Called for every folder; what it raises ends the walk.

    Raises:
        FolderError: `folder` is missing, is not a folder or cannot be read.
    """
    others = (_Other("html", "HTML", PAGE_ENDINGS, html, "lxml"), _Other("pdf", "PDF", PDF_ENDINGS, pdf, "pypdfium2"))
    walk = _Walk(os.fspath(folder), max_file_mb, others, checkpoint)
    walk.exclude(exclude)
    walk.run()
    return sorted(walk.files, key=attrgetter("id")), sorted(walk.notices, key=lambda notice: notice.path)


class _Walk:
    def __init__(
        self, folder: str, max_file_mb: float, others: Sequence[_Other], checkpoint: Callable[[], object]
    ) -> None:
        self.files: list[NoteFile] = []
        self.notices: list[Notice] = []
        self._folder = folder
        self._max_file_mb = max_file_mb
        self._others = others
        self._endings = sum((other.endings for other in others if other.is_read), NOTE_ENDINGS)
        self._not_read = sum((other.endings for other in others if not other.is_read), ())
        self._passed_over: Counter[str] = Counter()
        self._checkpoint = checkpoint
        self._seen: set[str] = set()
        self._links: list[_Place] = []
        self._excludes: tuple[Rules, ...] = ()

    def exclude(self, lines: Sequence[str]) -> None:
        parsed = parse_patterns(lines)
        for at in parsed.bad:
            self._note("", f"exclude: {shown(lines[at])} is no valid pattern and was passed over.")
        self._excludes = (Rules("", parsed.patterns),) if parsed.patterns else ()

    def run(self) -> None:
        try:
            os.scandir(self._folder).close()
            real = os.path.realpath(self._folder)
        except (OSError, ValueError) as error:
            raise folder_error(self._folder, error) from error
        self._descend(_Place("", self._folder, real, self._excludes))
        # Links come last, so that a note is known by its own path wherever that is walked.
        while self._links:
            links, self._links = sorted(self._links, key=lambda link: link.id), []
            for link in links:
                self._follow(link, real)
        if self._passed_over:
            self._note("", passed_over(self._passed_over, self._others))

    def _descend(self, folder: _Place) -> None:
        waiting = [folder]
        while waiting:
            self._checkpoint()
            place = waiting.pop()
            if place.real not in self._seen:
                self._seen.add(place.real)
                waiting += self._scan(place)

    def _scan(self, folder: _Place) -> list[_Place]:
        """Take in the notes of one folder and return its folders."""
        try:
            with os.scandir(folder.path) as scan:
                entries = list(scan)
        except OSError as error:
            self._note(folder.id, f"The folder cannot be read and was skipped: {_reason(error)}.")
            return []
        rules = folder.rules
        if own := self._rules_of(folder, entries):
            given = len(self._excludes)
            rules = (*rules[:given], *own, *rules[given:])
        prefix, real = f"{folder.id}/" if folder.id else "", folder.real + os.sep
        folders = []
        for entry in entries:
            name = entry.name
            if name.startswith(".") or name == "node_modules":
                continue
            id = prefix + name  # noqa: A001
            if entry.is_symlink():
                self._links.append(_Place(id, entry.path, real + name, rules))
            elif entry.is_dir(follow_symlinks=False):
                if not rules or not is_ignored(f"{id}/", rules):
                    folders.append(_Place(id, entry.path, real + name, rules))
            elif (lowered := name.lower()).endswith(self._endings):
                self._take(id, entry.path, real + name, rules, entry)
            elif lowered.endswith(self._not_read) and not (rules and is_ignored(id, rules)):
                self._passed_over[next(each.setting for each in self._others if lowered.endswith(each.endings))] += 1
        return folders

    def _take(
        self,
        id: str,  # noqa: A002
        path: str,
        real: str,
        rules: tuple[Rules, ...],
        entry: os.DirEntry[str] | None = None,
    ) -> None:
        """Add a note, unless it is ignored, too large, no regular file or known already."""
        if rules and is_ignored(id, rules):
            return
        try:
            info = os.stat(real) if entry is None else entry.stat(follow_symlinks=False)
        except OSError as error:
            self._note(id, f"The file cannot be read and was skipped: {_reason(error)}.")
            return
        if not stat.S_ISREG(info.st_mode):
            self._note(id, "It is no regular file and was skipped.")
        elif info.st_size > self._max_file_mb * BYTES_PER_MB:
            self._note(id, too_large(info.st_size, self._max_file_mb))
        elif real not in self._seen:
            self._seen.add(real)
            self.files.append(NoteFile(id, path, info.st_size, info.st_mtime_ns))

    def _follow(self, link: _Place, root: str) -> None:
        real = os.path.realpath(link.path)
        is_folder = os.path.isdir(real)
        if not is_folder and not link.id.lower().endswith(self._endings):
            return
        if link.rules and is_ignored(link.id, link.rules):
            return
        if real != root and not real.startswith(root.rstrip(os.sep) + os.sep):
            self._note(link.id, "The link leads out of the folder and was not followed.")
        elif is_folder:
            self._descend(link._replace(real=real))
        else:
            self._take(link.id, link.path, real, link.rules)

    def _rules_of(self, folder: _Place, entries: Iterable[os.DirEntry[str]]) -> tuple[Rules, ...]:
        """Return what the ignore files of one folder say, the later of them before the other."""
        found = []
        for entry in sorted((entry for entry in entries if entry.name in IGNORE_FILES), key=lambda entry: entry.name):
            id = f"{folder.id}/{entry.name}".lstrip("/")  # noqa: A001
            try:
                with open(entry.path, encoding="utf-8-sig", errors="replace") as file:
                    parsed = parse_patterns(file.read().splitlines())
            except OSError as error:
                self._note(id, f"It cannot be read, so nothing is excluded by it: {_reason(error)}.")
                continue
            for at in parsed.bad:
                self._note(id, f"Line {at + 1} is no valid pattern and was passed over.")
            if parsed.patterns:
                found.append(Rules(f"{folder.id}/".lstrip("/"), parsed.patterns))
        return tuple(reversed(found))

    def _note(self, path: str, problem: str) -> None:
        self.notices.append(Notice(path, problem))


def passed_over(counts: Mapping[str, int], others: Iterable[_Other]) -> str:
    """Say how many files of other kinds were passed over, and how to have them read."""
    kinds = [other for other in others if counts.get(other.setting)]
    files = " and ".join(f"{counts[kind.setting]:,} {kind.name}" for kind in kinds)
    off = [f"`{kind.setting}`" for kind in kinds if not kind.is_wanted]
    missing = " and ".join(kind.library for kind in kinds if kind.is_wanted)
    hints = [f"the setting{'s' * (len(off) > 1)} {' and '.join(off)} read{'s' * (len(off) == 1)} them"] if off else []
    if missing:
        hints.append(f"reading them needs {missing}; `planet-tui doctor` says how to install what is missing")
    return f"{files} {'file was' if sum(counts.values()) == 1 else 'files were'} passed over: {'; '.join(hints)}."


def too_large(size: int, max_file_mb: float) -> str:
    """Say that a file of `size` bytes is over the limit."""
    return f"The file has {size / BYTES_PER_MB:.1f} MB, more than the limit of {max_file_mb:g} MB, and was skipped."


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
