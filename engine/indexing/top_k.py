"""The k best of many scores, the same every time: ties go to the lower id."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.records import Hit, Ranking

FloatArray = NDArray[np.floating[Any]]
GROUP = 64
"""Scores that stand for one another while it is looked for what is worth sorting."""
MANY = 4 * GROUP
"""Times as many scores as are wanted from which on that pays."""
Ids = NDArray[np.signedinteger[Any]]


def top_k(scores: FloatArray, k: int, ids: Ids | None = None) -> NDArray[np.int64]:
    """Return the positions of the k largest scores, best first.

    A bare argpartition picks any of several equal scores at the edge; here every score above the edge is taken
    and the edge itself is filled by lowest id.

    Args:
        scores: (n,) higher is better, no NaN.
        k: how many; fewer come out when there are fewer scores.
        ids: (n,) what ties are decided by; `None`: the position.

    Returns:
        (min(k, n),) positions in `scores`.

    >>> top_k(np.array([1.0, 3.0, 3.0, 2.0]), 2).tolist()
    [1, 2]
    """
    n = len(scores)
    k = min(k, n)
    if k <= 0:
        return np.empty(0, np.int64)
    if n >= MANY * k:
        # The k-th largest of the groups' peaks: at least k scores reach it, and few others do.
        peaks = scores[: n // GROUP * GROUP].reshape(GROUP, -1).max(axis=0)
        near = np.flatnonzero(scores >= np.partition(peaks, len(peaks) - k)[len(peaks) - k])
        if len(near) < n // 2:
            return near[top_k(scores[near], k, near if ids is None else ids[near])]
    keys = np.arange(n) if ids is None else ids
    if k < n:
        edge = np.partition(scores, n - k)[n - k]
        above = np.flatnonzero(scores > edge)
        equal = np.flatnonzero(scores == edge)
        if len(equal) > k - len(above):
            equal = equal[np.argsort(keys[equal], kind="stable")[: k - len(above)]]
        chosen = np.concatenate((above, equal))
    else:
        chosen = np.arange(n)
    return chosen[np.lexsort((keys[chosen], -scores[chosen]))]


def to_ranking(name: str, scores: FloatArray, k: int, ids: Ids | None = None) -> Ranking:
    """Return the k best as a ranking of chunk ids; `ids` as in `top_k`, the position when `None`."""
    order = top_k(scores, k, ids)
    chunks = order if ids is None else ids[order]
    rows = zip(range(1, len(order) + 1), chunks.tolist(), scores[order].tolist(), repeat(1))
    return Ranking(name, tuple(map(Hit._make, rows)))
