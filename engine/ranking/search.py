"""A question and the retrievers -> the lists of a trace, and why a chunk stands where it stands in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import reduce
from math import inf, nextafter
from operator import add

import numpy as np

from engine.indexing.bm25 import BM25
from engine.indexing.dense import DenseRetriever
from engine.indexing.exact import Mask
from engine.indexing.inverted_index import Analyze
from engine.indexing.lsa import LSA
from engine.ranking.adaptive import NoteOf, Scoring, TextOf, choose_fusion
from engine.ranking.duplicates import Duplicates
from engine.ranking.fusion import fusion_parts, reciprocal_rank_fusion
from engine.ranking.titles import Titles
from engine.records import Explanation, Fusion, FusionPart, Ranking, TermScore
from engine.settings import Settings
from engine.text.analysis import find_terms, written_forms
from engine.text.normalizing import normalize_text

Clock = Callable[[str], AbstractContextManager[None]]
"""Times a block by the stage's name."""

NEAREST = 6
"""Terms named in the explanation of an LSA cosine."""


def search_all(
    terms: Sequence[str],
    bm25: BM25,
    lsa: DenseRetriever | None,
    settings: Settings,
    duplicates: Duplicates,
    *,
    words: str = "",
    allowed: Mask | None = None,
    titles: Titles | None = None,
    typed: Sequence[str] | None = None,
    fusion: Fusion | None = None,
    text_of: TextOf | None = None,
    note_of: NoteOf | None = None,
    clock: Clock = lambda stage: nullcontext(),
) -> dict[str, Ranking]:
    """Return the lists `bm25`, `lsa` and `fused` for a question's terms, each up to `settings.depth` deep.

    The `lsa` list is empty while there is no LSA; the fused list is made of those that have a weight.

    Args:
        terms: the question's terms.
        bm25: the sparse retriever.
        lsa: the dense retriever, when it is ready.
        settings: depth, constants and weights.
        duplicates: which chunks are shown once.
        words: the question as written, for a dense retriever that reads text; empty: its terms.
        allowed: (n_chunks,) which chunks may be found; `None`: all. It works before ranking.
        titles: which notes a question names, for the fused list; `None`: none.
        typed: what BM25 looks for while the question is being typed: its last word is a `Prefix`; `None`: the terms.
        fusion: how the lists are fused; `None`: as `choose_fusion` says.
        text_of: gives a chunk's text, for the adaptive fusion; `None`: neither words close together nor
            those of headers count more.
        note_of: gives the notes of chunks, for the adaptive fusion; `None`: each is a note of its own.
        clock: times each stage.
    """
    depth, lists, probes = settings.depth, settings.lists, settings.probes
    shown: dict[int, int] = {}
    dense = Ranking("lsa")
    with clock("bm25"):
        sparse = duplicates.search(lambda k: bm25.search(typed or terms, k, allowed=allowed), depth, shown)
    with clock("lsa"):
        if lsa is not None:
            asked = words if lsa.reads_text and words else terms
            dense = duplicates.search(
                lambda k: lsa.search(asked, k, allowed=allowed, lists=lists, probes=probes), depth, shown
            )
    with clock("fusion"):
        fusion = fusion or choose_fusion(terms, bm25, lsa, settings)
        if fusion.method == "adaptive":
            fused = Scoring(terms, bm25, lsa, (sparse, dense), fusion, text_of, typed, note_of).ranking()
        else:
            fused = _by_ranks((sparse, dense), fusion, settings)
        fused = Ranking("fused", fused.hits[:depth])
        if titles is not None:
            fused = titles.lift(fused, terms, bm25, depth, allowed)
    return {"bm25": sparse, "lsa": dense, "fused": fused}


def _by_ranks(lists: Sequence[Ranking], fusion: Fusion, settings: Settings) -> Ranking:
    weights = fusion.bm25, fusion.lsa
    counted = [ranking if weight else Ranking(ranking.name) for ranking, weight in zip(lists, weights, strict=True)]
    return reciprocal_rank_fusion(counted, settings.rrf_c, weights, name="fused")


def explain(
    terms: Sequence[str],
    chunk: int,
    text: str,
    bm25: BM25,
    lsa: DenseRetriever | None,
    rankings: Mapping[str, Ranking],
    settings: Settings,
    words: str = "",
    typed: Sequence[str] | None = None,
    fusion: Fusion | None = None,
    text_of: TextOf | None = None,
    note_of: NoteOf | None = None,
) -> Explanation:
    """Say why a chunk stands where it stands.

    Args:
        terms: the question's terms.
        chunk: the chunk's id.
        text: the chunk's text as it was indexed.
        bm25: the sparse retriever.
        lsa: the dense retriever, when it is ready.
        rankings: the lists of the trace.
        settings: those of the trace.
        words: the question as written, as in `search_all`.
        typed: as in `search_all`.
        fusion: how the lists were fused, as in `search_all`.
        text_of: gives a chunk's text, as in `search_all`.
        note_of: gives the notes of chunks, as in `search_all`.
    """
    fusion = fusion or choose_fusion(terms, bm25, lsa, settings)
    lists = rankings["bm25"], rankings["lsa"]
    scores = bm25.explain(typed or terms, chunk)
    asked, written = (written_forms(part, bm25.index.analyzer) for part in (words, text))
    cosine, nearest = _lsa(terms, words, chunk, text, lsa)
    if fusion.method == "adaptive":
        parts = Scoring(terms, bm25, lsa, lists, fusion, text_of, typed, note_of).parts(chunk)
    else:
        parts = fusion_parts(lists, chunk, settings.rrf_c, (fusion.bm25, fusion.lsa))
    parts += _title_part(parts, rankings["fused"], chunk)
    return Explanation(
        chunk=chunk,
        terms=tuple(_in_words(score, asked, text, bm25.index.analyzer) for score in scores),
        bm25=_add(term.contribution for term in scores),
        k1=bm25.k1,
        b=bm25.b,
        length=int(bm25.index.lengths[chunk]),
        average_length=bm25.index.average_length,
        n_chunks=bm25.index.n_chunks,
        lsa=cosine,
        lsa_terms=tuple((written.get(term, term), part) for term, part in nearest),
        fusion=parts,
        fused=_add(part.contribution for part in parts),
        rrf_c=settings.rrf_c,
        method=fusion.method,
    )


def _in_words(score: TermScore, asked: Mapping[str, str], text: str, analyzer: Analyze) -> TermScore:
    """Return a term's score with the words that it is of, in the question and, where it is a start, in the text."""
    spans = find_terms(text, score.stands_for, analyzer) if score.stands_for else ()
    words = dict.fromkeys(normalize_text(text[span.start : span.end]) for span in spans)
    return replace(score, word=asked.get(score.term, ""), stands_for=tuple(words) or score.stands_for)


def _add(contributions: Iterable[float]) -> float:
    """Add one by one, as the scores were made: from Python 3.12 on, `sum` corrects its roundings."""
    return reduce(add, contributions, 0.0)


def _title_part(parts: Sequence[FusionPart], fused: Ranking, chunk: int) -> tuple[FusionPart, ...]:
    """Return what a passage got beyond its ranks because the question names its note; nothing for most."""
    hit = next((hit for hit in fused.hits if hit.chunk == chunk), None)
    own = _add(part.contribution for part in parts)
    if hit is None or hit.score <= own:
        return ()
    lifted = hit.score - own
    while own + lifted < hit.score:  # the difference was rounded
        lifted = nextafter(lifted, inf)
    return (FusionPart("title", hit.rank, lifted),)


def _lsa(
    terms: Sequence[str], words: str, chunk: int, text: str, lsa: DenseRetriever | None
) -> tuple[float | None, tuple[tuple[str, float], ...]]:
    """Return the cosine, and what the words of the chunk add to it where LSA is what made the vectors."""
    if lsa is None or not (query := lsa.embed(words if lsa.reads_text and words else terms)).any():
        return None, ()
    cosine = float(lsa.cosines_of(np.array([chunk], np.int32), query)[0])
    return cosine, tuple(lsa.contributions(terms, text)[:NEAREST]) if isinstance(lsa, LSA) else ()
