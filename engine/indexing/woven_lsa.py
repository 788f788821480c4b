"""An LSA space and a few chunks beside it -> one retriever over the chunks of both that are seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.indexing.exact import Mask, dot_products
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.ivf import PROBES
from engine.indexing.lsa import LSA
from engine.indexing.top_k import FloatArray, to_ranking
from engine.indexing.weave import Weave
from engine.records import Ranking, ShouldStop

MORE = 16
"""Places by which a list of the base is deeper than wanted, since some of its chunks may be gone."""


class WovenLSA(LSA):
    """A space as it was fitted, over a base some of whose chunks are gone, and a few chunks put into it beside.

    The vectors of the base stay where they are; those beside it are compared one by one.

    Attributes:
        base: the space, and the vectors that it was opened or fitted with.
        rows: (n_beside, n_dims) unit rows of the chunks beside it.
        weave: how the chunks of both make one list.
    """

    def __init__(self, base: LSA, index: InvertedIndex, weave: Weave, rows: FloatArray) -> None:
        """Take them; `index` is that of the chunks seen."""
        self.base, self.weave, self.rows = base, weave, rows
        self.index = index
        self.kept, self.singular_values, self._terms = base.kept, base.singular_values, base._terms
        self.folded = base.folded + max(len(rows), len(weave.gone))
        self.lean = base.lean

    @classmethod
    def over(cls, base: LSA) -> WovenLSA:
        """Take a space beside which there is nothing yet."""
        return cls(base, base.index, Weave(base.n_vectors), base.embeddings_of(np.zeros(0, np.int32)))

    def changed(
        self,
        index: InvertedIndex,
        weave: Weave,
        new: InvertedIndex,
        kept: NDArray[np.int64],
        added: NDArray[np.int64],
    ) -> WovenLSA:
        """Return the same after a change of what stands beside the base.

        Args:
            index: that of the chunks seen.
            weave: how they are woven now.
            new: the chunks that have come.
            kept: (n_beside_before,) where each chunk beside the base is now; -1: it is gone.
            added: (n_new,) where the new ones are.
        """
        rows = np.empty((len(weave.before), self.n_dims), self.rows.dtype)
        rows[kept[kept >= 0]] = self.rows[kept >= 0]
        rows[added] = self.base.place(new)
        return WovenLSA(self.base, index, weave, rows)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return what the space of the base is made of, by name."""
        return self.base.to_arrays()

    @property
    def n_vectors(self) -> int:
        """How many chunks there are."""
        return len(self.weave)

    @property
    def _vectors(self) -> FloatArray:
        return self.weave.stacked_arrays(self.base.embeddings, self.rows)

    def embeddings_of(self, chunks: NDArray[np.int32]) -> FloatArray:
        """Return the vectors of some chunks, (len(chunks), n_dims)."""
        is_base, rows = self.weave.find_all(chunks)
        found = np.empty((len(rows), self.n_dims), self.rows.dtype)
        found[is_base] = self.base.embeddings_of(rows[is_base].astype(np.int32))
        found[~is_base] = self.rows[rows[~is_base]]
        return found

    def cosines_of(self, chunks: NDArray[np.int32], vector: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the cosines of some chunks with a query's vector, (len(chunks),)."""
        is_base, rows = self.weave.find_all(chunks)
        found = np.empty(len(rows))
        found[is_base] = self.base.cosines_of(rows[is_base].astype(np.int32), vector)
        found[~is_base] = dot_products(self.rows[rows[~is_base]], vector)
        return found

    def arranged(self, should_stop: ShouldStop | None = None) -> WovenLSA:
        """Return the same with the vectors of its base in lists, where they are so many that it pays."""
        base = self.base.arranged(should_stop)
        return self if base is self.base else WovenLSA(base, self.index, self.weave, self.rows)

    def cosines(self, vector: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the cosine of every chunk with a query's vector, (n_chunks,), -1 to 1."""
        beside = np.asarray(dot_products(self.rows, vector), np.float64)
        return self.weave.stacked_arrays(self.base.cosines(vector), beside)

    def closest(
        self, vector: NDArray[np.float64], k: int, allowed: Mask | None, lists: int = 0, probes: int = PROBES
    ) -> Ranking:
        """Return the k chunks closest to a query's vector; the rest as for `search`."""
        if lists > 0:
            return super().closest(vector, k, allowed, lists, probes)
        places, scores = self._of_base(vector, k, allowed, lists, probes)
        beside = np.arange(len(self.rows))
        if allowed is not None:
            beside = np.flatnonzero(allowed[self.weave.places_beside])
        products = np.asarray(dot_products(self.rows[beside], vector), np.float64)
        ids = np.concatenate((places, self.weave.of_beside(beside)))
        return to_ranking("lsa", np.concatenate((scores, products)), k, ids)

    def _of_base(
        self, vector: NDArray[np.float64], k: int, allowed: Mask | None, lists: int, probes: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the k closest chunks of the base that are seen, where they are seen, and their cosines."""
        mask = None if allowed is None else self.weave.base_mask(allowed)
        depth = k + MORE * (mask is None)
        while True:
            ranking = self.base.closest(vector, depth, mask, lists, probes)
            ids = np.array(ranking.ids, np.int64)
            order = np.argsort(ids)
            places, seen = self.weave.of_base(ids[order])
            if len(places) >= k or len(ids) < depth:
                break
            depth *= 2
        scores = np.array([hit.score for hit in ranking.hits])[order]
        return places, scores if seen is None else scores[seen]

    def compared(self, vector: NDArray[np.float64], allowed: Mask | None, lists: int = 0, probes: int = PROBES) -> int:
        """Return how many chunks' vectors `closest` compares with a query's."""
        if lists > 0:
            return super().compared(vector, allowed, lists, probes)
        mask = None if allowed is None else self.weave.base_mask(allowed)
        beside = len(self.rows) if allowed is None else int(np.count_nonzero(allowed[self.weave.places_beside]))
        return min(self.base.compared(vector, mask, lists, probes) + beside, len(self.weave))

    def fold(
        self,
        index: InvertedIndex,
        terms: NDArray[np.int64],
        chunks: NDArray[np.int64],
        added: NDArray[np.int64],
    ) -> LSA:
        """Return the space of the base over a changed collection, as `LSA.fold` does; ids are those of the base."""
        return self.base.fold(index, terms, chunks, added)

    def _row_of(self, term: str) -> int | None:
        return self.base._row_of(term)

    @property
    def _term_places(self) -> tuple[FloatArray, list[str]]:
        return self.base._term_places
