"""Questions with known answers -> a linear map on the question's LSA vector, trained through the marginal likelihood.

RAG's retriever is trained without being told which text is right: the loss is -ln p(y|x), p(y|x) the sum over texts
z of p(z|x) p(y|x,z), and its gradient by the logit of text z is prior_z - posterior_z (`sequence_gradient`). The
texts stay where they are, so that no index has to be made again; only the question q moves:

    logit_z = d_z . (q M) / temperature,    dLoss/dM = q' (sum over z of (prior_z - posterior_z) d_z) / temperature.

M starts as the identity, and a penalty keeps it near: few questions cannot settle n_dims squared numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.indexing.exact import exact_search
from engine.indexing.lsa import LSA
from engine.indexing.top_k import FloatArray
from engine.modelling.rag_models import Probabilities, sequence_gradient, sequence_log_likelihood
from engine.modelling.trigram import Trigram, Vocabulary
from engine.records import Chunk, Ranking

TEMPERATURE = 0.05
"""What cosines are divided by: those of LSA differ by tenths, and the best texts must get most of the weight."""

STEPS = 30
"""Most steps of L-BFGS."""


@dataclass(frozen=True, slots=True)
class TrainedMap:
    """A map of question vectors and how it was found."""

    matrix: Probabilities
    """(n_dims, n_dims) M: a question's row vector is multiplied by it from the right."""
    loss_before: float
    """Mean -ln p(y|x) over the training questions with the identity."""
    loss_after: float
    """The same with `matrix`; the penalty not counted."""


class QueryEncoder:
    """LSA whose question vectors pass a trained map; a retriever like LSA itself."""

    def __init__(self, lsa: LSA, matrix: Probabilities) -> None:
        """Take the space and M, (n_dims, n_dims)."""
        self.lsa, self.matrix = lsa, matrix

    def embed(self, query: str | Sequence[str]) -> Probabilities:
        """Return a question as a unit vector (n_dims,); zeros when the space knows none of its words."""
        moved = self.lsa.embed(query) @ self.matrix
        return np.asarray(moved / (float(np.linalg.norm(moved)) or 1.0))

    def search(self, query: str | Sequence[str], k: int = 10) -> Ranking:
        """Return the k chunks closest to the moved question."""
        vector = self.embed(query)
        return exact_search(self.lsa.embeddings, vector, k) if vector.any() else Ranking("lsa")


def train_query_map(
    embeddings: FloatArray,
    queries: Probabilities,
    log_likelihoods: Probabilities,
    *,
    penalty: float = 1.0,
    temperature: float = TEMPERATURE,
    steps: int = STEPS,
) -> TrainedMap:
    """Find the M of least mean -ln p(y|x) + penalty / 2 |M - I|^2, by L-BFGS from the identity.

    Args:
        embeddings: (n_texts, n_dims) unit rows, frozen.
        queries: (n_questions, n_dims) unit rows.
        log_likelihoods: (n_questions, n_texts) ln p(y|x,z): 0 for a text labelled relevant and -inf for others, or
            what `answer_log_likelihoods` gives. Of each question at least one is above -inf.
        penalty: at least 0; the larger, the nearer M stays to the identity.
        temperature: of the softmax over the cosines, above 0.
        steps: most steps.

    Raises:
        ValueError: there is no question, the shapes do not fit, or no text can have given some answer.
    """
    from scipy.optimize import minimize

    texts, identity = embeddings.astype(np.float64), np.eye(embeddings.shape[1])
    if not len(queries) or log_likelihoods.shape != (len(queries), len(texts)):
        raise ValueError("log likelihoods are (n_questions, n_texts), with at least one question")
    tokens = log_likelihoods[..., None]  # the answer as one token

    def marginal(matrix: Probabilities) -> tuple[float, Probabilities]:
        logits = queries @ matrix @ texts.T / temperature
        slope = queries.T @ (sequence_gradient(logits, tokens) @ texts) / (temperature * len(queries))
        return -float(sequence_log_likelihood(logits, tokens).mean()), slope

    def objective(flat: Probabilities) -> tuple[float, Probabilities]:
        away = flat.reshape(identity.shape) - identity
        loss, slope = marginal(flat.reshape(identity.shape))
        return loss + penalty / 2 * float((away**2).sum()), (slope + penalty * away).ravel()

    found = minimize(objective, identity.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": steps})
    matrix = np.asarray(found.x, np.float64).reshape(identity.shape)
    return TrainedMap(matrix, marginal(identity)[0], marginal(matrix)[0])


def label_log_likelihoods(relevant: Sequence[Sequence[int]], n_texts: int) -> Probabilities:
    """Return ln p(y|x,z) of labelled questions, (n_questions, n_texts): 0 for a relevant text, -inf for others.

    >>> label_log_likelihoods([[2], [0, 1]], 3).tolist()
    [[-inf, -inf, 0.0], [0.0, 0.0, -inf]]
    """
    table = np.full((len(relevant), n_texts), -np.inf)
    for row, texts in zip(table, relevant, strict=True):
        row[list(texts)] = 0.0
    return table


def answer_log_likelihoods(
    texts: Sequence[str | Chunk], answers: Sequence[str], vocabulary: Vocabulary
) -> Probabilities:
    """Return ln p(y|x,z) of answered questions, (n_questions, n_texts): the answer under a trigram of each text.

    No label says which text is right: those that make the answer likely get the weight.
    """
    tokens = [vocabulary.encode(answer) for answer in answers]
    models = (Trigram([text], vocabulary) for text in texts)
    columns = [[model.token_log_probabilities(answer).sum() for answer in tokens] for model in models]
    return np.array(columns, np.float64).reshape(len(texts), len(answers)).T
