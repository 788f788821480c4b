"""A base of columns that stays as it is, and a small set of columns beside it for what has changed since.

An edit makes the small set anew and marks what it takes the place of; `whole` puts both into one, which is what a
fresh build makes. docs/storage.md says when.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.indexing.distinct import distinct
from engine.indexing.inverted_index import Analyze, InvertedIndex
from engine.indexing.weave import Weave
from engine.indexing.woven_index import WovenIndex
from engine.ranking.duplicates import Duplicates, WovenDuplicates
from engine.ranking.names import Names, NameTable
from engine.ranking.notes import Notes, WovenNotes
from engine.storage.chunks import StoredChunks
from engine.storage.columns import Columns
from engine.storage.documents import Documents, StoredDocuments
from engine.storage.merging import Merged, merge
from engine.storage.woven import WovenChunks, WovenDocuments

SHARE, MOST = 0.02, 2_000
"""Share of the base's chunks that may be gone or stand beside it, and how many at most (docs/storage.md)."""


@dataclass(frozen=True)
class Layers:
    """Columns of a base, and beside them those of what changed since."""

    base: Columns
    """As they were made, or opened."""
    beside: Columns
    """Documents that are new, or other than in the base."""
    documents: Weave
    """How the documents of both make one list."""

    @classmethod
    def of(cls, columns: Columns) -> Layers:
        """Take columns beside which there is nothing yet."""
        return cls(columns, Columns.of([]), Weave(len(columns.ids)))

    def changed(self, stale: Collection[str], new: Columns) -> tuple[Layers, Merged]:
        """Leave documents out and put others in, in time that does not depend on the size of the base.

        Args:
            stale: ids of documents that were deleted or are replaced.
            new: the documents that were added or changed.

        Returns:
            The layers after that, and where the chunks beside the base have come to be.
        """
        stays = np.ones(len(self.beside.ids), np.bool_)
        stays[self.beside.rows_of(stale)] = False
        merged = merge(self.beside, ~stays, new)
        gone = distinct(np.concatenate((self.documents.gone, self.base.rows_of(stale))))
        before = np.concatenate((self.documents.before[stays], self.base.known_ids.positions(new.ids)))
        return Layers(self.base, merged.columns, Weave(len(self.base.ids), gone, np.sort(before))), merged

    @cached_property
    def whole(self) -> Merged:
        """Both as one: the columns that a fresh build makes, and where the chunks of the base are in them."""
        gone = np.zeros(len(self.base.ids), np.bool_)
        gone[self.documents.gone] = True
        return merge(self.base, gone, self.beside)

    @property
    def columns(self) -> Columns:
        """The columns that a fresh build makes."""
        return self.base if self.documents.is_plain else self.whole.columns

    @cached_property
    def chunks(self) -> Weave:
        """How the chunks of both make one list."""
        firsts, gone = self.base.firsts, self.documents.gone
        if self.documents.is_plain:
            return Weave(len(self.base.places))
        ranges = [np.arange(*span) for span in zip(firsts[gone].tolist(), firsts[gone + 1].tolist(), strict=True)]
        before = np.repeat(firsts[self.documents.before], np.diff(self.beside.firsts))
        return Weave(len(self.base.places), np.concatenate([np.zeros(0, np.int64), *ranges]), before.astype(np.int64))

    @property
    def is_large(self) -> bool:
        """Whether so much has changed that both should become one."""
        most = min(MOST, SHARE * len(self.base.places))
        return len(self.chunks.gone) > most or len(self.chunks.before) > most

    @cached_property
    def document_rows(self) -> NDArray[np.int32]:
        """(n_chunks,) the place of each chunk's document among the documents."""
        sizes = self.documents.stacked_arrays(np.diff(self.base.firsts), np.diff(self.beside.firsts))
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


@dataclass(frozen=True)
class _Set:
    """One set of columns, opened."""

    documents: StoredDocuments
    chunks: StoredChunks
    index: InvertedIndex
    duplicates: Duplicates
    kept_names: Names | None = None

    @cached_property
    def notes(self) -> Notes:
        return Notes(self.documents.facts)

    @cached_property
    def names(self) -> Names:
        return self.kept_names or Names.of(self.documents.facts.values(), self.index.analyzer)

    def name_table(self, gone: Collection[str] = ()) -> NameTable:
        return NameTable(self.names, self.documents.ids.name, self.documents.facts_of, gone)


@dataclass(frozen=True)
class Opened:
    """What a library asks of layers: documents, chunks and postings, made when they are asked for."""

    layers: Layers
    """The columns."""
    analyzer: Analyze
    """Text to terms, as the notes were analysed."""
    base: _Set
    """Of the base alone: what is remembered of it outlives an edit."""

    @classmethod
    def of(cls, layers: Layers, analyzer: Analyze, before: Opened | None = None, names: Names | None = None) -> Opened:
        """Open layers.

        Args:
            layers: the columns.
            analyzer: text to terms, as the notes were analysed.
            before: what may be open already of the same base.
            names: those of the base's notes, where they were kept.
        """
        if before is not None and before.layers.base is layers.base and before.analyzer == analyzer:
            return cls(layers, analyzer, before.base)
        return cls(layers, analyzer, _open(layers.base, analyzer, names))

    @cached_property
    def beside(self) -> _Set:
        """Of what stands beside the base alone."""
        return _open(self.layers.beside, self.analyzer)

    @cached_property
    def documents(self) -> Documents:
        """The documents."""
        if self.layers.documents.is_plain:
            return self.base.documents
        return WovenDocuments(self.base.documents, self.beside.documents, self.layers.documents)

    @cached_property
    def chunks(self) -> StoredChunks | WovenChunks:
        """The chunks."""
        if self.layers.documents.is_plain:
            return self.base.chunks
        return WovenChunks(self.base.chunks, self.beside.chunks, self.layers.chunks)

    @cached_property
    def index(self) -> InvertedIndex:
        """The postings."""
        layers = self.layers
        if layers.documents.is_plain:
            return self.base.index
        return WovenIndex(
            self.base.index, self.beside.index, layers.chunks, whole=lambda: layers.columns.index_postings
        )

    @cached_property
    def duplicates(self) -> Duplicates:
        """Which chunks are copies."""
        if self.layers.documents.is_plain:
            return self.base.duplicates
        return WovenDuplicates(self.base.duplicates, self.beside.duplicates, self.layers.chunks)

    @cached_property
    def notes(self) -> Notes:
        """What filters by path, title and tag look into."""
        if self.layers.documents.is_plain:
            return self.base.notes
        return WovenNotes(self.base.notes, self.beside.notes, self.layers.documents)

    @property
    def name_tables(self) -> list[NameTable]:
        """Titles and aliases of the notes."""
        documents = self.documents
        if not isinstance(documents, WovenDocuments):
            return [self.base.name_table()]
        return [self.base.name_table(documents.gone), self.beside.name_table()]


def _open(columns: Columns, analyzer: Analyze, names: Names | None = None) -> _Set:
    documents = columns.documents()
    return _Set(
        documents,
        columns.chunks(documents),
        InvertedIndex.from_postings(columns.index_postings, analyzer),
        Duplicates.of_digests(columns.digests, columns.sorted_digests),
        names,
    )
