"""Questions by note -> folds of about the same size, all questions about one note in the same one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray


def grouped_folds(groups: Sequence[Hashable], n_folds: int, seed: int = 0) -> NDArray[np.int32]:
    """Return the fold of each question, (n_questions,), from 0: the largest groups first, each into the emptiest fold.

    Args:
        groups: one a question: what questions must have in common to stay together.
        n_folds: at most; never more than there are groups.
        seed: of the order among groups of one size.

    >>> folds = grouped_folds(["venus", "mars", "venus", "mars", "moon"], 2)
    >>> sorted(np.bincount(folds).tolist()), bool(folds[0] == folds[2])
    ([2, 3], True)
    """
    members: dict[Hashable, list[int]] = {}
    for at, group in enumerate(groups):
        members.setdefault(group, []).append(at)
    ordered = list(members.values())
    Random(seed).shuffle(ordered)
    ordered.sort(key=len, reverse=True)
    sizes = [0] * max(1, min(n_folds, len(ordered)))
    folds = np.zeros(len(groups), np.int32)
    for places in ordered:
        emptiest = sizes.index(min(sizes))
        folds[places] = emptiest
        sizes[emptiest] += len(places)
    return folds
