"""Documents -> a `Part`: what a batch of notes comes to, cut and counted, small enough to be sent between processes.

A chunk is no object here: it is a row of numbers, a slice of its document's bytes, and a digest.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import compress, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.chunking.corpus import about_for, chunker_for, context_for, places_of
from engine.indexing.counting import Counts, TermCounter, blocks
from engine.indexing.inverted_index import join_indexed
from engine.ranking.duplicates import text_digest
from engine.records import Document, header_of
from engine.settings import Settings
from engine.storage.documents import pack, pack_facts
from engine.storage.strings import Blobs

READING = 2
"""Raised whenever the same note, under the same settings, comes to another text, other chunks or other terms: an index
that was made before is then made again."""


class Part(NamedTuple):
    """What a batch of documents comes to."""

    ids: list[str]
    """The documents', rising."""
    facts: Blobs
    texts: Blobs
    records: Blobs
    places: NDArray[np.int32]
    """(n_chunks, 9): the document's place in `ids`, start, end, line, start and end in bytes of its text, places in
    `sections`, `contexts` and `abouts`."""
    sections: list[str]
    """The distinct section paths, in order of appearance."""
    contexts: list[str]
    """The distinct contexts."""
    abouts: list[str]
    """The distinct lines that a model wrote."""
    digests: NDArray[np.uint64]
    """(n_chunks,) of the normalised texts: equal for copies."""
    terms: list[str]
    """The distinct terms of these documents."""
    counts: tuple[Counts, ...]
    """Of the chunks, a block each; a term's id is its place in `terms`."""


def make_part(
    documents: Sequence[Document],
    settings: Settings,
    counter: TermCounter,
    checkpoint: Callable[[], object] = lambda: None,
) -> Part:
    """Cut and count a batch of documents.

    Args:
        documents: in the order of their ids.
        settings: how to cut; `counter` knows how to analyse.
        counter: shared by the batches of a process.
        checkpoint: called before each document is cut; what it raises ends the work.
    """
    cut = _Cut(settings)
    for document in documents:
        checkpoint()
        cut.add(document)
    terms, counts = _own_terms(counter, tuple(counter.count(block) for block in blocks(cut.indexed)))
    return Part(
        ids=[document.id for document in documents],
        facts=Blobs.of(map(pack_facts, documents)),
        texts=Blobs.of(cut.texts),
        records=Blobs.of(map(pack, documents)),
        places=np.frombuffer(cut.places, np.int32).reshape(-1, 9),
        sections=list(cut.sections),
        contexts=list(cut.contexts),
        abouts=list(cut.abouts),
        digests=np.array(cut.digests, np.uint64),
        terms=terms,
        counts=counts,
    )


class _Cut:
    """The chunks of the documents that were added: the columns of a `Part`, and the texts that are indexed."""

    def __init__(self, settings: Settings) -> None:
        self._chunker, self._context, self._about = chunker_for(settings), context_for(settings), about_for(settings)
        self._headers = settings.headers
        self.texts: list[bytes] = []
        self.places = array("i")
        self.sections, self.contexts, self.abouts = _Numbers(), _Numbers(), _Numbers()
        self.digests: list[int] = []
        self.indexed: list[str] = []

    def add(self, document: Document) -> None:
        at, text, title = len(self.texts), document.text, document.title
        self.texts.append(data := text.encode("utf-8", "surrogatepass"))
        spans = self._chunker(document)
        contexts = self._context(document, spans) if self._context else repeat("")
        abouts = self._about(document, spans) if self._about else repeat("")
        lines = zip(spans, places_of(document, spans), _in_bytes(text, data, spans), contexts, abouts, strict=False)
        path, number, header = None, 0, ""
        for (start, end), (section, line), (first, last), context, about in lines:
            if section is not path:  # the next chunks, too, are mostly of this one
                path, number = section, self.sections[section]
                header = header_of(title, section) if self._headers else ""
            words = text[start:end]
            names = number, self.contexts[context], self.abouts[about]
            self.places.extend((at, start, end, line, first, last, *names))
            self.digests.append(text_digest(words))
            self.indexed.append(join_indexed(header, about, context, words))


class _Numbers(dict[str, int]):
    """Texts, numbered in the order in which they are first asked for."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


def _own_terms(counter: TermCounter, counts: Sequence[Counts]) -> tuple[list[str], tuple[Counts, ...]]:
    """Return the terms that occur, and the counts with ids that number them from 0."""
    occurs = np.zeros(len(counter.terms), np.bool_)
    for block in counts:
        occurs[block.terms] = True
    own = np.cumsum(occurs, dtype=np.int32) - 1
    return list(compress(counter.terms, occurs.tolist())), tuple(
        block._replace(terms=own[block.terms]) for block in counts
    )


def _in_bytes(text: str, data: bytes, spans: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """Return start and end of each range in the bytes of the text."""
    if len(data) == len(text):
        return spans
    heads = np.frombuffer(data, np.uint8) & 0xC0 != 0x80  # the first byte of each character
    offsets = np.append(np.flatnonzero(heads), len(data))
    found: list[tuple[int, int]] = offsets[np.array(spans, np.int64).reshape(-1, 2)].tolist()
    return found
