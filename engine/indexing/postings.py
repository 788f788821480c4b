"""Counts by chunk -> postings by term, by sorting numbers: which chunks hold a term, and how often.

The layout is that of a compressed sparse column matrix: the postings of term t are the slice
`indptr[t]:indptr[t + 1]` of `ids` and `counts`, ids rising.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.indexing.counting import THREADS, Counts
from engine.indexing.vocabulary import Vocabulary

_PLACE = np.uint64(32)
"""Bits below those of a term."""


class Postings(NamedTuple):
    """What an index is made of, term by term."""

    vocabulary: Vocabulary
    """Term to term id; ids follow the order of the terms."""
    indptr: NDArray[np.int64]
    """(n_terms + 1,) where each term's postings start."""
    ids: NDArray[np.int32]
    """(n_postings,) chunk ids, rising within a term."""
    counts: NDArray[np.unsignedinteger]
    """(n_postings,) term counts f, in as few bytes as the highest needs; widen them before reckoning with them."""
    lengths: NDArray[np.int32]
    """(n_chunks,) terms in each chunk, |d|."""


def to_postings(terms: Mapping[str, int], counts: Sequence[Counts]) -> Postings:
    """Turn counts by chunk into postings by term; of several blocks each of two threads has half.

    Args:
        terms: the numbers that the terms have in `counts`.
        counts: of the chunks, block after block.
    """
    names = sorted(terms)
    rank = np.empty(len(names), np.int32)
    rank[np.fromiter(map(terms.__getitem__, names), np.int64, len(names))] = np.arange(len(names))
    halves = [counts[: len(counts) // THREADS], counts[len(counts) // THREADS :]]
    with ThreadPoolExecutor(THREADS) if len(counts) > 1 else nullcontext() as pool:
        each = map if pool is None else pool.map
        first, second = each(lambda half: _frequencies(half, rank), halves)
        indptr = np.append(0, np.cumsum(first + second))
        ids = np.empty(indptr[-1], np.int32)
        found = np.empty(len(ids), np.result_type(np.uint8, *(block.counts for block in counts)))
        free = (indptr[:-1].copy(), indptr[:-1] + first)
        n_before = (0, sum(len(block.indptr) - 1 for block in halves[0]))
        list(each(lambda half, free, n: _place(half, rank, free, n, ids, found), halves, free, n_before))
    lengths = np.concatenate([np.zeros(0, np.int32), *map(_lengths, counts)])
    return Postings(Vocabulary.of(names), indptr, ids, found, lengths)


def _frequencies(blocks: Sequence[Counts], rank: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return how many texts hold each term."""
    found = np.zeros(len(rank), np.int64)
    for block in blocks:
        found += np.bincount(rank[block.terms], minlength=len(rank))
    return found


def _place(
    blocks: Sequence[Counts],
    rank: NDArray[np.int32],
    free: NDArray[np.int64],
    first: int,
    ids: NDArray[np.int32],
    counts: NDArray[np.unsignedinteger],
) -> None:
    """Write the postings of blocks whose texts are numbered from `first`; `free` is where those of a term go next."""
    for block in blocks:
        keys = rank[block.terms].astype(np.uint64) << _PLACE
        keys |= np.arange(len(keys), dtype=np.uint64)
        keys.sort()  # several times faster than sorting places by their terms
        terms = (keys >> _PLACE).astype(np.int64)
        order = (keys & np.uint64(2**32 - 1)).astype(np.int64)
        starts = np.flatnonzero(np.diff(terms, prepend=-1))
        sizes = np.diff(starts, append=len(terms))
        own = terms[starts]
        at = np.arange(len(terms)) + np.repeat(free[own] - starts, sizes)
        free[own] += sizes
        n_texts = len(block.indptr) - 1
        ids[at] = np.repeat(np.arange(first, first + n_texts, dtype=np.int32), np.diff(block.indptr)).take(order)
        counts[at] = block.counts.take(order)
        first += n_texts


def _lengths(block: Counts) -> NDArray[np.int32]:
    """Return how many terms each text of a block has."""
    return np.diff(np.append(0, np.cumsum(block.counts, dtype=np.int64))[block.indptr]).astype(np.int32)
