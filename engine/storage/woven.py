"""Documents and chunks of a large set of columns and of a small one beside it, as those of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.indexing.weave import Weave
from engine.records import Chunk, Document
from engine.storage.chunks import ChunkList, StoredChunks
from engine.storage.documents import Documents, StoredDocuments, StoredFacts


class WovenDocuments(Documents):
    """Documents of a base that are not gone, and those beside it, in the order of their ids."""

    def __init__(self, base: StoredDocuments, beside: StoredDocuments, weave: Weave) -> None:
        """Take both; `weave` says how they make one list."""
        self.base, self.beside, self.weave = base, beside, weave

    @cached_property
    def gone(self) -> frozenset[str]:
        """Ids of the base's documents that are not seen: deleted, or another version is beside it."""
        return frozenset(map(self.base.ids.name, self.weave.gone.tolist()))

    def _holder(self, id: str) -> StoredDocuments:  # noqa: A002
        if id in self.beside:
            return self.beside
        if id in self.gone:
            raise KeyError(id)
        return self.base

    def __getitem__(self, id: str) -> Document:  # noqa: A002
        """Return a document; raise `KeyError`."""
        return self._holder(id)[id]

    def __iter__(self) -> Iterator[str]:
        """Yield the ids in order."""
        return iter(self.weave.stacked(list(self.base), list(self.beside)))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.weave)

    def __contains__(self, id: object) -> bool:  # noqa: A002
        """Return whether there is a document of this id, without unpacking it."""
        return id in self.beside or (id in self.base and id not in self.gone)

    @cached_property
    def facts(self) -> Mapping[str, StoredFacts]:
        """Title, date, tags and aliases of every document by id, without unpacking any."""
        both = (list(part.facts.items()) for part in (self.base, self.beside))
        return dict(self.weave.stacked(*both))

    def facts_of(self, id: str) -> StoredFacts:  # noqa: A002
        """Return title, date, tags and aliases of one; raise `KeyError`."""
        return self._holder(id).facts_of(id)


class WovenChunks(ChunkList):
    """Chunks of a base that are not gone, and those beside it; a chunk's id is its place here."""

    def __init__(self, base: StoredChunks, beside: StoredChunks, weave: Weave) -> None:
        """Take both; `weave` says how they make one list."""
        self.base, self.beside, self.weave = base, beside, weave

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.weave)

    def _made(self, at: int) -> Chunk:
        is_base, row = self.weave.find(at)
        return replace((self.base if is_base else self.beside)[row], id=int(at))

    def written(self, ids: NDArray[np.integer]) -> Iterator[tuple[str, str]]:
        """Yield the header and the text of chunks, ids rising."""
        is_base, rows = self.weave.find_all(ids)
        base, beside = self.base.written(rows[is_base]), self.beside.written(rows[~is_base])
        return (next(base if each else beside) for each in is_base.tolist())
