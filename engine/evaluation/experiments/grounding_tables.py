"""The grounding demonstrations as tables and as a picture."""

from __future__ import annotations

from engine.evaluation.experiments.grounding import Ending, GroundingDemo, MemoryDemo, SwapDemo
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.tables import Column, Table, Value, table


def grounding_tables(demo: GroundingDemo) -> tuple[Table, ...]:
    """Return the words of both endings, what decides between them, and the exchanged facts."""
    return (_words(demo.memory), _odds(demo.memory), _swap(demo.swap))


def grounding_figure(demo: GroundingDemo) -> Figure:
    """Return the probability of each word of both endings, from memory and given the sources."""
    panels = tuple(
        _panel(name, ending) for name, ending in (("right", demo.memory.right), ("wrong", demo.memory.wrong))
    )
    return Figure(f"{demo.memory.recall.stem} …", panels)


def _panel(name: str, ending: Ending) -> Panel:
    places = tuple(map(float, range(len(ending.tokens))))
    curves = (
        Curve("from memory", places, tuple(token.memory for token in ending.tokens), kind="bars"),
        Curve("given the sources", places, tuple(token.sources for token in ending.tokens), kind="bars"),
    )
    words = tuple(token.word for token in ending.tokens)
    return Panel(name, "word", "probability", curves, y_range=(0.0, 1.0), categories=words)


def _words(memory: MemoryDemo) -> Table:
    columns: list[Column | str] = [
        "ending",
        "word",
        Column("memory", "p from memory", ".4f"),
        Column("sources", "p given sources", ".4f"),
    ]
    rows: list[list[Value]] = [
        [name, token.word, token.memory, token.sources]
        for name, ending in (("right", memory.right), ("wrong", memory.wrong))
        for token in ending.tokens
    ]
    note = (
        f"Wrong is what a trigram model of all notes says from memory. Check of it, citing a source: support "
        f"{memory.wrong.check.support:.2f}, {memory.wrong.check.reason}."
    )
    return table(f"{memory.recall.question} “{memory.recall.stem} …”", columns, rows, note)


def _odds(memory: MemoryDemo) -> Table:
    rows: list[list[Value]] = [
        ["memory", None, memory.memory_odds],
        ["RAG-Sequence", None, memory.sequence_odds],
        ["RAG-Token", None, memory.token_odds],
    ]
    rows += map(list, zip(memory.sources, memory.prior, memory.source_odds, strict=True))
    columns: list[Column | str] = ["under", "prior", Column("odds", "log10 p(right)/p(wrong)", "+.2f")]
    return table("Right against wrong ending", columns, rows, "Below 0 the wrong one is preferred; 1 is ten to one.")


def _swap(swap: SwapDemo) -> Table:
    first, second = swap.comparison.facts
    rows: list[list[Value]] = [
        ["RAG-Token over RAG-Sequence, the right sentence", swap.token_over_sequence],
        ["Exchanged over right, RAG-Token", swap.token_swap],
        ["Exchanged over right, RAG-Sequence", swap.sequence_swap],
    ]
    note = (
        f"Right: “{swap.comparison.sentence.format(first, second)}” Near 1, the model cannot tell to whom a number "
        "belongs."
    )
    return table(swap.comparison.question, ["ratio of probabilities", Column("value", form=".3g")], rows, note)
