"""What every dense retriever does with its vectors, however they were made: search them, exactly or by lists."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.indexing.exact import Mask, dot_products, exact_search
from engine.indexing.ivf import IVF, PROBES
from engine.indexing.top_k import FloatArray
from engine.records import Ranking


class DenseRetriever(ABC):
    """Chunks and questions as unit vectors; the score is the cosine, -1 to 1.

    Attributes:
        embeddings: (n_chunks, n_dims) unit rows; that of a chunk of which nothing is known is 0.
    """

    reads_text = False
    """Whether a question is given as written, not as its terms."""
    embeddings: FloatArray
    _ivf: IVF | None = None

    @abstractmethod
    def embed(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return a query as a unit vector (n_dims,); zeros when nothing is known of its words."""

    def scores(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return the cosine of every chunk with the query, (n_chunks,), -1 to 1."""
        return np.asarray(dot_products(self.embeddings, self.embed(query)), np.float64)

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
            lists: how many lists the vectors stand in, made at the first use; 0: every vector is compared.
            probes: how many of the lists are scanned.
        """
        vector = self.embed(query)
        if not vector.any():
            return Ranking("lsa")
        if not lists:
            return exact_search(self.embeddings, vector, k, allowed=allowed)
        return self.ivf(lists).search(vector, k, probes, allowed=allowed)

    def scanned(
        self, query: str | Sequence[str], *, allowed: Mask | None = None, lists: int = 0, probes: int = PROBES
    ) -> int:
        """Return how many chunks' vectors such a search compares with the query."""
        vector = self.embed(query)
        if not vector.any():
            return 0
        if lists:
            return self.ivf(lists).scanned(vector, probes, allowed=allowed)
        return len(self.embeddings) if allowed is None else int(np.count_nonzero(allowed))

    def ivf(self, lists: int) -> IVF:
        """Return the vectors in that many lists, or one list each; kept until another number is asked for."""
        wanted = min(lists, len(self.embeddings))
        if self._ivf is None or self._ivf.n_lists != wanted:
            self._ivf = IVF(self.embeddings, wanted)
        return self._ivf
