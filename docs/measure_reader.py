"""Fit and measure the reader: `python docs/measure_reader.py` prints its weights and the tables of docs/reader.md.

With `failures` as its argument it prints the most frequent kinds of wrong answers.

Sources are the five best paragraphs by BM25 over stems. An answer is right where the sentence stands in the labelled
paragraph and holds a reference answer. Everything is fitted on squad-v1.1-train60; the other collections are only
measured. It needs the collections of `engine.evaluation.collections`, scikit-learn and SciPy, and takes some minutes.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from engine.answering.reader.confidence import signs_of  # noqa: E402
from engine.answering.reader.features import read_features  # noqa: E402
from engine.answering.reader.question import take_apart  # noqa: E402
from engine.answering.reader.second import second_sentence  # noqa: E402
from engine.answering.reader.weights import BASE, SIGNS, WEIGHTS  # noqa: E402
from engine.answering.reader.words import reader_analyzer  # noqa: E402
from engine.evaluation.answers import AnswerRow  # noqa: E402
from engine.evaluation.collections import data_folder  # noqa: E402
from engine.evaluation.confidence import Calibration, calibrate  # noqa: E402
from engine.evaluation.unanswerable import draw_change, make_unanswerable  # noqa: E402
from engine.indexing.bm25 import BM25  # noqa: E402
from engine.indexing.inverted_index import InvertedIndex  # noqa: E402
from engine.records import Chunk, Prompt, Source  # noqa: E402
from engine.text.analysis import Analyzer, spaced_out  # noqa: E402
from engine.text.sentences import split_sentences  # noqa: E402

SOURCES = 5
FOLDS = 5
RIDGE = 1e-3
PASSAGE = 60
"""Words of a passage where paragraphs are cut, as the default settings cut notes."""
OTHERS = 8
"""Questions on the same article from which a made question takes its new words."""
UNANSWERABLE = 1 / 3
"""How much questions without an answer count where signs are fitted: as in the training part of SQuAD 2.0."""
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Line = dict[str, Any]


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


class Notes:
    """Paragraphs of a collection that questions are asked of."""

    def __init__(self, paragraphs: Sequence[Line], weights: Floats | None = None, *, cut: bool = False) -> None:
        """Take the paragraphs, the weights by which signs are told, and whether they are cut into passages."""
        self.paragraphs = paragraphs
        texts = [(line, text) for line in paragraphs for text in (passages(line["text"]) if cut else [line["text"]])]
        self.chunks = [Chunk(at, x["id"], 0, len(text), text, x["title"]) for at, (x, text) in enumerate(texts)]
        self.analyzer = Analyzer(stemming="english")
        self.bm25, self.stems = BM25(InvertedIndex(self.chunks, self.analyzer), 1.2), reader_analyzer(self.analyzer)
        self.weights = np.array([*WEIGHTS.values()]) if weights is None else weights

    def ask(self, line: Line, *, question: str = "", answerable: bool = True, without: str = "") -> Asked | None:
        """Ask a labelled question, or one made of it; `None`: it finds no sentence.

        Args:
            line: the labelled question.
            question: asked in its place.
            answerable: whether its label holds.
            without: a paragraph that is not read.
        """
        text = question or line["question"]
        found = [at for at in self.bm25.search(text, SOURCES * 5).ids if self.chunks[at].document != without]
        sources = tuple(Source(number, self.chunks[at], "", 0) for number, at in enumerate(found[:SOURCES], 1))
        asked = take_apart(text, self.bm25.idf, self.analyzer, self.stems)
        sentences, rows = read_features(asked, Prompt(text, "", sources, (), 0, 0), self.stems)
        if not sentences:
            return None
        answers = [words for answer in line["answers"] if (words := spaced_out(answer["text"]))]
        labelled = np.array([sentence.source.chunk.document == line["doc"] for sentence in sentences])
        holds = [any(f" {answer} " in _spaced(sentence.words.text) for answer in answers) for sentence in sentences]
        scores = rows @ self.weights
        best = int(scores.argmax())
        second = second_sentence(asked, sentences, scores, best)
        signs = signs_of(asked, sentences, scores, [best] if second is None else [best, second], self.stems)
        titles = [sentence.source.chunk.title for sentence in sentences]
        right = labelled & np.array(holds) & answerable
        return Asked(line["title"], asked.kind, answerable, titles, labelled, rows, right, signs)


def read_collection(name: str) -> tuple[list[Line], list[Line]]:
    """Return the paragraphs and the labelled questions of a collection."""
    data = data_folder()
    assert data is not None, "The collections are not here: see engine.evaluation.collections."
    files = data / name / "corpus.jsonl", data / name / "qa.jsonl"
    corpus, questions = ([*map(json.loads, file.open(encoding="utf-8"))] for file in files)
    return corpus, questions


def ask_all(name: str, weights: Floats | None = None) -> list[Asked]:
    """Return every question of a collection that finds a sentence."""
    paragraphs, questions = read_collection(name)
    notes = Notes(paragraphs, weights)
    answerable = (line.get("answerable", True) for line in questions)
    found = (notes.ask(line, answerable=known) for line, known in zip(questions, answerable, strict=True))
    return [asked for asked in found if asked is not None]


def with_unanswerable(name: str, weights: Floats) -> list[Asked]:
    """Return questions of a collection, and after each one made of it that has no answer.

    Half of them are asked of all its paragraphs, the others of one article alone, cut as notes are.
    """
    paragraphs, questions = read_collection(name)
    by_title = {title: [each for each in paragraphs if each["title"] == title] for title in _titles(paragraphs)}
    every = Notes(paragraphs, weights)
    alone = {title: Notes(those, weights, cut=True) for title, those in by_title.items()}
    texts = {each["id"]: each["text"] for each in paragraphs}
    subjects: dict[str, list[str]] = defaultdict(list)
    for line in questions:
        subjects[line["title"]].append(line["question"])
    random, found = Random(0), []
    for at, line in enumerate(questions):
        notes = every if at % 2 else alone[line["title"]]
        found.append(notes.ask(line))
        change, others = draw_change(random), random.sample(subjects[line["title"]], OTHERS)
        made = make_unanswerable(line["question"], change, random, others=others, text=texts[line["doc"]])
        without = line["doc"] if change == "taken away" or made is None else ""
        found.append(notes.ask(line, question=made or "", answerable=False, without=without))
    return [asked for asked in found if asked is not None]


def passages(text: str) -> Iterator[str]:
    """Cut a paragraph into passages of whole sentences, `PASSAGE` words at most where the sentences allow it."""
    held: list[str] = []
    for sentence in split_sentences(text):
        if held and len(" ".join([*held, sentence]).split()) > PASSAGE:
            yield " ".join(held)
            held = []
        held.append(sentence)
    if held:
        yield " ".join(held)


def _titles(lines: Sequence[Line]) -> list[str]:
    return [*dict.fromkeys(line["title"] for line in lines)]


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


def fit_signs(asked: Sequence[Asked], right: Flags) -> tuple[float, Floats]:
    """Return the base and the weights of the signs, where questions without an answer are `UNANSWERABLE` of all."""
    from sklearn.linear_model import LogisticRegression

    answerable = np.array([one.answerable for one in asked])
    share = answerable.mean()
    counts = np.where(answerable, (1 - UNANSWERABLE) / share, UNANSWERABLE / (1 - share))
    model = LogisticRegression(C=10.0, max_iter=5000).fit(signs_matrix(asked), right, sample_weight=counts)
    return float(model.intercept_[0]), model.coef_[0]


def probabilities(asked: Sequence[Asked], base: float, weights: Floats) -> Floats:
    """Return the probability of each best sentence."""
    return np.asarray(1 / (1 + np.exp(-(base + signs_matrix(asked) @ weights))))


def interval(values: NDArray[Any]) -> str:
    """Return a mean with its 95 % percentile bootstrap interval over questions."""
    draws = np.random.default_rng(0).integers(0, len(values), (1000, len(values)), np.int32)
    low, high = np.percentile(values.astype(float)[draws].mean(axis=1), [2.5, 97.5])
    return f"{values.mean():.3f} ({low:.3f}–{high:.3f})"


def say(text: str = "") -> None:
    """Print a line at once: the next takes a while."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def refusals(name: str, asked: Sequence[Asked], right: Flags, found: Floats, threshold: float = 0.5) -> None:
    """Print the area under the curve, and the share of right decisions at a threshold and at the best one."""
    from sklearn.metrics import roc_auc_score

    unanswerable = np.array([not one.answerable for one in asked])

    def decided(threshold: float) -> Flags:
        return np.where(found >= threshold, right, unanswerable)

    best = max(np.linspace(0, 1, 101).tolist(), key=lambda threshold: float(decided(threshold).mean()))
    shares = f"{interval(decided(threshold))} | {interval(decided(best))} at {best:.2f}"
    say(f"| {name} | {roc_auc_score(right, found):.3f} | {shares} |")


def rows_of(asked: Sequence[Asked], right: Flags, found: Floats) -> list[AnswerRow]:
    """Return judged answers with their probabilities."""
    return [
        AnswerRow("", int(one.answerable), "", "", confidence=float(said), best_is_right=bool(true))
        for one, true, said in zip(asked, right, found, strict=True)
    ]


def judged(name: str = "squad-v2.0-dev") -> Calibration:
    """Return what thresholds do on a collection, by the weights and signs that are built in."""
    asked = ask_all(name)
    found = calibrate(rows_of(asked, is_right(asked, np.array([*WEIGHTS.values()])), built_in(asked)))
    assert found is not None
    return found


def built_in(asked: Sequence[Asked]) -> Floats:
    """Return the probability of each best sentence by the signs that are built in."""
    return probabilities(asked, BASE, np.array([*SIGNS.values()]))


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
    made = with_unanswerable("squad-v1.1-train60", weights)
    base, signs = fit_signs(made, is_right(made, weights))
    say(f"\nBASE = {base:.2f}")
    say("SIGNS = {" + ", ".join(f'"{k}": {w:.2f}' for k, w in zip(SIGNS, signs, strict=True)) + "}\n")
    two = ask_all("squad-v2.0-dev", weights)
    right, found = is_right(two, weights), probabilities(two, base, signs)
    say("| squad-v2.0-dev | area under the curve | right decisions at 0.5 | at the best threshold |\n|---|---|---|---|")
    refusals("always refused", two, right, np.zeros(len(two)) - 1)
    refusals("coverage", two, is_right(two, coverage), np.array([one.features[:, 0].max() for one in two]))
    refusals("probability", two, right, found)
    calibration = calibrate(rows_of(two, right, found))
    assert calibration is not None
    for each in calibration.tables():
        say(f"\n{each.to_markdown(level=3)}")


if __name__ == "__main__":
    failures() if sys.argv[1:] == ["failures"] else main()
