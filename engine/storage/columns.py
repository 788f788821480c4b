"""Documents -> columns: everything that a library keeps of its notes, as arrays that can be stored and joined.

Notes are worked on in batches, each into a `Part`; parts, in the order of the notes' ids, are joined into `Columns`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.chunking.corpus import about_for, chunk_corpus, chunker_for, context_for
from engine.indexing.counting import Counts, TermCounter, blocks
from engine.indexing.inverted_index import Postings, indexed_text, to_postings
from engine.indexing.vocabulary import Vocabulary
from engine.ranking.search import text_digest
from engine.records import Document, Span
from engine.settings import Settings
from engine.storage.array_file import Array
from engine.storage.chunks import StoredChunks
from engine.storage.documents import StoredDocuments, pack, pack_facts
from engine.storage.strings import Blobs, to_blobs


class Part(NamedTuple):
    """What a batch of documents comes to; small enough to be sent from one process to another."""

    ids: list[str]
    """The documents', rising."""
    facts: list[bytes]
    texts: list[bytes]
    records: list[bytes]
    places: NDArray[np.int32]
    """(n_chunks, 6): the document's place in `ids`, start, end, line, start and end in bytes of its text."""
    sections: list[str]
    """(n_chunks,) section paths."""
    contexts: list[str]
    """(n_chunks,) contexts."""
    abouts: list[str]
    """(n_chunks,) lines that a model wrote."""
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
    chunker = chunker_for(settings)

    def cut(document: Document) -> Sequence[Span]:
        checkpoint()
        return chunker(document)

    chunks = chunk_corpus(documents, cut, context_for(settings), about_for(settings))
    counts = tuple(counter.count(block) for block in blocks(indexed_text(chunk, settings.headers) for chunk in chunks))
    terms, counts = _own_terms(counter, counts)
    row = {document.id: at for at, document in enumerate(documents)}
    places = np.array([(row[c.document], c.start, c.end, c.line) for c in chunks], np.int32).reshape(-1, 4)
    texts = [document.text.encode("utf-8", "surrogatepass") for document in documents]
    return Part(
        ids=list(row),
        facts=list(map(pack_facts, documents)),
        records=list(map(pack, documents)),
        texts=texts,
        places=np.column_stack((places, _in_bytes(places, documents, texts))),
        sections=[chunk.section for chunk in chunks],
        contexts=[chunk.context for chunk in chunks],
        abouts=[chunk.about for chunk in chunks],
        digests=np.array([text_digest(chunk.text) for chunk in chunks], np.uint64),
        terms=terms,
        counts=counts,
    )


def _own_terms(counter: TermCounter, counts: Sequence[Counts]) -> tuple[list[str], tuple[Counts, ...]]:
    """Return the terms that occur, and the counts with ids that number them from 0."""
    occurs = np.zeros(len(counter.terms), np.bool_)
    for block in counts:
        occurs[block.terms] = True
    own = np.cumsum(occurs, dtype=np.int32) - 1
    return list(compress(counter.terms, occurs.tolist())), tuple(
        block._replace(terms=own[block.terms]) for block in counts
    )


def _in_bytes(places: NDArray[np.int32], documents: Sequence[Document], texts: Sequence[bytes]) -> NDArray[np.int32]:
    """Return start and end of each chunk in bytes."""
    found = places[:, 1:3].copy()
    starts = np.searchsorted(places[:, 0], np.arange(len(documents) + 1))
    for at, (document, text) in enumerate(zip(documents, texts, strict=True)):
        if len(text) > len(document.text):
            heads = np.frombuffer(text, np.uint8) & 0xC0 != 0x80  # the first byte of each character
            offsets = np.append(np.flatnonzero(heads), len(text))
            here = slice(starts[at], starts[at + 1])
            found[here] = offsets[found[here]]
    return found


@dataclass(frozen=True)
class Columns:
    """A library's notes as columns."""

    ids: Blobs
    """(n_documents,) rising."""
    facts: Blobs
    """(n_documents,) title, date, tags, aliases."""
    texts: Blobs
    """(n_documents,) as UTF-8."""
    records: Blobs
    """(n_documents,) packed documents."""
    places: Array
    """(n_chunks, 9) int32: row of the document, start, end, line, start and end in bytes, row of the section path, of
    the context, of the line that a model wrote."""
    sections: Blobs
    """The distinct section paths."""
    contexts: Blobs
    """The distinct contexts."""
    abouts: Blobs
    """The distinct lines that a model wrote."""
    digests: Array
    """(n_chunks,) uint64, equal for copies."""
    terms: Blobs
    """(n_terms,) rising."""
    indptr: Array
    """(n_terms + 1,) int64."""
    postings: Array
    """(n_postings,) int32 chunk ids."""
    counts: Array
    """(n_postings,) unsigned, as few bytes as the highest needs."""
    lengths: Array
    """(n_chunks,) int32."""

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Columns:
        """Join parts whose documents' ids rise from part to part."""
        terms: dict[str, int] = {}
        counts: list[Counts] = []
        for part in parts:
            number = np.fromiter((terms.setdefault(term, len(terms)) for term in part.terms), np.int32)
            counts += [block._replace(terms=number[block.terms]) for block in part.counts]
        postings = to_postings(terms, counts)
        sections, section_rows = distinct(path for part in parts for path in part.sections)
        contexts, context_rows = distinct(context for part in parts for context in part.contexts)
        abouts, about_rows = distinct(about for part in parts for about in part.abouts)
        first = np.cumsum([0, *(len(part.ids) for part in parts)])
        places = [part.places + np.array([at, 0, 0, 0, 0, 0], np.int32) for at, part in zip(first, parts, strict=False)]
        joined = np.concatenate([np.zeros((0, 6), np.int32), *places])
        return cls(
            ids=to_blobs(each for part in parts for each in part.ids),
            facts=Blobs.of(each for part in parts for each in part.facts),
            texts=Blobs.of(each for part in parts for each in part.texts),
            records=Blobs.of(each for part in parts for each in part.records),
            places=np.column_stack((joined, section_rows, context_rows, about_rows)),
            sections=sections,
            contexts=contexts,
            abouts=abouts,
            digests=np.concatenate([np.zeros(0, np.uint64), *(part.digests for part in parts)]),
            terms=Blobs(np.frombuffer(postings.vocabulary.bytes, np.uint8), postings.vocabulary.offsets),
            indptr=postings.indptr,
            postings=postings.ids,
            counts=postings.counts,
            lengths=postings.lengths,
        )

    @property
    def index_postings(self) -> Postings:
        """The postings of the chunks."""
        vocabulary = Vocabulary(self.terms.bytes.data, self.terms.offsets)
        return Postings(vocabulary, self.indptr, self.postings, self.counts, self.lengths)

    def holding(self, ids: Iterable[str]) -> NDArray[np.bool_]:
        """Return (n_documents,) marks of the documents with these ids, as far as they are here."""
        known = Vocabulary(self.ids.bytes.data, self.ids.offsets)
        marks = np.zeros(len(known), np.bool_)
        marks[[row for id in ids if (row := known.get(id)) is not None]] = True  # noqa: A001
        return marks

    def documents(self) -> StoredDocuments:
        """Return the documents, unpacked when they are asked for."""
        return StoredDocuments(Vocabulary(self.ids.bytes.data, self.ids.offsets), self.facts, self.texts, self.records)

    def chunks(self, documents: StoredDocuments) -> StoredChunks:
        """Return the chunks of `documents`, made when they are asked for."""
        return StoredChunks(documents, self.places, self.sections, self.contexts, self.abouts)

    def to_arrays(self) -> dict[str, Array]:
        """Return every column under a name of its own."""
        found: dict[str, Array] = {}
        for field in fields(self):
            column = getattr(self, field.name)
            if isinstance(column, Blobs):
                found[f"{field.name}.bytes"], found[f"{field.name}.offsets"] = column.bytes, column.offsets
            else:
                found[field.name] = column
        return found

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Columns:
        """Take the columns back; raise `KeyError` when one is missing."""
        columns: dict[str, Any] = {}
        for field in fields(cls):
            name = field.name
            plain = name in arrays
            columns[name] = arrays[name] if plain else Blobs(arrays[f"{name}.bytes"], arrays[f"{name}.offsets"])
        return cls(**columns)


def distinct(texts: Iterable[str]) -> tuple[Blobs, NDArray[np.int32]]:
    """Return the distinct texts in order of first appearance, and for each text which of them it is."""
    numbers: dict[str, int] = {}
    rows = np.fromiter((numbers.setdefault(text, len(numbers)) for text in texts), np.int32)
    return to_blobs(numbers), rows
