"""Fit and measure the reader: `python docs/measure_reader.py` prints its weights and the tables of docs/reader.md.

With `failures` as its argument it prints the most frequent kinds of wrong answers.

Sources are the five best paragraphs by BM25 over stems. An answer is right where the sentence stands in the labelled
paragraph and holds a reference answer. Figures of refusals are cross-validated over articles. It needs the
collections of `engine.evaluation.collections`, scikit-learn and SciPy, and takes some minutes.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from engine.answering.reader.confidence import signs_of  # noqa: E402
from engine.answering.reader.features import read_features  # noqa: E402
from engine.answering.reader.question import take_apart  # noqa: E402
from engine.answering.reader.weights import SIGNS, WEIGHTS  # noqa: E402
from engine.answering.reader.words import reader_analyzer  # noqa: E402
from engine.evaluation.collections import data_folder  # noqa: E402
from engine.indexing.bm25 import BM25  # noqa: E402
from engine.indexing.inverted_index import InvertedIndex  # noqa: E402
from engine.records import Chunk, Prompt, Source  # noqa: E402
from engine.text.analysis import Analyzer, spaced_out  # noqa: E402

SOURCES = 5
FOLDS = 5
RIDGE = 1e-3
OTHERS = 0.3
"""How much a question counts that surely has an answer, where signs are fitted."""
PRIOR = 0.78
"""Share of best sentences that are right in the notes of a user: as in squad-v1.1-dev."""
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Asked:
    """One question and the sentences of its sources."""

    title: str
    kind: str
    answerable: bool
    titles: list[str]
    labelled: Flags
    features: Floats
    right: Flags
    signs: dict[str, float]


def ask_all(name: str, weights: Floats | None = None) -> list[Asked]:
    """Return every question of a collection that finds a sentence; signs follow the scores that `weights` make."""
    data = data_folder()
    assert data is not None, "The collections are not here: see engine.evaluation.collections."
    lines = [json.loads(line) for line in (data / name / "corpus.jsonl").open(encoding="utf-8")]
    chunks = [Chunk(at, x["id"], 0, len(x["text"]), x["text"], x["title"]) for at, x in enumerate(lines)]
    analyzer = Analyzer(stemming="english")
    bm25, stems = BM25(InvertedIndex(chunks, analyzer), 1.2), reader_analyzer(analyzer)
    weights = np.array([*WEIGHTS.values()]) if weights is None else weights
    asked = []
    for line in map(json.loads, (data / name / "qa.jsonl").open(encoding="utf-8")):
        found = bm25.search(line["question"], SOURCES).ids
        sources = tuple(Source(number, chunks[at], "", 0) for number, at in enumerate(found, 1))
        question = take_apart(line["question"], bm25.idf, analyzer, stems)
        sentences, rows = read_features(question, Prompt(line["question"], "", sources, (), 0, 0), stems)
        if not sentences:
            continue
        answers = [words for answer in line["answers"] if (words := spaced_out(answer["text"]))]
        right = [
            line.get("answerable", True)
            and sentence.source.chunk.document == line["doc"]
            and any(f" {answer} " in _spaced(sentence.words.text) for answer in answers)
            for sentence in sentences
        ]
        scores = rows @ weights
        signs = signs_of(question, sentences, scores, int(scores.argmax()), stems)
        answerable, titles = line.get("answerable", True), [sentence.source.chunk.title for sentence in sentences]
        labelled = np.array([sentence.source.chunk.document == line["doc"] for sentence in sentences])
        asked.append(Asked(line["title"], question.kind, answerable, titles, labelled, rows, np.array(right), signs))
    return asked


@lru_cache(maxsize=100_000)
def _spaced(text: str) -> str:
    return f" {spaced_out(text)} "


def fit_weights(asked: Sequence[Asked]) -> Floats:
    """Return the weights under which the softmax over the sentences gives most to the right ones, with a ridge."""
    from scipy.optimize import minimize

    kept = [one for one in asked if one.right.any()]
    rows = np.concatenate([one.features for one in kept])
    right = np.concatenate([one.right for one in kept])
    starts = np.cumsum([0, *(len(one.right) for one in kept[:-1])])
    of = np.repeat(np.arange(len(kept)), [len(one.right) for one in kept])
    scale = rows.std(axis=0) + 1e-9
    scaled = rows / scale

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = scaled @ weights
        shares = np.exp(scores - np.maximum.reduceat(scores, starts)[of])
        every, good = np.add.reduceat(shares, starts), np.add.reduceat(shares * right, starts)
        slope = scaled.T @ (shares / every[of] - shares * right / good[of]) / len(kept)
        return float(np.log(every / good).mean() + RIDGE * weights @ weights), slope + 2 * RIDGE * weights

    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(found.x / scale)


def is_right(asked: Sequence[Asked], weights: Floats) -> Flags:
    """Return for each question whether its best sentence is right."""
    return np.array([one.right[int((one.features @ weights).argmax())] for one in asked])


def folds_of(asked: Sequence[Asked]) -> NDArray[np.int64]:
    """Return the fold of each question; an article's questions are in one."""
    _, article = np.unique([one.title for one in asked], return_inverse=True)
    order = np.random.default_rng(0).permutation(article.max() + 1)
    return np.asarray(order[article] % FOLDS)


def cross_validated(asked: Sequence[Asked]) -> Flags:
    """Return for each question whether its best sentence is right, by weights fitted on other articles."""
    folds, right = folds_of(asked), np.zeros(len(asked), bool)
    for fold in range(FOLDS):
        weights = fit_weights([one for one, its in zip(asked, folds, strict=True) if its != fold])
        here = np.flatnonzero(folds == fold)
        right[here] = is_right([asked[at] for at in here], weights)
    return right


def signs_matrix(asked: Sequence[Asked]) -> Floats:
    """Return the signs, (n_questions, n_signs)."""
    return np.array([[one.signs[name] for name in SIGNS] for one in asked])


def probabilities(
    asked: Sequence[Asked], right: Flags, others: Sequence[Asked], others_right: Flags
) -> tuple[float, Floats, Floats]:
    """Fit the signs, and give every question its probability by what was fitted on other articles.

    Args:
        asked: questions of which many have no answer.
        right: whether their best sentences are right.
        others: questions that all have one; each counts `OTHERS` of the first.
        others_right: whether theirs are.

    Returns:
        The base, moved to a collection where `PRIOR` of the best sentences are right, the weights of the signs, and
        the probability of each of the first questions, moved likewise.
    """
    from sklearn.linear_model import LogisticRegression

    rows, outcomes = np.concatenate([signs_matrix(asked), signs_matrix(others)]), np.concatenate([right, others_right])
    counts = np.concatenate([np.ones(len(asked)), np.full(len(others), OTHERS)])
    folds = np.concatenate([folds_of(asked), np.full(len(others), -1)])

    def fitted(kept: Flags) -> Any:  # noqa: ANN401
        model = LogisticRegression(C=10.0, max_iter=5000)
        return model.fit(rows[kept], outcomes[kept], sample_weight=counts[kept])

    found = np.zeros(len(asked))
    for fold in range(FOLDS):
        here = np.flatnonzero(folds == fold)
        found[here] = fitted(folds != fold).predict_proba(rows[here])[:, 1]
    share = float(np.average(outcomes, weights=counts))
    model = fitted(np.ones(len(rows), bool))
    moved = np.log(PRIOR / (1 - PRIOR)) - np.log(share / (1 - share))
    return float(model.intercept_[0] + moved), model.coef_[0], 1 / (1 + (1 / found - 1) * np.exp(-moved))


def interval(values: NDArray[Any]) -> str:
    """Return a mean with its 95 % percentile bootstrap interval over questions."""
    draws = np.random.default_rng(0).integers(0, len(values), (1000, len(values)), np.int32)
    low, high = np.percentile(values.astype(float)[draws].mean(axis=1), [2.5, 97.5])
    return f"{values.mean():.3f} ({low:.3f}–{high:.3f})"


def say(text: str = "") -> None:
    """Print a line at once: the next takes a while."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def refusals(name: str, asked: Sequence[Asked], right: Flags, found: Floats) -> None:
    """Print the area under the curve, the best share of right decisions, and the curve itself."""
    from sklearn.metrics import roc_auc_score

    unanswerable = np.array([not one.answerable for one in asked])

    def decided(threshold: float) -> Flags:
        return np.where(found >= threshold, right, unanswerable)

    best = max(np.linspace(0, 1, 101).tolist(), key=lambda threshold: float(decided(threshold).mean()))
    say(f"| {name} | {roc_auc_score(right, found):.3f} | {best:.2f} | {interval(decided(best))} |")


def curve(asked: Sequence[Asked], right: Flags, found: Floats) -> None:
    """Print what a threshold does, and how often answers of a probability are right."""
    unanswerable = np.array([not one.answerable for one in asked])
    say("\n| threshold | answered | right of them | unanswerable refused | right decisions |\n|---|---|---|---|---|")
    for threshold in np.arange(0.0, 0.91, 0.1):
        kept = found >= threshold
        decided = np.where(kept, right, unanswerable).mean()
        refused = (~kept)[unanswerable].mean()
        share = right[kept].mean() if kept.any() else 0.0
        say(f"| {threshold:.1f} | {kept.mean():.2f} | {share:.2f} | {refused:.2f} | {decided:.3f} |")
    say("\n| said | questions | mean said | right |\n|---|---|---|---|")
    for low in np.arange(0.0, 0.91, 0.1):
        within = (found >= low) & (found < low + 0.1)
        if within.sum() >= 20:
            means = f"{found[within].mean():.2f} | {right[within].mean():.2f}"
            say(f"| {low:.1f} to {low + 0.1:.1f} | {within.sum()} | {means} |")


def failure(one: Asked, best: int) -> str:
    """Return the kind of a wrong answer: where it was lost, and what was asked for."""
    kind = one.kind or "anything else"
    right = np.flatnonzero(one.right)
    if not one.labelled.any():
        where = "the paragraph is not among the five"
    elif not len(right):
        where = "no sentence holds the answer whole"
    elif not one.labelled[best]:
        same = one.titles[best] == one.title
        where = "a paragraph of the same article chosen" if same else "a paragraph of another article chosen"
    else:
        where = "the sentence beside it chosen" if np.abs(right - best).min() == 1 else "a farther sentence chosen"
    return f"{where} | {kind}"


def failures(name: str = "squad-v1.1-dev") -> None:
    """Print the twenty most frequent kinds of failures."""
    asked, weights = ask_all(name), np.array([*WEIGHTS.values()])
    best = [int((one.features @ weights).argmax()) for one in asked]
    kinds = Counter(failure(one, at) for one, at in zip(asked, best, strict=True) if not one.right[at])
    say(f"{name}: {kinds.total()} of {len(asked)} questions\n")
    say("| where it was lost | asked for | questions |\n|---|---|---|")
    for kind, n in kinds.most_common(20):
        say(f"| {kind} | {n} |")


def main() -> None:
    """Fit, and print everything."""
    train = ask_all("squad-v1.1-train60")
    weights = fit_weights(train)
    say("WEIGHTS = {" + ", ".join(f'"{k}": {w:.2f}' for k, w in zip(WEIGHTS, weights, strict=True)) + "}\n")
    coverage = np.array([name == "coverage" for name in WEIGHTS], float)
    say("| right answers, never refusing | questions | by coverage | by features |\n|---|---|---|---|")
    both = interval(is_right(train, coverage)), interval(cross_validated(train))
    say(f"| squad-v1.1-train60, cross-validated over articles | {len(train)} | {both[0]} | {both[1]} |")
    dev = ask_all("squad-v1.1-dev", weights)
    both = interval(is_right(dev, coverage)), interval(is_right(dev, weights))
    say(f"| squad-v1.1-dev | {len(dev)} | {both[0]} | {both[1]} |")
    two = ask_all("squad-v2.0-dev", weights)
    right = is_right(two, weights)
    base, fitted, found = probabilities(two, right, train, is_right(train, weights))
    say(f"\nBASE = {base:.2f}")
    say("SIGNS = {" + ", ".join(f'"{k}": {w:.2f}' for k, w in zip(SIGNS, fitted, strict=True)) + "}\n")
    say("| squad-v2.0-dev | area under the curve | threshold | right decisions |\n|---|---|---|---|")
    refusals("always refused", two, right, np.zeros(len(two)) - 1)
    refusals("coverage", two, is_right(two, coverage), np.array([one.features[:, 0].max() for one in two]))
    refusals("probability, cross-validated over articles", two, right, found)
    curve(two, right, found)


if __name__ == "__main__":
    failures() if sys.argv[1:] == ["failures"] else main()
