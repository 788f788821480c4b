import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import special

from engine import rag_marginals, rag_posterior, rag_sequence_likelihood, rag_token_likelihood
from engine.modelling.rag_models import bayes_steps, log_softmax, sequence_gradient, softmax, token_gradient

PRIOR = softmax([1.0875, 0.5225], temperature=0.5)
TOKENS = [[0.5, 0.6], [0.7, 0.05]]


@st.composite
def cases(draw):
    """(logits, token probabilities above 0) of the same number of sources."""
    n_sources, n_tokens = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    logits = draw(arrays(np.float64, n_sources, elements=st.floats(-8, 8)))
    return logits, draw(arrays(np.float64, (n_sources, n_tokens), elements=st.floats(0.001, 1)))


def test_the_worked_example():
    assert PRIOR.round(4).tolist() == [0.7558, 0.2442]
    # 0.7558 * 0.5 * 0.6 + 0.2442 * 0.7 * 0.05, and (0.7558 * 0.5 + 0.2442 * 0.7)(0.7558 * 0.6 + 0.2442 * 0.05).
    assert round(rag_sequence_likelihood(PRIOR, TOKENS), 4) == 0.2353
    assert round(rag_token_likelihood(PRIOR, TOKENS), 4) == 0.2556
    first, second = bayes_steps(np.log(PRIOR), np.log(TOKENS))
    assert (round(first.token_factor, 4), round(second.token_factor, 4)) == (0.5488, 0.4657)
    assert [round(weight, 4) for weight in first.posterior] == [0.6886, 0.3114]
    assert rag_posterior(PRIOR, [[0.5], [0.7]]).round(4).tolist() == [0.6886, 0.3114]
    assert round(second.sequence_factor, 4) == 0.4287
    assert second.weights == first.posterior
    assert second.probabilities == pytest.approx((0.6, 0.05))


def test_rag_token_may_change_the_source_in_the_middle_of_an_answer():
    tokens = [[0.9, 0.1], [0.1, 0.9]]
    # One source writes it all: 0.5 * 0.9 * 0.1, twice. A source a token: (0.5 * 0.9 + 0.5 * 0.1) squared.
    assert rag_sequence_likelihood([0.5, 0.5], tokens) == pytest.approx(0.09)
    assert rag_token_likelihood([0.5, 0.5], tokens) == pytest.approx(0.25)
    assert rag_token_likelihood((1, 1), ((0.9, 0.1), (0.1, 0.9))) == pytest.approx(0.25)


@given(cases())
def test_in_log_space_both_equal_the_sums_and_products_they_stand_for(case):
    logits, tokens = case
    prior = softmax(logits)
    log_seq, log_tok = rag_marginals(logits, np.log(tokens))
    assert math.exp(log_seq) == pytest.approx(float(prior @ tokens.prod(axis=1)))
    assert math.exp(log_tok) == pytest.approx(float((prior @ tokens).prod()))


@given(cases())
def test_the_factors_multiply_to_the_answer_and_the_last_weights_are_the_posterior(case):
    logits, tokens = case
    steps = bayes_steps(logits, np.log(tokens))
    log_seq, log_tok = rag_marginals(logits, np.log(tokens))
    assert math.prod(step.sequence_factor for step in steps) == pytest.approx(math.exp(log_seq))
    assert math.prod(step.token_factor for step in steps) == pytest.approx(math.exp(log_tok))
    assert steps[-1].posterior == pytest.approx(rag_posterior(softmax(logits), tokens))
    for step in steps:
        joint = np.multiply(step.weights, step.probabilities)
        assert step.posterior == pytest.approx(joint / joint.sum())
        assert sum(step.posterior) == pytest.approx(1)


@given(cases())
def test_one_token_is_the_same_to_both_and_so_is_one_source(case):
    logits, tokens = case
    assert np.diff(rag_marginals(logits, np.log(tokens[:, :1]))) == pytest.approx(0)
    assert np.diff(rag_marginals(logits[:1], np.log(tokens[:1]))) == pytest.approx(0)


@given(cases())
def test_the_gradients_agree_with_finite_differences(case):
    logits, log_tok = case[0], np.log(case[1])
    step = 1e-5
    numeric = np.array(
        [
            (np.array(rag_marginals(logits - nudge, log_tok)) - rag_marginals(logits + nudge, log_tok)) / (2 * step)
            for nudge in step * np.eye(len(logits))
        ]
    )
    assert sequence_gradient(logits, log_tok) == pytest.approx(numeric[:, 0], abs=1e-6)
    assert token_gradient(logits, log_tok) == pytest.approx(numeric[:, 1], abs=1e-6)


@given(cases())
def test_a_gradient_is_prior_less_posterior_and_moves_no_mass_out_of_the_sources(case):
    logits, tokens = case
    assert sequence_gradient(logits, np.log(tokens)) == pytest.approx(
        softmax(logits) - rag_posterior(softmax(logits), tokens)
    )
    assert token_gradient(logits, np.log(tokens)).sum() == pytest.approx(0, abs=1e-9)


def test_a_batch_of_questions_is_one_call():
    generator = np.random.default_rng(5)
    logits, log_tok = generator.normal(size=(3, 4)), np.log(generator.uniform(0.1, 1, (3, 4, 2)))
    for gradient in (sequence_gradient, token_gradient):
        rows = [gradient(logits[at], log_tok[at]) for at in range(3)]
        assert np.allclose(gradient(logits, log_tok), rows, atol=1e-12)


def test_an_answer_of_ten_thousand_tokens_does_not_underflow():
    log_tok = np.log(np.full((2, 10_000), 1e-5))
    log_seq, log_token = rag_marginals([0.0, -1.0], log_tok)
    assert log_seq == pytest.approx(10_000 * math.log(1e-5))
    assert log_token == pytest.approx(log_seq)
    assert bayes_steps([0.0, -1.0], log_tok)[-1].sequence_factor == pytest.approx(1e-5)
    assert sequence_gradient([0.0, -1.0], log_tok).tolist() == pytest.approx([0, 0], abs=1e-6)


def test_a_source_that_cannot_write_a_token_is_out_for_the_rest_of_the_answer():
    first, second = bayes_steps(np.log([0.5, 0.5]), [[-0.7, -0.7], [-np.inf, -0.1]])
    assert rag_sequence_likelihood([0.5, 0.5], [[0.5, 0.5], [0.0, 0.9]]) == pytest.approx(0.125)
    assert rag_posterior([0.5, 0.5], [[0.5, 0.5], [0.0, 0.9]]).tolist() == [1.0, 0.0]
    assert first.posterior == second.weights == (1.0, 0.0)


def test_an_impossible_answer_has_probability_0_and_no_posterior():
    assert rag_sequence_likelihood([0.5, 0.5], [[0.0, 1.0], [1.0, 0.0]]) == 0.0
    assert rag_token_likelihood([0.5, 0.5], [[0.0, 1.0], [1.0, 0.0]]) == pytest.approx(0.25)
    with pytest.raises(ValueError, match="no source can have written"):
        rag_posterior([0.5, 0.5], [[0.0, 1.0], [1.0, 0.0]])


def test_an_empty_answer_is_certain_and_says_nothing_about_the_sources():
    assert rag_marginals([1.0, 2.0], np.zeros((2, 0))) == pytest.approx((0, 0))
    assert bayes_steps([1.0, 2.0], np.zeros((2, 0))) == ()
    assert rag_posterior([0.25, 0.75], np.zeros((2, 0))).tolist() == pytest.approx([0.25, 0.75])


@pytest.mark.parametrize("temperature", [1e-300, 1e-3, 1.0, 1e300])
@pytest.mark.parametrize("scores", [[3.0], [1e300, -1e300, 1e300], [2.0, -np.inf], [[1.0, 2.0], [5.0, 5.0]]])
def test_softmax_sums_to_1_at_any_temperature(scores, temperature):
    assert softmax(scores, temperature).sum(axis=-1) == pytest.approx(1)


@given(arrays(np.float64, (3, 4), elements=st.floats(-1e6, 1e6)), st.floats(0.01, 100))
def test_softmax_agrees_with_scipy(scores, temperature):
    assert softmax(scores, temperature) == pytest.approx(special.softmax(scores / temperature, axis=-1), abs=1e-9)
    expected = special.log_softmax(scores / temperature, axis=-1)
    assert log_softmax(scores, temperature) == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_a_low_temperature_trusts_the_best_source_a_high_one_trusts_all_alike():
    assert softmax([1.1, 1.0], 0.001).tolist() == pytest.approx([1, 0])
    assert softmax([1.1, 1.0], 1000).tolist() == pytest.approx([0.5, 0.5], abs=1e-3)
    assert log_softmax([0.0, -np.inf]).tolist() == [0.0, -np.inf]


@pytest.mark.parametrize(
    ("prior", "tokens"),
    [
        ([], []),
        ([0.5, 0.5], [0.5, 0.5]),
        ([0.5, 0.5], [[0.5, 0.5]]),
        ([0.0, 0.0], [[0.5], [0.5]]),
        ([0.5, -0.5], [[0.5], [0.5]]),
        ([0.5, np.nan], [[0.5], [0.5]]),
        ([0.5, 0.5], [[0.5], [1.5]]),
        ([0.5, 0.5], [[0.5], [np.nan]]),
    ],
)
def test_what_is_no_probability_is_refused(prior, tokens):
    for likelihood in (rag_sequence_likelihood, rag_token_likelihood, rag_posterior):
        with pytest.raises(ValueError):  # noqa: PT011
            likelihood(prior, tokens)


@pytest.mark.parametrize("scores", [[], [np.nan], [np.inf], [-np.inf, -np.inf]])
def test_what_is_no_score_is_refused(scores):
    with pytest.raises(ValueError, match="scores"):
        softmax(scores)


@pytest.mark.parametrize("temperature", [0.0, -1.0, np.nan])
def test_a_temperature_of_0_or_less_is_refused(temperature):
    with pytest.raises(ValueError, match="temperature"):
        softmax([1.0], temperature)
