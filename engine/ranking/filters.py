"""Filters and a library -> which chunks may be ranked: a mask that every retriever takes, made before ranking."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, reduce

import numpy as np
from numpy.typing import NDArray

from engine.indexing.distinct import grouped
from engine.indexing.exact import Mask
from engine.indexing.inverted_index import InvertedIndex
from engine.ranking.notes import Notes
from engine.ranking.query import Filter
from engine.records import Chunk, Hit, Ranking
from engine.text.analysis import spaced_out


class Catalog:
    """What filters look things up in: the notes and their chunks."""

    def __init__(
        self,
        notes: Notes,
        chunks: Sequence[Chunk],
        index: InvertedIndex,
        rows: NDArray[np.int32] | None = None,
    ) -> None:
        """Take what is known of a library.

        Args:
            notes: its notes.
            chunks: ordered by document.
            index: their postings.
            rows: (n_chunks,) the place of each chunk's note among `notes`; `None`: found by asking every chunk.
        """
        self._notes, self._chunks, self._index, self._rows = notes, chunks, index, rows

    def allowed(self, filters: Iterable[Filter]) -> Mask | None:
        """Return which chunks meet every filter, (n_chunks,); `None` when there is no filter.

        Phrases are looked for last, in the chunks that the others leave.
        """
        ordered = sorted(filters, key=lambda condition: condition.kind == "phrase")
        if not ordered:
            return None
        mask = np.ones(len(self._chunks), bool)
        for condition in ordered:
            met = self.meeting(condition, mask)
            mask &= ~met if condition.excluded else met
        return mask

    def meeting(self, condition: Filter, among: Mask | None = None) -> Mask:
        """Return the chunks, of those in `among`, that meet a filter, its `-` aside."""
        mask = np.zeros(len(self._chunks), bool)
        if condition.kind in ("phrase", "word"):
            mask[self._holding(condition, ~mask if among is None else among)] = True
        else:
            notes = np.zeros(len(self._notes), bool)
            notes[self._notes.meeting(condition)] = True
            mask = notes[self._note_of]
        return mask if among is None else mask & among

    def newest(self, allowed: Mask, depth: int) -> Ranking:
        """Return the first allowed chunk of each note, newest note first, undated ones last, then by path.

        There is nothing to score by: the scores are 0.
        """
        ids = np.flatnonzero(allowed)
        notes, first, _ = grouped(self._note_of[ids])
        dates = self._notes.dates
        # Stable: notes of one date stay in order.
        newest = sorted(zip(notes.tolist(), ids[first].tolist(), strict=True), key=lambda n: dates[n[0]], reverse=True)
        return Ranking("fused", tuple(Hit(rank, chunk, 0.0) for rank, (_, chunk) in enumerate(newest[:depth], 1)))

    @cached_property
    def _note_of(self) -> NDArray[np.int32]:
        """(n_chunks,) the place of each chunk's note in `_notes`."""
        if self._rows is not None:
            return self._rows
        place = {note: at for at, note in enumerate(self._notes.ids)}
        return np.array([place[chunk.document] for chunk in self._chunks], np.int32)

    def _holding(self, condition: Filter, among: Mask) -> list[int]:
        """Return the ids of the chunks, of those in `among`, that hold a word or the words of a phrase in a row.

        A chunk that holds the phrase holds each of its terms: only such chunks are read.
        """
        terms = self._index.query_terms(condition.value)
        postings = sorted((self._index.postings(term)[0] for term in terms), key=len)
        held = reduce(_common, postings) if postings else np.arange(len(self._chunks), dtype=np.int32)
        ids: list[int] = held[among[held]].tolist()
        if condition.kind == "word" and len(terms) == 1:
            return ids
        phrase = Phrase(condition.value)
        return [at for at in ids if phrase.is_in((chunk := self._chunks[at]).text) or phrase.is_in(chunk.header)]


_MARKS = tuple(zip("’“”–—…•→✓\xa0", "'         ", strict=True))
"""Signs of English text that are not ASCII, and what they are where words are compared: an apostrophe, or a gap."""

_ENDINGS = frozenset(("t", "ll", "re", "ve", "d", "m", "s"))
_NO_CONTRACTION = r"(?!'(?:t|ll|re|ve|d|m)(?![a-z0-9_]))"


class Phrase:
    """Words to look for in a row: `is_in` says what `contains_phrase` says, sooner over many texts.

    Most texts are ASCII, where a pattern tells quickly that the phrase is not there; that it is there only where it
    has letters alone, so that no decimal or contraction may make another word of one of its own.

    >>> Phrase("of iron").is_in("An oxide of IRON, rust"), Phrase("of iron").is_in("of irons")
    (True, False)
    """

    def __init__(self, phrase: str) -> None:
        """Prepare the search."""
        words = spaced_out(phrase).split()
        self._wanted = f" {' '.join(words)} "
        self._longest = max((word for word in words if word.isalpha()), key=len, default="")
        self._is_plain = all(word.isascii() and word.isalpha() and word not in _ENDINGS for word in words)
        spelled = [word if word.isalpha() else ",?".join(map(re.escape, word)) for word in words]
        if self._is_plain:
            spelled = [word + _NO_CONTRACTION for word in words]
        # A number may end, and a word begin, without a gap: "3.5km" is 3.5 and km.
        gap = rf"(?:'s(?![a-z0-9_]))?[^a-z0-9]{'+' if self._is_plain else '*'}"
        end = "(?![0-9])" if words and words[-1][-1].isdigit() else "(?![a-z0-9])"
        self._pattern = re.compile(f"(?<![a-z]){gap.join(spelled)}{end}")

    def is_in(self, text: str) -> bool:
        """Return whether the words stand in a text one after the other."""
        if not text.isascii():
            for mark, plain in _MARKS:
                text = text.replace(mark, plain)
        if text.isascii():
            lowered = text.lower()
            if self._longest not in lowered or not (match := self._pattern.search(lowered)):
                return False
            if self._is_plain and not lowered[max(0, match.start() - 1)].isdigit():
                return True
        return self._wanted in f" {spaced_out(text)} "


def _common(one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the ids that stand in both rising lists; the first is the shorter one."""
    at = np.searchsorted(other, one)
    at[at == len(other)] = 0
    return one[other[at] == one] if len(other) else one[:0]
