"""Weights of sources and token probabilities under each -> the probability of an answer, and its gradient.

The source z is a hidden variable, p(z|x) = softmax(score / temperature). Lewis et al., "Retrieval-Augmented
Generation for Knowledge-Intensive NLP Tasks", 2020, put it in at two places:

    RAG-Sequence: p(y|x) = sum over z of p(z|x) prod over i of p(y_i|x,z,y<i): one source writes the whole answer;
    RAG-Token:    p(y|x) = prod over i of sum over z of p(z|x) p(y_i|x,z,y<i): every token has a source of its own.

Functions whose arguments start with `log_` stay in log space, where a long answer does not underflow; a probability
of 0 is -inf. They take leading axes, so that a batch of questions is one call.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Probabilities = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TokenStep:
    """One token of the answer: what each model expects of it, and what it says about the sources."""

    weights: tuple[float, ...]
    """RAG-Sequence's weight of each source before the token: p(z|x,y<i), sums to 1."""
    probabilities: tuple[float, ...]
    """The token's probability under each source: p(y_i|x,z,y<i)."""
    sequence_factor: float
    """p(y_i|x,y<i) = sum of weights times probabilities; the product over the tokens is RAG-Sequence's p(y|x)."""
    token_factor: float
    """The same with the prior as weights; the product over the tokens is RAG-Token's p(y|x)."""
    posterior: tuple[float, ...]
    """The weight of each source after the token, by Bayes' rule: weights times probabilities over their sum."""


def softmax(scores: ArrayLike, temperature: float = 1.0) -> Probabilities:
    """Return exp(score / temperature), divided by its sum over the last axis: p(z|x) from retrieval scores.

    >>> softmax([1.0875, 0.5225], temperature=0.5).round(4).tolist()
    [0.7558, 0.2442]
    """
    return np.asarray(np.exp(log_softmax(scores, temperature)))


def log_softmax(scores: ArrayLike, temperature: float = 1.0) -> Probabilities:
    """Return ln softmax(score / temperature) over the last axis, of the shape of `scores`.

    Args:
        scores: (..., n_sources), higher is better; -inf is a weight of 0.
        temperature: above 0; the lower, the more the best source counts.

    Raises:
        ValueError: there is no score, one is NaN or +inf, all are -inf, or the temperature is not above 0.
    """
    logits = np.asarray(scores, np.float64)
    if not temperature > 0:
        raise ValueError("the temperature must be above 0")
    if logits.ndim == 0 or not logits.shape[-1] or not np.isfinite(logits.max(axis=-1)).all():
        raise ValueError("scores must be numbers below infinity, at least one of them above -inf")
    # Shifted before it is divided: a small temperature would overflow, and what falls out at the bottom is 0.
    with np.errstate(over="ignore"):
        shifted = (logits - logits.max(axis=-1, keepdims=True)) / temperature
    return np.asarray(shifted - _log_sum(shifted, axis=-1)[..., None])


def rag_marginals(log_prior: ArrayLike, log_tok: ArrayLike) -> tuple[float, float]:
    """Return (log_p_seq, log_p_tok): ln p(y|x) under RAG-Sequence and under RAG-Token.

    Args:
        log_prior: (n_sources,) ln p(z|x), up to a constant: the prior is normalised here.
        log_tok: (n_sources, n_tokens) ln p(y_i|x,z,y<i).

    Raises:
        ValueError: the shapes do not fit, or a value is NaN or +inf.

    >>> seq, tok = rag_marginals(np.log([0.5, 0.5]), np.log([[0.9, 0.1], [0.1, 0.9]]))
    >>> round(float(np.exp(seq)), 4), round(float(np.exp(tok)), 4)
    (0.09, 0.25)
    """
    prior, tokens = _checked(log_prior, log_tok)
    if prior.ndim > 1:
        raise ValueError("the prior is one weight a source")
    by_token = _log_sum(prior[:, None] + tokens, axis=0)
    return float(sequence_log_likelihood(prior, tokens)), float(by_token.sum())


def sequence_log_likelihood(log_prior: ArrayLike, log_tok: ArrayLike) -> Probabilities:
    """Return ln p(y|x) under RAG-Sequence, (...): of a batch of questions at once.

    Args:
        log_prior: (..., n_sources) ln p(z|x) up to a constant: the logits serve.
        log_tok: (..., n_sources, n_tokens) ln p(y_i|x,z,y<i).

    Raises:
        ValueError: as `rag_marginals`.

    >>> sequence_log_likelihood([[0.0, 0.0]], [[[0.0], [-np.inf]]]).round(4).tolist()
    [-0.6931]
    """
    prior, tokens = _checked(log_prior, log_tok)
    return _log_sum(prior + tokens.sum(axis=-1), axis=-1)


def rag_sequence_likelihood(prior: ArrayLike, token_probabilities: ArrayLike) -> float:
    """Return RAG-Sequence's p(y|x) = sum over z of prior_z prod over i of p_(z,i).

    Args:
        prior: (n_sources,) p(z|x), at least 0; normalised here.
        token_probabilities: (n_sources, n_tokens) p(y_i|x,z,y<i), 0 to 1.

    Raises:
        ValueError: the shapes do not fit, a value is no probability, or the prior is 0 everywhere.

    >>> round(rag_sequence_likelihood([0.7558, 0.2442], [[0.5, 0.6], [0.7, 0.05]]), 4)
    0.2353
    """
    return float(np.exp(rag_marginals(*_logarithms(prior, token_probabilities))[0]))


def rag_token_likelihood(prior: ArrayLike, token_probabilities: ArrayLike) -> float:
    """Return RAG-Token's p(y|x) = prod over i of sum over z of prior_z p_(z,i); arguments as RAG-Sequence's.

    >>> round(rag_token_likelihood([0.7558, 0.2442], [[0.5, 0.6], [0.7, 0.05]]), 4)
    0.2556
    """
    return float(np.exp(rag_marginals(*_logarithms(prior, token_probabilities))[1]))


def rag_posterior(prior: ArrayLike, token_probabilities: ArrayLike) -> Probabilities:
    """Return p(z|x,y), (n_sources,): the weight of each source once the answer is known.

    Arguments as `rag_sequence_likelihood`'s.

    Raises:
        ValueError: as there, or no source can have written the answer.

    >>> rag_posterior([0.5, 0.5], [[0.9, 0.9], [0.1, 0.9]]).round(4).tolist()
    [0.9, 0.1]
    """
    return _posterior(*_checked(*_logarithms(prior, token_probabilities)))


def bayes_steps(log_prior: ArrayLike, log_tok: ArrayLike) -> tuple[TokenStep, ...]:
    """Return RAG-Sequence as a product of factors, one step a token; arguments as `rag_marginals`'.

    Raises:
        ValueError: as there, or some token has probability 0 under every source still possible.

    >>> steps = bayes_steps(np.log([0.7558, 0.2442]), np.log([[0.5, 0.6], [0.7, 0.05]]))
    >>> [round(step.sequence_factor, 4) for step in steps], [round(step.token_factor, 4) for step in steps]
    ([0.5488, 0.4287], [0.5488, 0.4657])
    """
    prior, tokens = _checked(log_prior, log_tok)
    if prior.ndim > 1:
        raise ValueError("the prior is one weight a source")
    log_weights, log_factors = _updates(prior, tokens)
    weights = np.exp(log_weights).T.tolist()
    expected = np.exp(_log_sum(prior[:, None] + tokens, axis=0)).tolist()
    columns = zip(
        weights[:-1], np.exp(tokens).T.tolist(), np.exp(log_factors).tolist(), expected, weights[1:], strict=True
    )
    return tuple(
        TokenStep(tuple(before), tuple(column), sequence, token, tuple(after))
        for before, column, sequence, token, after in columns
    )


def sequence_gradient(log_prior: ArrayLike, log_tok: ArrayLike) -> Probabilities:
    """Return d(-ln p_seq) / d logit_z = prior_z - posterior_z, where prior = softmax(logits).

    Descent raises the weight of sources that explain the answer better than the others do.

    Args:
        log_prior: (..., n_sources) ln p(z|x) up to a constant: the logits serve.
        log_tok: (..., n_sources, n_tokens) ln p(y_i|x,z,y<i).

    Returns:
        (..., n_sources), sums to 0. By a score it is divided by the temperature.

    Raises:
        ValueError: as `rag_posterior`.

    >>> sequence_gradient([0.0, 0.0], np.log([[0.9], [0.1]])).round(4).tolist()
    [-0.4, 0.4]
    """
    prior, tokens = _checked(log_prior, log_tok)
    return np.asarray(np.exp(prior) - _posterior(prior, tokens))


def token_gradient(log_prior: ArrayLike, log_tok: ArrayLike) -> Probabilities:
    """Return d(-ln p_tok) / d logit_z = sum over i of prior_z - posterior_(z,i), each token's posterior by itself.

    Arguments, result and errors as `sequence_gradient`'s.

    >>> token_gradient([0.0, 0.0], np.log([[0.9, 0.1], [0.1, 0.9]])).round(4).tolist()
    [0.0, 0.0]
    """
    prior, tokens = _checked(log_prior, log_tok)
    joint = prior[..., None] + tokens
    posteriors = np.exp(joint - _possible(_log_sum(joint, axis=-2))[..., None, :])
    return np.asarray((np.exp(prior)[..., None] - posteriors).sum(axis=-1))


def _posterior(prior: Probabilities, tokens: Probabilities) -> Probabilities:
    """Return p(z|x,y), (..., n_sources)."""
    joint = prior + tokens.sum(axis=-1)
    return np.asarray(np.exp(joint - _possible(_log_sum(joint, axis=-1))[..., None]))


def _updates(prior: Probabilities, tokens: Probabilities) -> tuple[Probabilities, Probabilities]:
    """Return ln weights (..., n_sources, n_tokens + 1) before and after every token, and ln factors (..., n_tokens)."""
    joint = np.concatenate((prior[..., None], tokens), axis=-1).cumsum(axis=-1)
    evidence = _possible(_log_sum(joint, axis=-2))
    return joint - evidence[..., None, :], np.diff(evidence, axis=-1)


def _log_sum(logs: Probabilities, axis: int) -> Probabilities:
    """Return ln sum exp along an axis; -inf where every term is."""
    largest = logs.max(axis=axis, keepdims=True, initial=-np.inf)
    largest[largest == -np.inf] = 0
    with np.errstate(divide="ignore"):  # ln 0 is meant: -inf
        return np.asarray(np.log(np.exp(logs - largest).sum(axis=axis)) + largest.squeeze(axis))


def _possible(log_evidence: Probabilities) -> Probabilities:
    if not np.isfinite(log_evidence).all():
        raise ValueError("no source can have written the answer: its probability is 0 under every one")
    return log_evidence


def _logarithms(prior: ArrayLike, probabilities: ArrayLike) -> tuple[Probabilities, Probabilities]:
    weights, tokens = np.asarray(prior, np.float64), np.asarray(probabilities, np.float64)
    if not (np.isfinite(weights).all() and (weights >= 0).all() and ((tokens >= 0) & (tokens <= 1)).all()):
        raise ValueError("weights are at least 0, token probabilities in 0 to 1")
    with np.errstate(divide="ignore"):  # ln 0 is meant: -inf
        return np.log(weights), np.log(tokens)


def _checked(log_prior: ArrayLike, log_tok: ArrayLike) -> tuple[Probabilities, Probabilities]:
    """Return the normalised ln prior (..., n_sources) and the ln token probabilities."""
    prior, tokens = log_softmax(log_prior), np.asarray(log_tok, np.float64)
    if tokens.ndim != prior.ndim + 1 or tokens.shape[:-1] != prior.shape:
        raise ValueError(f"a prior of shape {prior.shape} needs tokens of shape {(*prior.shape, 'n_tokens')}")
    if not (tokens < np.inf).all():
        raise ValueError("a log probability is NaN or +inf")
    return prior, tokens
