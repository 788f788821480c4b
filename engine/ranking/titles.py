"""A question that names a note -> that note's best passage, not buried below passages that share its words.

A question that is a whole title or alias asks for that note: its best passage comes first. One that holds all terms
of a title, and these are at least half of the question by idf, brings that passage to place 3 or better. On
questions that name no note nothing changes (docs/retrieval.md has the figures).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from engine.indexing.bm25 import BM25
from engine.indexing.exact import Mask
from engine.indexing.inverted_index import Analyze, InvertedIndex
from engine.records import Chunk, Facts, Hit, Ranking

WHOLE, PART = 1, 3
"""The place to which a note is lifted when the question is its title, and when it holds its title."""
SHARE = 0.5
"""Least share of the question's idf that a title inside it makes up."""
MOST = 3
"""Notes lifted for one question."""


class Titles:
    """The terms of every note's title and aliases; made at the first question."""

    def __init__(self, facts: Mapping[str, Facts], chunks: Sequence[Chunk], analyzer: Analyze) -> None:
        """Take what is known of a library's notes, its chunks, ordered by note, and what makes terms of a title."""
        self._facts, self._chunks, self._analyzer = facts, chunks, analyzer

    def warm(self) -> None:
        """Make the table now."""
        self._sizes  # noqa: B018

    def lift(
        self, fused: Ranking, terms: Sequence[str], bm25: BM25, depth: int, allowed: Mask | None = None
    ) -> Ranking:
        """Return the list with the best passage of each note that the question names at its place, or where it was.

        A lifted passage gets the score of the one it goes before.

        Args:
            fused: the list.
            terms: the question's terms.
            bm25: weighs terms, and finds the passage where the list holds none of the note.
            depth: how many places the list has at most.
            allowed: (n_chunks,) which chunks may be found; `None`: all.
        """
        hits = list(fused.hits)
        named = [(place, self._best(note, hits, terms, bm25, allowed)) for note, place in self.named(terms, bm25)]
        wanted = sorted((place, best.rank or inf, best) for place, best in named if best is not None)
        for at, (place, _, best) in enumerate(wanted[:MOST]):
            target = min(place - 1 + at, len(hits))
            if best in hits[: target + 1]:
                continue
            if best in hits:
                hits.remove(best)
            score = max(best.score, hits[target].score if target < len(hits) else 0.0)
            hits.insert(target, best._replace(score=score))
        return Ranking(fused.name, tuple(hit._replace(rank=rank) for rank, hit in enumerate(hits[:depth], 1)))

    def named(self, terms: Sequence[str], bm25: BM25) -> list[tuple[str, int]]:
        """Return the notes that a question names, each with the place it is lifted to."""
        distinct = list(dict.fromkeys(terms))
        postings = [self._index.postings(term)[0] for term in distinct]
        names, held = np.unique(np.concatenate([np.zeros(0, np.int32), *postings]), return_counts=True)
        whole = held == self._sizes[names]
        enough = SHARE * sum(map(bm25.idf, distinct))
        notes: dict[str, int] = {}
        for at, number in zip(names[whole].tolist(), held[whole].tolist(), strict=True):
            note, name = self._names[at]
            if number == len(distinct):
                notes[note] = WHOLE
            elif sum(map(bm25.idf, set(self._analyzer(name)))) >= enough:
                notes.setdefault(note, PART)
        return list(notes.items())

    @cached_property
    def _names(self) -> list[tuple[str, str]]:
        """(note, name) of each title and alias."""
        return [(note, name) for note, facts in self._facts.items() for name in (facts.title, *facts.aliases)]

    @cached_property
    def _index(self) -> InvertedIndex:
        """Which names hold a term, by their places in `_names`."""
        return InvertedIndex((name for _, name in self._names), self._analyzer)

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        """(n_names,) distinct terms of each name."""
        return np.bincount(self._index.ids, minlength=len(self._names))

    def _best(
        self, note: str, hits: Sequence[Hit], terms: Sequence[str], bm25: BM25, allowed: Mask | None
    ) -> Hit | None:
        """Return a note's first hit; else, with rank 0, the passage BM25 likes best, or its first; `None`: none."""
        first = next((hit for hit in hits if self._chunks[hit.chunk].document == note), None)
        if first is not None:
            return first
        start, end = (cut(self._chunks, note, key=lambda chunk: chunk.document) for cut in (bisect_left, bisect_right))
        own = np.zeros(len(self._chunks), bool)
        own[start:end] = True if allowed is None else allowed[start:end]
        found = bm25.search(terms, 1, allowed=own).hits
        if not found and not own.any():
            return None
        return Hit(0, found[0].chunk if found else int(np.argmax(own)), 0.0)
