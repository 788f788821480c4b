"""Answer and sources -> one check a sentence: does what it cites hold its words and its numbers?

Words are compared as terms, numbers by value and unit (`engine/text/numbers.py`). The check is lexical: it cannot see
negation or paraphrase, and does not know whether a claim answers the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.answering.citations import leading_citations, parse_citations, strip_citations
from engine.answering.number_check import compare_numbers
from engine.indexing.inverted_index import readable_text
from engine.records import Check, Chunk, Prompt, Source
from engine.text.analysis import analyze
from engine.text.sentences import sentence_spans

SUPPORTED_FROM = 0.75
"""Least share of a claim's terms that must occur in the cited sources."""

NAMED = 4
"""Missing terms, numbers and sources named in a reason."""


def check_answer(answer: str, sources: Prompt | Sequence[Source | Chunk | str]) -> tuple[Check, ...]:
    """Check every sentence of an answer against the sources it cites.

    support = share of the sentence's terms, repeats counted, that occur in the cited sources: in their text, or in
    the title and section of their label. Supported: an existing source is cited, support is at least 0.75, and
    every number occurs in the cited sources: with its value, and with no other unit where both sides name one.
    A percentage is no plain number. A number word (two to twelve) is wanted only where a source counts the same
    thing differently: "three moons" against "two small moons".

    Args:
        answer: the answer with its citations.
        sources: the prompt, or the sources in the order of their numbers from 1.

    Returns:
        One check a sentence, in order.

    >>> [check.support for check in check_answer("Mars is red [1]. Mars is blue [1].", ["Mars is red."])]
    [1.0, 0.5]
    """
    texts = dict(_numbered(sources))
    words = {number: frozenset(analyze(text)) for number, text in texts.items()}
    return tuple(_check(claim, words, texts) for claim in split_claims(answer))


def split_claims(answer: str) -> list[str]:
    """Return the sentences of an answer; markers after a full stop belong to the sentence before them.

    >>> split_claims("It is hot。[1]It is cold. [2; 3] Is it?")
    ['It is hot。[1]', 'It is cold. [2; 3]', 'Is it?']
    """
    claims: list[tuple[int, int]] = []
    for start, end in sentence_spans(answer):
        marked = start + leading_citations(answer[start:end])
        # A line may well start with a marker of its own, as a list of sources does.
        if claims and marked > start and (marked == end or "\n" not in answer[claims[-1][1] : start]):
            claims[-1] = (claims[-1][0], marked)
            start = marked
        if start < end:
            claims.append((start, end))
    return [answer[start:end].strip() for start, end in claims]


def _numbered(sources: Prompt | Sequence[Source | Chunk | str]) -> Iterable[tuple[int, str]]:
    items = sources.sources if isinstance(sources, Prompt) else sources
    for place, item in enumerate(items, 1):
        if isinstance(item, str):
            yield place, item
        else:
            chunk = item.chunk if isinstance(item, Source) else item
            yield item.number if isinstance(item, Source) else place, readable_text(chunk)


def _check(sentence: str, words: Mapping[int, frozenset[str]], texts: Mapping[int, str]) -> Check:
    cited = parse_citations(sentence)
    known = [number for number in cited if number in words]
    unknown = [number for number in cited if number not in words]
    said = strip_citations(sentence)
    terms = analyze(said)
    if not known or not terms:
        reason = "it holds no word to check" if known else _unknown(unknown) or "it cites no source"
        return Check(sentence, cited, 0.0, False, reason=reason)
    held = frozenset().union(*(words[number] for number in known))
    numbers = compare_numbers(said, terms, held, [texts[number] for number in known])
    found = sum(term in held or term in numbers.found for term in terms)
    missing = tuple(dict.fromkeys(term for term in terms if term not in held and term not in numbers.found))
    support = found / len(terms)
    every = " and every number" if numbers.any and not numbers.missing else ""
    parts = [f"{found} of {len(terms)} terms{every} stand in {_marks(known)}"]
    if support < SUPPORTED_FROM:
        parts.append(_listed("missing", [term for term in missing if term not in numbers.missing]))
    parts.append(_listed("number not in them" if len(known) > 1 else "number not in it", numbers.described))
    return Check(
        sentence=sentence,
        citations=cited,
        support=support,
        supported=support >= SUPPORTED_FROM and not numbers.missing,
        missing_terms=missing,
        missing_numbers=numbers.missing,
        reason="; ".join(filter(None, [*parts, _unknown(unknown)])),
    )


def _unknown(numbers: Sequence[int]) -> str:
    return f"there is no source {_marks(numbers)}" if numbers else ""


def _marks(numbers: Sequence[int]) -> str:
    return ", ".join(f"[{number}]" for number in numbers[:NAMED]) + (" …" if len(numbers) > NAMED else "")


def _listed(what: str, terms: Sequence[str]) -> str:
    """Return `what: term, term and 3 more`; empty when there is none."""
    more = f" and {len(terms) - NAMED} more" if len(terms) > NAMED else ""
    return f"{what}: {', '.join(terms[:NAMED])}{more}" if terms else ""
