"""A language model that looks up what followed in similar contexts: kNN-LM.

Khandelwal et al., "Generalization through Memorization: Nearest Neighbor Language Models", 2020:

    p(w|h) = lambda p_kNN(w|h) + (1 - lambda) p_LM(w|h),   p_kNN(w|h) ~ sum over neighbours with value w of exp(-d).

The datastore holds a pair for every token of a collection: the vector of its context, and the token that came.
Where theirs are states of a transformer, contexts here are made of the words' LSA vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA
from engine.indexing.top_k import top_k
from engine.modelling.rag_models import Probabilities, softmax
from engine.modelling.trigram import END, UNKNOWN, Tokens, Trigram, Vocabulary, perplexity
from engine.records import Chunk
from engine.text.analysis import tokenize

Vectors = NDArray[np.float32]

BAG = 16
"""Words whose mean tells the subject of a context."""

BAG_WEIGHT = 2.0
"""Length of that mean in a context, where each of the last two words has length 1: of the lengths tried, it let
neighbours help most. The trigram model beside them knows the last two words already."""

LAMBDAS = np.linspace(0, 0.95, 20)
"""Shares of the neighbours that are tried."""

TEMPERATURES = (0.05, 0.1, 0.2, 0.4)
"""What distances are divided by, tried: those of unit vectors lie in 0 to 4, too near to each other for exp(-d)."""

BLOCK = 128
"""Contexts compared with the datastore at once."""


def knn_lm(p_lm: ArrayLike, dists: ArrayLike, values: ArrayLike, lam: float) -> Probabilities:
    """Return lam p_kNN + (1 - lam) p_LM, p_kNN the softmax of -dists, its mass added up by token.

    Args:
        p_lm: (n_vocabulary,) the model's probabilities.
        dists: (k,) squared distances of the neighbours; infinite: no neighbour.
        values: (k,) the token that followed each neighbour.
        lam: lambda, 0 to 1. Without a neighbour it does not count.

    Returns:
        (n_vocabulary,) float64, sums to 1 when `p_lm` does.

    Raises:
        ValueError: the shapes do not fit, a value is no token, lambda is out of its range, or a distance is NaN.

    >>> knn_lm([0.5, 0.3, 0.2], [0.0, 0.0, 1000.0], [2, 2, 0], lam=0.25).round(4).tolist()
    [0.375, 0.225, 0.4]
    """
    model, distances = np.array(p_lm, np.float64), np.asarray(dists, np.float64)
    tokens = np.asarray(values, np.int64) if np.size(values) else np.zeros(np.shape(values), np.int64)
    if model.ndim != 1 or distances.ndim != 1 or tokens.shape != distances.shape:
        raise ValueError("p_lm is (n_vocabulary,), dists and values are both (k,)")
    if not 0 <= lam <= 1:
        raise ValueError("lambda lies in 0 to 1")
    if len(tokens) and not 0 <= tokens.min() <= tokens.max() < len(model):
        raise ValueError("a value is a token of the vocabulary")
    if not len(distances) or (distances == np.inf).all():
        return model
    return lam * np.bincount(tokens, softmax(-distances), len(model)) + (1 - lam) * model


class ContextEncoder:
    """The words before a token as a unit vector: the last word, the one before it, the mean of the last 16."""

    def __init__(self, vocabulary: Vocabulary, texts: Iterable[str | Chunk], dimensions: int = 64) -> None:
        """Fit LSA over the texts, every word a term, and take the words' vectors from it.

        Args:
            vocabulary: the words; those that fewer than two texts hold have no vector.
            texts: what LSA is fitted on.
            dimensions: of a word's vector; a context has three times as many.
        """
        index = InvertedIndex(texts, tokenize, headers=False)
        vectors = _unit(LSA(index, dimensions).term_vectors.astype(np.float32))
        kept = np.flatnonzero(index.document_frequencies() >= 2)  # the terms of the rows, in their order
        tokens = np.array([vocabulary.ids.get(word, UNKNOWN) for word in index.vocabulary], np.int64)[kept]
        known = tokens != UNKNOWN
        self.vocabulary = vocabulary
        self.word_vectors: Vectors = np.zeros((len(vocabulary), vectors.shape[1]), np.float32)
        """(n_vocabulary, n_dims) unit rows; zeros for a word without a vector."""
        self.word_vectors[tokens[known]] = vectors[known]

    def contexts(self, tokens: Sequence[int] | Tokens) -> Vectors:
        """Return the vector of the context of every token, (n_tokens, 3 n_dims): row i knows tokens before i only."""
        stream = np.concatenate((np.full(BAG, END), tokens)).astype(np.int64)
        words = self.word_vectors[stream]
        sums = np.concatenate((np.zeros((1, words.shape[1])), words.cumsum(axis=0, dtype=np.float64)))
        bags = (sums[BAG:-1] - sums[: -BAG - 1]).astype(np.float32)
        parts = (words[BAG - 1 : -1], words[BAG - 2 : -2], BAG_WEIGHT * _unit(bags))
        return _unit(np.concatenate(parts, axis=1))


class Datastore:
    """Contexts of a collection and the token that followed each."""

    def __init__(self, encoder: ContextEncoder, texts: Iterable[str | Chunk]) -> None:
        """Encode every context of the texts.

        Args:
            encoder: gives the vectors; the model that is to be helped shares its vocabulary.
            texts: the collection; words that the vocabulary does not hold are one unknown word.
        """
        self.encoder = encoder
        streams = [encoder.vocabulary.encode_sentences(text) for text in texts]
        keys = [encoder.contexts(stream) for stream in streams if stream]
        width = 3 * encoder.word_vectors.shape[1]
        self.keys: Vectors = np.concatenate((np.zeros((0, width), np.float32), *keys))
        """(n_pairs, 3 n_dims) unit rows."""
        self.values: Tokens = np.array([token for stream in streams for token in stream], np.int64)
        """(n_pairs,) the token that followed."""

    def nearest(self, queries: Vectors, k: int) -> tuple[Probabilities, Tokens]:
        """Return (distances, values) of the k nearest contexts of each query, both (n_queries, k), nearest first.

        Distances are squared; they lie in 0 to 4. Ties go to the earlier pair. k is cut to the pairs there are.
        """
        k = min(k, len(self.keys))
        distances, places = np.zeros((len(queries), k)), np.zeros((len(queries), k), np.int64)
        lengths = (self.keys**2).sum(axis=1)  # 1, but 0 for a context without a known word
        for start in range(0, len(queries), BLOCK):
            block = queries[start : start + BLOCK]
            squared = (block**2).sum(axis=1, keepdims=True) + lengths - 2 * (block @ self.keys.T)
            for row, from_query in enumerate(squared, start):
                places[row] = top_k(-from_query, k)
                distances[row] = from_query[places[row]]
        return np.maximum(distances, 0), self.values[places]


class KnnModel:
    """A trigram model beside a datastore; a `NextToken` for decoding."""

    def __init__(
        self, model: Trigram, datastore: Datastore, *, k: int = 1024, lam: float = 0.25, temperature: float = 0.1
    ) -> None:
        """Take the model, the datastore, neighbours asked for, the share of the neighbours, and their temperature.

        Raises:
            ValueError: model and datastore do not share a vocabulary.
        """
        if model.vocabulary.words != datastore.encoder.vocabulary.words:
            raise ValueError("the model and the datastore need one vocabulary")
        self.model, self.datastore, self.k, self.lam, self.temperature = model, datastore, k, lam, temperature

    def log_probabilities(self, context: Sequence[int]) -> Probabilities:
        """Return ln p(next token | context), (n_vocabulary,)."""
        query = self.datastore.encoder.contexts((*context, END))[-1:]
        distances, values = self.datastore.nearest(query, self.k)
        p_lm = np.exp(self.model.log_probabilities(context))
        return np.log(knn_lm(p_lm, distances[0] / self.temperature, values[0], self.lam))

    def token_log_probabilities(self, tokens: Sequence[int] | Tokens) -> Probabilities:
        """Return ln p of each token of a text given all before it, (n_tokens,)."""
        distances, values = self.datastore.nearest(self.datastore.encoder.contexts(tokens), self.k)
        p_lm = np.exp(self.model.token_log_probabilities(tokens))
        if not distances.shape[1]:
            return np.log(p_lm)
        p_knn = neighbour_probabilities(distances / self.temperature, values, tokens)
        return np.log(self.lam * p_knn + (1 - self.lam) * p_lm)


def neighbour_probabilities(dists: ArrayLike, values: ArrayLike, targets: Sequence[int] | Tokens) -> Probabilities:
    """Return p_kNN of the token that came, text position by position, (n_tokens,).

    Args:
        dists: (n_tokens, k) squared distances, k at least 1.
        values: (n_tokens, k) the token that followed each neighbour.
        targets: (n_tokens,) the tokens that came.

    >>> neighbour_probabilities([[0.0, 0.0]], [[7, 8]], [7]).tolist()
    [0.5]
    """
    found = np.asarray(values) == np.asarray(targets)[:, None]
    return np.asarray((softmax(-np.asarray(dists, np.float64)) * found).sum(axis=1))


@dataclass(frozen=True, slots=True)
class Interpolation:
    """The share and temperature of the neighbours that suit a held-out text best."""

    lam: float
    """lambda; 0: the neighbours do not help."""
    temperature: float
    """What distances are divided by."""
    perplexity: float
    """Of the held-out text with them."""


def choose_interpolation(
    p_lm: Probabilities, dists: Probabilities, values: Tokens, targets: Sequence[int] | Tokens
) -> Interpolation:
    """Return the lambda of `LAMBDAS` and temperature of `TEMPERATURES` of the least perplexity on held-out text.

    Args:
        p_lm: (n_tokens,) the model's probability of each token that came.
        dists: (n_tokens, k) squared distances of the neighbours of its context.
        values: (n_tokens, k) what followed them.
        targets: (n_tokens,) the tokens that came, at least one.
    """
    tried = []
    for temperature in TEMPERATURES:
        p_knn = neighbour_probabilities(dists / temperature, values, targets)
        mixed = np.log(LAMBDAS[:, None] * p_knn + (1 - LAMBDAS[:, None]) * p_lm)
        at = int(mixed.mean(axis=1).argmax())
        tried.append(Interpolation(float(LAMBDAS[at]), temperature, perplexity(mixed[at])))
    return min(tried, key=lambda found: found.perplexity)


def _unit(rows: Vectors) -> Vectors:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(norms > 0, norms, 1), np.float32)
