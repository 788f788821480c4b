"""Parts -> columns: everything that a library keeps of its notes, as arrays that can be stored and joined.

Notes are worked on in batches, each into a `Part`; parts, in the order of the notes' ids, are joined into `Columns`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.indexing.counting import Counts
from engine.indexing.postings import Postings, to_postings
from engine.indexing.vocabulary import Vocabulary
from engine.storage.array_file import Array
from engine.storage.chunks import StoredChunks
from engine.storage.documents import StoredDocuments
from engine.storage.parts import Part
from engine.storage.strings import Blobs, to_blobs


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
    """The section paths, each once for the notes that were read together."""
    contexts: Blobs
    """The contexts, likewise."""
    abouts: Blobs
    """The lines that a model wrote, likewise."""
    digests: Array
    """(n_chunks,) uint64, equal for copies."""
    sorted_digests: Array
    """(n_chunks,) the same, rising: how many copies there are is told by two looks."""
    firsts: Array
    """(n_documents + 1,) int32, the first chunk of each document, and how many chunks there are."""
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
    def of(cls, parts: list[Part], *, consume: bool = False, look: Callable[[], object] = lambda: None) -> Columns:
        """Join parts whose documents' ids rise from part to part.

        Args:
            parts: what is joined.
            consume: take texts, records and facts out of the parts, so that they are not held twice.
            look: called now and then; what it raises ends the work.
        """
        texts = Blobs.joined([part.texts for part in parts])
        records = Blobs.joined([part.records for part in parts])
        facts = Blobs.joined([part.facts for part in parts])
        if consume:
            nothing = Blobs.of(())
            parts[:] = [part._replace(texts=nothing, records=nothing, facts=nothing) for part in parts]
        terms: dict[str, int] = {}
        counts: list[Counts] = []
        for part in parts:
            look()
            number = numbered(terms, part.terms)
            counts += [block._replace(terms=number[block.terms]) for block in part.counts]
        postings = to_postings(terms, counts)
        look()
        names = [distinct([getattr(part, name) for part in parts]) for name in ("sections", "contexts", "abouts")]
        (sections, *_), (contexts, *_), (abouts, *_) = names
        places = np.concatenate([np.zeros((0, 9), np.int32), *(part.places for part in parts)])
        start = first = 0
        for at, part in enumerate(parts):
            here = places[start : start + len(part.places)]
            here[:, 0] += first
            for column, (_, numbers) in enumerate(names, 6):
                here[:, column] = numbers[at][here[:, column]]
            start, first = start + len(here), first + len(part.ids)
        digests = np.concatenate([np.zeros(0, np.uint64), *(part.digests for part in parts)])
        return cls(
            ids=to_blobs(each for part in parts for each in part.ids),
            facts=facts,
            texts=texts,
            records=records,
            places=places,
            sections=sections,
            contexts=contexts,
            abouts=abouts,
            digests=digests,
            sorted_digests=np.sort(digests),
            firsts=first_chunks(places[:, 0], first),
            terms=Blobs(np.frombuffer(postings.vocabulary.bytes, np.uint8), postings.vocabulary.offsets),
            indptr=postings.indptr,
            postings=postings.ids,
            counts=postings.counts,
            lengths=postings.lengths,
        )

    @cached_property
    def index_postings(self) -> Postings:
        """The postings of the chunks."""
        vocabulary = Vocabulary(self.terms.bytes.data, self.terms.offsets)
        return Postings(vocabulary, self.indptr, self.postings, self.counts, self.lengths)

    @cached_property
    def known_ids(self) -> Vocabulary:
        """Where a document stands, by its id."""
        return Vocabulary(self.ids.bytes.data, self.ids.offsets)

    def rows_of(self, ids: Iterable[str]) -> NDArray[np.int64]:
        """Return the rows of the documents with these ids, as far as they are here, rising."""
        rows = (self.known_ids.get(id) for id in ids)  # noqa: A001
        return np.array(sorted({row for row in rows if row is not None}), np.int64)

    def documents(self) -> StoredDocuments:
        """Return the documents, unpacked when they are asked for."""
        return StoredDocuments(self.known_ids, self.facts, self.texts, self.records)

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


def first_chunks(rows: NDArray[np.int32], n_documents: int) -> NDArray[np.int32]:
    """Return where the chunks of each document start and the last ones end, (n_documents + 1,).

    >>> first_chunks(np.array([0, 0, 2], np.int32), 3).tolist()
    [0, 2, 2, 3]
    """
    return np.append(0, np.cumsum(np.bincount(rows, minlength=n_documents))).astype(np.int32)


def distinct(parts: Iterable[Sequence[str]]) -> tuple[Blobs, list[NDArray[np.int32]]]:
    """Return the distinct texts of all parts in order of first appearance, and for each part where its texts are."""
    numbers: dict[str, int] = {}
    rows = [numbered(numbers, texts) for texts in parts]
    return to_blobs(numbers), rows


def numbered(numbers: dict[str, int], texts: Sequence[str]) -> NDArray[np.int32]:
    """Return the number of each of some distinct texts; those that have none get the next ones.

    >>> numbered({"mars": 0}, ["moon", "mars"])
    array([1, 0], dtype=int32)
    """
    new = [text for text in texts if text not in numbers]
    numbers.update(zip(new, count(len(numbers)), strict=False))
    return np.fromiter(map(numbers.__getitem__, texts), np.int32, len(texts))
