"""A text and a collection -> how much less the text surprises with the best passage in front of it.

Ram et al., "In-Context Retrieval-Augmented Language Models", 2023: every s tokens the last l tokens are the query,
and the best passage is put before the text while the next s tokens are predicted. The model stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.indexing.bm25 import BM25
from engine.modelling.rag_models import Probabilities
from engine.modelling.trigram import Trigram, sentence_words
from engine.records import Chunk

SHARES = np.linspace(0, 0.95, 20)
"""Weights of the passage that are tried."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text's tokens, predicted from memory and from the passages that were retrieved on the way."""

    alone: Probabilities
    """(n_tokens,) ln p of each token from memory."""
    passage: Probabilities
    """(n_tokens,) ln p of each token from the passage in front of it; as `alone` where nothing was found."""
    retrieved: tuple[int | None, ...]
    """Id of the passage of each stride; `None`: no passage shares a word with the query."""

    def together(self, share: float) -> Probabilities:
        """Return (n_tokens,) ln p of each token with the passage's trigrams at weight `share`, below 1."""
        with np.errstate(divide="ignore"):  # a share of 0 is meant
            return np.asarray(np.logaddexp(np.log(1 - share) + self.alone, np.log(share) + self.passage))


def read_in_context(
    memory: Trigram,
    bm25: BM25,
    passages: Sequence[str | Chunk],
    text: str | Chunk,
    *,
    stride: int = 4,
    query_length: int = 32,
) -> Reading:
    """Predict a text with the best BM25 passage in front, chosen anew every `stride` tokens.

    Args:
        memory: the model.
        bm25: over the passages.
        passages: by id; the text itself must not be among them.
        text: what is predicted, word by word and sentence by sentence.
        stride: s, tokens between two queries.
        query_length: l, words of the query: the last ones before the stride, never those to be predicted.

    Raises:
        ValueError: the stride or the length of the query is below 1.
    """
    if stride < 1 or query_length < 1:
        raise ValueError("stride and query length are at least 1")
    words, tokens = sentence_words(text), memory.vocabulary.encode_sentences(text)
    alone = memory.token_log_probabilities(tokens)
    parts: list[Probabilities] = []
    retrieved: list[int | None] = []
    readers: dict[int, Trigram] = {}
    for start in range(0, len(tokens), stride):
        span = slice(start, start + stride)
        found = bm25.search(" ".join(words[max(0, start - query_length) : start]), 1).ids
        retrieved.append(found[0] if found else None)
        if not found:
            parts.append(alone[span])
            continue
        if found[0] not in readers:
            readers[found[0]] = Trigram([passages[found[0]]], memory.vocabulary)
        parts.append(readers[found[0]].token_log_probabilities(tokens[span], tokens[max(0, start - 2) : start]))
    return Reading(alone, np.concatenate((np.zeros(0), *parts)), tuple(retrieved))


def choose_share(readings: Sequence[Reading]) -> float:
    """Return the weight of the passage, of `SHARES`, with the least perplexity over held-out texts."""
    scores = [np.concatenate([reading.together(share) for reading in readings]).mean() for share in SHARES]
    return float(SHARES[int(np.argmax(scores))])
