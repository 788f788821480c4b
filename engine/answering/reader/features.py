"""Question and sources -> a row of features for every sentence: what can be known of it without a model.

Every feature is 0 to 1 unless said, and a share is one of the idf of the question's words:

coverage              those that the sentence or its heading (title, section, header row of a table) holds
sentence before       those that neither holds, but the sentence before
sentence after        those that neither holds, but the sentence after
antecedent            as "sentence before", where this one begins with it, he, she, they, this …
same beginnings       those of which it holds only a word with the same first five letters: "invent", "invention"
neighbouring words    pairs side by side in the question that stand side by side here (a stopword may be one of them)
close together        the largest share that stands within twelve words
repeated words        BM25's saturation: repetition counts, length is held against it; may exceed 1
number                1 where a number, date, duration or percentage is asked for and there is a new one
name                  1 where a person or a place is asked for and there is a new name
pairs in source       pairs in a row in the question that stand within three words in a sentence of the source
names in source       the question's names and numbers that the source holds
source score          BM25 of the source, in units of the idf of a word that no chunk holds; may exceed 1
source rank           1 / its number in the prompt
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.answering.reader.answer_types import fitting_words
from engine.answering.reader.question import Asked
from engine.answering.reader.weights import WEIGHTS
from engine.answering.reader.words import Words, read_sentences, read_words
from engine.records import Prompt, Source
from engine.text.analysis import Analyzer

MOST_SENTENCES = 200
"""Sentences that are read, from the first source on, so that a large prompt keeps an answer quick."""
NEAR = 3
"""Words apart at most: a near pair."""
CLOSE = 12
"""Words of a window."""
BEGINNING = 5
"""Letters of a same beginning."""
SOURCE_K1, SOURCE_B = 0.9, 0.4
"""BM25's parameters for a source; the average length is that of the sources of the prompt."""
SENTENCE_K1, SENTENCE_B, SENTENCE_WORDS = 1.2, 0.75, 25
"""BM25's parameters for a sentence, and the length of an average one."""

_PRONOUNS = frozenset("it he she they this these that those its his her their such".split())
K = TypeVar("K")
Places = Mapping[str, Sequence[int]]
"""Where each word of the question stands in a sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it stands."""

    source: Source
    """Its source."""
    words: Words
    """Its words."""
    covered: frozenset[str]
    """Words of the question that it or its heading holds."""


def read_features(asked: Asked, prompt: Prompt, stems: Analyzer) -> tuple[list[Sentence], NDArray[np.float64]]:
    """Return the sentences of a prompt in order and their features, (n_sentences, n_features) float64.

    The columns are those of `WEIGHTS`.
    """
    texts = [read_sentences(source.chunk.text, stems) for source in prompt.sources]
    lengths = [sum(len(words.stems) for words in text) for text in texts]
    average = max(1.0, sum(lengths) / max(1, len(lengths)))
    sentences: list[Sentence] = []
    rows: list[Mapping[str, float]] = []
    for source, text, length in zip(prompt.sources, texts, lengths, strict=True):
        read = text[: MOST_SENTENCES - len(sentences)]
        heading = _heading(source, stems)
        titled = heading.known & asked.weights.keys()
        places = [_places(words, asked.weights) for words in read]
        shared = _of_source(asked, places, heading, length / average) | {"source rank": 1 / source.number}
        for at, words in enumerate(read):
            around = places[at - 1] if at else {}, places[at + 1] if at + 1 < len(read) else {}
            covered = frozenset(places[at].keys() | titled)
            rows.append(_of_sentence(asked, words, places[at], covered, around) | shared)
            sentences.append(Sentence(source, words, covered))
    values = [[row[name] for name in WEIGHTS] for row in rows]
    return sentences, np.array(values, np.float64).reshape(-1, len(WEIGHTS))


def read_source(source: Source, stems: Analyzer) -> frozenset[str]:
    """Return the distinct stems of a source and its heading."""
    texts = read_sentences(source.chunk.text, stems)
    return _heading(source, stems).known.union(*(words.known for words in texts))


def begun(held: Iterable[str], missing: Iterable[str]) -> list[str]:
    """Return the missing words whose first letters begin a word that is held.

    >>> begun({"invention"}, ["inventor", "iron"])
    ['inventor']
    """
    long = [word for word in missing if len(word) >= BEGINNING - 1]
    return [word for word in long if any(stem.startswith(word[:BEGINNING]) for stem in held)] if long else []


def _heading(source: Source, stems: Analyzer) -> Words:
    return read_words(f"{source.chunk.header} {source.chunk.context}", stems)


def _of_source(asked: Asked, places: Sequence[Places], heading: Words, length: float) -> dict[str, float]:
    counts = Counter(stem for stem in heading.stems if stem in asked.weights)
    for found in places:
        counts.update({stem: len(at) for stem, at in found.items()})
    norm = SOURCE_K1 * (1 - SOURCE_B + SOURCE_B * length)
    score = sum(asked.weights[stem] * n * (SOURCE_K1 + 1) / (n + norm) for stem, n in counts.items())
    near = {pair for found in places for pair in asked.pairs if _is_near(found, *pair)}
    return {
        "source score": score / asked.unknown_idf,
        "pairs in source": _share(near, asked.pairs),
        "names in source": _share(asked.names & counts.keys(), {name: asked.weights[name] for name in asked.names}),
    }


def _of_sentence(
    asked: Asked, words: Words, found: Places, covered: frozenset[str], around: tuple[Places, Places]
) -> dict[str, float]:
    before, after = (asked.share(other.keys() - covered) for other in around)
    fits = bool(fitting_words(words, asked.kind, asked.words.known))
    names_asked = asked.kind in ("person", "place")
    return {
        "coverage": asked.share(covered),
        "sentence before": before,
        "sentence after": after,
        "antecedent": before if _PRONOUNS.intersection(words.lower[:2]) else 0.0,
        "same beginnings": asked.share(begun(words.known, asked.weights.keys() - covered)),
        "neighbouring words": _share(asked.neighbours.keys() & words.neighbours, asked.neighbours),
        "close together": _closest(asked, found),
        "repeated words": _saturated(asked, found, len(words.stems)),
        "number": float(fits and not names_asked),
        "name": float(fits and names_asked),
    }


def _places(words: Words, weights: Mapping[str, float]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for at, stem in enumerate(words.stems):
        if stem in weights:
            places.setdefault(stem, []).append(at)
    return places


def _share(found: Iterable[K], weights: Mapping[K, float]) -> float:
    total = sum(weights.values())
    return sum(weights[key] for key in found) / total if total > 0 else 0.0


def _is_near(found: Places, one: str, other: str) -> bool:
    return any(0 < b - a <= NEAR for a in found.get(one, ()) for b in found.get(other, ()))


def _closest(asked: Asked, found: Places) -> float:
    order = sorted((at, stem) for stem, places in found.items() for at in places)
    ends = range(len(order))
    windows = ({stem for at, stem in order[first:] if at - order[first][0] < CLOSE} for first in ends)
    return max(map(asked.share, windows), default=0.0)


def _saturated(asked: Asked, found: Places, length: int) -> float:
    norm = SENTENCE_K1 * (1 - SENTENCE_B + SENTENCE_B * length / SENTENCE_WORDS)
    score = sum(asked.weights[s] * len(at) * (SENTENCE_K1 + 1) / (len(at) + norm) for s, at in found.items())
    return score / asked.total if asked.total > 0 else 0.0
