"""Distinct numbers, without `np.unique`: its first call loads masked arrays, which takes longer than a question."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)
Rows = NDArray[np.int64]


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """Return the distinct values, rising.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    rising = np.sort(values)
    return rising[first_of_each(rising)]


def counted(values: NDArray[Number]) -> tuple[NDArray[Number], Rows]:
    """Return the distinct values, rising, and how often each stands there.

    >>> [part.tolist() for part in counted(np.array([3, 1, 3]))]
    [[1, 3], [1, 2]]
    """
    rising = np.sort(values)
    first = first_of_each(rising)
    return rising[first], np.diff(first, append=len(rising))


def grouped(values: NDArray[Number]) -> tuple[NDArray[Number], Rows, Rows]:
    """Return the distinct values, rising, where each stands first, and which of them each value is.

    >>> [part.tolist() for part in grouped(np.array([3, 1, 3]))]
    [[1, 3], [1, 0], [1, 0, 1]]
    """
    order = np.argsort(values, kind="stable")
    first = first_of_each(rising := values[order])
    place = np.empty(len(values), np.int64)
    place[order] = np.repeat(np.arange(len(first)), np.diff(first, append=len(values)))
    return rising[first], order[first], place


def first_of_each(rising: NDArray[Any]) -> Rows:
    """Return where each distinct value of a rising list stands first.

    >>> first_of_each(np.array([1, 3, 3])).tolist()
    [0, 1]
    """
    is_first = np.ones(len(rising), np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=is_first[1:])
    return np.flatnonzero(is_first)
