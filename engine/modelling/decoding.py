"""Next-token distributions under each source -> the most probable answers of RAG-Token and RAG-Sequence.

Lewis et al., 2020, section 2.5. RAG-Token is a language model like any other once its sources are mixed, so one
beam serves. RAG-Sequence does not factor over tokens: a beam under each source proposes, and every proposal is
then scored under every source ("thorough decoding").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from engine.indexing.top_k import top_k
from engine.modelling.rag_models import Probabilities, log_softmax, rag_marginals, softmax


class NextToken(Protocol):
    """A language model under one source: question and source are its own, the answer so far is the context."""

    def log_probabilities(self, context: Sequence[int], /) -> Probabilities:
        """Return ln p(next token | context), (n_vocabulary,), of a context of token ids."""
        ...


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """An answer that decoding found."""

    tokens: tuple[int, ...]
    """Token ids; the last is the end token where `ended`."""
    log_probability: float
    """ln p(y|x) under the model that was decoded; not divided by the length."""
    ended: bool
    """Whether it ends with the end token; otherwise it was cut at the greatest length."""


@dataclass(frozen=True, slots=True)
class CandidateScores:
    """Given answers (" Yes", " No"), scored under every source."""

    per_source: tuple[tuple[float, ...], ...]
    """A row a candidate: ln p(candidate|x,z) of each source."""
    sequence: tuple[float, ...]
    """ln p(candidate|x) under RAG-Sequence: the rows weighted by the prior."""
    token: tuple[float, ...]
    """ln p(candidate|x) under RAG-Token."""
    shares: tuple[float, ...]
    """RAG-Sequence's probabilities as shares of their sum: how sure it is among these candidates."""


def beam_search(model: NextToken, end: int, *, width: int = 4, max_tokens: int = 20) -> tuple[Hypothesis, ...]:
    """Return the most probable continuations that a beam finds, best first; with a wide enough beam all of them.

    Args:
        model: gives the next token's distribution.
        end: the token that ends an answer.
        width: hypotheses kept at each token, at least 1; 1 is greedy search.
        max_tokens: greatest length, the end token counted.

    Raises:
        ValueError: the width or the length is below 1.
    """
    if width < 1 or max_tokens < 1:
        raise ValueError("a beam is at least 1 wide and 1 token long")
    alive, ended = [Hypothesis((), 0.0, False)], list[Hypothesis]()
    for _ in range(max_tokens):
        found = list(_extended(model, alive, end, width))
        ended += [hypothesis for hypothesis in found if hypothesis.ended]
        alive = [hypothesis for hypothesis in found if not hypothesis.ended]
        # A probability only falls with length: once `width` answers beat every open one, no better answer comes.
        best_open = max((hypothesis.log_probability for hypothesis in alive), default=-np.inf)
        if sum(hypothesis.log_probability >= best_open for hypothesis in ended) >= width or not alive:
            alive = []
            break
    return tuple(sorted(ended + alive, key=_order)[:width])


def decode_rag_token(
    log_prior: ArrayLike, models: Sequence[NextToken], end: int, *, width: int = 4, max_tokens: int = 20
) -> tuple[Hypothesis, ...]:
    """Return RAG-Token's best answers: one beam over sum over z of p(z|x) p(y_i|x,z,y<i).

    Args:
        log_prior: (n_sources,) ln p(z|x) up to a constant.
        models: one a source.
        end: the token that ends an answer.
        width: of the beam.
        max_tokens: greatest length.
    """
    return beam_search(Mixture(log_prior, models), end, width=width, max_tokens=max_tokens)


def decode_rag_sequence(
    log_prior: ArrayLike, models: Sequence[NextToken], end: int, *, width: int = 4, max_tokens: int = 20
) -> tuple[Hypothesis, ...]:
    """Return RAG-Sequence's best answers: a beam under each source, every hypothesis scored under every source.

    Arguments as `decode_rag_token`'s.
    """
    beams = (beam_search(model, end, width=width, max_tokens=max_tokens) for model in models)
    proposals = {hypothesis.tokens: hypothesis.ended for hypothesis in chain.from_iterable(beams)}
    scored = [
        Hypothesis(tokens, rag_marginals(log_prior, token_table(models, tokens))[0], ended)
        for tokens, ended in proposals.items()
    ]
    return tuple(sorted(scored, key=_order)[:width])


def score_candidates(
    log_prior: ArrayLike, models: Sequence[NextToken], candidates: Sequence[Sequence[int]]
) -> CandidateScores:
    """Score given answers under every source and weigh the sources by the prior; nothing is generated.

    Args:
        log_prior: (n_sources,) ln p(z|x) up to a constant.
        models: one a source.
        candidates: token ids of each answer. Longer ones are less probable: end all with the end token, or compare
            answers of one length.

    Raises:
        ValueError: there is no candidate, or every candidate has probability 0.
    """
    if not candidates:
        raise ValueError("there is no candidate to score")
    tables = [token_table(models, candidate) for candidate in candidates]
    sequence, token = zip(*(rag_marginals(log_prior, table) for table in tables), strict=True)
    rows = tuple(tuple(table.sum(axis=-1).tolist()) for table in tables)
    return CandidateScores(rows, sequence, token, tuple(softmax(sequence).tolist()))


def token_table(models: Sequence[NextToken], tokens: Sequence[int]) -> Probabilities:
    """Return ln p(y_i|x,z,y<i) of an answer, (n_sources, n_tokens): what `rag_marginals` takes."""
    rows = [[model.log_probabilities(tokens[:at])[token] for at, token in enumerate(tokens)] for model in models]
    return np.array(rows, np.float64).reshape(len(models), len(tokens))


class After:
    """A model that has read the start of an answer: what it says next is the answer, the start is not scored."""

    def __init__(self, model: NextToken, start: Sequence[int]) -> None:
        """Take the model and the tokens that stand before the answer."""
        self._model, self._start = model, tuple(start)

    def log_probabilities(self, context: Sequence[int]) -> Probabilities:
        """Return ln p(next token | start and context), (n_vocabulary,)."""
        return self._model.log_probabilities((*self._start, *context))


class Mixture:
    """Several models as one: p(token|context) = sum over z of weight_z p_z(token|context)."""

    def __init__(self, log_weights: ArrayLike, models: Sequence[NextToken]) -> None:
        """Take ln weights, (n_models,) up to a constant, and the models, at least one.

        Raises:
            ValueError: there is not one weight a model.
        """
        self._log_weights, self._models = log_softmax(log_weights), tuple(models)
        if self._log_weights.shape != (len(self._models),):
            raise ValueError("one weight a model is needed")

    def log_probabilities(self, context: Sequence[int]) -> Probabilities:
        """Return ln p(next token | context), (n_vocabulary,)."""
        rows = np.stack([model.log_probabilities(context) for model in self._models])
        return np.asarray(np.logaddexp.reduce(self._log_weights[:, None] + rows, axis=0))


def _extended(model: NextToken, alive: Sequence[Hypothesis], end: int, width: int) -> Iterator[Hypothesis]:
    """Yield the best `width` of all one-token extensions, the impossible ones left out."""
    rows = [open_.log_probability + model.log_probabilities(open_.tokens) for open_ in alive]
    scores = np.concatenate(rows)
    for place in top_k(scores, width).tolist():
        parent, token = divmod(place, len(rows[0]))
        if scores[place] > -np.inf:
            yield Hypothesis((*alive[parent].tokens, token), float(scores[place]), token == end)


def _order(hypothesis: Hypothesis) -> tuple[float, tuple[int, ...]]:
    return -hypothesis.log_probability, hypothesis.tokens
