"""Text -> terms: what the index counts, and what questions, answers and sources are compared by.

`tokenize` finds words and numbers, `analyze` leaves the stopwords out; `Analyzer` adds other languages and
stemming. ASCII text takes shorter ways to the same terms: this is the hot loop of indexing.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import filterfalse
from typing import Any

from engine.errors import SettingsError
from engine.records import Span
from engine.settings import STEMMING
from engine.text.identifiers import name_terms
from engine.text.normalizing import fold, normalize_text
from engine.text.scripts import DROPPED, JAMO, MARKS, UNSPACED
from engine.text.stopwords import STOPWORDS, STOPWORDS_OF

# A run of letters and digits, and what may follow it: an English contraction or possessive, decimal places,
# thousands separators (after three digits at most). The look-behinds come after the character they start
# from, so that the matcher enters the group only where that character stands.
_REST = (
    r"(?:['.,](?:(?<=')(?:t|ll|re|ve|d|m|s)(?![a-z0-9_])"
    r"|(?<=[0-9]\.)[0-9]+(?:\.[0-9]+)*"
    r"|(?<=[0-9],)(?<![a-z0-9]{4},)[0-9]{3}(?:,[0-9]{3})*(?![0-9])(?:\.[0-9]+)*))?"
)
_ASCII_WORD = re.compile(rf"[a-z0-9]++{_REST}", re.ASCII)
_SPACED = rf"[^\W_{UNSPACED}]"
_WORD = re.compile(rf"[{UNSPACED}]+|{_SPACED}++(?:[{MARKS}]+{_SPACED}*)*{_REST}")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_JOINED = re.compile(r"['.,](?:(?<=[0-9].)[0-9]|(?<=')(?:t|ll|re|ve|d|m|s)(?![a-z0-9_]))", re.IGNORECASE)
_THOUSANDS = re.compile(r",(?<=[0-9],)[0-9]{3}")
_MARK = rf"[{MARKS}{DROPPED}\uff9e\uff9f]"
_PIECE = re.compile(rf"\s|[{JAMO}](?:[{JAMO}]|{_MARK})*|(?s:.){_MARK}*")
_MARKED = frozenset(
    ("arabic", "armenian", "greek", "hindi", "nepali", "persian", "russian", "serbian", "tamil", "yiddish")
)
"""Stemmers of scripts in which a mark makes another letter, such as the Russian й."""
_BLANKED = bytes(ord(chr(byte).lower()) if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256))


def tokenize(text: str) -> list[str]:
    """Return the words and numbers of a text, normalised, in order.

    Decimals stay whole, thousands separators and a possessive 's go, hyphens and underscores split. Runs of a
    script without spaces become overlapping pairs of characters; a lone character stays itself.

    >>> tokenize("Venus's year: 224.7 days, 1,014 chunks, well-known")
    ['venus', 'year', '224.7', 'days', '1014', 'chunks', 'well', 'known']
    >>> tokenize("金星の年")
    ['金星', '星の', 'の年']
    """
    if text.isascii():
        if not _JOINED.search(text):  # nothing to weigh: letters and digits against the rest
            return text.encode().translate(_BLANKED).decode().split()
        return _words(text.lower())
    return _paired(_words(fold(text, "NFKD")))


def analyze(text: str) -> list[str]:
    """Return the tokens that are no English stopwords: the plain analyzer.

    >>> analyze("What moons does Mars have?")
    ['moons', 'mars']
    """
    return list(filterfalse(STOPWORDS.__contains__, tokenize(text)))


@dataclass(frozen=True, slots=True)
class Analyzer:
    """Text to terms under chosen settings; `Analyzer()` equals `analyze`. Equal settings make equal analyzers.

    Stemmers are Snowball's. A word loses its accents before it is stemmed, so that those who type none find it as
    well; only in scripts where marks make other letters (Russian й) it loses them afterwards.

    >>> Analyzer(stemming="english")("Moons orbiting")
    ['moon', 'orbit']
    """

    stemming: str = "none"
    """`none`, or the name of a Snowball stemmer: one of `engine.settings.STEMMING`."""
    stopwords: str = "english"
    """`none`, or a language of `engine.settings.LANGUAGES`; one without a list of its own has the English one."""

    identifiers: bool = False
    """Whether names such as `snake_case`, `C++` and camelCase have terms of their own: see `identifiers.py`."""

    def __post_init__(self) -> None:
        """Check both names; raise `SettingsError`."""
        if self.stemming not in STEMMING or self.stopwords not in STOPWORDS_OF:
            raise SettingsError(
                f"No analyzer with stemming {self.stemming!r} and stopwords {self.stopwords!r}",
                f"Stemming is one of {', '.join(STEMMING)}; stopwords one of {', '.join(STOPWORDS_OF)}.",
            )

    def __call__(self, text: str) -> list[str]:
        """Return the terms of a text in order, those that only names have last."""
        stopwords = STOPWORDS_OF[self.stopwords]
        if self.stemming in _MARKED:
            # Case folding would make a letter of its own of the one mark that has a capital.
            cased = text.replace("\N{COMBINING GREEK YPOGEGRAMMENI}", "")
            words = _paired(_words(fold(cased.casefold(), "NFKC")))
            terms = self._stems([word for word in words if normalize_text(word) not in stopwords])
        else:
            terms = self._stems(list(filterfalse(stopwords.__contains__, tokenize(text))))
        if self.identifiers:
            wholes, parts = name_terms(text)
            terms += wholes
            terms += self._stems(list(filterfalse(stopwords.__contains__, parts)))
        return terms

    def of_words(self, words: Sequence[str]) -> list[str | None]:
        """Return the term of each word as `tokenize` gives it; `None`: it is a stopword.

        >>> Analyzer(stemming="english").of_words(["the", "moons"])
        [None, 'moon']
        """
        stopwords = STOPWORDS_OF[self.stopwords]
        stems = self._stems(list(words))
        return [None if word in stopwords else stem for word, stem in zip(words, stems, strict=True)]

    def _stems(self, words: list[str]) -> list[str]:
        if self.stemming == "none":
            return words
        stems: list[str] = _stemmers.named(self.stemming).stemWords(words)
        joined = "\n".join(stems)
        if stems and joined.isascii():  # all at once what `normalize_text` does with each
            return joined.lower().split("\n")
        return list(map(normalize_text, stems))


def contains_phrase(text: str, phrase: str) -> bool:
    """Return whether the words of `phrase` stand in `text` one after the other, both normalised.

    Punctuation and spacing do not matter. A phrase without a word is in no text.

    >>> contains_phrase("It takes 1,014 Earth-days.", "1014 earth days"), contains_phrase("Marsh", "Mars")
    (True, False)
    """
    wanted = spaced_out(phrase)
    return bool(wanted) and f" {wanted} " in f" {spaced_out(text)} "


def spaced_out(text: str) -> str:
    """Return the normalised words of a text, each character of a script without spaces a word, with one space between.

    Put between spaces it is what phrases are looked for in.

    >>> spaced_out("Mars's 1,014 Earth-days"), spaced_out("金星の")
    ('mars 1014 earth days', '金 星 の')
    """
    words = _words(fold(text, "NFKD"))
    return " ".join(" ".join(word) if _UNSPACED.match(word) else word for word in words)


def find_terms(text: str, terms: Collection[str], analyzer: Callable[[str], list[str]] = analyze) -> list[Span]:
    """Return where in `text`, as given, the words stand whose term is among `terms`: in order, without overlaps.

    Characters that share a normalised form are marked as one (`é` written as two characters, a ligature).

    >>> find_terms("Mars's moons", {"mars"})
    [Span(start=0, end=4)]
    """
    wanted = frozenset(terms)
    spans: list[Span] = []
    known: dict[str, bool] = {}
    for first, last in _written(text):
        word = text[first:last]
        if word not in known:
            known[word] = wanted.isdisjoint(analyzer(word))
        if known[word]:
            continue
        if spans and first < spans[-1].end:  # the second of two overlapping pairs
            first = spans.pop().start
        spans.append(Span(first, last))
    return spans


def written_forms(text: str, analyzer: Callable[[str], list[str]] = analyze) -> dict[str, str]:
    """Return each term of a text with the first word it stands for, as it is written there.

    >>> written_forms("Moons of Mars", Analyzer(stemming="english"))
    {'moon': 'Moons', 'mar': 'Mars'}
    """
    forms: dict[str, str] = {}
    for first, last in _written(text):
        word = text[first:last]
        for term in analyzer(word):
            forms.setdefault(term, word)
    return forms


def _written(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) in the text, as given, of each word, and of each pair of a run without spaces."""
    folded, pieces = _folded_with_pieces(text)
    for match in _pattern(folded).finditer(folded):
        for start, end in _places(match):
            yield pieces[start].start, pieces[end - 1].end


def _pattern(folded: str) -> re.Pattern[str]:
    return _ASCII_WORD if folded.isascii() else _WORD


def _words(folded: str) -> list[str]:
    """Return the words of a folded text, runs of scripts without spaces still whole."""
    words: list[str] = _pattern(folded).findall(folded)
    if "'s" in folded or _THOUSANDS.search(folded):
        return [_cleaned(word) for word in words]
    return words


def _cleaned(word: str) -> str:
    return word.removesuffix("'s").replace(",", "")


def _paired(words: list[str]) -> list[str]:
    """Cut runs of scripts without spaces into overlapping pairs of characters."""
    tokens: list[str] = []
    for word in words:
        if len(word) > 2 and _UNSPACED.match(word):
            tokens += map("".join, zip(word, word[1:], strict=False))
        else:
            tokens.append(word)
    return tokens


def _places(match: re.Match[str]) -> list[tuple[int, int]]:
    """Return (start, end) of the word, or of each pair of the run, that a match in a folded text stands for."""
    start, end = match.span()
    if end - start > 2 and _UNSPACED.match(match[0]):
        return [(at, at + 2) for at in range(start, end - 1)]
    return [(start, end - 2 * match[0].endswith("'s"))]


def _folded_with_pieces(text: str) -> tuple[str, list[Span]]:
    """Return the folded text and, for each of its characters, the range of the original it comes from.

    A base character with its marks folds by itself, whatever stands around it: the folded pieces of a text,
    joined, are the folded text.
    """
    if text.isascii():
        return text.lower(), [Span(at, at + 1) for at in range(len(text))]
    folded: list[str] = []
    origins: list[Span] = []
    for piece in _PIECE.finditer(text):
        folded.append(fold(piece[0], "NFKD"))
        origins += [Span(*piece.span())] * len(folded[-1])
    return "".join(folded), origins


class _Stemmers(threading.local):
    """Snowball stemmers by name, loaded on first use; each thread has its own, for they keep state."""

    def __init__(self) -> None:
        self._by_name: dict[str, Any] = {}

    def named(self, name: str) -> Any:  # noqa: ANN401
        if name not in self._by_name:
            import Stemmer

            self._by_name[name] = Stemmer.Stemmer(name)
        return self._by_name[name]


_stemmers = _Stemmers()
