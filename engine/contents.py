"""What a library holds at one moment: notes, chunks and indexes, and the tables in which they are looked up.

All of it is a value. What changed in the folder makes another one, which shares what stayed the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from engine.indexing.bm25 import BM25
from engine.indexing.dense import DenseRetriever
from engine.indexing.encoders import Embeddings
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA
from engine.indexing.tfidf import Tfidf
from engine.indexing.woven_lsa import WovenLSA
from engine.ranking.duplicates import Duplicates
from engine.ranking.filters import Catalog
from engine.ranking.titles import Titles
from engine.reading.links import LinkGraph, link_graph
from engine.records import Chunk, Notice
from engine.roots import Roots, absence
from engine.settings import Settings, describe
from engine.storage.documents import Documents
from engine.storage.layers import Opened
from engine.storage.snapshot import Change, Snapshot
from engine.storage.strings import text_of
from engine.text.endings import Endings
from engine.text.languages import SAMPLE_TEXTS, analyzer_for

LONG = 20
"""Terms from which on a question is a text whose repeated terms count (docs/retrieval.md)."""
TABLES = ("bm25", "tfidf", "links", "catalog", "titles", "endings")
"""What is made at its first use."""

Stage = Literal["documents", "bm25", "lsa"]


@dataclass(frozen=True)
class Contents:
    """The notes of a folder, or of several as one, at one stage of readiness, and what answers from them."""

    roots: Roots
    """Where the notes are."""
    settings: Settings
    """What it was built with."""
    stage: Stage
    """How far it is: `documents` only, `bm25` answers, `lsa` takes part."""
    documents: Documents
    """The notes by id, in the order of their ids; a mapping that unpacks what it is asked for."""
    notices: tuple[Notice, ...]
    """Files that were skipped or read with a reservation."""
    chunks: Sequence[Chunk]
    """Every chunk; a chunk's id is its place here."""
    index: InvertedIndex
    """The postings; empty at stage `documents`."""
    duplicates: Duplicates
    """Which chunks have the same normalised text."""
    snapshot: Snapshot
    """What it is made of, and the files that it was read from."""
    opened: Opened
    """What the snapshot's columns are read through."""
    lsa: LSA | None = None
    """The dense retriever, from stage `lsa` on."""
    encoded: Embeddings | None = None
    """The dense retriever that takes LSA's place, when the settings name another encoder and it is done."""
    reader: str | None = None
    """Whose eyes it is for: it holds no note whose `access` does not list this name; `None`: the owner's."""
    absent: tuple[Notice, ...] = ()
    """Folders that could not be read, where there are others; what was read of them before is here."""
    known_links: tuple[LinkGraph, frozenset[str]] | None = None
    """The links as they were known before, and the notes that were written anew since; `None`: not known."""

    @classmethod
    def _of(
        cls, snapshot: Snapshot, roots: Roots, settings: Settings, reader: str | None, before: Opened | None = None
    ) -> Self:
        opened = Opened.of(snapshot.layers, analyzer_for(settings, snapshot.language), before, snapshot.names)
        absent = absent_notices(roots, snapshot.devices)
        return cls(
            roots=roots,
            settings=settings,
            stage="bm25",
            documents=opened.documents,
            notices=(*absent, *(notice for notice in snapshot.notices if notice not in absent)),
            chunks=opened.chunks,
            index=opened.index,
            duplicates=opened.duplicates,
            snapshot=snapshot,
            opened=opened,
            reader=reader,
            absent=absent,
        )

    @property
    def folder(self) -> Path:
        """The folder of the notes; of several, the first."""
        return self.roots.first

    @property
    def pending(self) -> int:
        """How many files are still to be read; what they hold is not in the lists yet."""
        return self.snapshot.pending

    @property
    def language(self) -> str:
        """The notes' language: as set, or as told by their words."""
        return self.snapshot.language

    @cached_property
    def bm25(self) -> BM25:
        """BM25 with the k1 and b of the settings."""
        return BM25(self.index, k1=self.settings.k1, b=self.settings.b, repeats_from=LONG)

    @property
    def dense(self) -> DenseRetriever | None:
        """The encoder's retriever when there is one, else LSA when it is ready."""
        return self.encoded or self.lsa

    @cached_property
    def tfidf(self) -> Tfidf:
        """Sublinear tf-idf; its matrix is made at the first use."""
        return Tfidf(self.index)

    @cached_property
    def links(self) -> LinkGraph:
        """Which note leads where, with back-links; made at the first use, in time linear in the links."""
        if self.known_links is None:
            return link_graph(self.documents, self.roots.names)
        before, changed = self.known_links
        return before.after(self.documents, changed)

    @cached_property
    def catalog(self) -> Catalog:
        """Where filters are looked up: paths, tags, titles, phrases."""
        rows = self.snapshot.layers.document_rows[: len(self.chunks)]
        return Catalog(self.opened.notes, self.chunks, self.index, rows, self.opened.chunks.written)

    @cached_property
    def titles(self) -> Titles:
        """Which notes a question names."""
        return Titles(self.opened.name_tables, self.chunks, self.index.analyzer)

    @cached_property
    def endings(self) -> Endings:
        """What the stemmer takes off the words of the notes, by some passages: for words that are being typed."""
        step = max(1, len(self.chunks) // SAMPLE_TEXTS)
        return Endings((chunk.text for chunk in self.chunks[::step]), analyzer_for(self.settings, self.language))

    def warm(self) -> None:
        """Make now what the first question would have to wait for: the tables of names and of lengths."""
        self.titles  # noqa: B018
        self.bm25.warm()
        self.endings  # noqa: B018

    def text_of(self, chunk: int) -> tuple[str, str]:
        """Return a chunk's header, where the settings index it, and its text, by its id."""
        found = self.chunks[chunk]
        return found.header if self.settings.headers else "", found.text

    def note_of(self, chunks: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the place of each chunk's note among the documents, and how many chunks that has; all (n,)."""
        rows = self.snapshot.layers.document_rows
        notes = rows[chunks]
        first, after = (np.searchsorted(rows, notes, side) for side in ("left", "right"))
        return notes, (after - first).astype(np.int32)

    def aliases(self, note: str) -> tuple[str, ...]:
        """Return the other names of a note, without unpacking it."""
        return self.documents.facts_of(note).aliases

    def with_settings(self, settings: Settings) -> Self:
        """Return the same library under `settings`; those that need a rebuild stay as they were when it was built."""
        light = {option.name: getattr(settings, option.name) for option in describe() if option.rebuild == "nothing"}
        library = dataclasses.replace(self, settings=self.settings.replace(**light))
        # Their tables are made once, and depend on no setting that needs no rebuild.
        library.__dict__.update(catalog=self.catalog, titles=self.titles)
        if (settings.k1, settings.b) == (self.settings.k1, self.settings.b):
            library.__dict__["bm25"] = self.bm25
        return library

    def _after(self, change: Change) -> Self:
        """Return the library after a change, in time that does not depend on how many notes there are."""
        library = self._of(change.snapshot, self.roots, self.settings, self.reader, self.opened)
        library = library._with(known_links=self._links_before(library, map(text_of, change.new.ids)))
        if self.lsa is None:
            return library
        now = self.lsa if isinstance(self.lsa, WovenLSA) else WovenLSA.over(self.lsa)
        new = InvertedIndex.from_postings(change.new.index_postings, library.index.analyzer)
        _, kept, added, _ = change.beside
        return library._with_lsa(now.changed(library.index, change.snapshot.layers.chunks, new, kept, added))

    def _links_before(self, now: Self, changed: Iterable[str]) -> tuple[LinkGraph, frozenset[str]] | None:
        """Return the links that are known and the notes written anew since; `None`: none, or notes have other names."""
        known = (self.links, frozenset[str]()) if "links" in self.__dict__ else self.known_links
        new = frozenset(changed)
        if known is None or len(now.documents) != len(self.documents):
            return None
        same = all(note in self.documents and self.aliases(note) == now.aliases(note) for note in new)
        return (known[0], known[1] | new) if same else None

    def _joined(self) -> Self:
        """Return the same with nothing beside the base any more: everything is one set of columns."""
        layers = self.snapshot.layers
        if layers.documents.is_plain:
            return self
        library = self._of(self.snapshot.joined(), self.roots, self.settings, self.reader)
        library = library._with(known_links=self._links_before(library, ()))
        if not isinstance(self.lsa, WovenLSA):
            return library
        _, kept, added, terms = layers.whole
        return library._with_lsa(self.lsa.fold(library.index, terms, kept, added))

    def _without_index(self) -> Self:
        nothing = InvertedIndex((), self.index.analyzer)
        return dataclasses.replace(self, stage="documents", chunks=(), index=nothing, duplicates=Duplicates(()))

    def _with_lsa(self, lsa: LSA) -> Self:
        return self._with(stage="lsa", lsa=lsa)

    def _with(self, **changes: Any) -> Self:  # noqa: ANN401
        """Return a copy that keeps the tables which are made already; they depend on neither LSA nor notices."""
        library = dataclasses.replace(self, **changes)
        library.__dict__.update({name: self.__dict__[name] for name in TABLES if name in self.__dict__})
        return library


def absent_notices(roots: Roots, devices: Mapping[str, int]) -> tuple[Notice, ...]:
    """Say which folders cannot be read now; of a folder alone, reading it says so.

    Args:
        roots: the folders.
        devices: as `Snapshot.devices`: on which device each folder was when it was read.
    """
    closed = roots.absent() if len(roots) > 1 else {}
    return absence((closed | roots.unmounted(devices)).values())
