"""A question's words and a passage -> how much of the question stands close together in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import fsum

WINDOWS = (4, 8, 32)
"""Terms within which words stand side by side, in one clause, and in one place of a few sentences."""


def closeness(terms: Sequence[str], idf: Mapping[str, float], window: int, header: Collection[str] = ()) -> float:
    """Return the largest share of a question's idf that stands within `window` terms of a text, 0 to 1.

    Args:
        terms: the text's terms in order.
        idf: of the question's known terms.
        window: how many terms it spans.
        header: terms of the text's header, which stand close to every part of it.

    >>> closeness("iron in the red dust of mars".split(), {"iron": 1.0, "dust": 2.0, "mars": 1.0}, window=4)
    0.75
    """
    return _closest(_places(terms, idf), idf, window, idf.keys() & set(header)) / (fsum(idf.values()) or 1.0)


def nearness(terms: Sequence[str], idf: Mapping[str, float], header: Collection[str] = ()) -> float:
    """Return the mean of the closeness within each of `WINDOWS`, 0 to 1; the arguments are the same.

    >>> round(nearness(["iron", *["word"] * 5, "mars"], {"iron": 1.0, "mars": 2.0}), 4)  # of 2/3, 1 and 1
    0.8889
    """
    places, above = _places(terms, idf), idf.keys() & set(header)
    held = fsum(map(idf.__getitem__, above.union(term for _, term in places)))
    found, best = 0.0, -1.0
    for window in WINDOWS:  # what a narrow one holds whole is whole in a wide one, too
        best = best if best == held else _closest(places, idf, window, above)
        found += best
    return found / len(WINDOWS) / (fsum(idf.values()) or 1.0)


def _places(terms: Sequence[str], idf: Mapping[str, float]) -> list[tuple[int, str]]:
    return [(at, term) for at, term in enumerate(terms) if term in idf]


def _closest(
    places: Sequence[tuple[int, str]], idf: Mapping[str, float], window: int, above: AbstractSet[str]
) -> float:
    """Return the largest sum of idf of the terms that stand above and within a window."""
    best, first = fsum(map(idf.__getitem__, above)), 0
    for last, (at, _) in enumerate(places, 1):
        while at - places[first][0] >= window:
            first += 1
        best = max(best, fsum(map(idf.__getitem__, {*above, *(term for _, term in places[first:last])})))
    return best
