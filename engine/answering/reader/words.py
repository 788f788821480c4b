"""Text -> words as the reader compares them: their stems, and how they are written.

A source is read for many questions in a row, so what a text comes to is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.answering.reader.forms import ALIKE, BASE_FORMS
from engine.settings import STEMMING
from engine.text.analysis import Analyzer
from engine.text.sentences import split_sentences

LONGEST_SENTENCE = 400
"""Words of a sentence that are looked at: a longer one is a table or a list in one line."""

ENGLISH = frozenset({"english", "porter"})
"""The stemmers of English."""

_WORD = re.compile(r"[^\W_]+(?:[.,](?<=\d[.,])\d+)*(?:['’](?:s|t|ll|re|ve|d|m)\b)?")


@dataclass(frozen=True, slots=True)
class Words:
    """A sentence, word by word. The three tuples have one item a word."""

    text: str
    """Word for word."""
    written: tuple[str, ...]
    """Each word as written."""
    stems: tuple[str, ...]
    """Each word's stem, stopwords included."""
    lower: tuple[str, ...]
    """Each word in lower case."""
    known: frozenset[str]
    """The distinct stems."""
    neighbours: frozenset[tuple[str, str]]
    """The pairs of stems that stand side by side."""


def reader_analyzer(analyzer: Callable[[str], list[str]]) -> Analyzer:
    """Return what the reader compares words by: stems in the language of an index, stopwords kept.

    >>> reader_analyzer(Analyzer(stopwords="german"))
    Analyzer(stemming='german', stopwords='none', identifiers=False)
    """
    if not isinstance(analyzer, Analyzer):
        return Analyzer(stemming="english", stopwords="none")
    language = analyzer.stopwords if analyzer.stopwords in STEMMING else "none"
    return Analyzer(stemming=language if analyzer.stemming == "none" else analyzer.stemming, stopwords="none")


def read_words(text: str, analyzer: Analyzer) -> Words:
    """Return the words of one sentence.

    >>> read_words("Moons orbit it.", Analyzer(stemming="english", stopwords="none")).stems
    ('moon', 'orbit', 'it')
    """
    pairs = [(word, stem) for word in _WORD.findall(text)[:LONGEST_SENTENCE] for stem in _stems(word, analyzer)]
    written, stems = tuple(word for word, _ in pairs), tuple(stem for _, stem in pairs)
    lower = tuple(word.lower() for word in written)
    return Words(text, written, stems, lower, frozenset(stems), frozenset(zip(stems, stems[1:], strict=False)))


@lru_cache(maxsize=512)
def read_sentences(text: str, analyzer: Analyzer) -> tuple[Words, ...]:
    """Return the sentences of a text."""
    return tuple(read_words(sentence, analyzer) for sentence in split_sentences(text))


@lru_cache(maxsize=8)
def alike(analyzer: Analyzer) -> Mapping[str, frozenset[int]]:
    """Return for each stem the numbers of the groups of `ALIKE` it is in; empty unless the language is English."""
    if analyzer.stemming not in ENGLISH:
        return {}
    groups: dict[str, set[int]] = {}
    for number, words in enumerate(ALIKE):
        for stem in {stem for word in words for stem in _stems(word, analyzer)}:
            groups.setdefault(stem, set()).add(number)
    return {stem: frozenset(numbers) for stem, numbers in groups.items()}


@lru_cache(maxsize=1 << 16)
def _stems(word: str, analyzer: Analyzer) -> tuple[str, ...]:
    """Return the stems of one word; of a form that is not made by an ending, those of the word it is a form of."""
    return tuple(analyzer(BASE_FORMS.get(word.lower(), word) if analyzer.stemming in ENGLISH else word))
