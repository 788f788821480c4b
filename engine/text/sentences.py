"""Text -> sentences, by rule: a full stop ends a sentence unless what stands before it says otherwise.

Blank lines always end a sentence. A single line break does too, unless the next line goes on in lower case.
"""

from __future__ import annotations

import re

from engine.records import Span

ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr prof sr jr st rev hon gen col capt lt sgt vs etc e.g i.e eg ie cf viz al fig figs eq eqs sec no nos
    vol vols ed eds pp p ch approx ca c est incl excl resp max min avg dept univ inc ltd co corp jan feb mar apr jun
    jul aug sep sept oct nov dec mon tue wed thu fri sat sun a.m p.m u.s u.k u.n e.u d.c ph.d b.c a.d
    """.split()
)
"""Words that usually keep their full stop inside a sentence."""

_MAY_END = frozenset("a.m p.m etc u.s u.k u.n e.u d.c ph.d b.c a.d inc ltd co corp jr sr al".split())
"""Abbreviations that end a sentence when the next word looks like a beginning (not a number or small letter)."""

_CLOSERS = "\"'”’»)\\]）」』】"
_STOP = re.compile(rf"[.!?…]+[{_CLOSERS}]*(?:\s?[\[［【][\d,\s–-]+[\]］】])*(?=\s|$)|[。！？｡]+[{_CLOSERS}]*")
_LINE = re.compile(r"[^\n]*(?:\n(?![ \t]*\n)(?=[ \t]*[a-zà-öø-ÿ])(?![ \t]*[a-z][.)]\s)[^\n]*)*")
_LAST_WORD = re.compile(r"[\w.]*$")
_NEXT = re.compile(r"\s*[\"'“‘«(\[（「『]*(\S?)")


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
    if mark == "…" or stop[0].startswith(".."):
        return not first.islower()
    if len(stop[0]) > 1:
        return not first.islower()
    word = _LAST_WORD.search(text, max(start, stop.start() - 24), stop.start())
    before = word[0].casefold() if word else ""
    if before in ABBREVIATIONS:
        return before in _MAY_END and first.isupper()
    initial = len(before.rsplit(".", 1)[-1]) == 1 and before[-1:].isalpha()
    if initial and (text[stop.start() - 1].isupper() or first.isdigit()):
        return False
    if before.isdigit() and not text[start : stop.start() - len(before)].strip():
        return False  # the number of a list item: "3. Jupiter"
    return not first.islower()
