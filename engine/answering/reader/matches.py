"""Where the words of a question stand in a sentence -> how closely it follows the question: one function a feature."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from engine.answering.reader.question import Asked
from engine.answering.reader.words import Words

NEAR = 3
"""Words apart at most: a near pair."""
BESIDE = 6
"""Words from a fitting word to a word of the question, at most."""
EARLY = 6
"""First words of a sentence, which tell what it is about."""
BEGINNING = 5
"""Letters of a same beginning."""

K = TypeVar("K")
Places = Mapping[str, Sequence[int]]
"""Where each word of the question stands in a sentence."""


def places_of(words: Words, weights: Mapping[str, float]) -> dict[str, list[int]]:
    """Return the places of the question's words in a sentence, counted from 0."""
    places: dict[str, list[int]] = {}
    for at, stem in enumerate(words.stems):
        if stem in weights:
            places.setdefault(stem, []).append(at)
    return places


def share(found: Iterable[K], weights: Mapping[K, float]) -> float:
    """Return the share of the sum of the weights that some of them make up, 0 to 1.

    >>> share(["a"], {"a": 1.0, "b": 3.0}), share([], {})
    (0.25, 0.0)
    """
    total = sum(weights.values())
    return sum(weights[key] for key in found) / total if total > 0 else 0.0


def begun(held: Iterable[str], missing: Iterable[str]) -> list[str]:
    """Return the missing words whose first letters begin a word that is held.

    >>> begun({"invention"}, ["inventor", "iron"])
    ['inventor']
    """
    long = [word for word in missing if len(word) >= BEGINNING - 1]
    return [word for word in long if any(stem.startswith(word[:BEGINNING]) for stem in held)] if long else []


def alike_words(held: Iterable[str], missing: Iterable[str], groups: Mapping[str, frozenset[int]]) -> list[str]:
    """Return the missing words for which one that is held may stand.

    >>> alike_words({"movie"}, ["film", "star"], {"movie": frozenset({1}), "film": frozenset({1})})
    ['film']
    """
    wanted = [word for word in missing if word in groups]
    if not wanted:
        return []
    there = frozenset[int]().union(*(groups[word] for word in held if word in groups))
    return [word for word in wanted if not there.isdisjoint(groups[word])]


def is_near(found: Places, one: str, other: str) -> bool:
    """Return whether `other` follows `one` within `NEAR` words.

    >>> is_near({"red": [0], "dust": [2]}, "red", "dust"), is_near({"red": [0], "dust": [2]}, "dust", "red")
    (True, False)
    """
    return any(0 < b - a <= NEAR for a in found.get(one, ()) for b in found.get(other, ()))


def beside(asked: Asked, found: Places, fitting: Iterable[int]) -> float:
    """Return the largest share of the question's idf that stands within `BESIDE` words of a fitting word."""
    around = ({stem for stem, at in found.items() if any(abs(a - fit) <= BESIDE for a in at)} for fit in fitting)
    return max(map(asked.share, around), default=0.0) if found else 0.0


def rarity(words: Iterable[str], places: Sequence[Places]) -> dict[str, float]:
    """Return BM25's idf of words among some sentences: what all of them hold tells none of them apart.

    >>> rarity(["mars"], [{"mars": [0]}])["mars"] < rarity(["mars"], [{"mars": [0]}, {}])["mars"]
    True
    """
    counts = {word: sum(word in found for found in places) for word in words}
    return {word: math.log(1 + (len(places) - n + 0.5) / (n + 0.5)) for word, n in counts.items()}
