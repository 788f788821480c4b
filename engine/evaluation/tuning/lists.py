"""A question -> its two lists with every score that the fusion adds, and the ranks they give under any weights.

A question is searched once. What other weights would make of its lists is arithmetic on the scores found then: the
same sums in the same order as in the search itself, so that the ranks are the same too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from engine.library import Library
from engine.pipeline import find
from engine.ranking.adaptive import Scoring, choose_fusion
from engine.ranking.search import search_all
from engine.records import Hit, Ranking
from engine.settings import Settings

WEIGHTS = {
    "bm25": "bm25_weight",
    "near": "near_weight",
    "header": "near_weight",
    "note": "near_weight",
    "crowd": "near_weight",
    "lsa": "lsa_weight",
}
"""The setting that multiplies each score."""

Floats = NDArray[np.float64]
Ranks = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Part:
    """One score of every chunk in the lists."""

    name: str
    """`bm25`, `near`, `lsa`."""
    weight: float
    """Its weight for this question where its setting is 1."""
    values: Floats
    """(n_chunks,) the score."""


@dataclass(frozen=True, slots=True)
class Lists:
    """What one search for a question found."""

    ids: NDArray[np.int32]
    """(n_chunks,) the chunks of both lists, rising."""
    parts: tuple[Part, ...]
    """The scores, in the order in which they are added."""
    held: Mapping[str, NDArray[np.bool_]]
    """By list, `bm25` and `lsa`: (n_chunks,) whether it holds the chunk. A list of weight 0 is not ranked."""
    depth: int
    """Places of a fused list."""
    lift: Callable[[Ranking], Ranking] | None = None
    """Lifts the notes that the question names; `None`: it names none."""

    def ranks(self, settings: Sequence[Settings], wanted: Sequence[int]) -> Ranks:
        """Return the ranks that chunks have in the fused list under each of several settings.

        Args:
            settings: of them the weights count.
            wanted: ids of chunks.

        Returns:
            (n_settings, n_wanted) from 1; 0: not in the list.
        """
        scores = self._scores(settings)
        if self.lift is not None:
            return np.array([self._lifted(row, wanted) for row in scores], np.int32).reshape(len(scores), len(wanted))
        found = np.zeros((len(scores), len(wanted)), np.int32)
        for column, chunk in enumerate(wanted):
            at = int(np.searchsorted(self.ids, chunk))
            if at < len(self.ids) and self.ids[at] == chunk:
                own = scores[:, at : at + 1]
                above = (scores > own).sum(axis=1) + (scores[:, :at] == own).sum(axis=1)
                found[:, column] = np.where(np.isfinite(own[:, 0]) & (above < self.depth), above + 1, 0)
        return found

    def _scores(self, settings: Sequence[Settings]) -> Floats:
        """Return every chunk's fused score under each setting, (n_settings, n_chunks); -inf: it is not ranked."""
        weights = {
            part.name: np.array([_setting(one, part.name) * part.weight for one in settings])[:, None]
            for part in self.parts
        }
        scores = reduce(add, (weights[part.name] * part.values for part in self.parts))
        nowhere = np.zeros((len(settings), len(self.ids)), bool)
        ranked = reduce(
            np.logical_or, ((weights[name] != 0) & held for name, held in self.held.items() if name in weights), nowhere
        )
        return np.where(ranked, scores, -np.inf)

    def _lifted(self, scores: Floats, wanted: Sequence[int]) -> list[int]:
        assert self.lift is not None
        order = np.lexsort((self.ids, -scores))[: self.depth]
        pairs = zip(self.ids[order].tolist(), scores[order].tolist(), strict=True)
        ranked = [pair for pair in pairs if pair[1] > -np.inf]
        fused = self.lift(Ranking("fused", tuple(Hit(rank, *pair) for rank, pair in enumerate(ranked, 1))))
        places = {hit.chunk: hit.rank for hit in fused.hits}
        return [places.get(chunk, 0) for chunk in wanted]


def find_lists(library: Library, text: str, *, as_asked: bool = True) -> Lists:
    """Search for a question and keep every score; k1, b and depth are those of the library's settings.

    Args:
        library: what is searched, at stage `bm25` or later.
        text: the question.
        as_asked: as in `report.searches`.
    """
    library = library.with_settings(library.settings.replace(**dict.fromkeys(WEIGHTS.values(), 1.0)))
    settings, bm25, dense = library.settings, library.bm25, library.dense
    terms: Sequence[str]
    if as_asked:
        found = find(library, text)
        terms, fusion, rankings, allowed = found.terms, found.fusion, found.rankings, found.searched
    else:
        terms, allowed = library.index.analyzer(text), None
        fusion = choose_fusion(terms, bm25, dense, settings)
        rankings = search_all(terms, bm25, dense, settings, library.duplicates, fusion=fusion)
    both = rankings["bm25"], rankings["lsa"]
    ids = np.array(sorted({hit.chunk for ranking in both for hit in ranking.hits}), np.int32)
    if fusion.method == "adaptive":
        scores = Scoring(terms, bm25, dense, both, fusion, library.text_of, note_of=library.note_of).scores(ids)
        parts = tuple(Part(*score) for score in scores)
    else:
        parts = tuple(Part(ranking.name, 1.0, _by_rank(ranking, ids, settings.rrf_c)) for ranking in both)
    held = {ranking.name: np.isin(ids, ranking.ids) for ranking in both}

    def lift(fused: Ranking) -> Ranking:
        return library.titles.lift(fused, terms, bm25, settings.depth, allowed)

    return Lists(ids, parts, held, settings.depth, lift if library.titles.named(terms, bm25) else None)


def _setting(settings: Settings, part: str) -> float:
    return float(getattr(settings, WEIGHTS[part])) if part in WEIGHTS else 1.0


def _by_rank(ranking: Ranking, ids: NDArray[np.int32], c: float) -> Floats:
    places = {hit.chunk: hit.rank for hit in ranking.hits}
    return np.array([1 / (c + places[chunk]) if chunk in places else 0.0 for chunk in ids.tolist()])
