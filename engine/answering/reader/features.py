"""Question and sources -> a row of features for every sentence: what can be known of it without a model.

Every feature is 0 to 1 unless said, and a share is one of the idf of the question's words:

coverage              those that the sentence or its heading (title, section, header row of a table) holds
words beside names    as coverage, among the words that are no names: those tell what is asked of what is named
rare here             those that the sentence holds, weighted by how few sentences of the sources hold them
sentence before       those that neither holds, but the sentence before
sentence after        those that neither holds, but the sentence after
antecedent            as "sentence before", where this one begins with it, he, she, they, this …
same beginnings       those of which it holds only a word with the same first five letters: "invent", "invention"
words alike           those for which it holds only another word that may stand for them: "film", "movie"
neighbouring words    pairs side by side in the question that stand side by side here (a stopword may be one of them)
early words           those among the first six words
person                1 where a person is asked for and there is a new name
place                 1 where a place is asked for and there is a new name after "in", "at" and the like
time                  1 where a time is asked for and there is a new year, month, day or century
number                1 where a number, duration or percentage is asked for and there is a new one
beside the answer     the largest share within six words of such a name, time or number
place in source       1 for the first sentence of the source, 1/2 for the second, and so on
pairs in source       pairs in a row in the question that stand within three words in a sentence of the source
names in source       the question's names and numbers that the source holds
against the best      BM25 of the source, in units of the largest among the sources
source rank           1 / its number in the prompt
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.answering.reader.answer_types import AnswerType, fitting_words
from engine.answering.reader.matches import (
    EARLY,
    Places,
    alike_words,
    begun,
    beside,
    is_near,
    places_of,
    rarity,
    share,
)
from engine.answering.reader.question import Asked
from engine.answering.reader.weights import WEIGHTS
from engine.answering.reader.words import Words, alike, read_sentences, read_words
from engine.records import Prompt, Source
from engine.text.analysis import Analyzer

MOST_SENTENCES = 200
"""Sentences that are read, from the first source on, so that a large prompt keeps an answer quick."""
SOURCE_K1, SOURCE_B = 0.9, 0.4
"""BM25's parameters for a source; the average length is that of the sources of the prompt."""
ANSWERS: Mapping[str, tuple[AnswerType, ...]] = {
    "person": ("person",),
    "place": ("place",),
    "time": ("time",),
    "number": ("number", "duration", "percentage"),
}
"""Feature -> what is asked for where it counts."""

_PRONOUNS = frozenset("it he she they this these that those its his her their such".split())


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it stands."""

    source: Source
    """Its source."""
    words: Words
    """Its words."""
    covered: frozenset[str]
    """Words of the question that it or its heading holds."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A source as it is read."""

    source: Source
    heading: Words
    sentences: tuple[Words, ...]
    places: list[dict[str, list[int]]]
    n_words: int


def read_features(asked: Asked, prompt: Prompt, stems: Analyzer) -> tuple[list[Sentence], NDArray[np.float64]]:
    """Return the sentences of a prompt in order and their features, (n_sentences, n_features) float64.

    The columns are those of `WEIGHTS`.
    """
    sources = _read(asked, prompt, stems)
    average = max(1.0, sum(each.n_words for each in sources) / max(1, len(sources)))
    scores = [_score(asked, each, each.n_words / average) for each in sources]
    rare = rarity(asked.weights, [found for each in sources for found in each.places])
    sentences: list[Sentence] = []
    rows: list[Mapping[str, float]] = []
    for each, score in zip(sources, scores, strict=True):
        titled = each.heading.known & asked.weights.keys()
        shared = _of_source(asked, each) | {
            "against the best": score / max(scores) if score else 0.0,
            "source rank": 1 / each.source.number,
        }
        for at, (words, found) in enumerate(zip(each.sentences, each.places, strict=True)):
            around = each.places[at - 1] if at else {}, each.places[at + 1] if at + 1 < len(each.places) else {}
            covered = frozenset(found.keys() | titled)
            own = _of_sentence(asked, words, found, covered, around, stems)
            rows.append(own | shared | {"rare here": share(found, rare), "place in source": 1 / (1 + at)})
            sentences.append(Sentence(each.source, words, covered))
    values = [[row[name] for name in WEIGHTS] for row in rows]
    return sentences, np.array(values, np.float64).reshape(-1, len(WEIGHTS))


def read_source(source: Source, stems: Analyzer) -> frozenset[str]:
    """Return the distinct stems of a source and its heading."""
    texts = read_sentences(source.chunk.text, stems)
    return _heading(source, stems).known.union(*(words.known for words in texts))


def _read(asked: Asked, prompt: Prompt, stems: Analyzer) -> list[_Read]:
    sources, left = [], MOST_SENTENCES
    for source in prompt.sources:
        text = read_sentences(source.chunk.text, stems)
        places = [places_of(words, asked.weights) for words in text[:left]]
        n_words = sum(len(words.stems) for words in text)
        sources.append(_Read(source, _heading(source, stems), text[:left], places, n_words))
        left -= len(places)
    return sources


def _heading(source: Source, stems: Analyzer) -> Words:
    return read_words(f"{source.chunk.header} {source.chunk.context}", stems)


def _counts(asked: Asked, read: _Read) -> Counter[str]:
    counts = Counter(stem for stem in read.heading.stems if stem in asked.weights)
    for found in read.places:
        counts.update({stem: len(at) for stem, at in found.items()})
    return counts


def _score(asked: Asked, read: _Read, length: float) -> float:
    norm = SOURCE_K1 * (1 - SOURCE_B + SOURCE_B * length)
    return sum(asked.weights[stem] * n * (SOURCE_K1 + 1) / (n + norm) for stem, n in _counts(asked, read).items())


def _of_source(asked: Asked, read: _Read) -> dict[str, float]:
    near = {pair for found in read.places for pair in asked.pairs if is_near(found, *pair)}
    names = {name: asked.weights[name] for name in asked.names}
    return {
        "pairs in source": share(near, asked.pairs),
        "names in source": share(names.keys() & _counts(asked, read).keys(), names),
    }


def _of_sentence(
    asked: Asked,
    words: Words,
    found: Places,
    covered: frozenset[str],
    around: Sequence[Places],
    stems: Analyzer,
) -> dict[str, float]:
    before, after = (asked.share(other.keys() - covered) for other in around)
    fits = fitting_words(words, asked.kind, asked.words.known)
    missing = asked.weights.keys() - covered
    others = {word: weight for word, weight in asked.weights.items() if word not in asked.names}
    return {
        "coverage": asked.share(covered),
        "words beside names": share(others.keys() & covered, others),
        "sentence before": before,
        "sentence after": after,
        "antecedent": before if _PRONOUNS.intersection(words.lower[:2]) else 0.0,
        "same beginnings": asked.share(begun(words.known, missing)),
        "words alike": asked.share(alike_words(words.known, missing, alike(stems))),
        "neighbouring words": share(asked.neighbours.keys() & words.neighbours, asked.neighbours),
        "early words": asked.share({stem for stem, at in found.items() if at[0] < EARLY}),
        **{name: float(bool(fits) and asked.kind in kinds) for name, kinds in ANSWERS.items()},
        "beside the answer": beside(asked, found, fits),
    }
