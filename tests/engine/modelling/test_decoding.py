import math
from itertools import product

import numpy as np
import pytest

from engine.modelling.decoding import (
    After,
    Mixture,
    beam_search,
    decode_rag_sequence,
    decode_rag_token,
    score_candidates,
    token_table,
)
from engine.modelling.rag_models import rag_marginals, rag_sequence_likelihood

END = 0


class Table:
    """A model whose next token depends on the last one only; row 0 is the start."""

    def __init__(self, rows):
        self.rows = np.asarray(rows, np.float64)

    def log_probabilities(self, context):
        with np.errstate(divide="ignore"):
            return np.log(self.rows[context[-1] if context else 0])


def random_tables(seed, n_sources=3, n_tokens=3):
    generator = np.random.default_rng(seed)
    return [Table(generator.dirichlet(np.full(n_tokens, 0.7), n_tokens)) for _ in range(n_sources)]


def all_answers(n_tokens, longest):
    """Every answer that ends, or is cut at the greatest length."""
    for length in range(1, longest + 1):
        for tokens in product(range(n_tokens), repeat=length):
            if END not in tokens[:-1] and (tokens[-1] == END or length == longest):
                yield tokens


@pytest.mark.parametrize("seed", range(6))
def test_a_wide_beam_finds_every_answer_in_the_order_of_its_probability(seed):
    models, prior = random_tables(seed), np.log([0.5, 0.3, 0.2])
    answers = list(all_answers(3, 4))
    for decode, which in ((decode_rag_sequence, 0), (decode_rag_token, 1)):
        found = decode(prior, models, END, width=1000, max_tokens=4)
        scored = {tokens: rag_marginals(prior, token_table(models, tokens))[which] for tokens in answers}
        assert {hypothesis.tokens for hypothesis in found} == set(answers)
        assert [h.log_probability for h in found] == pytest.approx(sorted(scored.values(), reverse=True))
        assert all(h.log_probability == pytest.approx(scored[h.tokens]) for h in found)
        assert all(h.ended == (h.tokens[-1] == END) for h in found)
        assert sum(math.exp(h.log_probability) for h in found) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(6))
def test_a_wider_beam_finds_nothing_worse(seed):
    models, prior = random_tables(seed, n_tokens=6), np.log([0.5, 0.3, 0.2])
    best = [decode_rag_sequence(prior, models, END, width=width, max_tokens=5)[0] for width in (1, 8, 400)]
    assert best[0].log_probability <= best[2].log_probability + 1e-12
    assert best[1].log_probability <= best[2].log_probability + 1e-12


def test_a_beam_of_two_finds_what_greedy_search_walks_past():
    # Greedy takes token 1 (0.6), after which nothing is sure; 2 (0.4) leads to an end that is certain.
    model = Table([[0, 0.6, 0.4], [0.34, 0.33, 0.33], [1, 0, 0]])
    [greedy] = beam_search(model, END, width=1, max_tokens=2)
    assert greedy.tokens == (1, 0) and math.exp(greedy.log_probability) == pytest.approx(0.6 * 0.34)
    best = beam_search(model, END, width=2, max_tokens=2)[0]
    assert best.tokens == (2, 0) and math.exp(best.log_probability) == pytest.approx(0.4)


def test_rag_token_mixes_two_sources_into_an_answer_that_neither_gives():
    # Source 1 says "1 2", source 2 says "3 4"; both then end.
    said = [[0, 0.9, 0, 0.1, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0]]
    one, two = np.array(said), np.array(said)
    one[1], one[3] = [0.05, 0, 0.9, 0, 0.05], [0.05, 0, 0.9, 0, 0.05]
    two[0], two[1], two[3] = [0, 0.1, 0, 0.9, 0], [0.05, 0, 0.05, 0, 0.9], [0.05, 0, 0.05, 0, 0.9]
    models, prior = [Table(one), Table(two)], np.log([0.5, 0.5])
    swapped, right = (1, 4, END), (1, 2, END)
    tables = {answer: token_table(models, answer) for answer in (swapped, right)}
    odds = {
        which: np.exp(np.diff([rag_marginals(prior, tables[a])[which] for a in (right, swapped)])) for which in (0, 1)
    }
    assert odds[1] == pytest.approx(1)  # (0.05 + 0.9)/2 for either number
    assert odds[0] < 0.2
    assert decode_rag_sequence(prior, models, END)[0].tokens in {(1, 2, END), (3, 4, END)}


def test_every_hypothesis_of_every_source_is_scored_under_all_of_them():
    models, prior = random_tables(3), np.log([0.2, 0.2, 0.6])
    found = decode_rag_sequence(prior, models, END, width=5, max_tokens=4)
    for hypothesis in found:
        table = np.exp(token_table(models, hypothesis.tokens))
        assert math.exp(hypothesis.log_probability) == pytest.approx(rag_sequence_likelihood(np.exp(prior), table))
    alone = {h.tokens for model in models for h in beam_search(model, END, width=5, max_tokens=4)}
    assert {hypothesis.tokens for hypothesis in found} <= alone


def test_candidates_are_weighed_by_the_prior():
    # Yes = 1, No = 2; the better source says yes (0.8), the other no (0.9).
    models = [Table([[0, 0.8, 0.2]] * 3), Table([[0, 0.1, 0.9]] * 3)]
    scores = score_candidates(np.log([0.75, 0.25]), models, [[1], [2]])
    assert np.exp(scores.per_source).tolist() == [pytest.approx([0.8, 0.1]), pytest.approx([0.2, 0.9])]
    # 0.75 * 0.8 + 0.25 * 0.1 = 0.625; one token, so that both models agree.
    assert np.exp(scores.sequence).tolist() == pytest.approx([0.625, 0.375])
    assert scores.token == pytest.approx(scores.sequence)
    assert scores.shares == pytest.approx((0.625, 0.375))


def test_shares_are_taken_among_the_candidates():
    model = Table([[0.8, 0.15, 0.05]] * 3)
    assert score_candidates([0.0], [model], [[1], [2]]).shares == pytest.approx((0.75, 0.25))


def test_a_mixture_is_the_weighted_mean_of_its_models():
    models = random_tables(8, n_sources=2)
    mixed = Mixture(np.log([3, 1]), models).log_probabilities([2])
    rows = [model.rows[2] for model in models]
    assert np.exp(mixed) == pytest.approx(0.75 * rows[0] + 0.25 * rows[1])


def test_what_stands_before_the_answer_is_read_but_not_scored():
    model = Table([[0.5, 0.5, 0], [0, 0, 1], [1, 0, 0]])
    [best] = beam_search(After(model, [1]), END, width=1, max_tokens=5)
    assert best.tokens == (2, END) and best.log_probability == 0


def test_impossible_tokens_are_no_hypotheses():
    found = beam_search(Table([[0, 1, 0], [1, 0, 0], [0, 0, 1]]), END, width=10, max_tokens=5)
    assert [hypothesis.tokens for hypothesis in found] == [(1, END)]


def test_an_answer_without_an_end_is_cut_and_says_so():
    [found] = beam_search(Table([[0, 1], [0, 1]]), END, max_tokens=3)
    assert found.tokens == (1, 1, 1) and not found.ended


def test_what_cannot_be_decoded_is_refused():
    model = Table([[0.5, 0.5]] * 2)
    for width, longest in ((0, 5), (5, 0)):
        with pytest.raises(ValueError, match="beam"):
            beam_search(model, END, width=width, max_tokens=longest)
    with pytest.raises(ValueError, match="candidate"):
        score_candidates([0.0], [model], [])
    with pytest.raises(ValueError, match="weight"):
        Mixture([0.0, 0.0], [model])
