"""A collection -> how well LSA finds in it what belongs together, beside BM25: told without labels.

A sentence taken out of a passage is a question that the rest of the passage answers. Half of a sample of passages
makes an LSA space; the other half, which that space has never seen, is asked: how high do LSA and BM25 rank the
passage that a few words of its sentence came from? Asked of the passages a space was made of, LSA would only
remember which words stood together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import Analyze, InvertedIndex
from engine.indexing.lsa import LSA
from engine.records import Chunk
from engine.text.sentences import split_sentences

SAMPLE = 1_000
"""Passages looked at, at most: half of them make the space, half are asked."""
WORDS = 6
"""Words of a sentence that are asked: about as many as a question has."""
DIMENSIONS = 128
"""Of the space made of half the sample, at most."""
FEWEST = 30
"""Questions below which nothing is told."""


def measure_lean(chunks: Sequence[Chunk], analyzer: Analyze, seed: int = 0) -> float | None:
    """Return LSA's mean reciprocal rank over BM25's, at least 0; 1 where both do as well.

    Args:
        chunks: the collection.
        analyzer: text to terms.
        seed: of the sample and of the words taken.

    Returns:
        `None`: the collection is too small, or its passages have one sentence each.
    """
    chance = Random(seed)
    sample = chance.sample(range(len(chunks)), min(SAMPLE, len(chunks)))
    half = len(sample) // 2
    asked, rests = _questions([chunks[at] for at in sample[half:]], analyzer, chance)
    if len(asked) < FEWEST:
        return None
    sparse = BM25(InvertedIndex(rests, analyzer))
    space = InvertedIndex((f"{chunk.header}\n{chunk.text}" for chunk in (chunks[at] for at in sample[:half])), analyzer)
    dense = LSA(space, min(DIMENSIONS, half))
    vectors = np.array([dense.embed(rest) for rest in rests])
    both = (_mean_reciprocal_rank(asked, scores) for scores in (lambda q: vectors @ dense.embed(q), sparse.scores))
    found, expected = both
    return found / expected


def _questions(chunks: Sequence[Chunk], analyzer: Analyze, chance: Random) -> tuple[list[list[str]], list[str]]:
    """Take a sentence out of each passage that has two or more; return words of it, and the rests."""
    asked, rests = [], []
    for chunk in chunks:
        sentences = split_sentences(chunk.text)
        if len(sentences) < 2:
            continue
        taken = sentences.pop(chance.randrange(len(sentences)))
        words = sorted(set(analyzer(taken)))
        if len(words) >= WORDS // 2:
            asked.append(chance.sample(words, min(WORDS, len(words))))
            rests.append("\n".join((chunk.header, *sentences)))
    return asked, rests


def _mean_reciprocal_rank(asked: Sequence[list[str]], scores: Callable[[list[str]], NDArray[np.float64]]) -> float:
    """Return the mean of 1 / rank of the passage at each question's own place; ties count half."""
    total = 0.0
    for at, words in enumerate(asked):
        found = scores(words)
        above, level = np.count_nonzero(found > found[at]), np.count_nonzero(found == found[at])
        total += 1 / (above + (level + 1) / 2)
    return total / len(asked)
