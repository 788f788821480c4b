"""Filters and a library -> which chunks may be ranked: a mask that every retriever takes, made before ranking."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from engine.indexing.distinct import grouped
from engine.indexing.exact import Mask
from engine.indexing.inverted_index import InvertedIndex
from engine.ranking.notes import Notes
from engine.ranking.query import Filter
from engine.records import Chunk, Hit, Ranking
from engine.text.analysis import spaced_out

Written = Callable[[NDArray[np.integer]], Iterator[tuple[str, str]]]
"""From ids of chunks, rising, to the header and the text of each."""


class Catalog:
    """What filters look things up in: the notes and their chunks."""

    def __init__(
        self,
        notes: Notes,
        chunks: Sequence[Chunk],
        index: InvertedIndex,
        rows: NDArray[np.int32] | None = None,
        written: Written | None = None,
    ) -> None:
        """Take what is known of a library.

        Args:
            notes: its notes.
            chunks: ordered by document.
            index: their postings.
            rows: (n_chunks,) the place of each chunk's note among `notes`; `None`: found by asking every chunk.
            written: yields header and text of chunks; `None`: each chunk is asked for them.
        """
        self._notes, self._chunks, self._index, self._rows = notes, chunks, index, rows
        self._written = written or (lambda ids: ((chunks[at].header, chunks[at].text) for at in ids.tolist()))
        self._read: dict[str, NDArray[np.int32]] = {}

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

    def _holding(self, condition: Filter, among: Mask) -> NDArray[np.int32]:
        """Return the ids of the chunks, of those in `among`, that hold a word or the words of a phrase in a row.

        A chunk that holds the phrase holds each of its terms: only such chunks are read. Of a phrase of stopwords
        all have to be, so that it is remembered which they were while other words of a question are typed.
        """
        terms = self._index.query_terms(condition.value)
        if not terms and among.all():
            if condition.value not in self._read:
                self._read = {condition.value: self._reading(condition.value, np.flatnonzero(among))}
            return self._read[condition.value]
        postings = sorted((self._index.postings(term)[0] for term in terms), key=len)
        held = reduce(_common, postings) if postings else np.arange(len(self._chunks), dtype=np.int32)
        ids = held[among[held]]
        return ids if condition.kind == "word" and len(terms) == 1 else self._reading(condition.value, ids)

    def _reading(self, words: str, ids: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return the chunks, of those given, that hold words in a row, block by block."""
        phrase, found = Phrase(words), [np.zeros(0, np.int32)]
        for start in range(0, len(ids), BLOCK):
            block = ids[start : start + BLOCK]
            headers, texts = zip(*self._written(block), strict=True)
            held = np.array(phrase.are_in(texts))
            held[~held] = phrase.are_in([headers[at] for at in np.flatnonzero(~held).tolist()])
            found.append(block[held].astype(np.int32))
        return np.concatenate(found)


_MARKS = tuple(zip("’“”–—…•→✓\xa0", "'         ", strict=True))
"""Signs of English text that are not ASCII, and what they are where words are compared: an apostrophe, or a gap."""

_ENDINGS = frozenset(("t", "ll", "re", "ve", "d", "m", "s"))
_NO_CONTRACTION = r"(?!'(?:t|ll|re|ve|d|m)(?![a-z0-9_]))"


BLOCK = 4096
"""Texts that are looked through together."""
_BORDER = "\0"
"""Stands between them."""


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
        self._is_plain = bool(words) and all(
            word.isascii() and word.isalpha() and word not in _ENDINGS for word in words
        )
        spelled = [word if word.isalpha() else ",?".join(map(re.escape, word)) for word in words]
        if self._is_plain:
            spelled = [word + _NO_CONTRACTION for word in words]
        # A number may end, and a word begin, without a gap: "3.5km" is 3.5 and km.
        gap = rf"(?:'s(?![a-z0-9_]))?[^a-z0-9]{'+' if self._is_plain else '*'}"
        end = "(?![0-9])" if words and words[-1][-1].isdigit() else "(?![a-z0-9])"
        self._pattern = re.compile(f"(?<![a-z]){gap.join(spelled)}{end}")
        if self._is_plain:
            # The first word comes first, for the matcher looks for letters sooner than for a place between them.
            first = f"{words[0]}(?<![a-z]{words[0]}){_NO_CONTRACTION}"
            within = gap.replace("^", f"^{_BORDER}")
            self._joined = re.compile(within.join([first, *spelled[1:]]) + end)

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

    def are_in(self, texts: Sequence[str]) -> list[bool]:
        """Return what `is_in` says of each of many texts: those of plain letters are looked through as one.

        >>> Phrase("of iron").are_in(["An oxide of", "iron, of iron", "Rust"])
        [False, True, False]
        """
        plain = [at for at, text in enumerate(texts) if self._is_plain and text.isascii() and _BORDER not in text]
        joined = _BORDER.join(texts[at] for at in plain).lower()
        ends = list(accumulate(len(texts[at]) + 1 for at in plain))
        found = [False] * len(texts)
        match = self._joined.search(joined) if plain else None
        while match:
            place = bisect_right(ends, match.start())
            at = plain[place]
            before = joined[match.start() - 1] if match.start() else ""
            found[at] = not before.isdigit() or self.is_in(texts[at])
            match = self._joined.search(joined, ends[place]) if ends[place] < len(joined) else None
        for at in set(range(len(texts))).difference(plain):
            found[at] = self.is_in(texts[at])
        return found


def _common(one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the ids that stand in both rising lists; the first is the shorter one."""
    at = np.searchsorted(other, one)
    at[at == len(other)] = 0
    return one[other[at] == one] if len(other) else one[:0]
