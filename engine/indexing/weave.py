"""Two numbered lists as one: the items of a base, some of them gone, and between them those of a small list beside it.

A base is large and stays as it is; what changed stands beside it. Whoever asks sees one list, numbered as if it had
been made at once: base items keep their order, each new one stands before the base item that it was put before.

    base   a b c d e     gone: c     new: x before c, y before e
    seen   a b x d y e

Few things change, so that the list seen is a few long runs of the base with new items in between. Numbers are
turned into each other run by run, not item by item.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.indexing.distinct import distinct, first_of_each

Rows = NDArray[np.int64]
Array = NDArray[Any]
Item = TypeVar("Item")


class Runs(NamedTuple):
    """The list seen, as runs of items that stand one after the other in one of the two lists; each (n_runs,)."""

    starts: Rows
    """Where each run starts in the list seen, rising from 0."""
    first: Rows
    """Its first item in its own list."""
    sizes: Rows
    """How many items it has, at least 1."""
    is_base: NDArray[np.bool_]
    """Whether its list is the base."""


class Weave:
    """How the items of a base and those beside it make one list.

    Attributes:
        n_base: items of the base, those that are gone included.
        gone: rising, the base items that are not seen.
        before: (n_beside,) rising, before which base item each item beside it stands; `n_base`: at the end.

    >>> weave = Weave(5, gone=np.array([2]), before=np.array([2, 4]))
    >>> weave.stacked(list("abcde"), list("xy")), weave.find(2), weave.find(3)
    (['a', 'b', 'x', 'd', 'y', 'e'], (False, 0), (True, 3))
    """

    def __init__(self, n_base: int, gone: Rows | None = None, before: Rows | None = None) -> None:
        """Take what is gone and where the new items stand; `None`: none."""
        self.n_base = n_base
        self.gone: Rows = np.zeros(0, np.int64) if gone is None else gone
        self.before: Rows = np.zeros(0, np.int64) if before is None else before

    def __len__(self) -> int:
        """Return how many items are seen."""
        return self.n_base - len(self.gone) + len(self.before)

    @property
    def is_plain(self) -> bool:
        """Whether the list seen is the base."""
        return not len(self.gone) and not len(self.before)

    @cached_property
    def runs(self) -> Runs:
        """The list seen, run by run."""
        # A base run starts at 0, after an item that is gone, and where something stands before it.
        starts = distinct(np.concatenate(([0], self.gone, self.gone + 1, self.before)))
        ends = np.append(starts[1:], self.n_base)
        alive = starts < ends
        alive[np.searchsorted(starts, self.gone)] = False
        starts, ends = starts[alive], ends[alive]
        first = first_of_each(self.before)
        places, counts = self.before[first], np.diff(first, append=len(self.before))
        # At one place the new items come first.
        order = np.lexsort((np.repeat([1, 0], [len(starts), len(places)]), np.concatenate((starts, places))))
        sizes = np.concatenate((ends - starts, counts))[order]
        return Runs(
            starts=np.cumsum(sizes) - sizes,
            first=np.concatenate((starts, first))[order],
            sizes=sizes,
            is_base=np.repeat([True, False], [len(starts), len(places)])[order],
        )

    def find(self, at: int) -> tuple[bool, int]:
        """Return whether the item seen at a place is of the base, and which it is there."""
        starts, first, is_base = self._lists
        run = bisect_right(starts, at) - 1
        return is_base[run], first[run] + at - starts[run]

    def find_all(self, at: Array) -> tuple[NDArray[np.bool_], Rows]:
        """Return what `find` does, of many places in any order: each (len(at),)."""
        runs = self.runs
        run = np.searchsorted(runs.starts, at, side="right") - 1
        return runs.is_base[run], runs.first[run] + at - runs.starts[run]

    def of_base(self, rows: Array) -> tuple[Array, NDArray[np.bool_] | None]:
        """Return where items of the base are seen, and which of them are.

        Args:
            rows: (n,) rising.

        Returns:
            The places of those that are seen, rising, in the type of `rows`; (n,) marks of them, `None`: all are.
        """
        if self.is_plain or not len(rows):
            return rows, None
        first, ends, shift = self._base_runs
        edges = np.empty(2 * len(first), np.int64)
        edges[::2], edges[1::2] = rows.searchsorted(first), rows.searchsorted(ends)
        sizes = edges[1::2] - edges[::2]
        seen = None
        if int(sizes.sum()) < len(rows):
            pieces = np.diff(edges, prepend=0, append=len(rows))
            seen = np.repeat(np.arange(len(pieces)) % 2 == 1, pieces)
            rows = rows[seen]
        return rows + np.repeat(shift.astype(rows.dtype), sizes), seen

    def of_beside(self, rows: Array) -> Array:
        """Return where items beside the base are seen, in the type of `rows`."""
        found: Array = self.places_beside[rows].astype(rows.dtype)
        return found

    @cached_property
    def places_beside(self) -> Rows:
        """(n_beside,) where each item beside the base is seen, rising."""
        alive_before = self.before - np.searchsorted(self.gone, self.before)
        places: Rows = alive_before + np.arange(len(self.before))
        return places

    def base_mask(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the marks of the base items from those of the items seen; what is gone is not marked."""
        if self.is_plain:
            return mask
        found = np.zeros(self.n_base, np.bool_)
        runs = self.runs
        for start, first, size in zip(*self._base_of(runs), strict=True):
            found[first : first + size] = mask[start : start + size]
        return found

    def stacked(self, base: Sequence[Item], beside: Sequence[Item]) -> Sequence[Item]:
        """Return the list seen from both lists."""
        if self.is_plain:
            return base
        found: list[Item] = []
        for source, first, size in self._pieces():
            found += (base if source else beside)[first : first + size]
        return found

    def stacked_arrays(self, base: Array, beside: Array) -> Array:
        """Return the list seen from the items of both lists as rows of arrays."""
        if self.is_plain:
            return base
        pieces = [(base if source else beside)[first : first + size] for source, first, size in self._pieces()]
        return np.concatenate([base[:0], *pieces])

    def _pieces(self) -> zip[tuple[bool, int, int]]:
        runs = self.runs
        return zip(runs.is_base.tolist(), runs.first.tolist(), runs.sizes.tolist(), strict=True)

    @staticmethod
    def _base_of(runs: Runs) -> tuple[list[int], list[int], list[int]]:
        at = runs.is_base
        return runs.starts[at].tolist(), runs.first[at].tolist(), runs.sizes[at].tolist()

    @cached_property
    def _lists(self) -> tuple[list[int], list[int], list[bool]]:
        runs = self.runs
        return runs.starts.tolist(), runs.first.tolist(), runs.is_base.tolist()

    @cached_property
    def _base_runs(self) -> tuple[Rows, Rows, Rows]:
        """First item, end and shift of each run of the base; each (n_base_runs,)."""
        runs = self.runs
        first, sizes = runs.first[runs.is_base], runs.sizes[runs.is_base]
        return first, first + sizes, runs.starts[runs.is_base] - first
