"""Columns, documents to leave out and columns of new ones -> the columns that a fresh build would make.

Only what is new has been read, cut and counted; everything else is moved by array operations, in time linear in the
size of the collection and without unpacking a document.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.indexing.counting import narrow
from engine.storage.columns import Columns, first_chunks
from engine.storage.interleaving import Rows, interleave, interleave_at, inverse
from engine.storage.strings import Blobs

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


def merge(old: Columns, gone: NDArray[np.bool_], new: Columns) -> Merged:
    """Leave documents out and put others in.

    Args:
        old: what was known.
        gone: (n_documents,) marks those of `old` that were deleted or are replaced.
        new: the documents that were added or changed; none has the id of one that stays.
    """
    documents = interleave(old.known_ids, ~gone, new.ids)
    chunk_documents = np.concatenate((documents.old[old.places[:, 0]], documents.new[new.places[:, 0]]))
    order = np.argsort(chunk_documents, kind="stable")[np.count_nonzero(chunk_documents == _NONE) :]
    place = inverse(order, len(chunk_documents))
    kept, added = place[: len(old.places)], place[len(old.places) :]

    places = np.concatenate((old.places, new.places))[order]
    places[:, 0] = chunk_documents[order]
    is_new = order >= len(old.places)
    sections = _unite(old.sections, new.sections, places[:, 6], is_new)
    contexts = _unite(old.contexts, new.contexts, places[:, 7], is_new)
    abouts = _unite(old.abouts, new.abouts, places[:, 8], is_new)
    digests = np.concatenate((old.digests, new.digests))[order]
    terms, place_of_terms, indptr, postings, counts = _merge_postings(old, new, kept, added)
    columns = Columns(
        ids=Blobs.joined([old.ids, new.ids]).take(documents.order),
        facts=Blobs.joined([old.facts, new.facts]).take(documents.order),
        texts=Blobs.joined([old.texts, new.texts]).take(documents.order),
        records=Blobs.joined([old.records, new.records]).take(documents.order),
        places=places,
        sections=sections,
        contexts=contexts,
        abouts=abouts,
        digests=digests,
        sorted_digests=np.sort(digests),
        firsts=first_chunks(places[:, 0], len(documents.order)),
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
    names, vocabulary = list(new.terms), old.index_postings.vocabulary
    positions = vocabulary.positions(names)
    known = vocabulary.rows(names, positions)
    alive = left > 0
    alive[known[known != _NONE]] = False  # those come with the new ones
    terms = interleave_at(len(alive), alive, positions)
    place_of_old = terms.old.copy()
    place_of_old[known[known != _NONE]] = terms.new[known != _NONE]

    ids, counts = np.delete(ids, gone), np.delete(old.counts, gone)
    sizes = np.zeros(len(terms.order), np.int64)
    sizes[place_of_old[left > 0]] = left[left > 0]
    starts = np.append(0, np.cumsum(sizes))
    at, come = np.empty(len(new.postings), np.int64), added.astype(np.int32).take(new.postings)
    for place, first, last in zip(terms.new.tolist(), new.indptr.tolist(), new.indptr[1:].tolist(), strict=False):
        before = ids[starts[place] : starts[place + 1]]
        at[first:last] = starts[place] + before.searchsorted(come[first:last])
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


def _unite(old: Blobs, new: Blobs, rows: NDArray[np.int32], is_new: NDArray[np.bool_]) -> Blobs:
    """Return the texts of both lists that are still named.

    Args:
        old: some texts.
        new: others, or the same.
        rows: (n,) which text of its list each chunk names; becomes which of those returned.
        is_new: (n,) whether that list is `new`.
    """
    rows[is_new] += len(old)
    named = np.bincount(rows, minlength=len(old) + len(new)) > 0
    rows[:] = (np.cumsum(named, dtype=np.int32) - 1)[rows]
    return Blobs.joined([old, new]).take(np.flatnonzero(named))
