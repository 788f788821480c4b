"""Text -> sentences, by rule: a full stop ends a sentence unless what stands around it says otherwise.

A blank line always ends a sentence; a single line break does too, unless the next line goes on in lower case.
One pass from left to right, a look at a few characters around each candidate: the time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.records import Span
from engine.text.scripts import UNSPACED

NEVER_END = frozenset(
    """
    mr mrs ms dr prof rev st mt hon gov sen gen adm col maj capt lt sgt fig figs eq eqs vol vols pp cf viz vs approx ca
    incl excl resp e.g i.e eg ie
    """.split()
)
"""Abbreviations that go on whatever follows."""

BEFORE_NUMBERS = frozenset(
    "no nos p ch sec art op ed eds fl ft ps jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
"""Abbreviations only where a number follows: `No. 5`, `Ch. IV`, but `No. It is cold.`"""

MAY_END = frozenset("al inc ltd co corp jr sr dept univ est min max avg lit pharm".split())
"""Abbreviations, like any with full stops inside (U.S., a.m.), that end a sentence when a `STARTERS` word follows."""

STARTERS = frozenset(
    """
    a an the this that these those there here it its he she they we you i his her their our my in on at by for from
    with when where while if as but and so then after before since although because however what which who how why
    is are was were does do did can no not one some many most all each every both another
    """.split()
)
"""Words that, with a capital letter, mostly begin a sentence and are no names."""

_OPENING = "\"'“‘«‹([（［【「『《〈*_¿¡"
_CLOSING = re.escape("\"'”’»›)]）］】」』》〉*_")
# Citations, and what encyclopedias put right behind a stop: [citation needed], a note's letter, a page (:116).
_TAIL = (
    rf"[{_CLOSING}]*+(?:\[[^\[\]\n]{{1,40}}\]|[ \t]\[[0-9]{{1,4}}(?:[,–-] ?[0-9]{{1,4}}){{0,9}}\])*+"
    r"(?::[0-9]{1,4}(?:[–-][0-9]{1,4})?+)?+"
)
# A run of stops is matched only from its first character on, and nothing is given back: no run is read twice. What
# may begin a border comes before all else, so that the search runs from one such character to the next. Many stops
# are plain: full stop, blank, capital letter, after a word that is too long for all abbreviations but two.
_BORDER = re.compile(
    r"[.!?…。！？｡．\n\r\u2028\u2029](?:(?<=[a-z]{5}\.)(?<!approx\.)(?<!pharm\.)(?P<plain> )(?=[A-Z])"
    r"|(?<=[\n\r\u2028\u2029])\s*+"
    rf"|(?P<stop>(?<=[.!?…])(?<![.!?…][.!?…])[.!?…]*+{_TAIL}(?=\s|\Z|[A-Z]|(?<=[!?])[{UNSPACED}])"
    rf"|(?:(?<=[。！？｡])|(?<=．)(?!\d))[。！？｡．!?…]*+{_TAIL})(?P<space>\s*+))"
)
_INSIDE_WORD = re.compile(rf"[.!?…。！？｡．](?:(?<=[。！？｡．])|{_TAIL}(?=[A-Z]\w))")
_LINE_BREAK = re.compile("[\n\r\u2028\u2029]")
_BLANK_LINE = re.compile(r"(?>\r\n|[\n\r\u2028])[^\S\n\r]*[\n\r\u2028]|\u2029")
_ITEM = re.compile(r"(?:[-*+•–—]|[0-9]{1,3}[.)]|[A-Za-z][.)])\s")
_NEXT_WORD = re.compile(rf"[{re.escape(_OPENING)}]*+([^\W_]?)([\w’']*)")
_ROMAN = re.compile("[ivxlc]{2,}")
_SPACED_STOP = re.compile(r"\.(?=\s)")
_GLUED = re.compile(r"(?:(?<![^\s(])[a-z]{2,}|[0-9][a-z]?|[)\]\"”’'])[.!?…]$")
_LOOK_BACK = 24


def sentence_spans(text: str) -> list[Span]:
    """Return the ranges of the sentences: in order, not overlapping, without white space around them.

    >>> sentence_spans("It is hot. Dr. Io agrees.")
    [Span(start=0, end=10), Span(start=11, end=25)]
    """
    spans: list[Span] = []
    start = len(text) - len(text.lstrip())
    for border in _BORDER.finditer(text, start):
        after = border.end()
        kind = border.lastgroup
        if kind == "plain":
            spans.append(Span(start, after - 1))
            start = after
            continue
        if after == len(text):
            break
        if kind is None:
            end, ends = border.start(), not text[after].islower() or _line_ends(text, border[0], after)
        else:
            end = border.end("stop")
            broken = len(border["space"]) > 0 and _LINE_BREAK.search(border["space"]) is not None
            ends = (broken and _line_ends(text, border["space"], after)) or _stop_ends(text, start, border)
        if ends and start < end:
            while text[end - 1].isspace():
                end -= 1
            spans.append(Span(start, end))
            start = after
    end = len(text.rstrip())
    return [*spans, Span(start, end)] if start < end else spans


def stops_inside_words(text: str) -> Iterator[int]:
    """Yield where a sentence may end though no white space follows: elsewhere, sentences have the words of their text.

    >>> list(stops_inside_words("It is hot. So it is.")), list(stops_inside_words("It was hot.It was dry."))
    ([], [10])
    """
    return (stop.start() for stop in _INSIDE_WORD.finditer(text))


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text. A citation after the full stop belongs to the sentence before it.

    >>> split_sentences("It is hot. [1] Is it? J. R. Smith (b. 1950) says 3.5 so.")
    ['It is hot. [1]', 'Is it?', 'J. R. Smith (b. 1950) says 3.5 so.']
    """
    return [text[start:end] for start, end in sentence_spans(text)]


def _line_ends(text: str, space: str, after: int) -> bool:
    """Decide whether white space that holds a line break is the end of a sentence."""
    if not text[after : after + 1].islower():
        return True
    return _BLANK_LINE.search(space) is not None or _ITEM.match(text, after) is not None


def _stop_ends(text: str, start: int, border: re.Match[str]) -> bool:
    """Decide whether a stop within a line ends the sentence that began at `start`."""
    stop, mark = border.start(), text[border.start()]
    following = _NEXT_WORD.match(text, border.end())
    first, rest = following.groups() if following else ("", "")
    if mark in "。！？｡．" or not border["space"]:
        return "A" > first or first > "Z" or _starts_glued(text, border, first + rest)
    closed = text[border.end("stop") - 1] not in ".!?…"
    if mark in "!?":
        return not (closed and first.islower())  # "Why?" he asked
    if mark == "…" or text.startswith("..", stop):
        return not first.islower()
    if _SPACED_STOP.match(text, border.end()):
        return False  # an ellipsis written . . .
    before = text[max(start, stop - _LOOK_BACK) : stop].split()
    word = before[-1].lstrip(_OPENING) if before else ""
    if _is_marker(word) and stop - len(before[-1]) == start:
        return False
    if first.islower():
        return not closed and _is_whole_word(word)
    if _is_initial(word) and following and _is_initial(first + rest) and text.startswith(".", following.end()):
        return False  # A. A. Milne
    return not _is_abbreviated(word, first, (first + rest).casefold())


def _starts_glued(text: str, border: re.Match[str], word: str) -> bool:
    """Decide whether a word in capitals right behind a stop begins a sentence, its blank lost: "was hot.It was dry".

    Only words that mostly do: what looks like it may be the name of a thing, such as `torch.Tensor`.
    """
    begins = len(word) > 1 and word[1:].islower() and word.casefold() in STARTERS
    behind = text[max(0, border.start() - _LOOK_BACK) : border.start() + 1]
    return begins and (text[border.end("stop") - 1] == "]" or _GLUED.search(behind) is not None)


def _is_marker(word: str) -> bool:
    """Return whether a word is the number or letter of a list item: `3` in "3. Jupiter"."""
    return (word.isdecimal() and len(word) <= 3) or _is_initial(word)


def _is_initial(word: str) -> bool:
    return len(word) == 1 and word.isalpha()


def _is_whole_word(word: str) -> bool:
    """Return whether a word is too long for an abbreviation: notes in lower case have sentences, too."""
    return len(word) > 4 and word.isalpha() and word.casefold() not in NEVER_END


def _is_abbreviated(word: str, first: str, following: str) -> bool:
    """Decide whether the full stop after `word` belongs to it; `following`, not in lower case, comes next."""
    short = word.casefold()
    if short in NEVER_END:
        return True
    if short in BEFORE_NUMBERS and not (_is_initial(word) and word.isupper()):
        return first.isdigit() or _ROMAN.fullmatch(following) is not None
    if short in MAY_END or _is_initial(word) or _has_inner_stops(short):
        return following not in STARTERS
    return False


def _has_inner_stops(word: str) -> bool:
    """Return whether a word is letters with full stops between: `u.s`, `ph.d`.

    >>> _has_inner_stops("u.s"), _has_inner_stops("example.com")
    (True, False)
    """
    parts = word.split(".")
    return len(parts) > 1 and all(part.isalpha() and len(part) < 3 for part in parts)
