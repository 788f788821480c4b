"""Columns, documents to leave out and columns of new ones -> the columns that a fresh build would make.

Only what is new has been read, cut and counted; everything else is moved by array operations, in time linear in the
size of the collection and without unpacking a document.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.indexing.counting import narrow
from engine.indexing.vocabulary import Vocabulary
from engine.storage.columns import Columns
from engine.storage.strings import Blobs, text_of

Rows = NDArray[np.int64]
_NONE = -1


class Merged(NamedTuple):
    """Joined columns, and where the chunks have come to be."""

    columns: Columns
    kept: NDArray[np.int64]
    """(n_chunks_before,) the id that each chunk has now; -1: it is gone."""
    added: NDArray[np.int64]
    """(n_chunks_new,) the id that each new chunk has now."""
    terms: NDArray[np.int64]
    """(n_terms_before,) the id that each term has now; -1: it is gone."""


class _Order(NamedTuple):
    """Two sorted lists as one."""

    order: Rows
    """Which items of both lists, one after the other, come out, in order."""
    old: Rows
    """Where each item of the first comes out; -1: it is left out."""
    new: Rows
    """Where each item of the second comes out."""


def merge(old: Columns, gone: NDArray[np.bool_], new: Columns) -> Merged:
    """Leave documents out and put others in.

    Args:
        old: what was known.
        gone: (n_documents,) marks those of `old` that were deleted or are replaced.
        new: the documents that were added or changed; none has the id of one that stays.
    """
    documents = _interleave(old.ids, ~gone, new.ids)
    chunk_documents = np.concatenate((documents.old[old.places[:, 0]], documents.new[new.places[:, 0]]))
    order = np.argsort(chunk_documents, kind="stable")[np.count_nonzero(chunk_documents == _NONE) :]
    place = _inverse(order, len(chunk_documents))
    kept, added = place[: len(old.places)], place[len(old.places) :]

    sections, old_sections, new_sections = _union(old.sections, new.sections)
    contexts, old_contexts, new_contexts = _union(old.contexts, new.contexts)
    abouts, old_abouts, new_abouts = _union(old.abouts, new.abouts)
    places = np.concatenate((old.places, new.places))
    places[:, 0] = chunk_documents
    places[:, -3] = np.concatenate((old_sections[old.places[:, -3]], new_sections[new.places[:, -3]]))
    places[:, -2] = np.concatenate((old_contexts[old.places[:, -2]], new_contexts[new.places[:, -2]]))
    places[:, -1] = np.concatenate((old_abouts[old.places[:, -1]], new_abouts[new.places[:, -1]]))
    terms, place_of_terms, indptr, postings, counts = _merge_postings(old, new, kept, added)
    columns = Columns(
        ids=Blobs.joined([old.ids, new.ids]).take(documents.order),
        facts=Blobs.joined([old.facts, new.facts]).take(documents.order),
        texts=Blobs.joined([old.texts, new.texts]).take(documents.order),
        records=Blobs.joined([old.records, new.records]).take(documents.order),
        places=places[order],
        sections=sections,
        contexts=contexts,
        abouts=abouts,
        digests=np.concatenate((old.digests, new.digests))[order],
        terms=terms,
        indptr=indptr,
        postings=postings,
        counts=counts,
        lengths=np.concatenate((old.lengths, new.lengths))[order],
    )
    return Merged(columns, kept, added, place_of_terms)


def _merge_postings(
    old: Columns, new: Columns, kept: Rows, added: Rows
) -> tuple[Blobs, Rows, NDArray[np.int64], NDArray[np.int32], NDArray[np.unsignedinteger]]:
    """Return terms, where each old one is, indptr, postings and counts."""
    ids = kept.astype(np.int32).take(old.postings)
    gone = np.flatnonzero(ids == _NONE)
    of_gone = np.searchsorted(old.indptr, gone, side="right") - 1
    left = np.diff(old.indptr) - np.bincount(of_gone, minlength=len(old.terms))
    known = _rows_of(new.terms, Vocabulary(old.terms.bytes.data, old.terms.offsets))
    alive = left > 0
    alive[known[known != _NONE]] = False  # those come with the new ones
    terms = _interleave(old.terms, alive, new.terms)
    place_of_old = terms.old.copy()
    place_of_old[known[known != _NONE]] = terms.new[known != _NONE]

    ids, counts = np.delete(ids, gone), np.delete(old.counts, gone)
    sizes = np.zeros(len(terms.order), np.int64)
    sizes[place_of_old[left > 0]] = left[left > 0]
    starts = np.append(0, np.cumsum(sizes))
    at, come = np.empty(len(new.postings), np.int64), added.astype(np.int32).take(new.postings)
    for place, first, last in zip(terms.new.tolist(), new.indptr.tolist(), new.indptr[1:].tolist(), strict=False):
        before = ids[starts[place] : starts[place + 1]]
        at[first:last] = starts[place] + np.searchsorted(before, come[first:last])
    sizes[terms.new] += np.diff(new.indptr)
    counts = narrow(np.insert(counts.astype(np.result_type(counts, new.counts), copy=False), at, new.counts))
    indptr = np.append(0, np.cumsum(sizes))
    return (
        Blobs.joined([old.terms, new.terms]).take(terms.order),
        place_of_old,
        indptr,
        np.insert(ids, at, come),
        counts,
    )


def _interleave(old: Blobs, stays: NDArray[np.bool_], new: Blobs) -> _Order:
    """Merge the items of a sorted list that stay with another sorted list; no item is in both."""
    before = Vocabulary(old.bytes.data, old.offsets)
    positions = np.fromiter((before.position(item) for item in new), np.int64, len(new))
    # An old item counts double its row, and a new one goes just before the old one at its position.
    keys = np.concatenate((2 * np.arange(len(old)) + 1, 2 * positions))
    order = np.argsort(keys, kind="stable")
    order = order[np.concatenate((stays, np.ones(len(new), np.bool_)))[order]]
    place = _inverse(order, len(keys))
    return _Order(order, place[: len(old)], place[len(old) :])


def _inverse(order: Rows, size: int) -> Rows:
    """Return where each of `size` items stands in `order`; -1: nowhere."""
    place = np.full(size, _NONE, np.int64)
    place[order] = np.arange(len(order))
    return place


def _rows_of(items: Blobs, vocabulary: Vocabulary) -> Rows:
    """Return the row of each text in a sorted list; -1: it is not there."""
    return np.fromiter((vocabulary.get(text_of(item), _NONE) for item in items), np.int64, len(items))


def _union(old: Blobs, new: Blobs) -> tuple[Blobs, NDArray[np.int32], NDArray[np.int32]]:
    """Return the distinct texts of both, those of `old` first, and where those of each list are among them."""
    rows = {blob: row for row, blob in enumerate(old)}
    new_rows = np.fromiter((rows.setdefault(blob, len(rows)) for blob in new), np.int32, len(new))
    added = Blobs.of(islice(rows, len(old), None))
    return Blobs.joined([old, added]), np.arange(len(old), dtype=np.int32), new_rows
