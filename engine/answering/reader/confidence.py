"""How far a sentence stands out, and what of the question it leaves open -> the probability that it is right.

Logistic regression: p = 1 / (1 + exp(-(base + sum of weight times sign))). The signs of the best sentence:

ahead              share of exp(score) that it has among all sentences: near 1, no other comes close
coverage           the feature of that name
rarest missing     the largest idf of a word of the question that neither it nor its heading holds or begins like, in
                   units of the idf of a word that no chunk holds
names missing      names and numbers of the question that the whole source does not hold
negation asked     1 where the question says not, never, without … : it asks for the exception
negation differs   1 where only one of both does
opposite           1 where the question says "first" and the sentence only "last", and the like
words asked        words of the question: each says more precisely what is asked for

Fitted by `docs/measure_reader.py` on squad-v2.0-dev, half of whose questions have no answer, and squad-v1.1-train60,
and moved to notes where as many best sentences are right as in squad-v1.1-dev, 0.78. The figures of docs/reader.md are
cross-validated over articles. `planet-tui evaluate` shows how true the probabilities are of other notes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.answering.reader.features import Sentence, begun, read_source
from engine.answering.reader.question import Asked
from engine.answering.reader.weights import BASE, SIGNS
from engine.answering.reader.words import Words
from engine.text.analysis import Analyzer

_NEGATIONS = frozenset(
    "not no never n't without except nor none neither cannot unable least fail failed lack lacked".split()
)
_PAIRS = tuple(
    pair.split("/")
    for pair in (
        "most/least first/last before/after north/south east/west northern/southern eastern/western large/small "
        "larger/smaller largest/smallest high/low higher/lower highest/lowest increase/decrease increased/decreased "
        "more/less more/fewer begin/end start/end began/ended started/ended old/new oldest/newest long/short "
        "longer/shorter longest/shortest early/late earliest/latest win/lose won/lost male/female men/women "
        "positive/negative strong/weak open/closed opened/closed inside/outside above/below upper/lower "
        "maximum/minimum major/minor true/false support/oppose accept/reject accepted/rejected legal/illegal "
        "possible/impossible public/private same/different future/past few/many failed/succeeded"
    ).split()
)
_OPPOSITES = frozenset((one, other) for pair in _PAIRS for one, other in (pair, pair[::-1]))


def signs_of(
    asked: Asked, sentences: Sequence[Sentence], scores: NDArray[np.float64], best: int, stems: Analyzer
) -> dict[str, float]:
    """Return the signs by name, in the order of `SIGNS`.

    Args:
        asked: the question.
        sentences: of all sources.
        scores: (n_sentences,) theirs.
        best: which is the best.
        stems: what words are compared by.
    """
    sentence = sentences[best]
    source = read_source(sentence.source, stems)
    missing = asked.weights.keys() - sentence.covered
    missing -= set(begun(sentence.words.known, missing))
    negated = _is_negated(asked.words), _is_negated(sentence.words)
    return {
        "ahead": 1 / float(np.exp(np.minimum(scores - scores[best], 0.0)).sum()),
        "coverage": asked.share(sentence.covered),
        "rarest missing": max(map(asked.weights.__getitem__, missing), default=0.0) / asked.unknown_idf,
        "names missing": float(len(asked.names - source)),
        "negation asked": float(negated[0]),
        "negation differs": float(negated[0] != negated[1]),
        "opposite": float(_says_opposite(asked.words, sentence.words)),
        "words asked": float(len(asked.weights)),
    }


def probability(signs: Mapping[str, float]) -> float:
    """Return the probability, 0 to 1, that the signs make.

    >>> probability({"ahead": 0.0}) < probability({"ahead": 1.0})
    True
    """
    odds = BASE + sum(SIGNS[name] * value for name, value in signs.items())
    return 1 / (1 + math.exp(-min(500.0, max(-500.0, odds))))


def in_words(value: float) -> str:
    """Return a probability in words.

    >>> in_words(0.81), in_words(0.5), in_words(0.1)
    ('likely right 0.81', 'perhaps right 0.50', 'hardly right 0.10')
    """
    words = ((0.65, "likely right"), (0.35, "perhaps right"), (-1.0, "hardly right"))
    return f"{next(word for least, word in words if value >= least)} {value:.2f}"


def _is_negated(words: Words) -> bool:
    return not _NEGATIONS.isdisjoint(words.lower) or "n't" in words.text or "n’t" in words.text


def _says_opposite(asked: Words, sentence: Words) -> bool:
    said, wanted = frozenset(sentence.lower), frozenset(asked.lower)
    return any(one in wanted and one not in said and other in said for one, other in _OPPOSITES)
