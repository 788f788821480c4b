"""The numbers of a claim against those of the sources it cites: which stand there, and what stands there instead."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from engine.text.analysis import analyze, tokenize
from engine.text.numbers import Quantity, find_quantities

COUNTED_WITHIN = 3
"""Words after a number among which the thing that it counts is looked for: "two small icy moons"."""


@dataclass(frozen=True, slots=True)
class NumberCheck:
    """What became of the numbers of one claim."""

    any: bool
    """Whether it holds a number in digits."""
    found: frozenset[str]
    """Its terms that belong to numbers which the sources hold, however they write them."""
    missing: tuple[str, ...]
    """The numbers that no source holds, as terms (`1014`), or as written where they are several (`1.5×10^3`)."""
    described: tuple[str, ...]
    """The same for a person, with what the sources hold instead where only the unit differs."""


NO_NUMBERS = NumberCheck(any=False, found=frozenset(), missing=(), described=())


def compare_numbers(claim: str, terms: Sequence[str], held: Collection[str], sources: Iterable[str]) -> NumberCheck:
    """Compare the numbers of a claim with those of its sources, by value and unit.

    Args:
        claim: the sentence without its citation markers.
        terms: its analysed terms.
        held: the terms of the sources; what is no plain number (`2nd`, `1990s`, `1.2.3`) must stand among them.
        sources: their texts.

    >>> compare_numbers("It takes 2.5 days", ["takes", "2.5", "days"], ["2", "1"], ["2½ days"]).missing
    ()
    """
    quantities = find_quantities(claim)
    in_digits = any(term[0].isdigit() for term in terms)
    if not quantities and not in_digits:
        return NO_NUMBERS
    there = [quantity for text in sources for quantity in find_quantities(text)]
    found: set[str] = set()
    missing: dict[str, str] = {}
    read: set[str] = set()
    for quantity in quantities:
        # 9h is one term; of "12 miles" the 12 is the number's.
        own = tokenize(quantity.number) + [term for term in tokenize(quantity.text) if term[0].isdigit()]
        read.update(own)
        if any(quantity.agrees_with(other) for other in there):
            found.update(own)
        elif not quantity.word or _counted_otherwise(claim, quantity, sources):
            missing[_named(quantity)] = _described(quantity, there)
    odd = [term for term in terms if term[0].isdigit() and term not in read and term not in held]
    missing |= {term: term for term in odd}
    return NumberCheck(in_digits, frozenset(found), tuple(missing), tuple(missing.values()))


def _named(quantity: Quantity) -> str:
    """Return a missing number as a term where it is one: `1014` of `1,014 km`, `9h`, else as written."""
    terms = tokenize(quantity.number)
    attached = tokenize(quantity.text)[:1] if quantity.text[: len(quantity.number) + 1].isalnum() else []
    if len(terms) == 1 and quantity.number[0] not in "-−–":
        return (attached or terms)[0]
    return quantity.number


def _described(quantity: Quantity, there: Iterable[Quantity]) -> str:
    """Return a missing number, with its unit and that of the sources where the value stands there."""
    others = list(dict.fromkeys(other.text for other in there if other.value == quantity.value))
    return f"{quantity.text} (it says {' and '.join(others[:2])})" if others else _named(quantity)


def _counted_otherwise(claim: str, quantity: Quantity, sources: Iterable[str]) -> bool:
    """Return whether a source counts with another number what follows a number word in the claim."""
    thing = analyze(claim[quantity.span.start + len(quantity.number) :])[:1]
    return bool(thing) and any(
        thing[0] in analyze(text[other.span.start + len(other.number) :][:80])[:COUNTED_WITHIN]
        for text in sources
        for other in find_quantities(text)
    )
