"""Words of some texts -> what the stemmer took off them: which terms a word can have that is not typed to its end.

The stem of a started word may be shorter than what is typed: `happines` is no start of the term `happi`. What was taken
off the words of a sample (`ness` of happiness) says how such a word may go on, and which term it has then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import chain, takewhile

from engine.text.analysis import Analyzer, tokenize

LEAST_STEM = 2
"""Characters of a word that stay, at least."""


class Endings:
    """What stands at the end of words and not of their terms.

    A term that it gives need not be one of the notes.

    >>> Endings(["Mars has moons.", "Happiness is running."], Analyzer(stemming="english")).terms("happines")
    ['happin', 'happi']
    """

    def __init__(self, texts: Iterable[str], analyzer: Analyzer) -> None:
        """Learn from texts; without a stemmer there is nothing to learn."""
        self._analyzer = analyzer
        self._rules: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        if analyzer.stemming == "none":
            return
        for word in set(chain.from_iterable(map(tokenize, texts))):
            for term in analyzer(word)[:1]:
                self._learn(word, term)

    def _learn(self, word: str, term: str) -> None:
        kept = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, term, strict=False)))
        ending, put = word[kept:], term[kept:]
        if kept >= LEAST_STEM and ending:
            for size in range(1, len(ending) + 1):
                self._rules[ending[:size]].add((ending, put))

    def terms(self, start: str) -> list[str]:
        """Return the terms of the words that a start can become, but for those that go on as it does.

        Args:
            start: the start of a word, normalised; the word itself is among those that it can become.
        """
        found = dict.fromkeys(self._analyzer(start))
        for at in range(LEAST_STEM, len(start)):
            for ending, put in sorted(self._rules.get(start[at:], ())):
                term = start[:at] + put
                if term not in found and self._analyzer(start[:at] + ending) == [term]:
                    found[term] = None
        return [term for term in found if not term.startswith(start)]
