"""An answer against reference answers: exact match and token F1, as SQuAD counts them.

Rajpurkar et al., "SQuAD: 100,000+ questions for machine comprehension of text", 2016.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_DROPPED = re.compile(r"[^\w\s]|_")
_ARTICLES = frozenset(("a", "an", "the"))


def normalize_answer(text: str) -> str:
    """Return lower case without signs that are no letter, digit or space, without articles, single-spaced.

    >>> normalize_answer("  The U.S. -- an  island? "), normalize_answer("224.7 days")
    ('us island', '2247 days')
    """
    words = _DROPPED.sub("", text.lower()).split()
    return " ".join(word for word in words if word not in _ARTICLES)


def exact_match(prediction: str, references: Sequence[str]) -> float:
    """Return 1.0 when the normalised prediction equals a normalised reference, else 0.0.

    Args:
        prediction: what was answered.
        references: right answers; none at all stands for the empty one, which is right to give no answer.

    >>> exact_match("The Moon!", ["Phobos", "moon"])
    1.0
    """
    answer = normalize_answer(prediction)
    return float(any(answer == normalize_answer(reference) for reference in _listed(references)))


def token_f1(prediction: str, references: Sequence[str]) -> float:
    """Return the best F1 over the references: the harmonic mean of precision and recall of the normalised words.

    Repeats count. 0 to 1; two empty texts give 1.0, one empty text 0.0.

    Args:
        prediction: what was answered.
        references: as in `exact_match`.

    >>> token_f1("Nora Lind", ["Lind"])
    0.6666666666666666
    """
    words = normalize_answer(prediction).split()
    return max(_f1(words, normalize_answer(reference).split()) for reference in _listed(references))


def _listed(references: Sequence[str]) -> Sequence[str]:
    """Return the references; a text alone is one reference, not a list of its letters."""
    return [references] if isinstance(references, str) else references or [""]


def _f1(words: Sequence[str], reference: Sequence[str]) -> float:
    if not words or not reference:
        return float(words == reference)
    common = (Counter(words) & Counter(reference)).total()
    return 2 * common / (len(words) + len(reference))
