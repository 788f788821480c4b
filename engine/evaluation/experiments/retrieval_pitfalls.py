"""Pitfalls of cutting, ranking and measuring a ranking: each by one figure, made and avoided."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from statistics import fmean
from typing import get_args

from engine.evaluation.cuts import cut_counts, pieces_of
from engine.evaluation.experiments.chunking import SIZES, measure_headers
from engine.evaluation.experiments.mistakes import TOP, length_division, score_sum
from engine.evaluation.experiments.pitfall_records import Ground, Pitfall, Yardstick
from engine.evaluation.experiments.probes import CUT, Probes, ProbeTradeOff, probe_trade_off
from engine.evaluation.metrics import ndcg, recall_at_k
from engine.evaluation.retrieval import Judged
from engine.indexing.bm25 import BM25, Variant
from engine.indexing.inverted_index import InvertedIndex
from engine.records import Chunk

AGREEMENT = 0.95
"""Share of the exact results that an approximate search is tuned to find when nobody looks at labels."""


def lost_subject(ground: Ground) -> Pitfall:
    """Short chunks without a header do not say what they are about."""
    size = min(SIZES)
    found = measure_headers(ground.labelled, ground.settings.replace(max_words=size, overlap_words=0))
    yardstick = Yardstick("chunks that lose their subject", f"recall@5 of BM25 on {size}-word chunks", "high")
    return yardstick.of(
        found.without["recall@5"],
        found.with_headers["recall@5"],
        f"{found.nameless} of {ground.labelled.n_pieces} pieces of evidence stand only in chunks whose own text does "
        "not name their note.",
    )


def cut_evidence(ground: Ground) -> Pitfall:
    """Windows without an overlap cut sentences in two."""
    words = ground.settings.max_words
    pieces = list(pieces_of(ground.labelled.questions, ground.labelled.documents))
    yardstick = Yardstick("windows that cut evidence", f"pieces that no {words}-word window holds whole", "low")
    if not pieces:
        return yardstick.missing("no labelled text stands in the documents")
    alone, lapped = cut_counts(ground.labelled.documents, pieces, [(words, 0), (words, words // 4)])
    return yardstick.of(
        alone.counted / len(pieces),
        lapped.counted / len(pieces),
        f"Windows side by side cut {alone.counted} of {len(pieces)} pieces (by the formula {alone.expected:.1f}); "
        f"windows that share {words // 4} words cut {lapped.counted}.",
    )


def negative_idf(ground: Ground) -> Pitfall:
    """In one note its subject stands in most chunks: by the classic idf it then counts against them."""
    asked, variants = 0, get_args(Variant)
    recalls: dict[Variant, list[float]] = {variant: [] for variant in variants}
    for chunks, questions in _by_note(ground):
        index = InvertedIndex(chunks, ground.library.index.analyzer, headers=ground.settings.headers)
        rankers = {variant: _bm25(ground, index, variant) for variant in variants}
        for question in questions:
            asked += any(rankers["classic"].idf(term) < 0 for term in index.query_terms(question.text))
            for variant, ranker in rankers.items():
                recalls[variant].append(recall_at_k(question.pieces, ranker.search(question.text, 1).ids, 1))
    yardstick = Yardstick("classic idf gone negative", "recall@1 of BM25 in the note that holds the answer", "high")
    if not recalls["classic"]:
        return yardstick.missing("no question has all its evidence in one note")
    return yardstick.of(
        fmean(recalls["classic"]),
        fmean(recalls["lucene"]),
        f"{asked} of {len(recalls['classic'])} times a word of the question stands in more than half of the note's "
        "chunks, and by the classic idf it counts against all of them.",
    )


def raw_dot_products(ground: Ground) -> Pitfall:
    """Without the division by length the longest sections come first."""
    found = length_division(ground.labelled, ground.settings)
    yardstick = Yardstick("raw dot products", f"words of tf-idf's first {TOP} sections over the mean of all", "low")
    return yardstick.of(
        found.words_without / found.words_all,
        found.words_with / found.words_all,
        f"Without the division by length, recall@{TOP} is {found.recall_without:.3f} for {found.words_without:.0f} "
        f"words a section; with it, {found.recall_with:.3f} for {found.words_with:.0f}.",
    )


def raw_score_sum(ground: Ground) -> Pitfall:
    """The retriever with the larger numbers decides alone."""
    yardstick = Yardstick("fusing raw scores", f"questions whose fused first {TOP} are BM25's", "low")
    if ground.library.lsa is None:
        return yardstick.missing("the collection is too small for LSA")
    found = score_sum(ground.library, ground.library.lsa, [question.text for question in ground.judged])
    return yardstick.of(
        found.same,
        found.same_rrf,
        f"BM25's scores reach {found.largest_bm25:.1f} and cosines {found.largest_cosine:.2f}: in their sum LSA has "
        "little say, in a fusion by ranks as much as BM25.",
    )


def tuned_to_exact_search(ground: Ground) -> Pitfall:
    """Agreement with exact search costs scans that the labels do not ask for."""
    found = probe_trade_off(ground.labelled, ground.settings, ground.settings.lists, report=ground.report)
    exact, labels = _fewest_probes(found)
    return Yardstick("tuning approximate search against exact search only", "vectors scanned", "low").of(
        exact.scanned,
        labels.scanned,
        f"{AGREEMENT:.0%} of the exact first ten take {exact.probes} of {found.n_lists} lists; recall@{CUT} on the "
        f"labels is that of exact search ({found.rows[-1].recall:.3f}) or better from {labels.probes} on.",
    )


def ideal_of_the_list(ground: Ground) -> Pitfall:
    """The ideal of what was retrieved forgives what was missed."""
    rankings = [ground.library.bm25.search(question.text, TOP).ids for question in ground.judged]
    pairs = list(zip([question.gain_of for question in ground.judged], rankings, strict=True))
    own = [ndcg({chunk: gain for chunk, gain in gains.items() if chunk in ids}, ids, TOP) for gains, ids in pairs]
    true = [ndcg(gains, ids, TOP) for gains, ids in pairs]
    better = sum(a > b for a, b in zip(own, true, strict=True))
    return Yardstick("ideal DCG from the retrieved list", f"nDCG@{TOP} of BM25", "true").of(
        fmean(own),
        fmean(true),
        f"Against the ideal of its own list {better} of {len(true)} questions look better than they are: what was "
        "missed is not counted.",
    )


def _by_note(ground: Ground) -> list[tuple[list[Chunk], list[Judged]]]:
    """Return, note by note, its chunks and the questions that it answers by itself; ids are places in its chunks."""
    found = []
    for _, group in groupby(ground.library.chunks, key=attrgetter("document")):
        chunks = list(group)
        place = {chunk.id: at for at, chunk in enumerate(chunks)}
        pieces = [
            (question, tuple(frozenset(place[chunk] for chunk in piece if chunk in place) for piece in question.pieces))
            for question in ground.judged
        ]
        questions = [Judged(question.text, own) for question, own in pieces if all(own)]
        if questions:
            found.append((chunks, questions))
    return found


def _fewest_probes(found: ProbeTradeOff) -> tuple[Probes, Probes]:
    """Return the fewest probes that find enough of the exact results, and that reach exact search on the labels."""
    exact = next(row for row in found.rows if row.found >= AGREEMENT)
    return exact, next(row for row in found.rows if row.recall >= found.rows[-1].recall)


def _bm25(ground: Ground, index: InvertedIndex, variant: Variant) -> BM25:
    return BM25(index, ground.settings.k1, ground.settings.b, variant)
