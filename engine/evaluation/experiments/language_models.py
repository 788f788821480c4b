"""Does a collection help a language model? kNN-LM and In-Context RALM, by the perplexity of text held out.

A trigram model learns from one collection. Its datastore, another collection's datastore, and passages retrieved on
the way are put beside it; how much each counts is chosen on a held-out part and measured on another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.evaluation.tables import Column, Table, table
from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex
from engine.modelling.in_context import choose_share, read_in_context
from engine.modelling.knn_lm import ContextEncoder, Datastore, choose_interpolation, neighbour_probabilities
from engine.modelling.rag_models import Probabilities
from engine.modelling.trigram import Tokens, Trigram, Vocabulary, perplexity

NEIGHBOURS = 1024
"""k of the kNN model."""
MIN_COUNT = 2
"""Words rarer than this are one unknown word."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A collection's texts, parted; no text is in two parts."""

    name: str
    """The collection."""
    train: tuple[str, ...]
    """What models learn, datastores hold and passages are retrieved from."""
    held_out: tuple[str, ...]
    """What weights are chosen on."""
    test: tuple[str, ...]
    """What is measured."""

    @classmethod
    def of(cls, name: str, texts: Sequence[str]) -> Parts:
        """Hold out every tenth text, and keep the one after it for the test.

        >>> parts = Parts.of("ten", list("abcdefghij"))
        >>> parts.held_out, parts.test, len(parts.train)
        (('a',), ('b',), 8)
        """
        train = tuple(text for at, text in enumerate(texts) if at % 10 > 1)
        return cls(name, train, tuple(texts[::10]), tuple(texts[1::10]))


@dataclass(frozen=True, slots=True)
class Row:
    """One way to read a text."""

    text: str
    """The collection whose test part is read."""
    beside: str
    """What stands beside the trigram model; empty: nothing."""
    weight: float
    """Its share, chosen on the held-out part: lambda, or the weight of the passage. 0: it does not help."""
    temperature: float | None
    """What distances are divided by; `None`: there are none."""
    held_out: float
    """Perplexity of the held-out part; lower is better."""
    test: float
    """Perplexity of the test part."""


@dataclass(frozen=True, slots=True)
class LanguageModels:
    """What was measured."""

    own: str
    """The collection that the trigram model was trained on."""
    n_tokens: int
    """Tokens it was trained on."""
    n_vocabulary: int
    """Tokens it can choose from."""
    n_test: int
    """Tokens of the own test part."""
    rows: tuple[Row, ...]
    """The model alone first, for each text read."""

    def tables(self) -> tuple[Table, ...]:
        """Return a row each way to read a text."""
        columns: list[Column | str] = [
            "text",
            Column("beside", "beside the model"),
            Column("weight", form=".2f"),
            Column("temperature", form="g"),
            Column("held_out", "held out", ".1f"),
            Column("test", form=".1f"),
        ]
        rows = [[r.text, r.beside or "nothing", r.weight, r.temperature, r.held_out, r.test] for r in self.rows]
        title = f"Perplexity of a trigram model of {self.own}: {self.n_tokens:,} tokens, {self.n_vocabulary:,} words"
        return (table(title, columns, rows),)


def language_models(own: Parts, other: Parts, *, dimensions: int = 64) -> LanguageModels:
    """Measure the model alone, with both datastores, and with passages in front; then on the other collection.

    Args:
        own: what the trigram model is trained on.
        other: the second collection.
        dimensions: of a word's vector in the contexts.
    """
    vocabulary = Vocabulary.of([*own.train, *other.train], MIN_COUNT)
    model = Trigram(own.train, vocabulary)
    encoder = ContextEncoder(vocabulary, [*own.train, *other.train], dimensions)
    stores = {parts.name: Datastore(encoder, parts.train) for parts in (own, other)}
    rows = [
        _alone(model, own),
        _with_neighbours(model, stores[own.name], own, own.name),
        _with_neighbours(model, stores[other.name], own, other.name),
        _with_passages(model, own),
        _alone(model, other),
        _with_neighbours(model, stores[other.name], other, other.name),
        _with_passages(model, other),
    ]
    n_test = sum(len(vocabulary.encode_sentences(text)) for text in own.test)
    return LanguageModels(own.name, model.n_tokens, len(vocabulary), n_test, tuple(rows))


def _alone(model: Trigram, parts: Parts) -> Row:
    figures = [perplexity(_log_probabilities(model, texts)) for texts in (parts.held_out, parts.test)]
    return Row(parts.name, "", 0.0, None, *figures)


def _with_neighbours(model: Trigram, store: Datastore, parts: Parts, name: str) -> Row:
    chosen = choose_interpolation(*_lookup(model, store, parts.held_out))
    p_lm, distances, values, targets = _lookup(model, store, parts.test)
    p_knn = neighbour_probabilities(distances / chosen.temperature, values, targets)
    test = perplexity(np.log(chosen.lam * p_knn + (1 - chosen.lam) * p_lm))
    return Row(parts.name, f"neighbours in {name}", chosen.lam, chosen.temperature, chosen.perplexity, test)


def _with_passages(model: Trigram, parts: Parts) -> Row:
    bm25 = BM25(InvertedIndex(parts.train))
    held_out, test = (
        [read_in_context(model, bm25, parts.train, text) for text in texts] for texts in (parts.held_out, parts.test)
    )
    share = choose_share(held_out)
    figures = [perplexity(np.concatenate([reading.together(share) for reading in part])) for part in (held_out, test)]
    return Row(parts.name, f"passages of {parts.name}", share, None, *figures)


def _lookup(
    model: Trigram, store: Datastore, texts: Sequence[str]
) -> tuple[Probabilities, Probabilities, Tokens, Tokens]:
    """Return p_LM of every token, the distances and values of its neighbours, and the token."""
    streams = [model.vocabulary.encode_sentences(text) for text in texts]
    queries = np.concatenate([store.encoder.contexts(stream) for stream in streams])
    p_lm = np.exp(np.concatenate([model.token_log_probabilities(stream) for stream in streams]))
    return p_lm, *store.nearest(queries, NEIGHBOURS), np.concatenate(streams).astype(np.int64)


def _log_probabilities(model: Trigram, texts: Sequence[str]) -> Probabilities:
    streams = [model.vocabulary.encode_sentences(text) for text in texts]
    return np.concatenate([model.token_log_probabilities(stream) for stream in streams])
