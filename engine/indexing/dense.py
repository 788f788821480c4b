"""What every dense retriever does with its vectors, however they were made: search them, exactly or by lists."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.indexing.exact import Mask, dot_products, exact_search
from engine.indexing.ivf import IVF, PROBES, QUICK, automatic_lists, automatic_probes
from engine.indexing.packed import Rows, widen
from engine.indexing.top_k import FloatArray
from engine.records import Ranking, ShouldStop


class DenseRetriever(ABC):
    """Chunks and questions as unit vectors; the score is the cosine, -1 to 1.

    The vector of a chunk of which nothing is known is 0.
    """

    reads_text = False
    """Whether a question is given as written, not as its terms."""
    lists: IVF | None = None
    """Where the vectors stand, once they were put into lists without being asked for; `None`: one after the other."""
    _rows: Rows
    _ivf: IVF | None = None

    @property
    def embeddings(self) -> FloatArray:
        """(n_chunks, n_dims) unit rows, copied together where they are packed or stand in lists."""
        return widen(self._vectors)

    @embeddings.setter
    def embeddings(self, rows: Rows) -> None:
        self._rows = rows

    @property
    def _vectors(self) -> Rows:
        """The vectors in the order of the chunks."""
        return self._rows if self.lists is None else self.lists.vectors[self.lists.places]

    @property
    def n_vectors(self) -> int:
        """How many chunks there are."""
        return len(self._rows if self.lists is None else self.lists.ids)

    def embedding(self, chunk: int) -> FloatArray:
        """Return the vector of a chunk, (n_dims,)."""
        vector: FloatArray = self.embeddings_of(np.array([chunk], np.int32))[0]
        return vector

    def embeddings_of(self, chunks: NDArray[np.int32]) -> FloatArray:
        """Return the vectors of some chunks, (len(chunks), n_dims)."""
        return widen(self._rows_of(chunks))

    def cosines_of(self, chunks: NDArray[np.int32], vector: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the cosines of some chunks with a query's vector, (len(chunks),): to the last bit those of `search`.

        Args:
            chunks: their ids.
            vector: (n_dims,) what `embed` gives.
        """
        return np.asarray(dot_products(self._rows_of(chunks), vector), np.float64)

    def _rows_of(self, chunks: NDArray[np.int32]) -> Rows:
        return self._rows[chunks] if self.lists is None else self.lists.vectors[self.lists.places[chunks]]

    def arranged(self, should_stop: ShouldStop | None = None) -> Self:
        """Return the same with its vectors in lists, where they are so many that it pays; raise `Cancelled`."""
        n_lists = automatic_lists(self.n_vectors)
        if self.lists is not None or not n_lists:
            return self
        other = copy(self)
        other.lists = IVF(self._rows, n_lists, should_stop=should_stop, **QUICK)
        other._rows = self._rows[:0]
        return other

    @abstractmethod
    def embed(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return a query as a unit vector (n_dims,); zeros when nothing is known of its words."""

    def scores(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return the cosine of every chunk with the query, (n_chunks,), -1 to 1."""
        return self.cosines(self.embed(query))

    def cosines(self, vector: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the cosine of every chunk with a query's vector, (n_chunks,), -1 to 1."""
        rows = self._rows if self.lists is None else self.lists.vectors
        products = np.asarray(dot_products(rows, vector), np.float64)
        return products if self.lists is None else products[self.lists.places]

    def search(
        self,
        query: str | Sequence[str],
        k: int = 10,
        *,
        allowed: Mask | None = None,
        lists: int = 0,
        probes: int = PROBES,
    ) -> Ranking:
        """Return the k chunks closest to the query; none when nothing is known of its words.

        Args:
            query: a text, or its terms.
            k: how many.
            allowed: (n_chunks,) which chunks may be found; `None`: all.
            lists: how many lists the vectors stand in, made at the first use; 0: every vector is compared; -1: the
                lists that `arranged` made, every vector where it made none.
            probes: how many of the lists are scanned; with -1 lists that is chosen by their number.
        """
        vector = self.embed(query)
        return self.closest(vector, k, allowed, lists, probes) if vector.any() else Ranking("lsa")

    def closest(
        self, vector: NDArray[np.float64], k: int, allowed: Mask | None, lists: int = 0, probes: int = PROBES
    ) -> Ranking:
        """Return the k chunks closest to a query's vector; the rest as for `search`."""
        if (found := self._probed(lists, probes)) is not None:
            return found[0].search(vector, k, found[1], allowed=allowed)
        if self.lists is not None:
            return self.lists.search(vector, k, self.lists.n_lists, allowed=allowed)
        return exact_search(self._rows, vector, k, allowed=allowed)

    def scanned(
        self, query: str | Sequence[str], *, allowed: Mask | None = None, lists: int = 0, probes: int = PROBES
    ) -> int:
        """Return how many chunks' vectors such a search compares with the query."""
        vector = self.embed(query)
        return self.compared(vector, allowed, lists, probes) if vector.any() else 0

    def compared(self, vector: NDArray[np.float64], allowed: Mask | None, lists: int = 0, probes: int = PROBES) -> int:
        """Return how many chunks' vectors `closest` compares with a query's."""
        if (found := self._probed(lists, probes)) is not None:
            return found[0].scanned(vector, found[1], allowed=allowed)
        return self.n_vectors if allowed is None else int(np.count_nonzero(allowed))

    def ivf(self, lists: int) -> IVF:
        """Return the vectors in that many lists, or one list each; kept until another number is asked for."""
        wanted = min(lists, self.n_vectors)
        if self._ivf is None or self._ivf.n_lists != wanted:
            self._ivf = IVF(self._vectors, wanted)
        return self._ivf

    def _probed(self, lists: int, probes: int) -> tuple[IVF, int] | None:
        """Return the lists that a search looks into, and into how many of them; `None`: it compares every vector."""
        if lists > 0:
            return self.ivf(lists), probes
        if lists < 0 and self.lists is not None:
            return self.lists, automatic_probes(self.lists.n_lists)
        return None
