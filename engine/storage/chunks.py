"""Chunks as columns: a chunk is made when it is asked for, without unpacking its document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import overload

import numpy as np
from numpy.typing import NDArray

from engine.records import Chunk, header_of
from engine.storage.documents import StoredDocuments
from engine.storage.strings import Blobs, text_of

KEPT = 1024
"""Section paths, contexts and lines kept unpacked, each."""


class ChunkList(Sequence[Chunk]):
    """Chunks that are made when they are asked for; a chunk's id is its place here."""

    @overload
    def __getitem__(self, at: int) -> Chunk: ...
    @overload
    def __getitem__(self, at: slice) -> list[Chunk]: ...
    def __getitem__(self, at: int | slice) -> Chunk | list[Chunk]:
        """Return one chunk, or those of a slice."""
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if not 0 <= at < len(self):
            raise IndexError(at)
        return self._made(at)

    def _made(self, at: int) -> Chunk:
        """Make the chunk of an id, 0 to the length less one."""
        raise NotImplementedError


class StoredChunks(ChunkList):
    """Every chunk of a library; a chunk's id is its place here."""

    def __init__(
        self, documents: StoredDocuments, places: NDArray[np.int32], sections: Blobs, contexts: Blobs, abouts: Blobs
    ) -> None:
        """Take the columns.

        Args:
            documents: what the chunks are cut from.
            places: (n_chunks, 9) as `Columns.places`.
            sections: the distinct section paths.
            contexts: the distinct contexts.
            abouts: the distinct lines that a model wrote.
        """
        self.documents, self.places = documents, places
        self.sections, self.contexts, self.abouts = sections, contexts, abouts
        # Neighbours share a section, and most chunks have no context: the same few are asked for again and again.
        self._section, self._context, self._about = (
            lru_cache(KEPT)(partial(_text_at, blobs)) for blobs in (sections, contexts, abouts)
        )

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.places)

    def _made(self, at: int) -> Chunk:
        row, start, end, line, first, last, section, context, about = self.places[at].tolist()
        texts, facts = self.documents.texts, self.documents.facts_at(row)
        offset = int(texts.offsets[row])
        return Chunk(
            id=int(at),
            document=self.documents.ids.name(row),
            start=start,
            end=end,
            text=text_of(texts.bytes[offset + first : offset + last].tobytes()),
            title=facts.title,
            section=self._section(section),
            line=line,
            date=facts.date,
            context=self._context(context),
            about=self._about(about),
        )

    def written(self, ids: NDArray[np.integer]) -> Iterator[tuple[str, str]]:
        """Yield the header and the text of chunks, ids rising, and unpack nothing else of them."""
        columns = (self.places[ids, column].tolist() for column in (0, 1, 2, 6))
        document, text, title = -1, "", ""
        for row, start, end, section in zip(*columns, strict=True):
            if row != document:
                document, text = row, text_of(self.documents.texts[row])
                title = self.documents.facts_at(row).title
            yield header_of(title, self._section(section)), text[start:end]


def _text_at(blobs: Blobs, row: int) -> str:
    return text_of(blobs[row])
