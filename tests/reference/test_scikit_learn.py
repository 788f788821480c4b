"""Agreement with scikit-learn on the same input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import ndcg_score

from engine.evaluation.metrics import ndcg
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA
from engine.indexing.tfidf import Tfidf, weight_matrix
from engine.text.analysis import analyze


@pytest.fixture(scope="module")
def texts():
    """500 texts whose words are as uneven as those of a language."""
    generator = np.random.default_rng(5)
    common = 1 / np.arange(1, 801)
    words = np.array([f"w{number}" for number in range(800)])
    return [
        " ".join(generator.choice(words, size=generator.integers(5, 60), p=common / common.sum())) + " the of"
        for _ in range(500)
    ]


@pytest.mark.parametrize("sublinear", [True, False])
def test_tfidf_rows_and_cosines_agree_to_1e_12(texts, sublinear):
    vectorizer = TfidfVectorizer(analyzer=analyze, sublinear_tf=sublinear)
    theirs = vectorizer.fit_transform(texts)
    index = InvertedIndex(texts)
    ours = Tfidf(index, sublinear)
    columns = [vectorizer.vocabulary_[term] for term in index.vocabulary]
    assert len(columns) == theirs.shape[1]
    assert abs(ours.matrix - theirs[:, columns]).max() < 1e-12

    question = "w1 w7 w7 w300 w799 nowhere"
    cosines = (theirs @ vectorizer.transform([question]).T).toarray().ravel()
    assert np.abs(ours.scores(question) - cosines).max() < 1e-12


def test_lsa_singular_values_and_cosines_agree_with_truncated_svd(texts):
    index = InvertedIndex(texts)
    kept = index.document_frequencies() >= 2
    matrix = weight_matrix(index, Tfidf(index).idf, True, keep=kept)
    assert matrix.shape[0] * matrix.shape[1] > 250_000  # so that it is ARPACK on both sides
    svd = TruncatedSVD(40, algorithm="arpack", random_state=0)
    theirs = svd.fit_transform(matrix)
    ours = LSA(index, 40)
    assert np.abs(ours.singular_values - svd.singular_values_).max() < 1e-9

    unit = theirs / np.linalg.norm(theirs, axis=1, keepdims=True)
    # Up to the sign of each dimension, which no cosine depends on.
    assert np.abs(ours.embeddings @ ours.embeddings.T - unit @ unit.T).max() < 1e-9


@settings(max_examples=50)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.randoms(), st.integers(1, 12))
def test_ndcg_without_ties_agrees(gains, random, k):
    ranking = random.sample(range(len(gains)), len(gains))
    scores = [-ranking.index(item) for item in range(len(gains))]
    expected = ndcg_score([gains], [scores], k=k)
    assert ndcg(dict(enumerate(gains)), ranking, k) == pytest.approx(expected, abs=1e-12)
