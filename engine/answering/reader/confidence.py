"""How far a sentence stands out, and what of the question it leaves open -> the probability that it is right.

Logistic regression: p = 1 / (1 + exp(-(base + sum of weight times sign))). The signs of the best sentence, and of the
one that follows it where two names are asked for:

ahead                    share of exp(score) that it has among all sentences: near 1, no other comes close
ahead of other sources   1 / (1 + exp(-d)), where d is how far its score is above the best one of another source
missing                  share of the question's idf that neither it nor its heading holds, begins like or says alike
names missing            names and numbers of the question that its whole source does not hold
answer missing           1 where a person, place, time or number is asked for and there is no new one
negation missing         1 where the question says not, never, without … and the sentence does not
opposite                 1 where the question says "first" and the sentence only "last", and the like
words asked              ln(1 + words of the question): each says more precisely what is asked for

Fitted by `docs/measure_reader.py` on squad-v1.1-train60 alone: on its questions, and on ones made of them that have no
answer (`engine.evaluation.unanswerable`), which count as a third of all. `planet-tui evaluate` shows how true the
probabilities are of other notes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.answering.reader.answer_types import fitting_words
from engine.answering.reader.features import Sentence, read_source
from engine.answering.reader.matches import alike_words, begun
from engine.answering.reader.question import Asked
from engine.answering.reader.weights import BASE, SIGNS
from engine.answering.reader.words import Words, alike
from engine.text.analysis import Analyzer

_NEGATIONS = frozenset(
    "not no never n't without except nor none neither cannot unable least fail failed lack lacked".split()
)
OPPOSITES = tuple(
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
"""Words that deny each other."""
_EITHER_WAY = frozenset((one, other) for pair in OPPOSITES for one, other in (pair, pair[::-1]))


def signs_of(
    asked: Asked, sentences: Sequence[Sentence], scores: NDArray[np.float64], chosen: Sequence[int], stems: Analyzer
) -> dict[str, float]:
    """Return the signs by name, in the order of `SIGNS`.

    Args:
        asked: the question.
        sentences: of all sources.
        scores: (n_sentences,) theirs.
        chosen: which answer it, the best first.
        stems: what words are compared by.
    """
    answer = [sentences[at] for at in chosen]
    best, sources = float(scores[chosen[0]]), {sentence.source.number for sentence in answer}
    others = [scores[at] for at, sentence in enumerate(sentences) if sentence.source.number not in sources]
    held = frozenset[str]().union(*(sentence.words.known for sentence in answer))
    missing = asked.weights.keys() - frozenset[str]().union(*(sentence.covered for sentence in answer))
    missing = missing - {*begun(held, missing), *alike_words(held, missing, alike(stems))}
    read = frozenset[str]().union(*(read_source(sentence.source, stems) for sentence in answer))
    said = [sentence.words for sentence in answer]
    return {
        "ahead": 1 / float(np.exp(np.minimum(scores - best, 0.0)).sum()),
        "ahead of other sources": 1 / (1 + math.exp(max(others) - best)) if others else 1.0,
        "missing": asked.share(missing),
        "names missing": float(len(asked.names - read)),
        "answer missing": float(bool(asked.kind) and not any(_fits(asked, words) for words in said)),
        "negation missing": float(_is_negated(asked.words) and not any(map(_is_negated, said))),
        "opposite": float(any(_says_opposite(asked.words, words) for words in said)),
        "words asked": math.log1p(len(asked.weights)),
    }


def probability(signs: Mapping[str, float]) -> float:
    """Return the probability, 0 to 1, that the signs make.

    >>> probability({"missing": 1.0}) < probability({"missing": 0.0})
    True
    """
    odds = BASE + sum(SIGNS[name] * value for name, value in signs.items())
    return 1 / (1 + math.exp(-min(500.0, max(-500.0, odds))))


def in_words(value: float) -> str:
    """Return a probability in words.

    >>> in_words(0.81), in_words(0.5), in_words(0.1)
    ('likely right 0.81', 'perhaps right 0.50', 'hardly right 0.10')
    """
    return f"{_words_for(value)} {value:.2f}"


def how_sure(value: float, threshold: float) -> str:
    """Return in words how a probability stands to the threshold.

    >>> how_sure(0.47, 0.5)
    'perhaps right, 0.47 (threshold 0.50)'
    """
    return f"{_words_for(value)}, {value:.2f} (threshold {threshold:.2f})"


def _words_for(value: float) -> str:
    words = ((0.65, "likely right"), (0.35, "perhaps right"), (-1.0, "hardly right"))
    return next(word for least, word in words if value >= least)


def _is_negated(words: Words) -> bool:
    return not _NEGATIONS.isdisjoint(words.lower) or "n't" in words.text or "n’t" in words.text


def _fits(asked: Asked, words: Words) -> bool:
    return bool(fitting_words(words, asked.kind, asked.words.known))


def _says_opposite(asked: Words, sentence: Words) -> bool:
    said, wanted = frozenset(sentence.lower), frozenset(asked.lower)
    return any(one in wanted and one not in said and other in said for one, other in _EITHER_WAY)
