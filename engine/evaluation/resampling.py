"""How sure a mean over questions is, and whether two settings differ: the bootstrap and the randomisation test.

Efron and Tibshirani, "An introduction to the bootstrap", 1993 (percentile interval); Smucker, Allan and Carterette,
"A comparison of statistical significance tests for information retrieval evaluation", 2007 (randomisation test).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2_000
"""Collections of questions drawn for an interval."""
PERMUTATIONS = 10_000
"""Assignments of signs drawn for a p value; the least it can be is 1 / (PERMUTATIONS + 1)."""
LEVEL = 0.95
"""Share of the resamples that an interval holds."""
SEED = 0
_CELLS = 4_000_000
"""Most drawn numbers held at a time."""

Matrix = NDArray[np.float64]


class Interval(NamedTuple):
    """A mean over questions and between what it might as well have been."""

    mean: float
    """The figure itself; 0.0 when nothing was measured."""
    low: float
    """Lower end of the percentile interval."""
    high: float
    """Upper end."""
    n: int
    """Questions it is a mean over."""


class Paired(NamedTuple):
    """How far two settings are apart on the same questions."""

    before: float
    """Mean of the first."""
    after: float
    """Mean of the second."""
    difference: float
    """after - before."""
    low: float
    """Lower end of the percentile interval of the difference."""
    high: float
    """Upper end."""
    p: float
    """Two-sided p value of the randomisation test: how often chance alone sets them that far apart."""
    n: int
    """Questions compared."""
    n_different: int
    """Those on which the two differ."""


def bootstrap(
    values: Sequence[float | None] | Matrix, *, resamples: int = RESAMPLES, seed: int = SEED, level: float = LEVEL
) -> Interval:
    """Return the mean of a figure over questions with its percentile bootstrap interval.

    Args:
        values: (n_questions,) one number a question; `None` or NaN where the figure does not apply.
        resamples: how many collections of as many questions are drawn, with repeats.
        seed: the same seed gives the same interval.
        level: share of the resampled means between the ends.

    >>> bootstrap([1.0, 1.0, 1.0, None])
    Interval(mean=1.0, low=1.0, high=1.0, n=3)
    """
    return bootstrap_columns(_column(values), resamples=resamples, seed=seed, level=level)[0]


def bootstrap_columns(
    values: Matrix, *, resamples: int = RESAMPLES, seed: int = SEED, level: float = LEVEL
) -> list[Interval]:
    """Return an interval a figure, all from the same drawn collections: (n_questions, n_figures), NaN allowed."""
    there = ~np.isnan(values)
    filled = np.where(there, values, 0.0)
    counts = there.sum(axis=0)
    if not len(values):
        return [Interval(0.0, 0.0, 0.0, 0)] * values.shape[1]
    means = filled.sum(axis=0) / np.maximum(counts, 1)
    low, high = _percentiles(_resampled_means(filled, there, means, resamples, seed), level)
    columns = zip(means.tolist(), low.tolist(), high.tolist(), counts.tolist(), strict=True)
    return [Interval(*column) for column in columns]


def intervals_of(names: Sequence[str], rows: Sequence[Mapping[str, float | None]]) -> dict[str, Interval]:
    """Return the interval of each figure named, from one mapping of figures a question."""
    values = np.array([[row.get(name) for name in names] for row in rows], np.float64).reshape(-1, len(names))
    return dict(zip(names, bootstrap_columns(values), strict=True))


def compare_paired(
    before: Sequence[float | None] | Matrix,
    after: Sequence[float | None] | Matrix,
    *,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
    seed: int = SEED,
    level: float = LEVEL,
) -> Paired:
    """Return the difference of two means over the same questions, its interval and its p value.

    p = (1 + #{|d*| >= |d|}) / (1 + permutations), d* the mean difference after each question's two values changed
    places or not, by chance.

    Args:
        before: (n_questions,) one number a question; `None` or NaN where the figure does not apply.
        after: the same questions in the same order; a question that either lacks is left out.
        resamples: collections drawn for the interval.
        permutations: assignments of signs drawn for the p value.
        seed: the same seed gives the same record.
        level: share of the resampled differences between the ends.

    Raises:
        ValueError: the two are not as long as each other.

    >>> compare_paired([0.0, 1.0, 0.5], [0.0, 1.0, 0.5]).p
    1.0
    """
    one, two = _column(before), _column(after)
    if len(one) != len(two):
        raise ValueError(f"{len(one)} questions before, {len(two)} after")
    both = ~np.isnan(one[:, 0]) & ~np.isnan(two[:, 0])
    one, two = one[both], two[both]
    change = bootstrap_columns(two - one, resamples=resamples, seed=seed, level=level)[0]
    means = (float(one.mean()), float(two.mean())) if len(one) else (0.0, 0.0)
    p = _randomisation(two[:, 0] - one[:, 0], permutations, seed)
    return Paired(*means, change.mean, change.low, change.high, p, len(one), int((one != two).sum()))


def _column(values: Sequence[float | None] | Matrix) -> Matrix:
    return np.array([np.nan if value is None else value for value in values], np.float64).reshape(-1, 1)


def _resampled_means(filled: Matrix, there: NDArray[np.bool_], means: Matrix, resamples: int, seed: int) -> Matrix:
    """Return the means of drawn collections, (resamples, n_figures); one that drew nothing measured has the mean."""
    generator = np.random.default_rng(seed)
    weights = there.astype(np.float64)
    parts = []
    for size in _blocks(resamples, len(filled)):
        drawn = generator.integers(0, len(filled), (size, len(filled)))
        # How often each question was drawn: a mean over drawn questions is then a product of matrices.
        drawn += np.arange(size)[:, None] * len(filled)
        times = np.bincount(drawn.ravel(), minlength=size * len(filled)).reshape(size, -1).astype(np.float64)
        totals = times @ weights
        parts.append(np.where(totals > 0, (times @ filled) / np.maximum(totals, 1), means))
    return np.concatenate(parts)


def _percentiles(means: Matrix, level: float) -> tuple[Matrix, Matrix]:
    outside = (1 - level) / 2
    low, high = np.quantile(means, [outside, 1 - outside], axis=0)
    return low, high


def _randomisation(differences: Matrix, permutations: int, seed: int) -> float:
    """Return the two-sided p value of the mean of paired differences."""
    observed = abs(float(differences.sum()))
    differences = differences[differences != 0]
    if not len(differences):
        return 1.0
    generator = np.random.default_rng(seed)
    as_far = 0
    for size in _blocks(permutations, len(differences)):
        signs = 2.0 * generator.integers(0, 2, (size, len(differences)), np.int8) - 1
        # Sums of the same numbers in another order differ in their last bits; they are as far apart all the same.
        as_far += int((np.abs(signs @ differences) >= observed * (1 - 1e-9)).sum())
    return (1 + as_far) / (1 + permutations)


def _blocks(total: int, width: int) -> Iterator[int]:
    """Yield numbers of rows of `width` cells that add up to `total`, none of them too much at a time."""
    size = max(1, _CELLS // max(1, width))
    for start in range(0, total, size):
        yield min(size, total - start)
