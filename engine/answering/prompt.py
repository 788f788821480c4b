"""Ranked passages and a question -> the prompt: instruction, numbered sources, question, within a token budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.answering.injection import instruction_in
from engine.answering.templates import CHAT, TEMPLATES, Template
from engine.answering.tokens import TokenCounter, count_tokens, token_counter
from engine.answering.versions import Aliases, newer_first, version_notes
from engine.deferred import DeferredSequence
from engine.records import Chunk, Dropped, Prompt, Source, Span
from engine.settings import Settings

K = TypeVar("K")


def assemble_prompt(
    question: str,
    ranked: Sequence[Chunk],
    *,
    budget: int = 2000,
    sources: int = 5,
    strategy: str = "prefix",
    count: TokenCounter = count_tokens,
    template: Template = CHAT,
    aliases: Aliases | None = None,
) -> Prompt:
    """Put the best passages that fit under the instruction, and the question last.

    The text of a source is indented or set in one line, as the template has it, so that no line of it can pass for
    a label, an instruction or the question.

    Args:
        question: as asked; it is never shortened. A question that leaves no room gets no sources.
        ranked: passages, best first.
        budget: most tokens of the whole prompt.
        sources: most sources.
        strategy: `prefix`: the longest prefix of `ranked` that fits, so that a lower passage never displaces a
            higher one. `edges`: see `select_and_order`.
        count: counts tokens.
        template: the wording; `CHAT`, `PASSAGES`, or one of your own.
        aliases: other names of documents, by which versions of one note are told.

    Returns:
        The prompt. It is over `budget` only where instruction and question alone are; then it holds no sources
        and `dropped` says so.

    Raises:
        ValueError: the strategy is unknown.

    >>> prompt = assemble_prompt("Is it hot?", [Chunk(0, "venus.md", 0, 12, "Hot and dry.", "Venus")])
    >>> prompt.sources[0].label, prompt.text.splitlines()[-1]
    ('Venus (venus.md)', 'Question: Is it hot?')
    """
    if strategy not in _STRATEGIES:
        raise ValueError(f"strategy is one of {', '.join(_STRATEGIES)}")
    asked = template.question.format(question=" ".join(question.split()))
    fixed = count(template.instruction) + count(asked)
    # With the longest number it may get, and the blank line above it.
    ranked = tuple(ranked) if isinstance(ranked, list) else ranked  # what was left out is looked at later
    most = min(sources, len(ranked))
    costs = DeferredSequence(
        len(ranked), lambda at: count(template.between + _block(template, most, ranked[at]))
    )  # only those that may get in are counted
    room = budget - fixed
    while True:
        order = _STRATEGIES[strategy](costs[:sources], room)
        notes = version_notes([ranked[at] for at in order], aliases)
        blocks = [
            _block(template, n, ranked[at], note) for n, (at, note) in enumerate(zip(order, notes, strict=True), 1)
        ]
        text = f"{template.instruction}\n\n{template.between.join((*blocks, asked))}"
        tokens = count(text)
        if tokens <= budget or not order:
            break
        # To a counter that merges across borders the whole may be more than its parts.
        room = sum(costs[at] for at in order) - 1
    return Prompt(
        question=question,
        text=text,
        sources=tuple(
            _source(number, ranked[at], note, tokens=count(block), span=span)
            for number, (at, note, block, span) in enumerate(
                zip(order, notes, blocks, _places(template, blocks), strict=True), 1
            )
        ),
        dropped=_dropped(ranked, sources, order, costs, budget=budget, tokens=tokens),
        tokens=tokens,
        budget=budget,
        instruction_tokens=count(template.instruction),
        question_tokens=count(asked),
        template=template.name,
        strategy=strategy,
        stop=template.stop,
    )


def build_prompt(question: str, ranked: Sequence[Chunk], settings: Settings, aliases: Aliases | None = None) -> Prompt:
    """Assemble the prompt as the settings have it: template, strategy, budget, most sources, counter, newer first.

    Raises:
        SettingsError, MissingExtraError: the tokenizer of the settings cannot be used.
    """
    return assemble_prompt(
        question,
        newer_first(ranked, aliases) if settings.prefer_newer else ranked,
        budget=settings.budget,
        sources=settings.sources,
        strategy=settings.strategy,
        count=token_counter(settings.tokenizer),
        template=TEMPLATES[settings.template],
        aliases=aliases,
    )


def select_and_order(passages: Sequence[tuple[K, int]], budget: int) -> list[K]:
    """Keep what fits and put the best at the two ends, where a model reads most carefully.

    Args:
        passages: (id, tokens) in rank order. Each that still fits is kept; those that do not are passed over.
        budget: most tokens together.

    Returns:
        The ids kept: ranks 1, 3, 5 … from the front and 2, 4, 6 … from the back, ranks among the kept.

    >>> select_and_order([("a", 1), ("b", 1), ("c", 1), ("d", 1), ("e", 1)], 5)
    ['a', 'c', 'e', 'd', 'b']

    >>> select_and_order([("a", 1), ("b", 1), ("c", 1), ("d", 1), ("e", 1)], budget=5)
    ['a', 'c', 'e', 'd', 'b']
    """
    kept: list[K] = []
    for name, tokens in passages:
        if tokens <= budget:
            kept.append(name)
            budget -= tokens
    return kept[::2] + kept[1::2][::-1]


def label(chunk: Chunk, note: str = "") -> str:
    """Return how a source is introduced: `title > section (path, date)`, and what else there is to note of it.

    >>> label(Chunk(0, "venus.md", 0, 0, "", "Venus", "Orbit", date="2024-05-01"))
    'Venus > Orbit (venus.md, 2024-05-01)'
    """
    where = ", ".join(part for part in (chunk.document, chunk.date, note) if part)
    return " ".join(f"{chunk.header} ({where})".split())


def _source(number: int, chunk: Chunk, note: str, *, tokens: int, span: Span) -> Source:
    suspicious = instruction_in(f"{chunk.header}\n{chunk.context}\n{chunk.text}")
    return Source(number, chunk, label(chunk, note), tokens, span, suspicious, note)


def _block(template: Template, number: int, chunk: Chunk, note: str = "") -> str:
    lines = [line for line in f"{chunk.context}\n{chunk.text}".splitlines() if line.strip()]
    text = " ".join(" ".join(lines).split()) if template.one_line else "\n".join("    " + line for line in lines)
    return template.source.format(number=number, label=label(chunk, note), text=text)


def _places(template: Template, blocks: Sequence[str]) -> list[Span]:
    """Return where each block stands in the prompt's text."""
    at, spans = len(template.instruction) + 2, list[Span]()
    for block in blocks:
        spans.append(Span(at, at + len(block)))
        at += len(block) + len(template.between)
    return spans


def _prefix(costs: Sequence[int], room: int) -> list[int]:
    """Return the places of the leading costs that fit into `room` together."""
    order = []
    for at, cost in enumerate(costs):
        room -= cost
        if room < 0:
            break
        order.append(at)
    return order


def _edges(costs: Sequence[int], room: int) -> list[int]:
    return select_and_order(list(enumerate(costs)), room)


_STRATEGIES: dict[str, Callable[[Sequence[int], int], list[int]]] = {"prefix": _prefix, "edges": _edges}


def _dropped(
    ranked: Sequence[Chunk], sources: int, order: Sequence[int], costs: Sequence[int], *, budget: int, tokens: int
) -> Sequence[Dropped]:
    """Say of every ranked passage that is not in the prompt why."""
    left = budget - tokens
    dropped: list[Dropped] = []
    for at, chunk in enumerate(ranked[:sources]):
        if at in order:
            continue
        if left < 0:
            why = f"no room: the instruction and the question alone take {tokens} of {budget} tokens"
        elif costs[at] > left:
            why = f"over the budget: {costs[at]} tokens, {left} left"
        else:
            why = "below a passage that did not fit" if dropped else "over the budget together with those above it"
        dropped.append(Dropped(chunk, costs[at], why))
    first = len(dropped) - min(sources, len(ranked))  # what is below stands at this distance from its rank

    def drop(at: int) -> Dropped:
        if at < len(dropped):
            return dropped[at]
        return Dropped(ranked[at - first], costs[at - first], f"below the {sources} best")

    return DeferredSequence(first + len(ranked), drop)
