"""Text -> terms. Terms are what the index counts and what questions, answers and sources are compared by.

`normalize_text` folds case and accents, `tokenize` finds words and numbers, `analyze` leaves stopwords out.
`Analyzer` adds stemming. ASCII text takes a shorter path to the same terms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache

from engine.records import Span
from engine.text.scripts import DROPPED_MARKS, KEPT_MARKS, UNSPACED

STOPWORDS: frozenset[str] = frozenset(
    """
    a about above after again against all also am an and any are arent as at be because been before being below
    between both but by can cant cannot could couldnt did didnt do does doesnt doing dont down during each few
    for from further had hadnt has hasnt have havent having he her here hers herself him himself his how i if in
    into is isnt it its itself just me more most mustnt my myself no nor not now of off on once only or other
    our ours ourselves out over own same shant she should shouldnt so some such than that the their theirs them
    themselves then there these they this those through to too under until up upon us very was wasnt we were werent
    what when where whether which while who whom whose why will with wont would wouldnt you your yours yourself
    yourselves
    """.split()
)
"""English words that carry no subject: articles, pronouns, prepositions, auxiliaries, question words."""

_ACCENTS = re.compile(f"[{DROPPED_MARKS}]")
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_LETTER = rf"[^\W\d_]|[{KEPT_MARKS}]"
_WORD = rf"(?:{_LETTER})(?:{_LETTER}|\d)*"
_TOKEN = re.compile(rf"{_WORD}|\d+(?:\.\d+)*")
_ASCII_TOKEN = re.compile(r"[a-z][a-z0-9]*|[0-9]+(?:\.[0-9]+)*")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_SEPARATED = re.compile(r"\d,\d{3}")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)*")
_APOSTROPHE = re.compile("['’ʼ＇]")
_CLITIC = re.compile(r"['’ʼ＇](?<=[^\W_].)(?:(?:s|ll|re|ve|d|m)\b|(?=t\b))")
"""What an apostrophe takes with it: a possessive or a contracted verb goes, the t of `n't` joins its word."""


def normalize_text(text: str) -> str:
    """Fold compatibility forms (NFKD), accents and case; letters that need their marks keep them.

    >>> normalize_text("Café ﬁn Ⅷ"), normalize_text("が 한글 ไทย")
    ('cafe fin viii', 'が 한글 ไทย')
    """
    if text.isascii():
        return text.lower()
    folded = _ACCENTS.sub("", unicodedata.normalize("NFKD", text)).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", folded)))


def tokenize(text: str) -> list[str]:
    """Return the words and numbers of a text, normalised, in order.

    Decimals stay whole, thousands separators go, a possessive 's goes, hyphens and underscores split. Runs of a
    script without spaces become overlapping pairs of characters.

    >>> tokenize("Venus's year: 224.7 days, 1,014 chunks, well-known")
    ['venus', 'year', '224.7', 'days', '1014', 'chunks', 'well', 'known']
    >>> tokenize("金星の年")
    ['金星', '星の', 'の年']
    """
    folded = normalize_text(text)
    if _APOSTROPHE.search(folded):
        folded = _CLITIC.sub("", folded)
    if _SEPARATED.search(folded):
        folded = _DIGITS.sub(_join_thousands, folded)
    if folded.isascii():
        return _ASCII_TOKEN.findall(folded)
    tokens: list[str] = _TOKEN.findall(folded)
    if _UNSPACED_RUN.search(folded):
        return [part for token in tokens for part in _split_unspaced(token)]
    return tokens


def analyze(text: str) -> list[str]:
    """Return the tokens that are not English stopwords: the plain analyzer.

    >>> analyze("What moons does Mars have?")
    ['moons', 'mars']
    """
    return [token for token in tokenize(text) if token not in STOPWORDS]


@dataclass(frozen=True, slots=True)
class Analyzer:
    """Text to terms under chosen settings; `Analyzer()` equals `analyze`. Equal settings make equal analyzers.

    >>> Analyzer(stemming="english")("moons orbiting")
    ['moon', 'orbit']
    """

    stemming: str = "none"
    """`none`, or the name of a Snowball stemmer."""
    stopwords: str = "english"
    """`english` or `none`."""

    def __call__(self, text: str) -> list[str]:
        """Return the terms of a text in order."""
        terms = analyze(text) if self.stopwords == "english" else tokenize(text)
        return terms if self.stemming == "none" else _stemmer(self.stemming)(terms)


def contains_phrase(text: str, phrase: str) -> bool:
    """Return whether the words of `phrase` stand in `text` one after the other, both normalised; no words, no phrase.

    >>> contains_phrase("It takes 1,014 Earth-days.", "1014 earth days"), contains_phrase("Marsh", "Mars")
    (True, False)
    """
    wanted = " ".join(tokenize(phrase))
    return bool(wanted) and f" {wanted} " in f" {' '.join(tokenize(text))} "


def find_terms(text: str, terms: Collection[str], analyzer: Callable[[str], list[str]] = analyze) -> list[Span]:
    """Return where in `text` a word is analysed to one of `terms`, in order and without overlaps.

    >>> find_terms("Moons of Mars", {"mars"})
    [Span(start=9, end=13)]
    """
    wanted = frozenset(terms)
    if not wanted:
        return []
    hits: dict[str, bool] = {}
    spans: list[Span] = []
    for start, end in _words(text):
        word = text[start:end]
        hit = hits.get(word)
        if hit is None:
            hit = hits[word] = not wanted.isdisjoint(analyzer(word))
        if hit:
            joined = spans and spans[-1].end > start
            spans[-1 if joined else len(spans) :] = [Span(spans[-1].start if joined else start, end)]
    return spans


_RAW_WORD = re.compile(rf"(?:{_LETTER}|[{DROPPED_MARKS}]|\d)+(?:[.,]\d+)*(?:['’＇](?:{_LETTER})+)*")


def _words(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the words of an original text stand; of a script without spaces, every pair."""
    for match in _RAW_WORD.finditer(text):
        start, end = match.span()
        position = start
        for run in _UNSPACED_RUN.finditer(text, start, end):
            if run.start() > position:
                yield position, run.start()
            position = run.end()
            for first in range(run.start(), max(run.start() + 1, run.end() - 1)):
                yield first, min(first + 2, run.end())
        if position < end:
            yield position, end


def _join_thousands(number: re.Match[str]) -> str:
    return number[0].replace(",", "") if _GROUPED.fullmatch(number[0]) else number[0]


def _split_unspaced(token: str) -> Iterator[str]:
    """Yield a token's runs: pairs of characters for scripts without spaces, words for others."""
    position = 0
    for run in _UNSPACED_RUN.finditer(token):
        if run.start() > position:
            yield token[position : run.start()]
        characters = run[0]
        yield from (characters[at : at + 2] for at in range(max(1, len(characters) - 1)))
        position = run.end()
    if position < len(token):
        yield token[position:]


@cache
def _stemmer(name: str) -> Callable[[list[str]], list[str]]:
    """Return a Snowball stemmer for a list of words; imported only when stemming is asked for."""
    import Stemmer

    stem: Callable[[list[str]], list[str]] = Stemmer.Stemmer(name).stemWords
    return stem
