"""Pitfalls of prompts, answers and their checks: each by one figure, made and avoided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from statistics import fmean

from engine.answering.citations import cite
from engine.answering.verification import check_answer
from engine.errors import QuestionError
from engine.evaluation.answers import AnswerRow, evaluate_answers
from engine.evaluation.experiments.grounding import Comparison, MemoryDemo, Recall, SwapDemo, grounding
from engine.evaluation.experiments.memory_endings import MemoryEnding, memory_endings
from engine.evaluation.experiments.pitfall_records import Ground, Pitfall, Yardstick
from engine.evaluation.experiments.prompts import strategies
from engine.evaluation.labels import relevant_chunks
from engine.evaluation.metrics import recall_at_k
from engine.pipeline import ask
from engine.records import Chunk, Evidence, Question
from engine.text.numbers import Quantity, find_quantities

CLOSE = 1.2
"""Greatest quotient of two numbers that are taken for two statements of one fact."""


def from_memory(ground: Ground) -> tuple[Pitfall, Pitfall]:
    """A model that has not read the note is sure all the same, and what it says must be checked."""
    endings = [ending for ending in memory_endings(ground.labelled, ground.library) if ending.text]
    return _as_confidence(endings), _unsupported(endings)


def _as_confidence(endings: list[MemoryEnding]) -> Pitfall:
    yardstick = Yardstick(
        "token probability as confidence", "how sure of an answer it never read, how often right", "true"
    )
    if not endings:
        return yardstick.missing(_NO_STEM)
    surest = max(endings, key=lambda ending: ending.probability)
    return yardstick.of(
        fmean(ending.probability for ending in endings),
        fmean(ending.right for ending in endings),
        f"With {surest.probability:.2f} a word it says “{surest.stem} {surest.text}”, which is "
        f"{'right' if surest.right else 'wrong'}: the probability is that of the words, not of the fact.",
    )


def _unsupported(endings: list[MemoryEnding]) -> Pitfall:
    yardstick = Yardstick(
        "a confident sentence that nothing supports", "wrong sentences that cite, that are supported", "low"
    )
    wrong = [ending for ending in endings if not ending.right]
    if not wrong:
        return yardstick.missing(_NO_STEM)
    passed = [ending for ending in wrong if ending.supported]
    return yardstick.of(
        fmean(any(check.citations for check in ending.checks) for ending in wrong),
        len(passed) / len(wrong),
        f"The check flags {len(wrong) - len(passed)} of {len(wrong)}; what passes has few words of its own after the "
        "given ones, and the check counts words.",
    )


_NO_STEM = "no labelled text holds a reference answer with words before it"


_MEMORY = Yardstick("answering from memory", "probability of the wrong of two endings", "low")
_MIXING = Yardstick("mixing sources token by token", "probability of two facts exchanged", "low")


def demonstrations(ground: Ground, recall: Recall | None, comparison: Comparison | None) -> tuple[Pitfall, Pitfall]:
    """What a trigram model and the two RAG models prefer, where the notes hold the facts of the demonstrations."""
    try:
        demo = grounding(ground.library, recall, comparison)
    except QuestionError as error:
        why = error.message.rstrip(".")
        return _MEMORY.missing(why), _MIXING.missing(why)
    return _memory(demo.memory), _mixing(demo.swap)


def _memory(memory: MemoryDemo) -> Pitfall:
    return _MEMORY.of(
        1 / (1 + 10**memory.memory_odds),
        1 / (1 + 10**memory.sequence_odds),
        f"From memory “{memory.recall.stem} {memory.wrong.text}”; given the sources “{memory.recall.right}”.",
    )


def _mixing(swap: SwapDemo) -> Pitfall:
    exchanged = swap.comparison.sentence.format(*reversed(swap.comparison.facts))
    return _MIXING.of(
        swap.token_swap / (1 + swap.token_swap),
        swap.sequence_swap / (1 + swap.sequence_swap),
        f"“{exchanged}” is false: RAG-Token, and RAG-Sequence after it, bind no number to its subject.",
    )


def citation_is_no_answer(ground: Ground) -> Pitfall:
    """A quotation is supported by what it quotes, whatever was asked."""
    rows = evaluate_answers(ground.labelled.questions, lambda text: ask(ground.library, text)).rows
    answered = [row for row in rows if row.outcome != "refused"]
    yardstick = Yardstick("a citation that is no answer", "quoted answers that are supported, that are right", "true")
    if not answered:
        return yardstick.missing("every question was refused")
    passed = [row for row in answered if _is_supported(row)]
    wrong = [row for row in passed if row.outcome == "wrong"]
    example = f": “{wrong[0].question}” gets “{wrong[0].answer}”" if wrong else ""
    return yardstick.of(
        len(passed) / len(answered),
        fmean(row.outcome == "right" for row in answered),
        f"{len(wrong)} of {len(answered)} answers are supported and wrong{example}.",
    )


def _is_supported(row: AnswerRow) -> bool:
    return row.figures.get("faithfulness") == 1.0


@dataclass(frozen=True, slots=True)
class _Fact:
    """A labelled sentence with one number that has a unit."""

    text: str
    quantity: Quantity
    chunk: Chunk

    def with_number(self, other: _Fact) -> str:
        """Return the sentence with the number of another one in place of its own."""
        start = self.quantity.span.start
        return self.text[:start] + other.quantity.number + self.text[start + len(self.quantity.number) :]


def swapped_facts(ground: Ground) -> Pitfall:
    """A sentence that cites two sources may take each word from either."""
    facts = list(_facts(ground))
    pairs = [
        (fact, other)
        for fact, other in permutations(facts, 2)
        if fact.chunk.document != other.chunk.document
        and fact.quantity.unit == other.quantity.unit
        and fact.quantity.value != other.quantity.value
    ]
    yardstick = Yardstick(
        "facts swapped between sources", "false sentences that pass, citing two sources, citing one", "low"
    )
    if not pairs:
        return yardstick.missing("no two notes have labelled numbers of one unit")
    both = [_passes(cite(cite(fact.with_number(other), 1), 2), fact.chunk, other.chunk) for fact, other in pairs]
    one = [_passes(cite(fact.with_number(other), 1), fact.chunk) for fact, other in pairs]
    fact, other = pairs[0]
    return yardstick.of(
        fmean(both),
        fmean(one),
        f"{len(pairs)} labelled sentences with the number of another note, such as “{fact.with_number(other)}”: a "
        "claim should cite one source.",
    )


def _facts(ground: Ground) -> Iterator[_Fact]:
    for question in ground.labelled.answerable:
        for evidence in question.evidence:
            place = evidence.alternatives[0]
            quantities = [quantity for quantity in find_quantities(place[1]) if quantity.unit and not quantity.word]
            (chunks,) = relevant_chunks(
                Question(question.text, (Evidence((place,)),)), ground.library.chunks, ground.labelled.documents
            )
            if len(quantities) == 1 and chunks:
                yield _Fact(place[1], quantities[0], ground.library.chunks[min(chunks)])


def _passes(claim: str, *sources: Chunk) -> bool:
    return all(check.supported for check in check_answer(claim, sources))


def contradictions(ground: Ground) -> Pitfall:
    """A fact that stands in several places, in several wordings, must be labelled in all of them."""
    questions = ground.labelled.answerable
    several = [question for question in questions if any(len(piece.alternatives) > 1 for piece in question.evidence)]
    yardstick = Yardstick(
        "a collection that contradicts itself", "recall@1 by one place a label, by every place", "true"
    )
    if not several:
        return yardstick.missing("no label lists a second place")
    one = replace(
        ground.labelled,
        questions=tuple(replace(question, evidence=tuple(map(_first, question.evidence))) for question in questions),
    ).judged(ground.library)
    rankings = [ground.library.bm25.search(question.text, 1).ids for question in ground.judged]
    differing = [pair for question in questions for piece in question.evidence if (pair := _two_numbers(piece))]
    example = f", such as {differing[0][0]} and {differing[0][1]}" if differing else ""
    return yardstick.of(
        fmean(recall_at_k(question.pieces, ids, 1) for question, ids in zip(one, rankings, strict=True)),
        fmean(recall_at_k(question.pieces, ids, 1) for question, ids in zip(ground.judged, rankings, strict=True)),
        f"{len(several)} of {len(questions)} questions are answered in several places, {len(differing)} of them with "
        f"different numbers{example}.",
    )


def _two_numbers(piece: Evidence) -> tuple[str, str] | None:
    """Return two numbers, close to each other, of which each place of a fact states one; `None`: the places agree."""
    stated = [[quantity for quantity in find_quantities(text) if not quantity.word] for _, text in piece.alternatives]
    for first, other in combinations(stated, 2):
        known = [quantity.value for quantity in (*first, *other)]
        for ours, theirs in product(first, other):
            low, high = sorted((abs(ours.value), abs(theirs.value)))
            once = known.count(ours.value) == known.count(theirs.value) == 1
            if once and ours.unit == theirs.unit and low < high <= CLOSE * low:
                return ours.text, theirs.text
    return None


def _first(evidence: Evidence) -> Evidence:
    return Evidence(evidence.alternatives[:1])


def middle_of_the_prompt(ground: Ground) -> Pitfall:
    """By rank the second-best source stands beside the best, in the middle; models read the ends best."""
    found = strategies(ground.labelled, ground.settings, [ground.settings.budget])
    middle = {row.strategy: row.recall - row.at_ends for row in found.rows}
    yardstick = Yardstick("the best source in the middle of the prompt", "evidence between two other sources", "low")
    return yardstick.of(
        middle["prefix"],
        middle["edges"],
        "By rank the second source is already in the middle; the strategy `edges` puts the best two at the ends. "
        "What a model makes of it takes a model to measure.",
    )
