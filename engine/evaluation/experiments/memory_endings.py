"""A model without sources ends labelled sentences: how sure it is, whether it is right, and what the check sees.

A labelled span that holds a reference answer is cut off before the answer; a trigram model goes on from there, word by
word, each time with the likeliest. It has read every note but the one that holds the answer: what a language model
does with a question that its weights cannot answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import exp

from engine.answering.citations import cite
from engine.answering.verification import check_answer
from engine.evaluation.labelled import Labelled
from engine.evaluation.labels import relevant_chunks
from engine.library import Library
from engine.modelling.decoding import After, beam_search
from engine.modelling.trigram import END, Trigram
from engine.records import Check, Chunk, Evidence, Question
from engine.text.analysis import contains_phrase
from engine.text.sentences import split_sentences

STEM_WORDS = 2
"""A sentence with fewer words before the answer gives the model nothing to go on from."""


@dataclass(frozen=True, slots=True)
class MemoryEnding:
    """One labelled sentence, ended by the model."""

    question: str
    """The question that the sentence answers."""
    stem: str
    """The words before the answer, given."""
    text: str
    """What the model says after them."""
    right: bool
    """Whether that holds a reference answer."""
    probability: float
    """Geometric mean of the probabilities of its words: how sure the model is, 0 to 1."""
    checks: tuple[Check, ...]
    """Of stem and ending, citing the chunk that holds the answer."""

    @property
    def supported(self) -> bool:
        """Whether the check finds nothing wrong."""
        return all(check.supported for check in self.checks)


@dataclass(frozen=True, slots=True)
class _Stem:
    """Where a sentence is cut off."""

    question: Question
    text: str
    chunk: Chunk


def memory_endings(labelled: Labelled, library: Library) -> tuple[MemoryEnding, ...]:
    """End one labelled sentence a question, where one holds a reference, by a model that has not read its note.

    Args:
        labelled: documents and questions.
        library: the same documents cut into chunks: what an ending is checked against.
    """
    found = (next(_stems(question, labelled, library), None) for question in labelled.answerable)
    stems = [stem for stem in found if stem]
    models = {note: _unread(note, labelled) for note in {stem.chunk.document for stem in stems}}
    return tuple(_end(models[stem.chunk.document], stem) for stem in stems)


def _unread(note: str, labelled: Labelled) -> Trigram:
    """Return a model of all notes but one."""
    return Trigram(document.text for name, document in labelled.documents.items() if name != note)


def _stems(question: Question, labelled: Labelled, library: Library) -> Iterator[_Stem]:
    """Yield the words of each labelled span before a reference answer, and a chunk that holds the span."""
    for place, reference in product(_places(question), question.references):
        at = place[1].casefold().find(reference.casefold())
        before = (split_sentences(place[1][: max(0, at)]) or [""])[-1]
        if len(before.split()) >= STEM_WORDS:
            alone = Question(question.text, (Evidence((place,)),))
            (chunks,) = relevant_chunks(alone, library.chunks, labelled.documents)
            yield from (_Stem(question, before, library.chunks[chunk]) for chunk in sorted(chunks))


def _places(question: Question) -> list[tuple[str, str]]:
    return [place for evidence in question.evidence for place in evidence.alternatives]


def _end(model: Trigram, stem: _Stem) -> MemoryEnding:
    start = model.vocabulary.encode(stem.text)
    said = beam_search(After(model, start), END, width=1)[0]
    words = [token for token in said.tokens if token != END]
    text = model.vocabulary.decode(words)
    sure = exp(float(model.token_log_probabilities(words, start).mean())) if words else 0.0
    right = any(contains_phrase(text, reference) for reference in stem.question.references)
    checks = check_answer(cite(f"{stem.text} {text}.", 1), [stem.chunk])
    return MemoryEnding(stem.question.text, stem.text, text, right, sure, checks)
