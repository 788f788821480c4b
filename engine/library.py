"""A folder as something to ask: read, cut into chunks, indexed.

`Library.stages` yields an ever more complete library, each an immutable value that answers with what it has:
documents first, then BM25, then LSA.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Literal, TypeVar

from engine.chunking.corpus import chunk_corpus, chunker_for, context_for
from engine.errors import Cancelled
from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA
from engine.indexing.tfidf import Tfidf
from engine.ranking.filters import Catalog
from engine.ranking.search import Duplicates
from engine.reading.folder import load_markdown_folder
from engine.reading.links import LinkGraph, link_graph
from engine.records import Chunk, Document, Notice, Progress, Report, ShouldStop
from engine.settings import Settings, describe
from engine.text.languages import analyzer_for, detect_language

Stage = Literal["documents", "bm25", "lsa"]
T = TypeVar("T")

REPORT_EVERY = 0.1
"""Seconds between two progress reports, and the longest wait before a request to stop is seen."""


@dataclass(frozen=True)
class Library:
    """A folder of notes at one stage of readiness."""

    folder: Path
    """Where the notes are."""
    settings: Settings
    """What it was built with."""
    stage: Stage
    """How far it is: `documents` only, `bm25` answers, `lsa` takes part."""
    documents: Mapping[str, Document]
    """The notes by id, in the order of their ids."""
    notices: tuple[Notice, ...]
    """Files that were skipped or read with a reservation."""
    chunks: Sequence[Chunk]
    """Every chunk; a chunk's id is its place here."""
    index: InvertedIndex
    """The postings; empty at stage `documents`."""
    duplicates: Duplicates
    """Which chunks have the same normalised text."""
    lsa: LSA | None = None
    """The dense retriever, from stage `lsa` on."""
    reader: str | None = None
    """Whose eyes it is for: it holds no note whose `access` does not list this name; `None`: the owner's."""
    language: str = "english"
    """The notes' language: as set, or as told by their words."""

    @classmethod
    def open(
        cls,
        folder: Path | str,
        settings: Settings | None = None,
        *,
        reader: str | None = None,
        report: Report | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Library:
        """Read and index a folder completely.

        Args:
            folder: the notes.
            settings: what to build with; `None`: the defaults.
            reader: for whom: notes whose front matter has an `access` list without this name are left out before
                anything is made of them, so that they reach no index, list, prompt or link; `None`: the owner.
            report: told the progress about ten times a second.
            should_stop: asked as often.

        Raises:
            FolderError: the folder is missing, not a folder, or unreadable.
            Cancelled: `should_stop` returned true.
        """
        *_, library = cls.stages(folder, settings, reader=reader, report=report, should_stop=should_stop)
        return library

    @classmethod
    def stages(
        cls,
        folder: Path | str,
        settings: Settings | None = None,
        *,
        reader: str | None = None,
        report: Report | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Iterator[Library]:
        """Yield the library at stage `documents`, then `bm25`, then `lsa`; raise as `open` does."""
        settings = settings or Settings()
        found = load_markdown_folder(
            folder, max_file_mb=settings.max_file_mb, reader=reader, report=report, should_stop=should_stop
        )
        documents = {document.id: document for document in found.documents}
        yield from cls.from_documents(
            documents, settings, Path(folder), found.notices, reader=reader, report=report, should_stop=should_stop
        )

    @classmethod
    def from_documents(
        cls,
        documents: Mapping[str, Document],
        settings: Settings,
        folder: Path,
        notices: Sequence[Notice] = (),
        *,
        reader: str | None = None,
        report: Report | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Iterator[Library]:
        """Yield the stages over documents that are already read: what a change of chunking or analysis needs.

        Documents that `reader` may not read are left out here too.
        """
        if reader is not None:
            documents = {note: document for note, document in documents.items() if document.is_open_to(reader)}
            notices = [notice for notice in notices if not notice.path or notice.path in documents]
        language = settings.language
        if language == "auto":
            language = detect_language([document.text for document in documents.values()])
        analyzer = analyzer_for(settings, language)
        library = cls(
            folder=folder,
            settings=settings,
            stage="documents",
            documents=documents,
            notices=tuple(notices),
            chunks=(),
            index=InvertedIndex((), analyzer, headers=settings.headers),
            duplicates=Duplicates(()),
            reader=reader,
            language=language,
        )
        yield library

        def watch(stage: str, total: int) -> _Watch:
            return _Watch(stage, total, report, should_stop)

        # `chunk_corpus` takes the documents all at once and cuts them one by one: the cutting is what takes time.
        cut, passed = chunker_for(settings), watch("cutting", len(documents))
        chunks = chunk_corpus(documents.values(), lambda document: cut(passed(document)), context_for(settings))
        library = dataclasses.replace(
            library,
            stage="bm25",
            chunks=chunks,
            index=InvertedIndex(map(watch("indexing", len(chunks)), chunks), analyzer, headers=settings.headers),
            duplicates=Duplicates(chunk.text for chunk in map(watch("comparing", len(chunks)), chunks)),
        )
        yield library

        index = watch("LSA", 0)(library.index)
        lsa = LSA(index, settings.dimensions, report=report, should_stop=should_stop)
        yield dataclasses.replace(library, stage="lsa", lsa=lsa)

    @property
    def bm25(self) -> BM25:
        """BM25 with the k1 and b of the settings."""
        return BM25(self.index, k1=self.settings.k1, b=self.settings.b)

    @cached_property
    def tfidf(self) -> Tfidf:
        """Sublinear tf-idf; its matrix is made at the first use."""
        return Tfidf(self.index)

    @cached_property
    def links(self) -> LinkGraph:
        """Which note leads where, with back-links; made at the first use, in time linear in the links."""
        return link_graph(self.documents)

    @cached_property
    def catalog(self) -> Catalog:
        """Where filters are looked up: paths, tags, titles, phrases."""
        return Catalog(self.documents, self.chunks, self.index)

    def with_settings(self, settings: Settings) -> Library:
        """Return the same library under `settings`; those that need a rebuild stay as they were when it was built."""
        light = {option.name: getattr(settings, option.name) for option in describe() if option.rebuild == "nothing"}
        library = dataclasses.replace(self, settings=self.settings.replace(**light))
        library.__dict__["catalog"] = self.catalog  # its tables depend on no setting
        return library


class _Watch:
    """Passes items on as they are taken up; reports and looks for a request to stop every `REPORT_EVERY` seconds."""

    def __init__(self, stage: str, total: int, report: Report | None, should_stop: ShouldStop | None) -> None:
        self._stage, self._total, self._report, self._should_stop = stage, total, report, should_stop
        self._done, self._due = 0, 0.0

    def __call__(self, item: T) -> T:
        """Count and return the item; raise `Cancelled` when the request to stop has come."""
        now = monotonic()
        if now >= self._due:
            self._due = now + REPORT_EVERY
            if self._should_stop is not None and self._should_stop():
                raise Cancelled
            if self._report is not None:
                self._report(Progress(self._stage, self._done, self._total))
        self._done += 1
        return item
