"""Facts of notes -> the notes that meet a filter by path, title or tag."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.indexing.weave import Weave
from engine.ranking.query import Filter
from engine.records import Facts
from engine.text.analysis import spaced_out
from engine.text.normalizing import normalize_text


class Notes:
    """Paths, titles, tags and dates of notes; each table is made at the first filter that needs it."""

    def __init__(self, facts: Mapping[str, Facts]) -> None:
        """Take what is known of notes, by id, in their order; the documents themselves will do."""
        self._facts = facts

    def __len__(self) -> int:
        """Return how many notes there are."""
        return len(self._facts)

    @cached_property
    def ids(self) -> Sequence[str]:
        """Their ids."""
        return list(self._facts)

    @cached_property
    def dates(self) -> Sequence[str]:
        """Their dates; empty: none."""
        return [facts.date or "" for facts in self._facts.values()]

    def meeting(self, condition: Filter) -> NDArray[np.int64]:
        """Return the places, rising, of the notes that meet a filter by path, title or tag, its `-` aside."""
        return np.array(self._meeting(condition), np.int64)

    def _meeting(self, condition: Filter) -> list[int]:
        if condition.kind == "tag":
            return self._tags.get(_tag(condition.value), [])
        if condition.kind == "title":
            wanted = f" {spaced_out(condition.value)} "
            return [at for at, title in enumerate(self._titles) if wanted in title]
        pieces = normalize_text(condition.value).split("*")
        if len(pieces) == 1:
            return [at for at, path in enumerate(self._paths) if pieces[0] in path]
        pattern = _wildcards(pieces)
        return [at for at, path in enumerate(self._paths) if pattern.search(path)]

    @cached_property
    def _paths(self) -> list[str]:
        return [normalize_text(note) for note in self.ids]

    @cached_property
    def _titles(self) -> list[str]:
        """Title and aliases of each note, as phrases are looked for."""
        return [" | ".join(["", *map(spaced_out, (note.title, *note.aliases)), ""]) for note in self._facts.values()]

    @cached_property
    def _tags(self) -> dict[str, list[int]]:
        """The notes under each tag; a note under `moon/large` is also under `moon`."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for at, note in enumerate(self._facts.values()):
            parts = (_tag(tag).split("/") for tag in note.tags)
            for name in {"/".join(part[:depth]) for part in parts for depth in range(1, len(part) + 1)}:
                found[name].append(at)
        return dict(found)


class WovenNotes(Notes):
    """Notes of a base that are not gone, and those beside it."""

    def __init__(self, base: Notes, beside: Notes, weave: Weave) -> None:
        """Take both; `weave` says how they make one list."""
        self._base, self._beside, self._weave = base, beside, weave

    def __len__(self) -> int:
        """Return how many notes there are."""
        return len(self._weave)

    @property
    def ids(self) -> Sequence[str]:
        """Their ids."""
        return self._weave.stacked(self._base.ids, self._beside.ids)

    @property
    def dates(self) -> Sequence[str]:
        """Their dates; empty: none."""
        return self._weave.stacked(self._base.dates, self._beside.dates)

    def meeting(self, condition: Filter) -> NDArray[np.int64]:
        """Return the places, rising, of the notes that meet a filter by path, title or tag, its `-` aside."""
        of_base, _ = self._weave.of_base(self._base.meeting(condition))
        beside = self._weave.of_beside(self._beside.meeting(condition))
        return np.sort(np.concatenate((of_base, beside)))


def _wildcards(pieces: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for pieces with anything but `/` between them.

    The next piece is taken where it stands first and never looked for again: that finds all there is to find, and many
    wildcards take no more time than one.

    >>> bool(_wildcards(["a", "b", ""]).search("x/aab/c")), bool(_wildcards(["a", "c"]).search("x/aab/c"))
    (True, False)
    """
    first, *others = (re.escape(piece) for piece in pieces)
    return re.compile(first + "".join(f"(?>[^/]*?{piece})" for piece in others))


def _tag(tag: str) -> str:
    return normalize_text(tag).strip("#/")
