"""Latent semantic analysis: chunks and questions as points in a space where words that keep company lie close.

Deerwester et al., "Indexing by latent semantic analysis", 1990. The space is the truncated SVD of the tf-idf
matrix; the score is the cosine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.indexing.dense import DenseRetriever
from engine.indexing.distinct import first_of_each
from engine.indexing.exact import dot_products
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.ivf import IVF, automatic_lists
from engine.indexing.packed import Packed, Rows, from_arrays, joined, to_arrays, widen
from engine.indexing.svd import Watch, exact_svd, in_blocks, randomized_svd
from engine.indexing.tfidf import Tfidf, weight_matrix, weight_rows
from engine.indexing.top_k import FloatArray, top_k
from engine.records import Report, ShouldStop

if TYPE_CHECKING:
    from scipy.sparse import csr_array

EXACT_UP_TO = 2_000
"""Chunks up to which the SVD is exact; above, it is randomised and the embeddings are float32."""
LARGE = 20_000
"""Chunks from which on half as many dimensions are enough: the fused list loses nothing that was measured."""


PLACED_AT_ONCE = 64
"""Chunks put into a space together: their weighted words fit into the processor's cache."""


def default_dimensions(n_chunks: int) -> int:
    """Return 5 sqrt(N) to the nearest 32, 32 to 256, and 128 where chunks are many (docs/lsa-dimensions.md).

    >>> [default_dimensions(n) for n in (57, 1014, 5000, 100_000)]
    [32, 160, 256, 128]
    """
    if n_chunks >= LARGE:
        return 128
    return int(min(256, max(32, 32 * round(5 * np.sqrt(n_chunks) / 32))))


class LSA(DenseRetriever):
    """X = U S V', X the unit rows of sublinear tf-idf over terms with n >= 2; a chunk is its row of X V, normalised.

    Attributes:
        index: the collection.
        embeddings: (n_chunks, n_dims) unit rows; a chunk of unknown words is a row of zeros.
        singular_values: (n_dims,) descending.
        kept: (n_kept,) ids of the terms that take part: those of two chunks or more.
        folded: chunks that have come or gone since the space was fitted.
        lean: how well it does beside BM25 in the collection, as `ranking/lean.py` tells; `None`: not known.

    >>> from engine import InvertedIndex
    >>> texts = ["Mars has moons.", "Moons orbit Mars.", "Bread needs flour.", "Flour makes bread."]
    >>> LSA(InvertedIndex(texts), dimensions=2).search("moons", k=2).ids
    (0, 1)
    """

    lean: float | None = None

    def __init__(
        self,
        index: InvertedIndex,
        dimensions: int = 0,
        *,
        seed: int = 0,
        report: Report | None = None,
        should_stop: ShouldStop | None = None,
    ) -> None:
        """Fit.

        Args:
            index: the collection; one too small for a space gives one of no dimensions.
            dimensions: r; 0 chooses by the size of the collection. Clamped to what the collection allows.
            seed: of the randomised decomposition.
            report: called with the progress.
            should_stop: asked between products.

        Raises:
            Cancelled: `should_stop` returned true.
        """
        frequencies = index.document_frequencies()
        kept = frequencies >= 2
        exact = index.n_chunks <= EXACT_UP_TO
        kind: type[np.floating[Any]] = np.float64 if exact else np.float32
        matrix = weight_matrix(index, Tfidf(index).idf, True, keep=kept, kind=kind)
        rank = min(dimensions or default_dimensions(index.n_chunks), *matrix.shape)
        watch = Watch(report, should_stop)
        values: FloatArray
        components: FloatArray
        if rank == 0:
            values, components = np.zeros(0), np.zeros((matrix.shape[1], 0))
        elif exact:
            values, components = exact_svd(matrix, rank, watch)
        else:
            values, components = randomized_svd(matrix, rank, seed, watch)
        components = components.astype(kind, copy=False)
        large = automatic_lists(index.n_chunks) > 0
        places = _places(matrix, components, large, watch)
        self._take(index, np.flatnonzero(kept), values, Packed.of(components) if large else components, places)

    def _take(
        self,
        index: InvertedIndex,
        kept: NDArray[np.int64],
        singular_values: FloatArray,
        components: Rows,
        embeddings: Rows,
        folded: int = 0,
    ) -> None:
        self.index = index
        self.kept, self.singular_values, self._terms = kept, singular_values, components
        self.embeddings, self.folded = embeddings, folded

    @classmethod
    def from_arrays(cls, index: InvertedIndex, arrays: Mapping[str, NDArray[Any]]) -> LSA:
        """Take back what `to_arrays` gave for the same index; raise `KeyError` when something is missing."""
        lsa = cls.__new__(cls)
        lists = None if "embeddings" in arrays else IVF.from_arrays(arrays)
        embeddings = from_arrays("embeddings", arrays) if lists is None else lists.vectors[:0]
        components, folded = from_arrays("components", arrays), int(arrays["folded"][0])
        lsa._take(index, arrays["kept"], arrays["singular_values"], components, embeddings, folded)
        lsa.lists = lists
        lean = float(arrays["lean"][0])
        lsa.lean = None if np.isnan(lean) else lean
        return lsa

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return what the space is made of, by name."""
        return {
            "kept": self.kept,
            "singular_values": self.singular_values,
            "folded": np.array([self.folded]),
            **to_arrays("components", self._terms),
            **(to_arrays("embeddings", self._rows) if self.lists is None else self.lists.to_arrays()),
            "lean": np.array([np.nan if self.lean is None else self.lean]),
        }

    def truncated(self, dimensions: int) -> LSA:
        """Return the space of the first dimensions alone, which is what a fit in so many comes to."""
        lsa, cut = LSA.__new__(LSA), slice(dimensions)
        places = _unit_rows(self.embeddings[:, cut].copy())
        lsa._take(self.index, self.kept, self.singular_values[cut], self.components[:, cut], places, self.folded)
        lsa.lean = self.lean
        return lsa

    def fold(
        self,
        index: InvertedIndex,
        terms: NDArray[np.int64],
        chunks: NDArray[np.int64],
        added: NDArray[np.int64],
    ) -> LSA:
        """Return the same space over a changed collection: new chunks are put where their known words lie.

        The space stays the one that was fitted; how many chunks have come and gone since is counted in `folded`.

        Args:
            index: the collection as it is now.
            terms: (n_terms_before,) the id that each term has now; -1: it is gone.
            chunks: (n_chunks_before,) the id that each chunk has now; -1: it is gone.
            added: (n_chunks_new,) the ids of the new chunks.
        """
        here = terms[self.kept] >= 0
        kept, components = terms[self.kept][here], self._terms[here]
        rows = weight_rows(index, Tfidf(index).idf, added, kept)
        wide = widen(components)
        places = _unit_rows(rows.astype(wide.dtype) @ wide)
        lsa = LSA.__new__(LSA)
        gone = int(np.count_nonzero(chunks < 0))
        folded = self.folded + max(len(added), gone)
        embeddings = self._rows
        if self.lists is None:
            ids = np.concatenate((chunks[chunks >= 0], added))
            embeddings = joined(self._rows[chunks >= 0], places)[np.argsort(ids)]
        else:
            lsa.lists = self.lists.changed(chunks, added, places)
        lsa._take(index, kept, self.singular_values, components, embeddings, folded)
        lsa.lean = self.lean
        return lsa

    def place(self, index: InvertedIndex) -> FloatArray:
        """Return where the chunks of another index lie in this space, (index.n_chunks, n_dims) unit rows.

        Their words are weighed by how many chunks of the collection hold them; words that the space does not know
        count nothing.
        """
        ids = self.index.vocabulary.rows(index.vocabulary.items_as_bytes())
        rows = np.minimum(np.searchsorted(self.kept, ids), max(0, len(self.kept) - 1))
        known = self.kept[rows] == ids if len(self.kept) else np.zeros(len(ids), np.bool_)
        held = np.where(known, self.index.indptr[ids + 1] - self.index.indptr[ids], 0)
        idf = np.log((1 + self.index.n_chunks) / (1 + held)) + 1
        term = np.repeat(np.arange(len(ids)), index.document_frequencies())
        at = np.flatnonzero(known[term])
        at = at[np.argsort(index.ids[at], kind="stable")]
        starts = first_of_each(index.ids[at])
        chunks = index.ids[at[starts]]
        weights = (1 + np.log(index.counts[at].astype(np.float64))) * idf[term[at]]
        found = np.zeros((index.n_chunks, self.n_dims), widen(self._terms[:0]).dtype)
        ends = np.append(starts[PLACED_AT_ONCE::PLACED_AT_ONCE], len(at))
        for first, end in zip(range(0, len(chunks), PLACED_AT_ONCE), ends.tolist(), strict=False):
            here = starts[first : first + PLACED_AT_ONCE]
            parts = widen(self._terms[rows[term[at[here[0] : end]]]]) * weights[here[0] : end, None].astype(found.dtype)
            found[chunks[first : first + PLACED_AT_ONCE]] = np.add.reduceat(parts, here - here[0])
        places = _unit_rows(found)
        return Packed.unit(places).widened() if isinstance(self._terms, Packed) else places

    @property
    def n_dims(self) -> int:
        """r: dimensions of the space; 0 when the collection is too small."""
        return len(self.singular_values)

    @property
    def drift(self) -> float:
        """Share of the chunks that have come or gone since the space was fitted, 0 and more."""
        return self.folded / max(1, self.index.n_chunks)

    @property
    def components(self) -> FloatArray:
        """(n_kept, n_dims) V: one row for each term that takes part; copied where they are packed."""
        return widen(self._terms)

    @property
    def term_vectors(self) -> FloatArray:
        """(n_kept, n_dims) rows of V S: where the terms lie."""
        components = self.components
        vectors: FloatArray = components * self.singular_values.astype(components.dtype)
        return vectors

    @cached_property
    def _term_places(self) -> tuple[FloatArray, list[str]]:
        """The directions of `term_vectors`, and the terms."""
        names = list(self.index.vocabulary)
        return _unit_rows(self.term_vectors), [names[at] for at in self.kept.tolist()]

    def embed(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return a query as a unit vector (n_dims,); zeros when the space knows none of its words."""
        rows, weights = self._weigh(query)
        vector = np.asarray(weights @ widen(self._terms[rows]), np.float64)
        norm = float(np.linalg.norm(vector))
        return vector / norm if norm > 0 else vector

    def nearest_terms(self, query: str | Sequence[str], k: int = 10) -> list[tuple[str, float]]:
        """Return the k terms closest to a query among the rows of V S, with their cosines, best first.

        For a query of one known term the place is that of its own row, else that of the query's words together.
        """
        rows, weights = self._weigh(query)
        if not len(rows) or not self.n_dims:
            return []
        vectors, names = self._term_places
        place = weights @ (widen(self._terms[rows]) * self.singular_values)
        cosines = dot_products(vectors, place / (np.linalg.norm(place) or 1.0))
        return [(names[row], float(cosines[row])) for row in top_k(cosines, k)]

    def contributions(self, query: str | Sequence[str], text: str) -> list[tuple[str, float]]:
        """Return what each term of a chunk adds to its cosine with the query, largest first; they sum to it.

        cosine = sum over t of x(t) (V(t) . q) / |x V|, x the chunk's weights, q the query's unit vector.

        Args:
            query: the question.
            text: the chunk's text as it was indexed.
        """
        rows, weights = self._weigh(text)
        if not len(rows):
            return []
        parts = widen(self._terms[rows])
        length = float(np.linalg.norm(weights @ parts)) or 1.0
        shares = weights * (parts @ self.embed(query)) / length
        names = list(self._names(text))
        return [(names[at], float(shares[at])) for at in top_k(shares, len(shares))]

    def _names(self, query: str | Sequence[str]) -> Counter[str]:
        """Count the terms that take part in the space."""
        terms = self.index.analyzer(query) if isinstance(query, str) else query
        return Counter(term for term in terms if self._row_of(term) is not None)

    def _row_of(self, term: str) -> int | None:
        """Return a term's row in `components`; `None`: it takes no part in the space."""
        at = self.index.vocabulary.get(term)
        row = len(self.kept) if at is None else int(np.searchsorted(self.kept, at))
        return row if row < len(self.kept) and self.kept[row] == at else None

    def _weigh(self, query: str | Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the rows in `components` of a text's terms and its unit tf-idf weights over them."""
        counts = self._names(query)
        rows = np.array([self._row_of(term) for term in counts], np.int64)
        held = np.array([self.index.document_frequency(term) for term in counts], np.float64)
        idf = np.log((1 + self.index.n_chunks) / (1 + held)) + 1
        weights = (1 + np.log(np.array(list(counts.values()), np.float64))) * idf
        return rows, weights / (float(np.linalg.norm(weights)) or 1.0)


def _places(matrix: csr_array, components: FloatArray, packed: bool, watch: Watch) -> Rows:
    """Return the unit rows of matrix times components, made a block at a time."""
    shape = matrix.shape[0], components.shape[1]
    places = np.empty(shape, np.int8 if packed else components.dtype)
    scales = np.empty(len(places), np.float32)

    def place(at: slice) -> None:
        rows = _unit_rows(matrix[at] @ components)
        if packed:
            block = Packed.unit(rows)
            places[at], scales[at] = block.steps, block.scales
        else:
            places[at] = rows

    in_blocks(len(places), place, watch)
    return Packed(places, scales) if packed else places


def _unit_rows(rows: FloatArray) -> FloatArray:
    """Divide rows by their lengths, in place; rows of zeros stay."""
    norms = np.sqrt(np.vecdot(rows, rows))[:, None]
    norms[norms == 0] = 1
    rows /= norms
    return rows
