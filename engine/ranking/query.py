"""What a person types -> the words to search for, and the filters to search under.

`"exact phrase"`, `-word`, `-"phrase"`, `path:`, `tag:`, `title:`, each of the last three also with `-` in front and
with quotes around a value of several words. A `-` inside a word or before a number and a quote without its partner
are text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from engine.text.analysis import tokenize
from engine.text.scripts import DROPPED, MARKS, UNSPACED

FilterKind = Literal["phrase", "word", "path", "tag", "title"]

_STRAIGHT = str.maketrans("“”„«»", '"""""')
_OPERATOR = re.compile(
    r"""
    (?<!\S) (?P<minus>-?) (?P<field>path|tag|title) : (?: "(?P<value>[^"]+)" (?!\w) | (?P<bare>[^\s"]+) )
    | (?<!\S) - "(?P<without>[^"]+)" (?!\w)
    | (?<!\S) - (?P<word>[^\W\d_][^\s"]*)
    | (?<![\w"]) "(?P<phrase>[^"]+)" (?!\w)
    """,
    re.VERBOSE | re.IGNORECASE,
)

_BACKWARDS = re.compile(rf"[\w{MARKS}{DROPPED}]+")
_LETTER = re.compile(r"\w")
_WHOLE = re.compile(f"[{UNSPACED}\uac00-\ud7a3]")


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that a chunk has to meet before it is ranked."""

    kind: FilterKind
    """`phrase` and `word`: in the chunk or its header; `path`, `tag` and `title`: of its note."""
    value: str
    """What is looked for, without quotes."""
    excluded: bool = False
    """Whether the chunk must not meet it."""

    def __str__(self) -> str:
        """Return it as it can be typed.

        >>> str(Filter("tag", "inner planets", excluded=True))
        '-tag:"inner planets"'
        """
        field = "" if self.kind in ("phrase", "word") else f"{self.kind}:"
        quoted = self.kind == "phrase" or " " in self.value
        return f"{'-' * self.excluded}{field}" + (f'"{self.value}"' if quoted else self.value)


@dataclass(frozen=True, slots=True)
class Query:
    """A question taken apart."""

    text: str
    """As typed."""
    words: str
    """The question itself: without filters; the words of a wanted phrase stay in it."""
    filters: tuple[Filter, ...] = ()
    """Every one has to be met."""


def parse_query(text: str) -> Query:
    r"""Take a question apart. Whatever is no operator, or is one without a word, stays text.

    >>> query = parse_query('What is "iron oxide" -rust tag:planets?')
    >>> query.words, [str(condition) for condition in query.filters]
    ('What is iron oxide', ['"iron oxide"', '-rust', 'tag:planets'])
    >>> parse_query("It fell to -5 degrees on a well-known 5\" disk").filters
    ()
    """
    filters: list[Filter] = []
    kept: list[str] = []
    end = 0
    for match in _OPERATOR.finditer(text.translate(_STRAIGHT)):
        found = _filter(match)
        if found is None:
            continue
        filters.append(found)
        kept += [text[end : match.start()], "" if match["phrase"] is None else found.value]
        end = match.end()
    if not filters:
        return Query(text, text)
    return Query(text, " ".join("".join([*kept, text[end:]]).split()), tuple(filters))


def unfinished_word(query: Query) -> str:
    """Return the word at the very end of a question, which may go on; empty: there is none, or one letter of it.

    A character of a script without spaces or a Korean syllable is enough, and a mark belongs to the letter before it.

    >>> [unfinished_word(parse_query(text)) for text in ("moons of ma", "moons of ", "moons tag:pla", "m", "金")]
    ['ma', '', '', '', '金']
    """
    last = query.text.split()[-1] if query.text.strip() and not query.text[-1].isspace() else ""
    found = _BACKWARDS.match(last[::-1])
    word = found[0][::-1] if found else ""
    is_begun = len(_LETTER.findall(word)) > 1 or _WHOLE.search(word)
    return word if is_begun and query.words.split()[-1:] == [last] else ""


def _filter(match: re.Match[str]) -> Filter | None:
    """Return what a match asks for; `None`: it holds no word, and is text."""
    kind: FilterKind = "phrase"
    excluded = match["minus"] == "-" or match["phrase"] is None and match["field"] is None
    value = match["phrase"] or match["without"] or match["value"]
    if value is None:
        value = (match["word"] or match["bare"]).rstrip("?!,;:…").rstrip(".")
    if match["field"] is not None:
        kind = _FIELDS[match["field"].lower()]
    elif match["word"] is not None:
        kind = "word"
    value = " ".join(value.split())
    # A tag may be a lone emoji; a phrase has to hold a word.
    sayable = value.strip("#/") if kind in ("path", "tag") else tokenize(value)
    return Filter(kind, value, excluded) if sayable else None


_FIELDS: dict[str, FilterKind] = {"path": "path", "tag": "tag", "title": "title"}
