"""Two sorted lists -> one, as the order in which the items of both come out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.indexing.vocabulary import Vocabulary

Rows = NDArray[np.int64]


class Order(NamedTuple):
    """Two sorted lists as one."""

    order: Rows
    """Which items of both lists, one after the other, come out, in order."""
    old: Rows
    """Where each item of the first comes out; -1: it is left out."""
    new: Rows
    """Where each item of the second comes out."""


def interleave(old: Vocabulary, stays: NDArray[np.bool_], new: Sequence[bytes]) -> Order:
    """Merge the items of a sorted list that stay with another sorted list; no item is in both."""
    return interleave_at(len(old), stays, old.positions(new))


def interleave_at(n_old: int, stays: NDArray[np.bool_], positions: Rows) -> Order:
    """Do so where each new item comes just before the old one at its position, which rise."""
    # An old item counts double its row, and a new one goes just before the old one at its position.
    keys = np.concatenate((2 * np.arange(n_old) + 1, 2 * positions))
    order = np.argsort(keys, kind="stable")
    order = order[np.concatenate((stays, np.ones(len(positions), np.bool_)))[order]]
    place = inverse(order, len(keys))
    return Order(order, place[:n_old], place[n_old:])


def inverse(order: Rows, size: int) -> Rows:
    """Return where each of `size` items stands in `order`; -1: nowhere."""
    place = np.full(size, -1, np.int64)
    place[order] = np.arange(len(order))
    return place
