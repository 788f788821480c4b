"""How far a sentence stands out -> the probability that it answers the question.

Logistic regression: p = 1 / (1 + exp(-(base + sum of weight times sign))). It is calibrated where its questions come
from, on encyclopedia paragraphs; on other notes it still orders answers, and `planet-tui evaluate` shows how well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

BASE = -4.0
SIGNS = {"ahead": 3.0, "coverage": 2.0, "score": 0.1}
"""Sign -> weight, in log odds.

ahead     share of exp(score) of the best sentence among all: near 1, no other comes close
coverage  the feature of that name
score     the sentence's score
"""


def signs_of(scores: NDArray[np.float64], best: int, features: Mapping[str, float]) -> dict[str, float]:
    """Return the signs that the best sentence is right.

    Args:
        scores: (n_sentences,) of all sentences.
        best: which is the best.
        features: its features.
    """
    ahead = 1 / float(np.exp(scores - scores[best]).sum())
    return {"ahead": ahead, "coverage": features["coverage"], "score": float(scores[best])}


def probability(signs: Mapping[str, float]) -> float:
    """Return the probability, 0 to 1, that the signs make.

    >>> probability({"ahead": 0.0, "coverage": 0.0, "score": 0.0}) < 0.5
    True
    """
    return 1 / (1 + math.exp(-max(-500.0, BASE + sum(SIGNS[name] * value for name, value in signs.items()))))


def in_words(value: float) -> str:
    """Return a probability in words.

    >>> in_words(0.81), in_words(0.5), in_words(0.1)
    ('likely right 0.81', 'perhaps right 0.50', 'hardly right 0.10')
    """
    words: Sequence[tuple[float, str]] = ((0.65, "likely right"), (0.35, "perhaps right"), (-1.0, "hardly right"))
    return f"{next(word for least, word in words if value >= least)} {value:.2f}"
