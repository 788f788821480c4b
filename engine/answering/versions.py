"""Passages -> which are older versions of one another: the same note, or nearly the same text, of another date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from engine.records import Chunk
from engine.text.analysis import tokenize
from engine.text.normalizing import normalize_text

ALIKE_FROM = 0.8
"""Least overlap of the words of two passages that are versions whatever their notes are called."""
RELATED_FROM = 0.3
"""Least overlap where their notes have a name in common but they stand in different sections."""
COMPARED = 20
"""Passages from the top that are put into order of date."""

Aliases = Mapping[str, Sequence[str]]
"""Other names of documents, by document id."""


def are_versions(one: Chunk, other: Chunk, aliases: Aliases | None = None) -> bool:
    """Return whether two passages of different notes and dates are versions of one.

    They are when their notes share a title or alias and they stand in sections of one name or overlap by 0.3, or when
    they overlap by 0.8 in any case. Overlap: words of both / words of either.

    >>> old = Chunk(0, "a.md", 0, 9, "The fee is 5.", "Fees", date="2023-01-01")
    >>> are_versions(old, Chunk(1, "b.md", 0, 9, "The fee is 7.", "Fees", date="2024-01-01"))
    True
    """
    if one.document == other.document or not one.date or not other.date or one.date == other.date:
        return False
    overlap = _overlap(one.text, other.text)
    if overlap >= ALIKE_FROM:
        return True
    named_alike = not _names(one, aliases).isdisjoint(_names(other, aliases))
    return named_alike and (overlap >= RELATED_FROM or (bool(one.section) and one.section == other.section))


def version_notes(chunks: Sequence[Chunk], aliases: Aliases | None = None) -> list[str]:
    """Return of each numbered passage `older version of [n]`, n the newest of its versions; empty where it is none.

    Args:
        chunks: passages in the order of their numbers, from 1.
        aliases: other names of their documents.
    """
    notes = []
    for one in chunks:
        newer = [at for at, other in enumerate(chunks) if _is_newer(other, one) and are_versions(one, other, aliases)]
        newest = max(newer, key=lambda at: (chunks[at].date or "", -at), default=None)
        notes.append("" if newest is None else f"older version of [{newest + 1}]")
    return notes


def newer_first(ranked: Sequence[Chunk], aliases: Aliases | None = None) -> list[Chunk]:
    """Return ranked passages with each group of versions in order of date, newest first, on the places they held.

    Only the first `COMPARED` are looked at; every other passage stays where it is.
    """
    order = list(ranked)
    left = set(range(min(COMPARED, len(order))))
    for at in range(len(left)):
        places = sorted(place for place in left if place == at or are_versions(ranked[at], ranked[place], aliases))
        if at not in left or len(places) < 2:
            continue
        left.difference_update(places)
        dated = sorted((ranked[place] for place in places), key=lambda chunk: chunk.date or "", reverse=True)
        for place, chunk in zip(places, dated, strict=True):
            order[place] = chunk
    return order


def _is_newer(one: Chunk, other: Chunk) -> bool:
    return (one.date or "") > (other.date or "")


def _names(chunk: Chunk, aliases: Aliases | None) -> set[str]:
    names = (chunk.title, *(aliases or {}).get(chunk.document, ()))
    return {" ".join(normalize_text(name).split()) for name in names if name.strip()}


def _overlap(one: str, other: str) -> float:
    a, b = _words(one), _words(other)
    return len(a & b) / len(a | b) if a and b else 0.0


@lru_cache(maxsize=256)
def _words(text: str) -> frozenset[str]:
    return frozenset(tokenize(text))
