"""Titles and aliases of notes -> which of them a question holds: a small index of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.indexing.counting import SLOT_BITS, TermCounter, blocks
from engine.indexing.distinct import counted
from engine.indexing.inverted_index import Analyze
from engine.indexing.postings import to_postings
from engine.indexing.vocabulary import Vocabulary
from engine.records import Facts

PARTS = ("rows", "terms", "offsets", "indptr", "ids")
"""What `Names` is made of."""


class Names:
    """The names of notes by their terms; a note's names are its title and its aliases, in this order.

    >>> from engine.reading.markdown import parse_markdown
    >>> notes = [parse_markdown("# Red moon", "a.md"), parse_markdown("# Moon", "b.md")]
    >>> Names.of(notes, str.split).within(["Moon", "landing"])
    [(1, 0, 1)]
    """

    def __init__(
        self, rows: NDArray[np.int32], vocabulary: Vocabulary, indptr: NDArray[np.int64], ids: NDArray[np.int32]
    ) -> None:
        """Take the arrays.

        Args:
            rows: (n_names,) the place of each name's note, rising.
            vocabulary: the terms of the names.
            indptr: (n_terms + 1,) where the names of each term start in `ids`.
            ids: the places of the names that hold a term, in `rows`.
        """
        self.rows, self._vocabulary, self._indptr, self._ids = rows, vocabulary, indptr, ids

    @classmethod
    def of(cls, facts: Iterable[Facts], analyzer: Analyze) -> Names:
        """Index the names of notes."""
        named = [(note.title, *note.aliases) for note in facts]
        rows = np.repeat(np.arange(len(named), dtype=np.int32), [len(names) for names in named])
        counter = TermCounter(analyzer, slot_bits=min(SLOT_BITS, 4 + len(rows).bit_length()))
        found = to_postings(counter.terms, counter.count_blocks(blocks(name for names in named for name in names)))
        return cls(rows, found.vocabulary, found.indptr, found.ids)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Names:
        """Take back what `to_arrays` gave; raise `KeyError` when something is missing."""
        rows, terms, offsets, indptr, ids = (arrays[f"names.{part}"] for part in PARTS)
        return cls(rows, Vocabulary(terms.data, offsets), indptr, ids)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return what it is made of, by name."""
        terms = np.frombuffer(self._vocabulary.bytes, np.uint8)
        arrays: tuple[NDArray[Any], ...] = (self.rows, terms, self._vocabulary.offsets, self._indptr, self._ids)
        return {f"names.{part}": array for part, array in zip(PARTS, arrays, strict=True)}

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        """(n_names,) distinct terms of each name."""
        return np.bincount(self._ids, minlength=len(self.rows))

    def within(self, terms: Sequence[str]) -> list[tuple[int, int, int]]:
        """Return the names all of whose terms are among distinct ones: note, which of its names, how many terms."""
        known = (self._vocabulary.get(term) for term in terms)
        held = [self._ids[self._indptr[at] : self._indptr[at + 1]] for at in known if at is not None]
        if not held:
            return []
        names, numbers = counted(np.concatenate(held))
        whole = numbers == self._sizes[names]
        names = names[whole]
        which = names - np.searchsorted(self.rows, self.rows[names])
        return list(zip(self.rows[names].tolist(), which.tolist(), numbers[whole].tolist(), strict=True))


@dataclass(frozen=True)
class NameTable:
    """Names with what they are names of."""

    names: Names
    """By the places of the notes."""
    note_at: Callable[[int], str]
    """Gives the id of the note at a place."""
    facts_of: Callable[[str], Facts]
    """Gives what is known of a note."""
    gone: Collection[str] = ()
    """Ids of notes that are not seen."""

    def within(self, terms: Sequence[str]) -> Iterator[tuple[str, str, int]]:
        """Yield the names all of whose terms are among distinct ones: note, name, how many terms."""
        for row, which, number in self.names.within(terms):
            note = self.note_at(row)
            if note not in self.gone:
                facts = self.facts_of(note)
                yield note, (facts.title, *facts.aliases)[which], number
