"""Does training the question's LSA vector raise recall? Measured on questions that the training never saw.

Cross-validation: every question is asked once by a map trained on the other folds, its penalty chosen on a part of
them. Two splits are told apart: other questions about the same texts may be trained on, or none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.errors import LabelsError
from engine.evaluation.metrics import ndcg, recall_at_k, reciprocal_rank
from engine.evaluation.resampling import Paired, compare_paired
from engine.evaluation.retrieval import Judged
from engine.evaluation.tables import Column, Table, Value, table
from engine.indexing.exact import exact_search
from engine.indexing.lsa import LSA
from engine.modelling.query_encoder import TEMPERATURE, label_log_likelihoods, train_query_map
from engine.modelling.rag_models import Probabilities, sequence_log_likelihood

FOLDS = 5
"""Parts of the questions; each is held out once."""
PENALTIES = (0.03, 0.3, 3.0)
"""Strengths of the pull towards the identity that are tried."""
FIGURES = ("recall@1", "recall@5", "recall@10", "mrr", "ndcg@10")
"""What is measured of the ranking by LSA."""
DEPTH = 100

Split = Literal["other questions", "other texts"]

SPLITS: tuple[Split, ...] = ("other questions", "other texts")
"""What training may share with a held-out question: its relevant texts, or nothing."""


@dataclass(frozen=True, slots=True)
class QueryTraining:
    """What training did to held-out questions."""

    name: str
    """The collection."""
    split: Split
    """`other questions`: the texts of a held-out question may occur in training, with another question. `other
    texts`: no training question has a relevant text in common with a held-out one."""
    n_texts: int
    """Texts searched."""
    n_questions: int
    """Questions, each held out once."""
    n_trained: int
    """Questions a map was trained on, mean over the folds."""
    n_dims: int
    """Dimensions of the space."""
    penalties: tuple[float | None, ...]
    """Chosen in each fold; `None`: there was nothing to train, and M stayed the identity."""
    figures: Mapping[str, Paired]
    """By name of `FIGURES`: before and after, the difference with its interval and p value."""

    def tables(self) -> tuple[Table, ...]:
        """Return the figures before and after, one row each."""
        title = (
            f"Training the question: {self.name}, {self.n_texts:,} texts, {self.n_questions:,} questions, trained on "
            f"{self.n_trained:,} about {self.split}, {self.n_dims} dimensions"
        )
        columns: list[Column | str] = [
            "figure",
            "before",
            "after",
            Column("difference", form="+.3f"),
            "low",
            "high",
            Column("p", form=".4f"),
        ]
        rows: list[list[Value]] = [
            [name, f.before, f.after, f.difference, f.low, f.high, f.p] for name, f in self.figures.items()
        ]
        return (table(title, columns, rows, "low, high: 95 % bootstrap interval of the difference."),)


def query_training(
    name: str,
    lsa: LSA,
    questions: Sequence[Judged],
    split: Split = "other texts",
    *,
    most: int | None = None,
    seed: int = 0,
) -> QueryTraining:
    """Train and measure by cross-validation.

    Args:
        name: of the collection.
        lsa: over its texts.
        questions: those without a relevant text are left out.
        split: what a held-out question may share with the training.
        most: questions a map is trained on at most, drawn at random, so that splits can be compared; `None`: all.
        seed: of the folds and of that draw.

    Raises:
        LabelsError: no question has a relevant text.
    """
    questions = [question for question in questions if question.gain_of]
    n_questions = len(questions)
    if not n_questions:
        raise LabelsError(
            "No question has a relevant chunk.", "Label questions with spans that stand in a chunk whole."
        )
    queries = np.stack([lsa.embed(question.text) for question in questions])
    relevant = [[text for text, gain in question.gain_of.items() if gain > 0] for question in questions]
    labels = label_log_likelihoods(relevant, len(lsa.embeddings))
    generator = np.random.default_rng(seed)
    fold_of = generator.permutation(n_questions) % FOLDS
    before, after = np.zeros((2, n_questions, len(FIGURES)))
    penalties, trained = list[float | None](), list[int]()
    for fold in range(min(FOLDS, n_questions)):
        held_out = fold_of == fold
        validated = _apart(fold_of == (fold + 1) % FOLDS, held_out, labels, split)
        usable = _apart(~held_out & ~validated, held_out | validated, labels, split)
        usable[generator.permutation(np.flatnonzero(usable))[most if most is not None else n_questions :]] = False
        matrix, penalty = _best_map(lsa, queries, labels, usable, validated)
        penalties.append(penalty)
        trained.append(int(usable.sum()))
        for at in np.flatnonzero(held_out).tolist():
            before[at] = _measure(questions[at], lsa, queries[at])
            after[at] = _measure(questions[at], lsa, queries[at] @ matrix)
    figures = {name: compare_paired(before[:, [at]], after[:, [at]]) for at, name in enumerate(FIGURES)}
    return QueryTraining(
        name, split, len(lsa.embeddings), n_questions, round(fmean(trained)), lsa.n_dims, tuple(penalties), figures
    )


def _apart(
    chosen: NDArray[np.bool_], others: NDArray[np.bool_], labels: Probabilities, split: Split
) -> NDArray[np.bool_]:
    """Return those of the chosen questions that share no relevant text with the others, where the split asks for it."""
    if split == "other questions":
        return chosen
    relevant = labels == 0
    taken = relevant[others].any(axis=0)
    return np.asarray(chosen & ~relevant[:, taken].any(axis=1))


def _best_map(
    lsa: LSA, queries: Probabilities, labels: Probabilities, usable: NDArray[np.bool_], validated: NDArray[np.bool_]
) -> tuple[Probabilities, float | None]:
    """Return the map of the penalty with the best marginal likelihood of the validation questions, and the penalty."""
    matrix = np.eye(lsa.n_dims)
    if not (lsa.n_dims and usable.any() and validated.any()):
        return matrix, None

    def loss(matrix: Probabilities) -> float:
        logits = queries[validated] @ matrix @ lsa.embeddings.T / TEMPERATURE
        return -float(sequence_log_likelihood(logits, labels[validated][..., None]).mean())

    maps = [
        train_query_map(lsa.embeddings, queries[usable], labels[usable], penalty=penalty).matrix
        for penalty in PENALTIES
    ]
    best = min(range(len(maps)), key=lambda at: loss(maps[at]))
    return maps[best], PENALTIES[best]


def _measure(question: Judged, lsa: LSA, vector: Probabilities) -> list[float]:
    ranked = exact_search(lsa.embeddings, vector, DEPTH).ids
    gains = question.gain_of
    recalls = [recall_at_k(question.pieces, ranked, k) for k in (1, 5, 10)]
    return [*recalls, reciprocal_rank(gains, ranked), ndcg(gains, ranked, 10)]
