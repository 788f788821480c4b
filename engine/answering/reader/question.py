"""A question -> its words with what they weigh, the pairs among them, its names, and what kind of thing it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from engine.answering.reader.answer_types import AnswerType, answer_type
from engine.answering.reader.words import Words, read_words
from engine.text.analysis import Analyzer

JOINING = frozenset({"or", "and", "than"})
"""Words that join two names which are asked for at once."""
FARTHEST = 4
"""Words from one such name to the other, at most."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question taken apart. Its words are stems without stopwords and without the word after "how"."""

    weights: Mapping[str, float]
    """Word -> idf, in order."""
    total: float
    """Sum of the idf."""
    names: frozenset[str]
    """Words that are names or numbers: not the first, and with a capital letter or a digit."""
    words: Words
    """All its words, stopwords included."""
    pairs: Mapping[tuple[str, str], float]
    """Words in a row, a stopword between them at most -> their mean idf."""
    neighbours: Mapping[tuple[str, str], float]
    """Stems side by side, a stopword among them at most -> the larger idf."""
    compared: tuple[str, str] | None
    """Two names that it joins by "or", "and" or "than"; `None`: it joins none."""
    terms: Mapping[str, str]
    """Word -> term of the index."""
    kind: AnswerType
    """What it asks for."""
    unknown_idf: float
    """The idf of a word that no chunk holds: the largest there is."""

    def share(self, words: Iterable[str]) -> float:
        """Return the share of the question's idf that distinct words of it make up, 0 to 1."""
        return sum(self.weights[word] for word in words) / self.total if self.total > 0 else 0.0


def take_apart(
    question: str, idf: Callable[[str], float], analyzer: Callable[[str], list[str]], stems: Analyzer
) -> Asked:
    """Take a question apart.

    Args:
        question: as asked.
        idf: of a term of the index.
        analyzer: the index's; what it leaves out is a stopword.
        stems: what the reader compares words by.
    """
    words = read_words(question, stems)
    weights: dict[str, float] = {}
    terms_of: dict[str, str] = {}
    content: list[tuple[int, str]] = []
    for at, (written, stem) in enumerate(zip(words.written, words.stems, strict=True)):
        terms = analyzer(written)
        if terms and (at == 0 or words.lower[at - 1] != "how"):
            weights.setdefault(stem, min(map(idf, terms)))
            terms_of.setdefault(stem, terms[0])
            content.append((at, stem))
    names = frozenset(stem for at, stem in content if at and _is_named(words, at))
    return Asked(
        weights=weights,
        total=sum(weights.values()),
        names=names,
        words=words,
        pairs={
            (one, other): (weights[one] + weights[other]) / 2
            for (at, one), (then, other) in pairwise(content)
            if then - at <= 2 and one != other
        },
        neighbours={
            (one, other): max(weights.get(one, 0.0), weights.get(other, 0.0))
            for one, other in pairwise(words.stems)
            if one in weights or other in weights
        },
        compared=compared_names(words, names),
        terms=terms_of,
        kind=answer_type(question),
        unknown_idf=idf(""),
    )


def compared_names(words: Words, names: frozenset[str]) -> tuple[str, str] | None:
    """Return the first two names that a question joins; `None`: it joins none.

    >>> asked = read_words("Which is larger, Mars or Venus?", Analyzer(stopwords="none"))
    >>> compared_names(asked, frozenset({"mars", "venus"}))
    ('mars', 'venus')
    """
    for one, other in pairwise(at for at, stem in enumerate(words.stems) if stem in names):
        if other - one <= FARTHEST and not JOINING.isdisjoint(words.lower[one + 1 : other]):
            return words.stems[one], words.stems[other]
    return None


def _is_named(words: Words, at: int) -> bool:
    return words.written[at][0].isupper() or words.written[at][0].isdigit()
