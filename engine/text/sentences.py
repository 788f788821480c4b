"""Text -> sentences, by rule: a full stop ends a sentence unless what stands before it says otherwise.

Blank lines always end a sentence. A single line break does too, unless the next line goes on in lower case.
"""

from __future__ import annotations

import re

from engine.records import Span
from engine.text.analysis import STOPWORDS

_TITLES = frozenset("mr mrs ms dr prof rev hon gen col capt lt sgt messrs e.g eg i.e ie cf viz vs".split())
"""Never end a sentence: a name or an example follows."""

_NAMES = frozenset(
    """
    st u.s u.k u.n e.u d.c ph.d inc ltd co corp jr sr al univ dept fig figs eq eqs sec ch vol vols ed eds no nos
    approx ca est incl excl resp avg p pp c
    """.split()
)
"""End a sentence before a word that starts one (The, It, In), not before another name: the U.S. Navy, Fig. A."""

_WORDS = frozenset(
    """
    a.m p.m b.c a.d etc max min jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
    """.split()
)
"""Abbreviations or words of their own (sun, sat): end a sentence before any capital letter, not before a number."""

_CLOSERS = "\"'”’»)\\]）」』】"
_CITATIONS = r"(?:\s?[\[［【][\d,\s–-]+[\]］】])*"
_STOP = re.compile(rf"(?<![.!?…])[.!?…]+[{_CLOSERS}]*{_CITATIONS}(?=\s|$)|[。！？｡]+[{_CLOSERS}]*{_CITATIONS}")
_LINE = re.compile(r"[^\n]*(?:\n(?![ \t]*\n)(?=[ \t]*[a-zß-öø-ÿα-ωа-џ])(?![ \t]*[a-z][.)]\s)[^\n]*)*")
_INITIAL = re.compile(r"(?:^|\.)[^\W\d_]$")
_LAST_WORD = re.compile(r"[\w.]*$")
_NEXT = re.compile(r"\s*[\"'“‘«(\[（「『]*(\S?)")
_NEXT_WORD = re.compile(r"\W*(\w+)")
_ITEM_NUMBER = re.compile(r"\s*\d+")


def sentence_spans(text: str) -> list[Span]:
    """Return the ranges of the sentences, in order, without white space around them.

    >>> sentence_spans("It is hot. Dr. Io agrees.")
    [Span(start=0, end=10), Span(start=11, end=25)]
    """
    spans: list[Span] = []
    for line in _LINE.finditer(text):
        start, end = line.span()
        for stop in _STOP.finditer(text, start, end):
            if stop.end() < end and not _ends(text, start, stop, end):
                continue
            _add(spans, text, start, stop.end())
            start = stop.end()
        _add(spans, text, start, end)
    return spans


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text.

    A citation after the full stop belongs to the sentence before it.

    >>> split_sentences("It is hot. [1] Is it? J. R. Smith (b. 1950) says 3.5 so.")
    ['It is hot. [1]', 'Is it?', 'J. R. Smith (b. 1950) says 3.5 so.']
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append(Span(start, end))


def _ends(text: str, start: int, stop: re.Match[str], end: int) -> bool:
    """Decide whether a candidate full stop, with text behind it on the line, ends the sentence."""
    mark = stop[0][0]
    following = _NEXT.match(text, stop.end(), end)
    first = following[1] if following else ""
    if mark in "!?。！？｡":
        return not (first.islower() and len(stop[0]) > 1)
    if first.islower():
        return False
    if mark == "…" or len(stop[0]) > 1:
        return True
    word = _LAST_WORD.search(text, max(start, stop.start() - 24), stop.start())
    before = word[0].casefold() if word else ""
    if before in _TITLES or _ITEM_NUMBER.fullmatch(text, start, stop.start()):
        return False  # "Dr. Io", and "3. Jupiter" in a list
    if before in _WORDS:
        return first.isupper()
    if before in _NAMES or _INITIAL.search(before):
        return first.isupper() and _starts_a_sentence(text, stop.end(), end)
    return True


def _starts_a_sentence(text: str, start: int, end: int) -> bool:
    """Tell The and It from a name and an initial: "in the U.S. The law", "the U.S. Navy", "J. A. Smith"."""
    word = _NEXT_WORD.match(text, start, end)
    return word is not None and len(word[1]) > 1 and word[1].casefold() in STOPWORDS
