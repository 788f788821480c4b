"""A question that names a note -> that note's best passage, not buried below passages that share its words.

A question that is a whole title or alias asks for that note: its best passage comes first. One that holds all terms
of a title, and these are at least half of the question by idf, brings that passage to place 3 or better. On
questions that name no note nothing changes (docs/retrieval.md has the figures).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import inf

import numpy as np

from engine.indexing.bm25 import BM25
from engine.indexing.exact import Mask
from engine.indexing.inverted_index import Analyze
from engine.ranking.names import NameTable
from engine.records import Chunk, Hit, Ranking

WHOLE, PART = 1, 3
"""The place to which a note is lifted when the question is its title, and when it holds its title."""
SHARE = 0.5
"""Least share of the question's idf that a title inside it makes up."""
MOST = 3
"""Notes lifted for one question."""


class Titles:
    """The notes that a question names, and their best passages."""

    def __init__(self, tables: Sequence[NameTable], chunks: Sequence[Chunk], analyzer: Analyze) -> None:
        """Take the names of a library's notes, its chunks, ordered by note, and what makes terms of a title."""
        self._tables, self._chunks, self._analyzer = tables, chunks, analyzer

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
        enough = SHARE * sum(map(bm25.idf, distinct))
        notes: dict[str, int] = {}
        for note, name, number in (each for table in self._tables for each in table.within(distinct)):
            if number == len(distinct):
                notes[note] = WHOLE
            elif sum(map(bm25.idf, set(self._analyzer(name)))) >= enough:
                notes.setdefault(note, PART)
        return list(notes.items())

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
