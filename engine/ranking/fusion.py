"""Several ranked lists -> one, by ranks alone.

Cormack, Clarke and Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning
methods", 2009.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from engine.records import FusionPart, Hit, Ranking

List = TypeVar("List", bound="Ranking | Sequence[int]")


def reciprocal_rank_fusion(
    rankings: Sequence[Ranking | Sequence[int]],
    c: float = 60,
    weights: Sequence[float] | None = None,
    *,
    name: str = "rrf",
) -> Ranking:
    """Return the chunks of all lists by RRF(d) = sum over lists j that hold d of w_j / (c + rank_j(d)).

    Args:
        rankings: rankings, or sequences of chunk ids, best first.
        c: the larger, the less the first ranks stand out.
        weights: one a list; `None`: 1 each.
        name: the new ranking's name.

    Returns:
        Every chunk of any list; ties by lower chunk id.

    Raises:
        ValueError: the weights are not as many as the lists.

    >>> [hit.chunk for hit in reciprocal_rank_fusion([[1, 2, 3], [2, 4, 1]]).hits]
    [2, 1, 4, 3]
    """
    scores: dict[int, float] = {}
    copies: dict[int, int] = {}
    for ranking, weight in _weighted(rankings, weights):
        for hit in _hits(ranking):
            scores[hit.chunk] = scores.get(hit.chunk, 0.0) + weight / (c + hit.rank)
            copies[hit.chunk] = max(copies.get(hit.chunk, 1), hit.copies)
    order = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
    return Ranking(name, tuple(Hit(rank, chunk, scores[chunk], copies[chunk]) for rank, chunk in enumerate(order, 1)))


def fusion_parts(
    rankings: Sequence[Ranking], chunk: int, c: float, weights: Sequence[float] | None = None
) -> tuple[FusionPart, ...]:
    """Return what each list adds to a chunk's fused score, in the order of the lists; weights as in the fusion."""
    return tuple(
        FusionPart(ranking.name, rank, weight / (c + rank) if rank else 0.0, weight)
        for ranking, weight in _weighted(rankings, weights)
        for rank in [ranking.rank_of(chunk)]
    )


def _weighted(rankings: Sequence[List], weights: Sequence[float] | None) -> Iterator[tuple[List, float]]:
    if weights is not None and len(weights) != len(rankings):
        raise ValueError(f"{len(weights)} weights for {len(rankings)} lists")
    return zip(rankings, weights or [1.0] * len(rankings), strict=True)


def _hits(ranking: Ranking | Sequence[int]) -> Sequence[Hit]:
    if isinstance(ranking, Ranking):
        return ranking.hits
    return [Hit(rank, chunk, 0.0) for rank, chunk in enumerate(ranking, 1)]
