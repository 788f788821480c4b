"""Two sentences where one cannot answer: "Which has more moons, Saturn or Jupiter?"."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.answering.reader.features import Sentence
from engine.answering.reader.question import Asked

CLOSE_TO_BEST = 0.5
"""Share of the best score that the second sentence needs."""


def second_sentence(asked: Asked, sentences: Sequence[Sentence], scores: NDArray[np.float64], best: int) -> int | None:
    """Return the best sentence about what a question also names and the best sentence does not; `None`: there is none.

    Args:
        asked: the question.
        sentences: of all sources.
        scores: (n_sentences,) theirs.
        best: which is answered with first.
    """
    if asked.compared is None:
        return None
    missing = [name for name in asked.compared if name not in sentences[best].covered]
    if len(missing) != 1:
        return None
    others = [at for at, sentence in enumerate(sentences) if missing[0] in sentence.covered]
    found = max(others, key=lambda at: scores[at], default=None)
    return found if found is not None and scores[found] >= CLOSE_TO_BEST * scores[best] else None
