"""Prompt -> the sentence with the best features, word for word, or an abstention; two where the question names two."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.answering.citations import cite
from engine.answering.extractive import ABSTENTION, SHOWN, TermWeights
from engine.answering.reader.confidence import how_sure, in_words, probability, signs_of
from engine.answering.reader.features import Sentence, read_features
from engine.answering.reader.question import Asked, take_apart
from engine.answering.reader.second import second_sentence
from engine.answering.reader.weights import SIGNS, WEIGHTS
from engine.answering.reader.words import reader_analyzer
from engine.records import Answer, Candidate, Closest, Feature, Prompt

UNSURE = "I don't know: no sentence of the notes is likely enough to be the answer."
"""An abstention where a sentence may be the answer all the same: it cannot be said that the notes hold none."""
NAMED = 3
"""Features named in a reason."""
CONNECTING = frozenset(("coverage", "sentence before", "sentence after", "same beginnings", "words alike"))
"""Features of which a sentence that has to do with the question has one."""


class FeatureReader:
    """score(s) = sum of weight times feature; the answer is refused where its probability is below the threshold."""

    def __init__(self, bm25: TermWeights, threshold: float = 0.5) -> None:
        """Take where idf comes from, and the least probability of an answer, 0 to 1."""
        self._bm25, self._threshold = bm25, threshold
        self._stems = reader_analyzer(bm25.index.analyzer)

    def __call__(self, prompt: Prompt) -> str:
        """Return the answer's text."""
        return self.answer(prompt).text

    def answer(self, prompt: Prompt) -> Answer:
        """Return the best sentence with its citation, or an abstention that says why."""
        asked = take_apart(prompt.question, self._bm25.idf, self._bm25.index.analyzer, self._stems)
        if not asked.weights:
            return Answer(ABSTENTION, "extractive", True, "The question has no word to look for.")
        if not prompt.sources:
            return Answer(ABSTENTION, "extractive", True, "No source made it into the prompt.")
        sentences, features = read_features(asked, prompt, self._stems)
        if not sentences:
            return Answer(ABSTENTION, "extractive", True, "The sources hold no sentence.")
        scores = features @ np.fromiter(WEIGHTS.values(), np.float64)
        # A stable sort: among equals the earlier source, then the earlier sentence, stays first.
        order = np.argsort(-scores, kind="stable")
        best = int(order[0])
        second = second_sentence(asked, sentences, scores, best)
        chosen = [best] if second is None else [best, second]
        signs = signs_of(asked, sentences, scores, chosen, self._stems)
        likely = probability(signs)
        shown = tuple(_candidate(asked, sentences[at], features[at], scores[at]) for at in order[:SHOWN])
        parts = tuple(Feature(name, value, SIGNS[name]) for name, value in signs.items())
        said = f"The best sentence is {in_words(likely)}"
        if likely < self._threshold:
            reason = f"{said}; the threshold is {self._threshold:.2f}."
            quoted = tuple(_candidate(asked, sentences[at], features[at], scores[at]) for at in chosen)
            closest = self._closest(quoted, likely)
            refusal = UNSURE if closest is not None and closest.may_be_it else ABSTENTION
            return Answer(refusal, "extractive", True, reason, shown, likely, parts, closest)
        text = " ".join(cite(sentences[at].words.text, sentences[at].source.number) for at in chosen)
        return Answer(text, "extractive", False, f"{said}: {_why(shown[0].features)}.", shown, likely, parts)

    def _closest(self, quoted: tuple[Candidate, ...], likely: float) -> Closest | None:
        """Return what to show beside an abstention; `None`: the best sentence has nothing to do with the question."""
        if not any(feature.value > 0 for feature in quoted[0].features if feature.name in CONNECTING):
            return None
        return Closest(quoted, likely, self._threshold, how_sure(likely, self._threshold))


def feature_reader(bm25: TermWeights, threshold: float = 0.5) -> FeatureReader:
    """Return a generator that quotes the sentence with the best features.

    Args:
        bm25: gives idf and the analyzer (a `BM25`).
        threshold: least probability of an answer, 0 to 1; below it the generator abstains.

    >>> from engine import BM25, InvertedIndex, assemble_prompt
    >>> from engine.records import Chunk
    >>> text = "Mars has two small moons, Phobos and Deimos."
    >>> prompt = assemble_prompt("What moons does Mars have?", [Chunk(0, "mars.md", 0, len(text), text)])
    >>> feature_reader(BM25(InvertedIndex([text])))(prompt)
    'Mars has two small moons, Phobos and Deimos [1].'
    """
    return FeatureReader(bm25, threshold)


def _candidate(asked: Asked, sentence: Sentence, values: NDArray[np.float64], score: float) -> Candidate:
    features = tuple(Feature(*each) for each in zip(WEIGHTS, values.tolist(), WEIGHTS.values(), strict=True))
    matched = tuple(term for stem, term in asked.terms.items() if stem in sentence.covered)
    coverage = features[0].value
    return Candidate(sentence.source.number, sentence.words.text, coverage, 0.0, matched, float(score), features)


def _why(features: Sequence[Feature]) -> str:
    """Name the features that add most."""
    most = sorted(features, key=lambda feature: -feature.product)[:NAMED]
    return ", ".join(f"{feature.name} +{feature.product:.1f}" for feature in most if feature.product > 0)
