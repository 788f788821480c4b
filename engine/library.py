"""Folders as something to ask: read, cut into chunks, indexed; kept in a cache, and read again where they changed.

`Library.stages` yields an ever more complete library, each an immutable value that answers with what it has:
documents first, then BM25, then LSA.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.contents import Contents, absent_notices
from engine.errors import StorageError
from engine.indexing.encoders import MAX_TOKENS, Embeddings, encoder_for
from engine.indexing.inverted_index import indexed_text
from engine.indexing.ivf import automatic_lists
from engine.indexing.lsa import LSA
from engine.indexing.woven_lsa import WovenLSA
from engine.ranking.lean import measure_lean
from engine.records import Document, Notice, Progress, Report, ShouldStop
from engine.roots import Folders, Roots
from engine.settings import Settings
from engine.storage.building import checkpoint
from engine.storage.shelf import Slot
from engine.storage.snapshot import Snapshot, cut, language_now, refresh, take

DRIFT = 0.05
"""Share of the chunks that may come and go before LSA is fitted anew (docs/storage.md)."""


@dataclass(frozen=True)
class Library(Contents):
    """A folder of notes, or several as one, at one stage of readiness.

    >>> library = Library.open("sample_docs")
    >>> library.stage, len(library.documents), len(library.chunks)
    ('lsa', 8, 57)
    """

    @classmethod
    def open(
        cls,
        folder: Folders,
        settings: Settings | None = None,
        *,
        reader: str | None = None,
        cache: Path | None = None,
        workers: int = 1,
        report: Report | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Library:
        """Read and index a folder completely.

        Args:
            folder: the notes, in one folder or in several, which become one library: the ids of their notes start
                with the names of the folders (`engine.roots`).
            settings: what to build with; `None`: the defaults.
            reader: for whom: notes whose front matter has an `access` list without this name are left out before
                anything is made of them, so that they reach no index, list, prompt or link; `None`: the owner.
            cache: a folder in which the index is kept, so that the next time only what changed is read; `None`: none.
            workers: processes that read beside this one where the notes are many.
            report: told the progress about ten times a second.
            should_stop: asked as often.

        Raises:
            FolderError: the folder, or each of several, is missing, not a folder, or unreadable.
            Cancelled: `should_stop` returned true.
        """
        *_, library = cls.stages(
            folder, settings, reader=reader, cache=cache, workers=workers, report=report, should_stop=should_stop
        )
        return library

    @classmethod
    def stages(
        cls,
        folder: Folders,
        settings: Settings | None = None,
        *,
        reader: str | None = None,
        cache: Path | None = None,
        workers: int = 1,
        report: Report | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Iterator[Library]:
        """Yield ever more complete libraries; raise as `open` does.

        What the cache holds comes first, as it was left; then what the folder holds now. Without it a large folder
        comes while it is read.
        """
        settings, roots = settings or Settings(), Roots.of(folder)
        slot = None if cache is None else Slot.of(cache, roots, settings, reader)
        kept = slot.load() if slot else None
        if slot is not None and kept is not None:
            library = cls._kept(slot, kept, roots)
            yield library
            yield from library.refreshed(cache=cache, workers=workers, report=report, should_stop=should_stop)
            return
        yield from cls._reading(
            slot, roots, settings, reader, cache=cache, workers=workers, report=report, should_stop=should_stop
        )

    @classmethod
    def _reading(
        cls,
        slot: Slot | None,
        roots: Roots,
        settings: Settings,
        reader: str | None,
        *,
        cache: Path | None,
        workers: int,
        report: Report | None,
        should_stop: ShouldStop | None,
    ) -> Iterator[Library]:
        """Yield the stages of folders that are read from the beginning."""
        snapshots = take(roots, settings, reader, workers=workers, report=report, should_stop=should_stop)
        for at, snapshot in enumerate(snapshots):
            library = cls._of(snapshot, roots, settings, reader)
            if at == 0:
                yield library._without_index()
            yield library
        library._keep(slot)
        mapped = library._mapped(slot)
        if mapped is not library:
            del snapshot
            yield (library := mapped)
        yield from library._completing(slot, cache, report, should_stop)

    def refreshed(
        self,
        *,
        touched: Iterable[str] | None = None,
        cache: Path | None = None,
        workers: int = 1,
        report: Report | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Iterator[Library]:
        """Yield the library as the folder is now where that is another one, and what LSA lacks; raise as `open` does.

        New notes are put into the space that LSA has, at once; it is fitted anew when many have come or gone.

        Args:
            touched: the paths that alone can have changed, from something that watches the folder: those are looked
                at and nothing else, where they tell all; `None`: the folder is walked.
            cache: as for `open`, and so are the others.
            workers: processes that read beside this one.
            report: told the progress.
            should_stop: asked ten times a second.
        """
        if self.pending or self.stage == "documents":  # it does not hold what it was to hold
            yield from self.stages(
                self.roots,
                self.settings,
                reader=self.reader,
                cache=cache,
                workers=workers,
                report=report,
                should_stop=should_stop,
            )
            return
        slot = None if cache is None else Slot.of(cache, self.roots, self.settings, self.reader)
        change = refresh(
            self.snapshot,
            self.roots,
            self.settings,
            self.reader,
            touched=touched,
            workers=workers,
            report=report,
            should_stop=should_stop,
        )
        library = self
        if change is not None:
            library = self._after(change)
            yield library
            library._keep(slot)
        elif (absent := absent_notices(self.roots, self.snapshot.devices)) != self.absent:
            others = (notice for notice in self.notices if notice not in self.absent)
            library = self._with(absent=absent, notices=(*absent, *others))
            yield library
            library._keep(slot)
        if library._is_told_otherwise():
            stages = self._reading(
                slot,
                self.roots,
                self.settings,
                self.reader,
                cache=cache,
                workers=workers,
                report=report,
                should_stop=should_stop,
            )
            yield from (stage for stage in stages if stage.stage != "documents" and not stage.pending)
            return
        yield from library._settled(slot, cache, report, should_stop)

    def _is_told_otherwise(self) -> bool:
        """Return whether so much has changed that the notes are in another language than they were told to be in.

        What was read of a folder that is away cannot be read again: then they are not asked.
        """
        if self.absent or not self.snapshot.layers.is_large:
            return False
        return language_now(self.snapshot, self.roots, self.settings) != self.language

    def _settled(
        self, slot: Slot | None, cache: Path | None, report: Report | None, should_stop: ShouldStop | None
    ) -> Iterator[Library]:
        """Yield what takes longer than an edit may: LSA where it is missing or old, all as one base, lists."""
        if self.lsa is None or self.lsa.drift > DRIFT:
            yield from self._joined()._completing(slot, cache, report, should_stop)
            return
        library = self
        if self.snapshot.layers.is_large:
            checkpoint(should_stop)()
            library = self._joined()
        lsa = library.lsa and library.lsa.arranged(should_stop)
        if lsa is not None and lsa is not library.lsa:
            library = library._with_lsa(lsa)
        if library is not self:
            yield library
            library._keep(slot)
        if library.encoded is None:
            yield from library._encoding(cache, report, should_stop)

    @classmethod
    def from_documents(
        cls,
        documents: Mapping[str, Document],
        settings: Settings,
        folder: Folders,
        notices: Sequence[Notice] = (),
        *,
        reader: str | None = None,
        report: Report | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Iterator[Library]:
        """Yield the stages over documents that are already read: what a change of chunking or analysis needs.

        Documents that `reader` may not read are left out here too.
        """
        notes = documents.values()
        snapshot = cut(notes, settings, reader=reader, notices=notices, report=report, should_stop=should_stop)
        library = cls._of(snapshot, Roots.of(folder), settings, reader)
        yield library._without_index()
        yield library
        yield from library._completing(None, None, report, should_stop)

    def rebuilt(
        self,
        settings: Settings,
        *,
        cache: Path | None = None,
        report: Report | None = None,
        should_stop: ShouldStop | None = None,
    ) -> Iterator[Library]:
        """Yield the stages of the same notes under settings that need other chunks or another index."""
        slot = None if cache is None else Slot.of(cache, self.roots, settings, self.reader)
        snapshot = cut(
            self.documents.values(),
            settings,
            reader=self.reader,
            files=self.snapshot.files,
            notices=[notice for notice in self.notices if notice not in self.absent],
            report=report,
            should_stop=should_stop,
        )
        library = self._of(snapshot, self.roots, settings, self.reader)
        yield library
        yield from library._completing(slot, cache, report, should_stop)

    @classmethod
    def _kept(cls, slot: Slot, base: Snapshot, roots: Roots) -> Library:
        """Return the library that a slot of the cache holds."""
        library = cls._of(base, roots, slot.settings, slot.reader)
        lsa = slot.load_lsa(base, library.index)
        now, vectors = slot.load_edits(base, lsa)
        if now is not base:
            library = cls._of(now, roots, slot.settings, slot.reader, library.opened)
        weave = now.layers.chunks
        if lsa is not None and not weave.is_plain:
            if vectors is None or vectors.shape != (len(weave.before), lsa.n_dims):
                vectors = lsa.place(library.opened.beside.index)
            lsa = WovenLSA(lsa, library.index, weave, vectors)
        return library if lsa is None else library._with_lsa(lsa)

    def _mapped(self, slot: Slot | None) -> Library:
        """Return a large library as the cache holds it: mapped, it takes no memory while LSA is fitted."""
        kept = slot.load() if slot is not None and automatic_lists(len(self.chunks)) else None
        if kept is None or kept.generation != self.snapshot.generation:
            return self
        return self._of(kept, self.roots, self.settings, self.reader)

    def _completing(
        self, slot: Slot | None, cache: Path | None, report: Report | None, should_stop: ShouldStop | None
    ) -> Iterator[Library]:
        """Yield the library with LSA, again when its vectors stand in lists, and with what an encoder makes.

        What there is is kept before, and all of it after.
        """
        self._keep(slot)
        checkpoint(should_stop)()
        if report is not None:
            report(Progress("LSA", 0, 0))
        lsa = LSA(self.index, self.settings.dimensions, report=report, should_stop=should_stop)
        lsa.lean = measure_lean(self.chunks, self.index.analyzer)
        if automatic_lists(len(self.chunks)):
            yield self._with_lsa(lsa)
        library = self._with_lsa(lsa.arranged(should_stop))
        problem = library._keep(slot)
        library = library._with(notices=(*problem, *library.notices))
        yield library
        if library.encoded is None:
            yield from library._encoding(cache, report, should_stop)

    def _encoding(self, cache: Path | None, report: Report | None, should_stop: ShouldStop | None) -> Iterator[Library]:
        """Yield the library with the vectors of the encoder that the settings name; nothing where that is LSA."""
        encoder = encoder_for(self.settings, os.environ, None if cache is None else cache / "embeddings")
        if encoder is None:
            return
        texts = [indexed_text(chunk, self.settings.headers) for chunk in self.chunks]
        encoded = Embeddings(encoder, texts, report=report, should_stop=should_stop)
        long = f"{encoded.n_cut:,} of {len(texts):,} passages go on after the {MAX_TOKENS} tokens that are encoded"
        notices = (Notice("", long),) if encoded.n_cut else ()
        yield self._with(encoded=encoded, notices=(*notices, *self.notices))

    def _keep(self, slot: Slot | None) -> tuple[Notice, ...]:
        """Put the index into the cache; return what the matter was where it cannot be put there."""
        try:
            if slot is not None:
                slot.save(self.snapshot, self.lsa, lambda: self.opened.base.names)
        except StorageError as error:
            return (Notice("", f"The index is not kept for the next time: {error.message}"),)
        return ()
