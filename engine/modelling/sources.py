"""The sources of a prompt as a hidden variable: what each would say, and how much each counts, token by token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from engine.indexing.inverted_index import indexed_text
from engine.modelling.decoding import After, Hypothesis, NextToken, decode_rag_sequence, decode_rag_token, token_table
from engine.modelling.rag_models import TokenStep, bayes_steps, log_softmax, rag_marginals
from engine.modelling.trigram import END, Trigram, Vocabulary
from engine.records import Chunk


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence under the sources: its probability in both models and what every token says about them."""

    words: tuple[str, ...]
    """The tokens' words."""
    steps: tuple[TokenStep, ...]
    """One a word: weights, probabilities and factors."""
    log_sequence: float
    """ln p(y|x) under RAG-Sequence."""
    log_token: float
    """ln p(y|x) under RAG-Token."""
    log_sources: tuple[float, ...]
    """ln p(y|x,z) under each source alone."""


class SourceModels:
    """A trigram model of each source, with its header, and p(z|x) from the retrieval scores.

    Attributes:
        vocabulary: the words that every model knows.
        log_prior: (n_sources,) ln p(z|x).
        models: one a source.
    """

    def __init__(
        self, chunks: Sequence[Chunk | str], scores: ArrayLike, vocabulary: Vocabulary, temperature: float = 1.0
    ) -> None:
        """Train on each source.

        Args:
            chunks: the sources, at least one.
            scores: (n_sources,) what the retriever gave them.
            vocabulary: usually that of the collection.
            temperature: of the softmax over the scores; low trusts the best source, high trusts all alike.

        Raises:
            ValueError: there is not one score a source, or no source.
        """
        self.vocabulary, self.log_prior = vocabulary, log_softmax(scores, temperature)
        if self.log_prior.shape != (len(chunks),):
            raise ValueError("one score a source is needed")
        self.models = tuple(Trigram([indexed_text(chunk)], vocabulary) for chunk in chunks)

    def weigh(self, sentence: str, stem: str = "") -> Weighed:
        """Return the probability of a sentence, the `stem` before it given, and the weights on the way."""
        tokens = self.vocabulary.encode(sentence)
        table = token_table(self._after(stem), tokens)
        log_sequence, log_token = rag_marginals(self.log_prior, table)
        words = tuple(self.vocabulary.words[token] for token in tokens)
        by_source = tuple(table.sum(axis=1).tolist())
        return Weighed(words, bayes_steps(self.log_prior, table), log_sequence, log_token, by_source)

    def decode_token(self, stem: str = "", width: int = 4) -> tuple[tuple[str, Hypothesis], ...]:
        """Return what RAG-Token says after the stem, best first, in words and as found."""
        return self._read(decode_rag_token(self.log_prior, self._after(stem), END, width=width))

    def decode_sequence(self, stem: str = "", width: int = 4) -> tuple[tuple[str, Hypothesis], ...]:
        """Return what RAG-Sequence says after the stem, best first, in words and as found."""
        return self._read(decode_rag_sequence(self.log_prior, self._after(stem), END, width=width))

    def _after(self, stem: str) -> list[NextToken]:
        start = self.vocabulary.encode(stem)
        return [After(model, start) for model in self.models]

    def _read(self, found: Sequence[Hypothesis]) -> tuple[tuple[str, Hypothesis], ...]:
        return tuple((self.vocabulary.decode(hypothesis.tokens), hypothesis) for hypothesis in found)
