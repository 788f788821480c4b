"""Passages and their notes -> what the other passages of a note lend to one, and how many of them stand above it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.indexing.distinct import grouped

Floats = NDArray[np.float64]
Numbers = NDArray[np.int32]

MOST_ABOVE = 5
"""Passages of the same note that count as standing above another, at most."""


def lent(shares: Floats, notes: Numbers) -> Floats:
    """Return by how much the best passage of a note for each term, put together, is above each passage, (n_chunks,).

    The note is read as a passage of its own that holds each term as well as any of its passages does. A note with one
    passage lends it nothing.

    Args:
        shares: (n_terms, n_chunks) what each term adds to the score of each passage, 0 and more.
        notes: (n_chunks,) numbers that are equal for passages of one note.

    >>> lent(np.array([[0.4, 0.0, 0.3], [0.0, 0.2, 0.1]]), np.array([7, 7, 8], np.int32)).round(4).tolist()
    [0.2, 0.4, 0.0]
    """
    _, _, group = grouped(notes)
    best = np.zeros((len(notes), len(shares)))
    np.maximum.at(best, group, shares.T)
    return np.asarray((best[group] - shares.T).sum(axis=1), np.float64)


def crowding(scores: Floats, notes: Numbers) -> Floats:
    """Return the share of `MOST_ABOVE` passages of the same note that stand above each passage, (n_chunks,), 0 to 1.

    Args:
        scores: (n_chunks,) what passages of a note are ordered by; ties by place.
        notes: (n_chunks,) numbers that are equal for passages of one note.

    >>> crowding(np.array([0.5, 0.9, 0.7, 0.7]), np.array([7, 7, 8, 7], np.int32)).tolist()
    [0.4, 0.0, 0.0, 0.2]
    """
    order = np.lexsort((-scores, notes))
    grouped = notes[order]
    above = np.empty(len(scores))
    above[order] = np.arange(len(scores)) - np.searchsorted(grouped, grouped)
    return np.minimum(above, MOST_ABOVE) / MOST_ABOVE
