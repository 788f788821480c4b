"""A schema and a model's tokens -> at each step, the tokens that keep its output the beginning of a valid object.

Put minus infinity on the logits of all others and the reply needs no second try. The grammar is that of
`json_grammar.py`. A mask is found by walking the tokens as a tree of characters, which leaves a branch at its first
character that is not allowed; inside a text, where almost every token is allowed, most are known in advance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from engine.answering.fields import FieldLike
from engine.answering.json_grammar import FieldsGrammar, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

KEPT = 4096
"""Masks remembered; then they are forgotten and found again."""


@dataclass(slots=True)
class _Node:
    """The tokens that begin with one text."""

    tokens: list[int] = field(default_factory=list)
    """Those that end here."""
    children: dict[str, _Node] = field(default_factory=dict)
    """By the next character."""


class TokenMasks:
    """The masks of one schema over one list of tokens.

    >>> masks = TokenMasks([("paid", "boolean", True)], ['{"', "paid", '":', "true", "}", "4"])
    >>> state = masks.start
    >>> for token in (0, 1, 2):
    ...     state = masks.advance(state, token)
    >>> masks.mask(state).tolist()
    [False, False, False, True, False, False]
    """

    def __init__(self, schema: Iterable[FieldLike], tokens: Sequence[str]) -> None:
        """Take the schema as `validate_fields` does, and the text of each token by its id.

        Raises:
            SchemaError: see `validate_fields`.
        """
        self.grammar = FieldsGrammar(schema)
        self.start = self.grammar.start
        self.tokens = tuple(tokens)
        ordinary = [bool(token) and not any(c in '"\\' or c < " " for c in token) for token in self.tokens]
        self._ordinary = np.array(ordinary, dtype=np.bool_)
        self._all = _tree(self.tokens, range(len(self.tokens)))
        self._others = _tree(self.tokens, [at for at, known in enumerate(ordinary) if not known])
        self._kept: dict[State, NDArray[np.bool_]] = {}

    def mask(self, state: State) -> NDArray[np.bool_]:
        """Return which tokens may come next: (n_tokens,), read-only. After the closing brace none may."""
        if state not in self._kept:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[state] = self._found(state)
        return self._kept[state]

    def advance(self, state: State, token: int) -> State:
        """Return the state after a token.

        Raises:
            ValueError: the mask does not allow it.
        """
        after = self.grammar.step(state, self.tokens[token])
        if after is None or not self.tokens[token]:
            raise ValueError(f"token {token}, {self.tokens[token]!r}, is not allowed here")
        return after

    def is_complete(self, state: State) -> bool:
        """Return whether the object is closed."""
        return self.grammar.is_complete(state)

    def _found(self, state: State) -> NDArray[np.bool_]:
        in_text = state.place in ("string", "key_text") and not state.partial
        mask = self._ordinary.copy() if in_text else np.zeros(len(self.tokens), dtype=np.bool_)
        walk = [(self._others if in_text else self._all, state)]
        while walk:
            node, here = walk.pop()
            mask[node.tokens] = True
            for character, child in node.children.items():
                after = self.grammar.step(here, character)
                if after is not None:
                    walk.append((child, after))
        mask.flags.writeable = False
        return mask


def _tree(tokens: Sequence[str], ids: Iterable[int]) -> _Node:
    """Return the tokens of these ids as a tree; an empty token is in none, for it would change nothing forever."""
    root = _Node()
    for at in ids:
        node = root
        for character in tokens[at]:
            node = node.children.setdefault(character, _Node())
        if tokens[at]:
            node.tokens.append(at)
    return root
