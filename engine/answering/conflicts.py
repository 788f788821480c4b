"""Sources of a prompt -> pairs of sentences that give different numbers for the same terms.

A collection can disagree with itself: a lead rounds what a section states, an older note holds a figure that changed.
Whether two numbers mean the same thing cannot be read off words for certain. So this asks for much, and misses a
disagreement rather than cry wolf. Every condition stands in `find_conflicts`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from engine.records import Conflict, Prompt, Source
from engine.text.analysis import Analyzer
from engine.text.numbers import Quantity, find_quantities
from engine.text.sentences import split_sentences

ASKED_FROM = 0.5
"""Least share of the question's words that each sentence holds, with its heading."""
WINDOW = 6
"""Words on each side of a number that say what it is about."""
SHARED_FROM = 0.5
"""Least share of the words around one number that stand around the other, too."""
MOST_SHARED = 3
"""Words: so many in common suffice, however many there are."""
FARTHEST = 10
"""Greatest quotient of the two numbers: farther apart they hardly are about one thing."""
MOST_NUMBERS = 8
"""A sentence with more numbers is a list: what belongs to which cannot be told."""

MOST_SOURCES = 10
"""Sources from the first that are compared with one another."""
MOST_FIGURES = 20
"""Numbers of one source that are compared, those first whose sentence holds most of the question."""

_stems = Analyzer(stemming="english")
_NO_THINGS = frozenset(
    "new addit extra differ time ad bc bce ce ma centuri januari februari march april may june juli august septemb "
    "octob novemb decemb".split()
)
"""After a number these are no things that it counts."""
_NARRATED = re.compile(r"\s+(?:ago|later|earlier|before|after)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Figure:
    """A number in a sentence of a source."""

    source: Source
    sentence: str
    quantity: Quantity
    kind: str
    """Its unit, or the thing it counts."""
    around: frozenset[str]
    """The words around it."""
    asked: frozenset[str]
    """The words of the question that the sentence, with its heading, holds."""
    values: frozenset[Fraction]
    """Every number of the sentence."""
    words: frozenset[str]
    """The words of the sentence and of its note's title."""
    title: frozenset[str]
    """The words of its note's title."""
    subject: frozenset[str]
    """The last name before it in the sentence, else the title."""


def find_conflicts(prompt: Prompt) -> tuple[Conflict, ...]:
    """Return where sources of a prompt give different numbers for the same terms, one record a pair of sources.

    Two numbers of two sources conflict when

    - both have one unit, or count one thing ("83 moons", "62 known moons"); years and dates do neither;
    - they differ, by a factor of ten at most, and neither stands in the other's sentence;
    - both sentences, with their headings, hold the same words of the question, half of them at least;
    - the notes share a title, or each sentence names the other's; and the last name before each number ("Saturn") is
      the same, the title where there is none;
    - of the at most six words on each side of one number half stand around the other, too, and at least two, or three.

    Words are compared as English stems.

    Returns:
        In order of the sources' numbers; of several numbers the pair with most words in common.
    """
    question = frozenset(_stems(prompt.question))
    sources = prompt.sources[:MOST_SOURCES]
    counted = [_counted(source) for source in sources]
    # Most kinds stand in one source only: the words of a sentence are looked at where its kind stands in two.
    sources_of = Counter(kind for places in counted for kind in {kind for _, _, kind in places})
    figures = [
        _most_asked(_figures(source, [place for place in places if sources_of[place[2]] > 1], question))
        for source, places in zip(sources, counted, strict=True)
    ]
    found = []
    for ours, theirs in combinations(figures, 2):
        pairs = [(shared, a, b) for a, b in product(ours, theirs) if (shared := _shared(a, b))]
        if pairs:
            shared, a, b = max(pairs, key=lambda pair: len(pair[0]))
            found.append(_conflict(a, b, shared))
    return tuple(found)


def _counted(source: Source) -> list[tuple[str, Quantity, str]]:
    """Return the numbers of a source that have a kind: (sentence, number, kind)."""
    found = []
    for sentence in split_sentences(source.chunk.text):
        quantities = find_quantities(sentence)
        if len(quantities) <= MOST_NUMBERS:
            found += [(sentence, quantity, kind) for quantity in quantities if (kind := _kind(sentence, quantity))]
    return found


def _figures(
    source: Source, places: Sequence[tuple[str, Quantity, str]], question: frozenset[str]
) -> Iterator[_Figure]:
    if not places:
        return
    heading, title = frozenset(_stems(source.chunk.header)), frozenset(_stems(source.chunk.title))
    words = {sentence: frozenset(_words(sentence)) for sentence, _, _ in places}
    for sentence, quantity, kind in places:
        asked = question & (words[sentence] | heading)
        if len(asked) >= ASKED_FROM * len(question):
            yield _Figure(
                source=source,
                sentence=sentence,
                quantity=quantity,
                kind=kind,
                around=_around(sentence, quantity) - {kind},
                asked=asked,
                values=frozenset(other.value for other in find_quantities(sentence)),
                words=words[sentence] | title,
                title=title,
                subject=_last_name(sentence[: quantity.span.start]) or title,
            )


def _most_asked(figures: Iterator[_Figure]) -> list[_Figure]:
    return sorted(figures, key=lambda figure: -len(figure.asked))[:MOST_FIGURES]


def _kind(sentence: str, quantity: Quantity) -> str:
    """Return the unit of a number or the thing it counts; empty: neither, or it tells when something happened."""
    after = sentence[quantity.span.end :]
    if _NARRATED.match(after):
        return ""
    if quantity.unit:
        return quantity.unit
    if quantity.value.denominator == 1 and 1000 <= quantity.value <= 2100 and "," not in quantity.number:
        return ""
    things = _words(re.split(r"[.,;:()]", after[:60])[0])[:2]
    thing = next((word for word in things if word not in _ADJECTIVES), "")
    return "" if thing in _NO_THINGS else thing


_ADJECTIVES = frozenset(_stems("known small large major minor main natural total confirmed named"))
_NAME = re.compile(r"(?<!\w)[A-ZÀ-Þ][a-zß-ÿ]+")


def _last_name(before: str) -> frozenset[str]:
    names = [stems for name in _NAME.findall(before) if (stems := _stems(name))]
    return frozenset(names[-1]) if names else frozenset()


def _around(sentence: str, quantity: Quantity) -> frozenset[str]:
    before = _words(sentence[: quantity.span.start])[-WINDOW:]
    return frozenset(before + _words(sentence[quantity.span.end :])[:WINDOW])


def _words(text: str) -> list[str]:
    return [word for word in _stems(text) if not word[0].isdigit() and len(word) > 1]


def _shared(a: _Figure, b: _Figure) -> frozenset[str]:
    """Return the words that two conflicting figures have in common; empty: they do not conflict."""
    none = frozenset[str]()
    if a.kind != b.kind or a.asked != b.asked or a.quantity.value in b.values or b.quantity.value in a.values:
        return none
    low, high = sorted((a.quantity.value, b.quantity.value), key=abs)
    if low * high <= 0 or high / low > FARTHEST:
        return none
    if a.subject != b.subject or (a.title != b.title and not (a.title <= b.words and b.title <= a.words)):
        return none
    shared = a.around & b.around
    enough = SHARED_FROM * min(len(a.around), len(b.around))
    return shared if len(shared) >= 2 and (len(shared) >= MOST_SHARED or len(shared) >= enough) else none


def _conflict(a: _Figure, b: _Figure, shared: frozenset[str]) -> Conflict:
    return Conflict(
        sources=(a.source.number, b.source.number),
        sentences=(a.sentence, b.sentence),
        numbers=(a.quantity.number, b.quantity.number),
        unit=b.quantity.text.removeprefix(b.quantity.number).strip(" -\u00a0"),
        terms=tuple(sorted(shared if b.quantity.unit else shared | {b.kind})),
    )
