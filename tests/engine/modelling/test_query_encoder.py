import numpy as np
import pytest

from engine import LSA, InvertedIndex
from engine.modelling.query_encoder import (
    QueryEncoder,
    answer_log_likelihoods,
    label_log_likelihoods,
    train_query_map,
)
from engine.modelling.rag_models import sequence_gradient, sequence_log_likelihood
from engine.modelling.trigram import Vocabulary

TEXTS = [
    "Phobos circles Mars in under 8 hours.",
    "Deimos circles Mars in about 30 hours.",
    "Titan circles Saturn in 16 days.",
    "Venus has a thick atmosphere of carbon dioxide.",
    "Mars has a thin atmosphere of carbon dioxide.",
    "Titan has a thick atmosphere of nitrogen.",
]


@pytest.fixture(scope="module")
def lsa():
    return LSA(InvertedIndex(TEXTS), 4)


@pytest.fixture
def mirrored():
    """A question lies opposite to the text that answers it: what a map can learn, and the identity gets all wrong."""
    generator = np.random.default_rng(4)
    texts = generator.normal(size=(40, 6))
    texts /= np.linalg.norm(texts, axis=1, keepdims=True)
    return texts, -texts


def test_the_gradient_by_the_map_agrees_with_finite_differences(lsa):
    queries = np.stack([lsa.embed(text) for text in ("How fast is Phobos?", "thick atmosphere")])
    log_tok = label_log_likelihoods([[0], [3, 5]], len(TEXTS))[..., None]
    embeddings, matrix = lsa.embeddings, np.eye(4) + 0.1

    def loss(matrix):
        return -sequence_log_likelihood(queries @ matrix @ embeddings.T, log_tok).sum()

    gradient = queries.T @ (sequence_gradient(queries @ matrix @ embeddings.T, log_tok) @ embeddings)
    step = 1e-6 * np.eye(16).reshape(16, 4, 4)
    numeric = [(loss(matrix + nudge) - loss(matrix - nudge)) / 2e-6 for nudge in step]
    assert gradient.ravel().tolist() == pytest.approx(numeric, abs=1e-6)


def test_it_learns_what_a_map_can_say_and_finds_texts_it_was_not_trained_on(mirrored):
    texts, queries = mirrored
    trained = train_query_map(texts, queries[:30], label_log_likelihoods([[at] for at in range(30)], 40), penalty=1e-3)
    assert trained.loss_after < 0.1 < trained.loss_before
    assert (queries @ texts.T).argmax(axis=1).tolist() != list(range(40))
    assert (queries[30:] @ trained.matrix @ texts.T).argmax(axis=1).tolist() == list(range(30, 40))


def test_a_strong_penalty_keeps_the_identity(mirrored):
    texts, queries = mirrored
    trained = train_query_map(texts, queries, label_log_likelihoods([[at] for at in range(40)], 40), penalty=1e6)
    assert np.allclose(trained.matrix, np.eye(6), atol=1e-3)
    assert trained.loss_after == pytest.approx(trained.loss_before, rel=1e-3)


def test_a_trained_question_is_a_retriever_and_the_texts_stay_where_they_are(lsa):
    question = "Where is it thick?"
    before = lsa.embeddings.copy()
    assert QueryEncoder(lsa, np.eye(4)).search(question, 3).ids == lsa.search(question, 3).ids
    labels = label_log_likelihoods([[5]], len(TEXTS))
    trained = train_query_map(lsa.embeddings, lsa.embed(question)[None], labels, penalty=0.01)
    encoder = QueryEncoder(lsa, trained.matrix)
    assert encoder.search(question, 1).ids == (5,)
    assert np.linalg.norm(encoder.embed(question)) == pytest.approx(1)
    assert (lsa.embeddings == before).all()


def test_a_question_of_unknown_words_finds_nothing(lsa):
    encoder = QueryEncoder(lsa, np.eye(4))
    assert encoder.search("quark", 3).ids == () and not encoder.embed("quark").any()


def test_an_answer_without_a_label_points_to_the_text_that_makes_it_likely(lsa):
    vocabulary = Vocabulary.of(TEXTS)
    table = answer_log_likelihoods(TEXTS, ["under 8 hours", "16 days", "nitrogen"], vocabulary)
    assert table.shape == (3, 6)
    assert table.argmax(axis=1).tolist() == [0, 2, 5]
    assert (table < 0).all()


def test_answers_train_as_labels_do(lsa):
    table = answer_log_likelihoods(TEXTS, ["nitrogen"], Vocabulary.of(TEXTS))
    vector = lsa.embed("The thick atmosphere of Venus: what is it made of, carbon dioxide?")[None]
    assert int((lsa.embeddings @ vector[0]).argmax()) == 3
    trained = train_query_map(lsa.embeddings, vector, table, penalty=0.001)
    assert trained.loss_after < trained.loss_before
    assert int((vector @ trained.matrix @ lsa.embeddings.T).argmax()) == 5


def test_what_cannot_be_learned_from_is_refused(lsa):
    queries = lsa.embed("Mars")[None]
    with pytest.raises(ValueError, match="at least one question"):
        train_query_map(lsa.embeddings, np.zeros((0, 4)), np.zeros((0, 6)))
    with pytest.raises(ValueError, match="n_texts"):
        train_query_map(lsa.embeddings, queries, np.zeros((1, 5)))
    with pytest.raises(ValueError, match="no source"):
        train_query_map(lsa.embeddings, queries, np.full((1, 6), -np.inf))
