import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine import Trigram, knn_lm
from engine.modelling.decoding import After, beam_search
from engine.modelling.knn_lm import (
    ContextEncoder,
    Datastore,
    KnnModel,
    choose_interpolation,
    neighbour_probabilities,
)
from engine.modelling.trigram import END, Vocabulary, perplexity

PLANETS = [
    "Mars is a small red planet. Its moons are Phobos and Deimos.",
    "Jupiter is a large planet. Its moons are Io and Europa.",
    "Saturn is a large planet. Its rings are made of ice.",
    "The ice of Europa is a crust. The crust is made of water.",
]


@pytest.fixture(scope="module")
def vocabulary():
    return Vocabulary.of(PLANETS)


@pytest.fixture(scope="module")
def encoder(vocabulary):
    return ContextEncoder(vocabulary, PLANETS, 3)


@pytest.fixture(scope="module")
def datastore(encoder):
    return Datastore(encoder, PLANETS)


@st.composite
def neighbours(draw):
    size, k = draw(st.integers(1, 6)), draw(st.integers(0, 8))
    p_lm = draw(arrays(np.float64, size, elements=st.floats(0.01, 1)))
    dists = draw(arrays(np.float64, k, elements=st.floats(0, 1e6)))
    values = draw(arrays(np.int64, k, elements=st.integers(0, size - 1)))
    return p_lm / p_lm.sum(), dists, values, draw(st.floats(0, 1))


def test_the_worked_example():
    # Squared distances 0, ln 2 and ln 4 weigh 1, 1/2, 1/4: shares 4/7, 2/7, 1/7. Token 1 has the first and the last.
    mixed = knn_lm([0.7, 0.2, 0.1], [0.0, math.log(2), math.log(4)], [1, 2, 1], 0.25)
    assert mixed.tolist() == pytest.approx([0.75 * 0.7, 0.75 * 0.2 + 0.25 * 5 / 7, 0.75 * 0.1 + 0.25 * 2 / 7])


@given(neighbours())
def test_it_is_the_sum_over_neighbours_and_stays_a_distribution(case):
    p_lm, dists, values, lam = case
    mixed = knn_lm(p_lm, dists, values, lam)
    assert mixed.sum() == pytest.approx(1)
    if len(dists):
        weights = [math.exp(min(dists) - distance) for distance in dists]
        for token in range(len(p_lm)):
            share = sum(weight for weight, value in zip(weights, values, strict=True) if value == token) / sum(weights)
            assert mixed[token] == pytest.approx(lam * share + (1 - lam) * p_lm[token])


@given(neighbours(), st.floats(0, 1e12))
def test_only_differences_of_distances_count(case, shift):
    p_lm, dists, values, lam = case
    whole = np.round(dists)  # numbers that a shift leaves exact
    assert knn_lm(p_lm, whole + round(shift), values, lam) == pytest.approx(knn_lm(p_lm, whole, values, lam))


def test_distances_that_would_underflow_are_weighed_all_the_same():
    assert knn_lm([0.5, 0.5], [1e6, 1e6 + 1], [0, 1], 1.0)[0] == pytest.approx(1 / (1 + math.exp(-1)))


def test_without_a_neighbour_the_model_stands():
    for dists, values in (([], []), ([np.inf, np.inf], [0, 1])):
        assert knn_lm([0.25, 0.75], dists, values, 0.9).tolist() == [0.25, 0.75]
    assert knn_lm([0.25, 0.75], [0.0, np.inf], [0, 1], 1.0).tolist() == [1.0, 0.0]


def test_the_probabilities_given_are_left_as_they_are():
    p_lm = np.array([0.25, 0.75])
    knn_lm(p_lm, [], [], 0.5)[0] = 9
    assert p_lm.tolist() == [0.25, 0.75]


@pytest.mark.parametrize(
    ("dists", "values", "lam"),
    [([0.0], [2], 0.5), ([0.0], [-1], 0.5), ([0.0, 1.0], [0], 0.5), ([0.0], [0], 1.5), ([np.nan], [0], 0.5)],
)
def test_what_does_not_fit_is_refused(dists, values, lam):
    with pytest.raises(ValueError):  # noqa: PT011
        knn_lm([0.5, 0.5], dists, values, lam)


def test_a_context_is_made_of_the_words_before_it_alone(encoder, vocabulary):
    one = encoder.contexts(vocabulary.encode("europa is a large planet"))
    other = encoder.contexts(vocabulary.encode("europa is a small moon"))
    assert np.allclose(one[:4], other[:4], atol=1e-6)
    assert not np.allclose(one[4], other[4])
    assert np.linalg.norm(one[1:], axis=1) == pytest.approx(1, abs=1e-5)
    assert not one[0].any()  # nothing stands before the first word


def test_a_word_has_the_direction_lsa_gives_it(encoder, vocabulary):
    vectors = encoder.word_vectors
    assert vectors[vocabulary.ids["ice"]] @ vectors[vocabulary.ids["ice"]] == pytest.approx(1, abs=1e-5)
    # Large planets: Jupiter's note and Saturn's. Water stands in one note only and has no vector.
    assert vectors[vocabulary.ids["large"]] @ vectors[vocabulary.ids["planet"]] > 0.5
    assert not vectors[vocabulary.ids["water"]].any() and not vectors[END].any()


def test_every_token_of_the_collection_is_a_pair(datastore, vocabulary):
    streams = [vocabulary.encode_sentences(text) for text in PLANETS]
    assert datastore.values.tolist() == [token for stream in streams for token in stream]
    assert datastore.keys.shape == (len(datastore.values), 9)


def test_neighbours_are_those_of_an_exact_search(datastore, monkeypatch):
    monkeypatch.setattr("engine.modelling.knn_lm.BLOCK", 4)
    queries = datastore.keys[::3]
    distances, values = datastore.nearest(queries, 5)
    exact = ((queries[:, None, :].astype(np.float64) - datastore.keys) ** 2).sum(axis=2)
    assert np.allclose(distances, np.sort(exact, axis=1)[:, :5], atol=1e-5)
    assert values.shape == (len(queries), 5)
    assert (distances[:, 0] < 1e-5).all() and (np.diff(distances, axis=1) >= 0).all()


def test_more_neighbours_than_pairs_are_all_of_them(datastore):
    distances, _ = datastore.nearest(datastore.keys[:2], 10_000)
    assert distances.shape == (2, len(datastore.keys))


def test_a_text_at_once_is_the_text_token_by_token(datastore, vocabulary):
    model = KnnModel(Trigram(PLANETS, vocabulary), datastore, k=7, lam=0.4, temperature=0.1)
    tokens = vocabulary.encode_sentences("Europa is a large red moon. Its crust is ice.")
    one_by_one = [model.log_probabilities(tokens[:at])[token] for at, token in enumerate(tokens)]
    assert model.token_log_probabilities(tokens).tolist() == pytest.approx(one_by_one, abs=1e-4)
    assert np.exp(model.log_probabilities(tokens[:3])).sum() == pytest.approx(1)


def test_the_datastore_recalls_what_a_model_of_other_texts_never_saw(datastore, vocabulary):
    model = KnnModel(Trigram(PLANETS[2:], vocabulary), datastore, k=4, lam=0.9, temperature=0.01)
    tokens = vocabulary.encode_sentences(PLANETS[0])
    assert perplexity(model.token_log_probabilities(tokens)) < perplexity(model.model.token_log_probabilities(tokens))
    [said] = beam_search(After(model, vocabulary.encode("its moons are phobos and")), END, width=1)
    assert vocabulary.decode(said.tokens).startswith("deimos")


def test_an_empty_datastore_leaves_the_model_as_it_is(encoder, vocabulary):
    lone = Trigram(PLANETS, vocabulary)
    model = KnnModel(lone, Datastore(encoder, []))
    tokens = vocabulary.encode("mars is a planet")
    assert model.token_log_probabilities(tokens) == pytest.approx(lone.token_log_probabilities(tokens))
    assert model.log_probabilities(tokens) == pytest.approx(lone.log_probabilities(tokens))


def test_a_collection_too_small_for_a_space_has_contexts_of_no_dimension(vocabulary):
    nothing = ContextEncoder(vocabulary, ["one", "two"], 8)
    store = Datastore(nothing, PLANETS)
    assert store.keys.shape == (len(store.values), 0)
    assert store.nearest(store.keys[:1], 2)[0].tolist() == [[0.0, 0.0]]


def test_a_model_of_other_words_is_refused(datastore):
    with pytest.raises(ValueError, match="vocabulary"):
        KnnModel(Trigram(["other words"]), datastore)


def test_lambda_is_the_one_of_least_perplexity():
    # The neighbours are right about half of the tokens and know nothing of the others.
    p_lm, values = np.full(4, 0.1), np.array([[1], [2], [9], [9]])
    chosen = choose_interpolation(p_lm, np.zeros((4, 1)), values, [1, 2, 3, 4])

    def at(lam):
        return perplexity(np.log(lam * np.array([1, 1, 0, 0]) + (1 - lam) * p_lm))

    # d/dl of ln(l + 0.1(1 - l)) + ln(0.1(1 - l)) is 0 at 1.8 l = 0.8, l = 0.444; the grid has 0.45.
    assert chosen.lam == pytest.approx(0.45)
    assert chosen.perplexity == pytest.approx(at(0.45)) and at(0.45) < min(at(0.4), at(0.5))


def test_neighbours_that_are_never_right_get_no_share():
    assert choose_interpolation(np.full(2, 0.5), np.zeros((2, 3)), np.full((2, 3), 7), [1, 2]).lam == 0


def test_the_mass_of_the_token_that_came_is_that_of_the_whole_distribution():
    generator = np.random.default_rng(2)
    dists, values = generator.uniform(0, 4, (5, 6)), generator.integers(0, 4, (5, 6))
    targets = generator.integers(0, 4, 5)
    whole = [knn_lm(np.full(4, 0.25), dists[at], values[at], 1.0)[targets[at]] for at in range(5)]
    assert neighbour_probabilities(dists, values, targets).tolist() == pytest.approx(whole)
