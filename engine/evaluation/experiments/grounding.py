"""From memory or from sources: a model that mistakes one planet's day for another's, and one that swaps two facts.

Both demonstrations are computed from the notes at hand: what the trigram model says from memory is decoded, what
the check finds is found, and every number is a probability under a model trained on these notes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

import numpy as np

from engine.answering.citations import cite
from engine.answering.verification import check_answer
from engine.errors import QuestionError
from engine.library import Library
from engine.modelling.decoding import After, beam_search
from engine.modelling.rag_models import Probabilities
from engine.modelling.sources import SourceModels, Weighed
from engine.modelling.trigram import END, Trigram
from engine.pipeline import ask
from engine.records import Check, Prompt
from engine.text.analysis import contains_phrase


@dataclass(frozen=True, slots=True)
class Recall:
    """A fact asked for: the question, the answer's first words, and the words that make it right."""

    question: str = "How long is a day on Uranus?"
    """What is searched for."""
    stem: str = "A spin of Uranus takes"
    """What the answer starts with, given."""
    right: str = "17 hours and 14 minutes"
    """How it goes on when it is right: words of a note."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A question whose answer needs two sources, and a sentence with a place for the fact of each."""

    question: str = "Which has more known moons, Saturn or Jupiter?"
    """What is searched for."""
    sentence: str = "Saturn has {} known moons and Jupiter {}."
    """The answer."""
    facts: tuple[str, str] = ("83", "eighty")
    """What belongs in the first place and in the second."""


@dataclass(frozen=True, slots=True)
class TokenChoice:
    """One word of an answer, unprompted and grounded."""

    word: str
    """The word."""
    memory: float
    """Its probability from memory."""
    sources: float
    """Its probability given the sources: RAG-Sequence's factor."""


@dataclass(frozen=True, slots=True)
class Ending:
    """One way to end the sentence, word by word, and what the check says of it."""

    text: str
    """The words after the stem."""
    tokens: tuple[TokenChoice, ...]
    """One a word; their products are the probabilities of the ending."""
    check: Check
    """Of stem and ending, citing the source that RAG-Sequence holds responsible for the right ending."""


@dataclass(frozen=True, slots=True)
class MemoryDemo:
    """A model that answers from memory, caught, and the same question with sources."""

    recall: Recall
    """What was asked."""
    sources: tuple[str, ...]
    """Labels of the sources in the prompt."""
    prior: tuple[float, ...]
    """p(z|x) of each source, from its BM25 score."""
    right: Ending
    """The answer of the notes."""
    wrong: Ending
    """What the model says from memory, decoded greedily."""
    memory_odds: float
    """log10 of p(right)/p(wrong) from memory: below 0, memory prefers the wrong one; -1 is ten to one."""
    sequence_odds: float
    """The same under RAG-Sequence over the sources."""
    token_odds: float
    """The same under RAG-Token."""
    source_odds: tuple[float, ...]
    """The same under each source alone."""


@dataclass(frozen=True, slots=True)
class SwapDemo:
    """One sentence with the facts of two sources in their places, and in each other's."""

    comparison: Comparison
    """What was asked."""
    sources: tuple[str, ...]
    """Labels of the sources in the prompt."""
    prior: tuple[float, ...]
    """p(z|x) of each source, from its BM25 score."""
    right: Weighed
    """The sentence with each fact in its place."""
    swapped: Weighed
    """The sentence with the two exchanged."""
    token_over_sequence: float
    """p(right) under RAG-Token over p(right) under RAG-Sequence: what it gains by changing the source."""
    token_swap: float
    """p(swapped)/p(right) under RAG-Token: near 1, it cannot tell whose number it says."""
    sequence_swap: float
    """The same under RAG-Sequence."""


@dataclass(frozen=True, slots=True)
class GroundingDemo:
    """Both demonstrations."""

    memory: MemoryDemo
    """A wrong answer from memory."""
    swap: SwapDemo
    """Two facts exchanged."""


def grounding(library: Library, recall: Recall | None = None, comparison: Comparison | None = None) -> GroundingDemo:
    """Run both demonstrations on a library: the sample notes, or others with facts of their own.

    Raises:
        QuestionError: nothing is found for a question, or its sources do not hold the facts.
    """
    memory = Trigram(document.text for document in library.documents.values())
    return GroundingDemo(
        recall_from_memory(library, memory, recall or Recall()),
        swap_facts(library, memory, comparison or Comparison()),
    )


def recall_from_memory(library: Library, memory: Trigram, recall: Recall) -> MemoryDemo:
    """Let a model end a sentence from memory, check it, and weigh it against the right ending given the sources.

    Raises:
        QuestionError: no source holds the right ending.
    """
    prompt, models = _sources(library, memory, recall.question, recall.right)
    stem = memory.vocabulary.encode(recall.stem)
    said = beam_search(After(memory, stem), END, width=1)[0]
    texts = (recall.right, memory.vocabulary.decode(said.tokens))
    right, wrong = weighed = [models.weigh(text, recall.stem) for text in texts]
    alone = [memory.token_log_probabilities(memory.vocabulary.encode(text), stem) for text in texts]
    cited = 1 + int(np.argmax(right.steps[-1].posterior))
    checks = [check_answer(cite(f"{recall.stem} {text}.", cited), prompt)[0] for text in texts]
    endings = [Ending(*parts) for parts in zip(texts, map(_choices, weighed, alone), checks, strict=True)]
    return MemoryDemo(
        recall,
        _labels(prompt),
        _prior(models),
        right=endings[0],
        wrong=endings[1],
        memory_odds=float(alone[0].sum() - alone[1].sum()) / log(10),
        sequence_odds=(right.log_sequence - wrong.log_sequence) / log(10),
        token_odds=(right.log_token - wrong.log_token) / log(10),
        source_odds=tuple((a - b) / log(10) for a, b in zip(right.log_sources, wrong.log_sources, strict=True)),
    )


def swap_facts(library: Library, memory: Trigram, comparison: Comparison) -> SwapDemo:
    """Weigh a sentence made of two sources, and the same with the facts exchanged, in both models.

    Raises:
        QuestionError: a fact stands in no source.
    """
    prompt, models = _sources(library, memory, comparison.question, *comparison.facts)
    first, second = comparison.facts
    right = models.weigh(comparison.sentence.format(first, second))
    swapped = models.weigh(comparison.sentence.format(second, first))
    return SwapDemo(
        comparison,
        _labels(prompt),
        _prior(models),
        right,
        swapped,
        token_over_sequence=exp(right.log_token - right.log_sequence),
        token_swap=exp(swapped.log_token - right.log_token),
        sequence_swap=exp(swapped.log_sequence - right.log_sequence),
    )


def _sources(library: Library, memory: Trigram, question: str, *facts: str) -> tuple[Prompt, SourceModels]:
    """Return the prompt of a question, and a model of each of its sources weighed by BM25."""
    prompt = ask(library, question).prompt
    for fact in facts:
        if not any(contains_phrase(source.chunk.text, fact) for source in prompt.sources):
            raise QuestionError(
                f"No source found for “{question}” holds “{fact}”.",
                "The demonstration is made for the sample notes; give it a question that your notes answer.",
            )
    scores = library.bm25.scores(question)
    chunks = [source.chunk for source in prompt.sources]
    return prompt, SourceModels(chunks, [scores[chunk.id] for chunk in chunks], memory.vocabulary)


def _choices(weighed: Weighed, alone: Probabilities) -> tuple[TokenChoice, ...]:
    rows = zip(weighed.words, np.exp(alone).tolist(), weighed.steps, strict=True)
    return tuple(TokenChoice(word, p, step.sequence_factor) for word, p, step in rows)


def _labels(prompt: Prompt) -> tuple[str, ...]:
    return tuple(source.label for source in prompt.sources)


def _prior(models: SourceModels) -> tuple[float, ...]:
    return tuple(np.exp(models.log_prior).tolist())
