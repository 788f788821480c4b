"""Prompt -> the one sentence of its sources that covers the question best, word for word, or an abstention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from engine.answering.citations import cite
from engine.records import Answer, Candidate, Closest, Prompt
from engine.text.analysis import tokenize
from engine.text.sentences import split_sentences

NUMBER_PENALTY = 0.5
"""Taken off a sentence without a number when the question asks for one."""

SHOWN = 5
"""Candidates kept in the answer."""

ABSTENTION = "I don't know: the notes do not say."


class _Index(Protocol):
    @property
    def analyzer(self) -> Callable[[str], list[str]]: ...


class TermWeights(Protocol):
    """What the generator needs of a retriever: BM25's idf, and how text becomes terms."""

    @property
    def index(self) -> _Index:
        """Holds the analyzer."""
        ...

    def idf(self, term: str, /) -> float:
        """Return a term's inverse document frequency."""
        ...


class ExtractiveGenerator:
    """coverage(s) = sum of idf over Q and (T(s) or H) / sum of idf over Q, less 0.5 for a missing number.

    Q: the question's terms without the word that follows "how"; T(s): the sentence's terms; H: the terms of title
    and section in the source's label.
    """

    def __init__(self, bm25: TermWeights, threshold: float = 0.5) -> None:
        """Take where idf comes from (positive, as Lucene's is) and the least coverage of an answer."""
        self._bm25, self._threshold = bm25, threshold
        self._analyze = bm25.index.analyzer

    def __call__(self, prompt: Prompt) -> str:
        """Return the answer's text."""
        return self.answer(prompt).text

    def answer(self, prompt: Prompt) -> Answer:
        """Return the best sentence with its citation, or an abstention that says why."""
        weights = {term: self._bm25.idf(term) for term in self.question_terms(prompt.question)}
        if not weights:
            return Answer(ABSTENTION, "extractive", True, "The question has no word to look for.")
        if not prompt.sources:
            return Answer(ABSTENTION, "extractive", True, "No source made it into the prompt.")
        # A stable sort: among equals the earlier source, then the earlier sentence, stays first.
        found = sorted(self._candidates(prompt, weights), key=lambda candidate: -candidate.coverage)
        if not found:
            return Answer(ABSTENTION, "extractive", True, "The sources hold no sentence.")
        best = found[0]
        shown = tuple(found[:SHOWN])
        covers = f"covers {best.coverage:.2f} of the question"
        if best.coverage < self._threshold:
            penalty = " (no number in it)" if best.penalty else ""
            reason = f"The best sentence {covers}{penalty}; the threshold is {self._threshold:.2f}."
            return Answer(ABSTENTION, "extractive", True, reason, shown, closest=self._closest(best))
        reason = f"The sentence {covers}: {', '.join(best.matched)}."
        return Answer(cite(best.sentence, best.source), "extractive", False, reason, shown)

    def _closest(self, best: Candidate) -> Closest | None:
        """Return what to show beside an abstention; `None`: the best sentence has no word of the question."""
        if not best.matched:
            return None
        number = "; it has no number" if best.penalty else ""
        said = f"covers {best.coverage:.2f} of the question{number} (threshold {self._threshold:.2f})"
        return Closest((best,), best.coverage, self._threshold, said)

    def question_terms(self, question: str) -> list[str]:
        """Return Q: the distinct terms, without the word that follows "how" ("how long", "how many").

        The word is dropped at its place only: in "How long is the long day" the second "long" stays.
        """
        words = tokenize(question)
        kept = [word for at, word in enumerate(words) if at == 0 or words[at - 1] != "how"]
        return list(dict.fromkeys(term for word in kept for term in self._analyze(word)))

    def _candidates(self, prompt: Prompt, weights: dict[str, float]) -> Iterator[Candidate]:
        """Yield every sentence of every source, in order."""
        number_asked = asks_for_number(prompt.question)
        total = sum(weights.values())
        for source in prompt.sources:
            heading = frozenset(self._analyze(source.chunk.header))
            for sentence in split_sentences(source.chunk.text):
                terms = heading.union(self._analyze(sentence))
                matched = tuple(term for term in weights if term in terms)
                penalty = NUMBER_PENALTY if number_asked and not has_number(sentence) else 0.0
                coverage = sum(weights[term] for term in matched) / total if total > 0 else 0.0
                yield Candidate(source.number, sentence, coverage - penalty, penalty, matched)


def extractive_generator(bm25: TermWeights, threshold: float = 0.5) -> ExtractiveGenerator:
    """Return a generator that quotes the sentence covering the question best.

    Args:
        bm25: gives idf and the analyzer (a `BM25`).
        threshold: least coverage, 0 to 1; below it the generator abstains.

    >>> from engine import BM25, InvertedIndex, assemble_prompt
    >>> from engine.records import Chunk
    >>> text = "Mars has two small moons, Phobos and Deimos."
    >>> prompt = assemble_prompt("What moons does Mars have?", [Chunk(0, "mars.md", 0, len(text), text)])
    >>> extractive_generator(BM25(InvertedIndex([text])))(prompt)
    'Mars has two small moons, Phobos and Deimos [1].'
    """
    return ExtractiveGenerator(bm25, threshold)


def asks_for_number(question: str) -> bool:
    """Return whether a question asks "how many", "how long" or "when".

    >>> asks_for_number("When was Neptune found?"), asks_for_number("How hot is Venus?")
    (True, False)
    """
    words = tokenize(question)
    return "when" in words or any(
        pair in (("how", "many"), ("how", "long")) for pair in zip(words, words[1:], strict=False)
    )


def has_number(sentence: str) -> bool:
    """Return whether a sentence holds a number in digits.

    >>> has_number("It takes 224.7 days."), has_number("It takes two days.")
    (True, False)
    """
    return any(token[0].isdigit() for token in tokenize(sentence))
