"""Ranking metrics over ids: recall, reciprocal rank, average precision, DCG and nDCG. All 0 to 1 but DCG.

Equal to `ir_measures` and scikit-learn on the same input (Järvelin and Kekäläinen, "Cumulated gain-based
evaluation of IR techniques", 2002, with log2(rank + 1)).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import log2
from typing import TypeVar

K = TypeVar("K")


def recall_at_k(pieces: Collection[K] | Sequence[Collection[K]], ranking: Sequence[K], k: int) -> float:
    """Return the share of pieces found among the first k.

    Args:
        pieces: relevant ids; or, where a piece of evidence may be found in several places, collections of ids, of
            which one is enough.
        ranking: ids, best first.
        k: how deep to look.

    Returns:
        0 to 1; 0.0 when there are no pieces.

    >>> recall_at_k({0, 1}, [0, 1], 2), recall_at_k({2, 3}, [2, 1], 2), recall_at_k([{1, 2}, {3}], [2, 5], 2)
    (1.0, 0.5, 0.5)
    """
    best = frozenset(ranking[:k])
    found = [bool(best & frozenset(p)) if isinstance(p, (set, frozenset, list, tuple)) else p in best for p in pieces]
    return sum(found) / len(found) if found else 0.0


def reciprocal_rank(relevant: Collection[K], ranking: Sequence[K]) -> float:
    """Return 1/rank of the first relevant id, or 0.

    >>> reciprocal_rank({3}, [1, 3, 2])
    0.5
    """
    return next((1 / rank for rank, item in enumerate(ranking, 1) if item in relevant), 0.0)


def average_precision(relevant: Collection[K], ranking: Sequence[K]) -> float:
    """Return the mean, over all relevant ids, of the precision at each one's rank; 0 for those not ranked.

    >>> average_precision({1, 2}, [1, 5, 2])
    0.8333333333333333
    """
    found, total = 0, 0.0
    for rank, item in enumerate(ranking, 1):
        if item in relevant:
            found += 1
            total += found / rank
    return total / len(relevant) if relevant else 0.0


def context_precision(relevant: Collection[K], context: Sequence[K]) -> float:
    """Return the mean, over the relevant ids among the context, of the precision at each one's rank.

    Rank-weighted: 1 when everything relevant stands before everything else, however much of it there is. What the
    context lacks is no matter here; see `recall_at_k`.

    >>> context_precision({1, 2}, [1, 5, 2]), context_precision({1, 2}, [5, 1])
    (0.8333333333333333, 0.5)
    """
    return average_precision(set(relevant).intersection(context), context)


def dcg(gains: Sequence[float], k: int | None = None) -> float:
    """Return the sum over ranks of gain / log2(rank + 1), down to rank k.

    >>> round(dcg([2, 1], 3), 4)
    2.6309
    """
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))


def ndcg(gains: Mapping[K, float], ranking: Sequence[K], k: int | None = None) -> float:
    """Return DCG over the best DCG that any ranking of the collection could have.

    Args:
        gains: the gain of every relevant id of the collection, retrieved or not: an ideal over the retrieved list
            alone would forgive what it missed.
        ranking: ids, best first.
        k: how deep to look; `None`: to the end.

    Returns:
        0 to 1; 0.0 when nothing is relevant.

    >>> round(ndcg({7: 1, 8: 1}, [1, 2, 7], 3), 4)
    0.3066
    """
    ideal = dcg(sorted(gains.values(), reverse=True), k)
    return dcg([gains.get(item, 0.0) for item in ranking], k) / ideal if ideal > 0 else 0.0
