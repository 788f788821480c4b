"""Prompt -> answer -> checks. A generator is any function from a `Prompt` to text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from engine.answering.abstention import is_abstention
from engine.records import Answer, Prompt


@runtime_checkable
class Generator(Protocol):
    """A generator that can say more than text: why it abstained, which sentences it weighed."""

    def answer(self, prompt: Prompt, /) -> Answer:
        """Write an answer."""
        ...


def generate(generator: Generator | Callable[[Prompt], str], prompt: Prompt) -> Answer:
    """Let a generator answer; of a plain function the text alone is known.

    >>> generate(lambda prompt: "I don't know.", Prompt("?", "", (), (), 0, 0)).abstained
    True
    """
    if isinstance(generator, Generator):
        return generator.answer(prompt)
    text = generator(prompt)
    return Answer(text, getattr(generator, "__name__", type(generator).__name__), is_abstention(text))
