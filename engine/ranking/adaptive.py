"""A question, the two lists, the texts of their best chunks -> one list, by scores on one scale and weights of its own.

fused(d) = w_bm25 bm25(d) / most + w_near near(d) + w_header header(d) + w_lsa cos(d)
           + w_note note(d) + w_crowd crowd(d)

bm25(d) / most: BM25's score as a share of what no chunk can pass, 0 to 1. Where no chunk holds much of the question
these shares lie close together, and the cosine decides more. near(d): the share of the question's idf that stands
in the chunk's header or close together in its text (`closeness.py`). header(d): what BM25's score would gain, as a
share of the most, if the words of title and section counted twice more. cos(d): LSA's cosine. near and header are
looked at for chunks in the first twenty places of BM25's list, and 0 for others.

A header stands above all passages of a note: of two hundred it tells nearly nothing of one. With n passages it counts
own = min(1, 10 / n): header(d) is that much less, near(d) the mean of itself with and without the header's words. What
the other passages say takes its place, 1 - own of it, by `siblings.py`: note(d), what the bm25 share would gain if
the chunk held each term as well as any passage of its note in the lists does; and crowd(d), which makes room for other
notes: how many passages of the note stand above it by bm25 and near, of five.

w_lsa is chosen for each question, without labels: LSA helps where words are common, and harms where they are rare.

    w_lsa = min(3, 3 (lean / 0.65)^8 (0.44 / rarity)^14)
    rarity = mean idf of the question's known terms / the smaller of 7 and the idf of a term of one chunk
    lean   = how well LSA does beside BM25 in this collection (`lean.py`)

What was tuned on what, and what it brings, stands in docs/fusion.md. Scores are combined on a scale of their own
range as in Fox and Shaw, "Combination of multiple searches", 1994.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from math import log1p
from operator import add

import numpy as np
from numpy.typing import NDArray

from engine.indexing.bm25 import BM25
from engine.indexing.dense import DenseRetriever
from engine.indexing.distinct import distinct
from engine.indexing.lsa import LSA
from engine.ranking.closeness import nearness
from engine.ranking.siblings import crowding, lent
from engine.records import Fusion, FusionPart, Hit, Ranking
from engine.settings import Settings

STRENGTH, EVEN, LEAN_POWER = 3.0, 0.65, 8
"""Weight of LSA for a question of common words where the collection's lean is `EVEN`, and how fast it follows it."""
UNKNOWN = 0.5
"""The lean of a collection that is too small to tell."""
COMMON, RARITY_POWER = 0.44, 14
"""Rarity of common words, and how fast LSA's weight falls with it."""
RAREST = 7.0
"""An idf from which on a term is as rare as can be: that of one chunk in 1,600. Of the more chunks there are, the
less does it say that a term stands in few of them: it is its share that makes it common.
"""
MOST_LSA = 3.0
NEAR, HEADER, NOTE, CROWD = 0.45, 1.0, 0.3, -0.2
"""Weights of words that stand close together, of words in title and section, of what the note's other passages hold,
and of how many of them stand above.
"""
MORE = 2
"""How many times more a word counts in title and section."""
LOOKED_AT = 20
"""Places of BM25's list whose chunks are read."""
SHORT = 10
"""Passages of a note up to which its header counts whole."""

Floats = NDArray[np.float64]
TextOf = Callable[[int], tuple[str, str]]
"""A chunk's header, empty where it is not indexed, and its text, by its id."""
NoteOf = Callable[[NDArray[np.int32]], tuple[NDArray[np.int32], NDArray[np.int32]]]
"""Numbers that are equal for chunks of one note, (n,), and how many chunks each note has, (n,), by the chunks' ids."""


def choose_fusion(terms: Sequence[str], bm25: BM25, dense: DenseRetriever | None, settings: Settings) -> Fusion:
    """Return how the lists of a question are fused, and why.

    Vectors of another encoder than LSA are fused by ranks: nothing is known of when they help.
    """
    if settings.fusion == "rrf" or not (dense is None or isinstance(dense, LSA)):
        return Fusion("rrf", settings.bm25_weight, settings.lsa_weight, tuned_on=settings.tuned_on)
    rarity, lean = rarity_of(terms, bm25), dense.lean if dense is not None else None
    weight = settings.lsa_weight * lsa_weight(rarity, lean) if dense is not None else 0.0
    read = settings.near_weight
    return Fusion(
        "adaptive",
        settings.bm25_weight,
        weight,
        NEAR * read,
        rarity,
        lean,
        settings.tuned_on,
        header=HEADER * read,
        note=NOTE * read,
        crowd=CROWD * read,
    )


def rarity_of(terms: Sequence[str], bm25: BM25) -> float:
    """Return how rare a question's words are: the mean idf of its known terms over that of n = 1, or `RAREST`.

    0 and more; 1 where no term is known.
    """
    idf = _known_idf(terms, bm25)
    rarest = min(RAREST, log1p((bm25.index.n_chunks - 0.5) / 1.5))
    return sum(idf.values()) / len(idf) / rarest if idf else 1.0


def lsa_weight(rarity: float, lean: float | None) -> float:
    """Return LSA's weight, 0 to 3, from the rarity of the question's words and the collection's lean.

    >>> [round(lsa_weight(rarity, 0.65), 3) for rarity in (0.35, 0.5, 0.6)]
    [3.0, 0.501, 0.039]
    """
    leaning = (UNKNOWN if lean is None else lean) / EVEN
    return min(MOST_LSA, STRENGTH * leaning**LEAN_POWER * (COMMON / max(rarity, 0.05)) ** RARITY_POWER)


@dataclass(frozen=True)
class Scoring:
    """A question over two lists: every chunk's scores, and their weighted sum."""

    terms: Sequence[str]
    """The question's terms, repeats included."""
    bm25: BM25
    """The sparse retriever."""
    dense: DenseRetriever | None
    """The dense one, when it is ready."""
    rankings: Sequence[Ranking]
    """The sparse list and the dense one: what they hold is ranked."""
    fusion: Fusion
    """The weights."""
    text_of: TextOf | None = None
    """Gives the text of a chunk; `None`: neither words close together nor those of headers count more."""
    typed: Sequence[str] | None = None
    """What BM25 looks for while the question is being typed; `None`: the terms."""
    note_of: NoteOf | None = None
    """Gives the notes of chunks; `None`: each is a note of its own."""

    def ranking(self) -> Ranking:
        """Return the chunks of the two lists by their fused scores; ties by lower id."""
        weights = self.fusion.bm25, self.fusion.lsa
        counted = [ranking for ranking, weight in zip(self.rankings, weights, strict=True) if weight]
        copies = {hit.chunk: hit.copies for ranking in counted for hit in ranking.hits}
        ids = np.array(sorted(copies), np.int32)
        scores = reduce(add, (weight * values for _, weight, values in self.scores(ids)))
        order = np.lexsort((ids, -scores))
        pairs = zip(ids[order].tolist(), scores[order].tolist(), strict=True)
        hits = (Hit(rank, chunk, score, copies[chunk]) for rank, (chunk, score) in enumerate(pairs, 1))
        return Ranking("fused", tuple(hits))

    def parts(self, chunk: int) -> tuple[FusionPart, ...]:
        """Return what each score adds to a chunk's fused score; added one by one they are it to the last bit."""
        ranks = {ranking.name: ranking.rank_of(chunk) for ranking in self.rankings}
        return tuple(
            FusionPart(name, ranks.get(name), float(weight * values[0]), weight, float(values[0]))
            for name, weight, values in self.scores(np.array([chunk], np.int32))
        )

    def scores(self, ids: NDArray[np.int32]) -> list[tuple[str, float, Floats]]:
        """Return name, weight and values, (len(ids),), of each score that takes part.

        What a note's passages do to each other is told by all that the lists hold, whichever are asked for.
        """
        asked, fusion = self.typed or self.terms, self.fusion
        listed = [ranking.ids for ranking in self.rankings]
        pool = distinct(np.array([*chain(*listed), *ids.tolist()], np.int32))
        notes, sizes = self.note_of(pool) if self.note_of is not None else (pool, np.ones(len(pool), np.int32))
        most = self.bm25.most(asked) or 1.0
        own = np.minimum(1.0, SHORT / sizes)
        shares = self.bm25.scores_of(asked, pool) / most
        found, order = [("bm25", fusion.bm25, shares)], shares
        if fusion.near and self.text_of is not None:
            near, header = self._read(pool, self.text_of, own)
            found += [("near", fusion.near, near), ("header", fusion.header, header)]
            order = shares + NEAR * near
        if self.dense is not None:
            found.append(("lsa", fusion.lsa, self.dense.cosines_of(pool, self.dense.embed(self.terms))))
        if fusion.note and self.note_of is not None:
            rest = lent(self.bm25.contributions_of(asked, pool) / most, notes)
            found.append(("note", fusion.note, (1 - own) * rest))
            found.append(("crowd", fusion.crowd, (1 - own) * crowding(order, notes)))
        at = np.searchsorted(pool, ids)
        return [(name, weight, values[at]) for name, weight, values in found]

    def _read(self, ids: NDArray[np.int32], text_of: TextOf, own: Floats) -> tuple[Floats, Floats]:
        """Return near(d) and header(d), (len(ids),), of the chunks that are looked at; 0 for the others."""
        idf, analyzer = _known_idf(self.terms, self.bm25), self.bm25.index.analyzer
        looked_at = {hit.chunk for hit in self.rankings[0].hits[:LOOKED_AT]} if self.rankings else set()
        near, gain = np.zeros(len(ids)), np.zeros(len(ids))
        for at, (chunk, share) in enumerate(zip(ids.tolist(), own.tolist(), strict=True)):
            if chunk in looked_at:
                header, text = text_of(chunk)
                above, terms = Counter(term for term in analyzer(header) if term in idf), analyzer(text)
                near[at] = nearness(terms, idf, above)
                if above and share < 1:
                    near[at] = share * near[at] + (1 - share) * nearness(terms, idf)
                gain[at] = share * self.bm25.gain(self.terms, chunk, {term: MORE * n for term, n in above.items()})
        return near, gain / (self.bm25.most(self.terms) or 1.0)


def _known_idf(terms: Sequence[str], bm25: BM25) -> dict[str, float]:
    return {term: bm25.idf(term) for term in terms if bm25.index.document_frequency(term)}
