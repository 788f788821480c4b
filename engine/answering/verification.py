"""Answer and sources -> one check a sentence: does what it cites hold its words and its numbers?

The check is lexical: it cannot see negation or paraphrase, and does not know whether a claim answers the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.answering.citations import parse_citations, strip_citations
from engine.records import Check, Chunk, Prompt, Source
from engine.text.analysis import analyze
from engine.text.sentences import split_sentences

SUPPORTED_FROM = 0.75
"""Least share of a claim's terms that must occur in the cited sources."""

NAMED = 4
"""Missing terms named in a reason."""


def check_answer(answer: str, sources: Prompt | Sequence[Source | Chunk | str]) -> tuple[Check, ...]:
    """Check every sentence of an answer against the sources it cites.

    support = share of the sentence's terms, repeats counted, that occur in the cited sources: in their text, or in
    the title and section of their label. Supported: an existing source is cited, support is at least 0.75, and
    every number occurs in the cited sources.

    Args:
        answer: the answer with its citations.
        sources: the prompt, or the sources in the order of their numbers from 1.

    Returns:
        One check a sentence, in order.
    """
    words = {number: frozenset(analyze(text)) for number, text in _numbered(sources)}
    return tuple(_check(sentence, words) for sentence in split_sentences(answer))


def _numbered(sources: Prompt | Sequence[Source | Chunk | str]) -> Iterable[tuple[int, str]]:
    items = sources.sources if isinstance(sources, Prompt) else sources
    for place, item in enumerate(items, 1):
        if isinstance(item, str):
            yield place, item
        else:
            chunk = item.chunk if isinstance(item, Source) else item
            yield item.number if isinstance(item, Source) else place, f"{chunk.header}\n{chunk.text}"


def _check(sentence: str, words: Mapping[int, frozenset[str]]) -> Check:
    cited = parse_citations(sentence)
    known = [number for number in cited if number in words]
    unknown = [number for number in cited if number not in words]
    held = frozenset().union(*(words[number] for number in known))
    terms = analyze(strip_citations(sentence))
    missing = tuple(dict.fromkeys(term for term in terms if term not in held))
    numbers = tuple(term for term in missing if term[0].isdigit())
    found = sum(term in held for term in terms)
    support = found / len(terms) if known and terms else 0.0
    supported = bool(known) and support >= SUPPORTED_FROM and not numbers
    return Check(
        sentence=sentence,
        citations=cited,
        support=support,
        supported=supported,
        missing_terms=missing if known else (),
        missing_numbers=numbers if known else (),
        reason=_reason(known, unknown, found, len(terms), support, missing, numbers),
    )


def _reason(
    known: Sequence[int],
    unknown: Sequence[int],
    found: int,
    total: int,
    support: float,
    missing: Sequence[str],
    numbers: Sequence[str],
) -> str:
    """Say in words why a sentence is flagged as it is."""
    absent = f"there is no source {_marks(unknown)}" if unknown else ""
    if not known:
        return absent or "it cites no source"
    if not total:
        return "it holds no word to check"
    parts = [f"{found} of {total} terms stand in {_marks(known)}"]
    if support < SUPPORTED_FROM:
        others = [term for term in missing if term not in numbers]
        if others:
            more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
            parts.append(f"missing: {', '.join(others[:NAMED])}{more}")
    if numbers:
        parts.append(f"the number {', '.join(numbers)} is not there")
    if absent:
        parts.append(absent)
    return "; ".join(parts)


def _marks(numbers: Sequence[int]) -> str:
    return ", ".join(f"[{number}]" for number in numbers[:10])
