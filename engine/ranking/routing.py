"""A question and the leading sections of documents -> the few documents whose chunks are searched.

Two steps instead of one: which document is it about, then where in it. It helps where documents have subjects of
their own that their leads name, and loses what stands in a document whose lead does not (docs/prompting.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from engine.chunking.corpus import lead_summaries
from engine.indexing.bm25 import BM25
from engine.indexing.exact import Mask
from engine.indexing.inverted_index import InvertedIndex
from engine.records import Chunk, Document


class Routed(NamedTuple):
    """Where a question is sent."""

    documents: tuple[str, ...]
    """Ids of the documents to be searched, the best lead first; empty: no lead holds a word of the question."""
    allowed: Mask | None
    """(n_chunks,) the chunks to be searched; `None`: all."""


class LeadRouter:
    """Ranks the leads of documents by BM25, each indexed with its document's title."""

    def __init__(
        self,
        documents: Mapping[str, Document],
        chunks: Sequence[Chunk],
        analyzer: Callable[[str], list[str]],
        rows: NDArray[np.int32] | None = None,
    ) -> None:
        """Index the leads.

        Args:
            documents: by id.
            chunks: of these documents, in the order of their ids.
            analyzer: text to terms, the one that analyses the questions.
            rows: (n_chunks,) the place of each chunk's document among `documents`; `None`: every chunk is asked.
        """
        leads = lead_summaries(documents.values())
        self._names = tuple(lead.document for lead in leads)
        self._index = InvertedIndex(leads, analyzer)
        places = {name: place for place, name in enumerate(self._names)}
        if rows is None:
            self._lead_of = np.array([places.get(chunk.document, -1) for chunk in chunks], np.int32)
        else:
            self._lead_of = np.array([places.get(name, -1) for name in documents], np.int32)[rows]

    def route(
        self, terms: Sequence[str], n: int, *, k1: float = 1.5, b: float = 0.75, allowed: Mask | None = None
    ) -> Routed:
        """Return the n documents with the best leads.

        Args:
            terms: the question's terms.
            n: most documents.
            k1: of BM25 over the leads.
            b: of BM25 over the leads.
            allowed: (n_chunks,) which chunks may be searched at all; `None`: all. Documents without any do not
                take part.

        Returns:
            The documents and their allowed chunks. Where no lead holds a term, every allowed chunk: nothing is
            known about where to look.
        """
        open_leads = None
        if allowed is not None:
            open_leads = np.zeros(len(self._names), np.bool_)
            open_leads[self._lead_of[allowed & (self._lead_of >= 0)]] = True
        best = BM25(self._index, k1, b).search(terms, n, allowed=open_leads).ids
        if not best:
            return Routed((), allowed)
        chosen = np.isin(self._lead_of, best)
        return Routed(tuple(self._names[lead] for lead in best), chosen if allowed is None else chosen & allowed)


_ROUTERS: WeakKeyDictionary[InvertedIndex, LeadRouter] = WeakKeyDictionary()


def router_for(
    index: InvertedIndex,
    documents: Mapping[str, Document],
    chunks: Sequence[Chunk],
    rows: NDArray[np.int32] | None = None,
) -> LeadRouter:
    """Return the router of an indexed collection, made at the first use and kept as long as its index is."""
    router = _ROUTERS.get(index)
    if router is None:
        router = _ROUTERS[index] = LeadRouter(documents, chunks, index.analyzer, rows)
    return router
