"""The worked example as tables, one a step, and as a picture of the four rankings."""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluation.experiments.worked_example import (
    CHUNKS,
    EMBEDDINGS,
    GAINS,
    QUERY_EMBEDDING,
    QUESTION,
    RRF_C,
    TEMPERATURE,
    TOKEN_PROBABILITIES,
    WorkedExample,
)
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.tables import Column, Table, Value, table
from engine.records import TermScore

NAMES = tuple(CHUNKS)


def worked_tables(worked: WorkedExample) -> tuple[Table, ...]:
    """Return every step as a table."""
    return (
        _chunks(worked),
        _bm25(worked),
        _scores(worked),
        _tfidf(worked),
        _dense(worked),
        _fusion(worked),
        _judgements(worked),
        _prompt(worked),
        _checks(worked),
        _probabilities(worked),
    )


def worked_figure(worked: WorkedExample) -> Figure:
    """Return the scores of the four chunks under each retriever, as bars."""
    scores = {
        "BM25": [row.bm25 for row in worked.lexical],
        "tf-idf": [row.cosine for row in worked.lexical],
        "embeddings": worked.cosines,
        f"RRF, c = {RRF_C:g}": worked.fused,
    }
    places = tuple(map(float, range(len(NAMES))))
    panels = tuple(
        Panel(name, "", "score", (Curve("", places, tuple(values), kind="bars"),), categories=NAMES)
        for name, values in scores.items()
    )
    return Figure(QUESTION, panels)


def _four(*names: str) -> list[Column | str]:
    """Return columns whose numbers are shown to four decimals."""
    return [Column(name, form=".4f") for name in names]


def _chunks(worked: WorkedExample) -> Table:
    rows: list[list[Value]] = [
        [name, CHUNKS[name], row.length] for name, row in zip(NAMES, worked.lexical, strict=True)
    ]
    note = f"“{QUESTION}” has the terms {', '.join(worked.terms)}. avg = {worked.average_length:g}."
    return table("1. Chunks and their lengths", ["chunk", "text", Column("length", "|d|")], rows, note)


def _bm25(worked: WorkedExample) -> Table:
    columns = ["chunk", "term", "f", "n", *_four("idf", "K", "saturation", "contribution")]
    rows: list[list[Value]] = [
        [row.chunk, term.term, term.count, term.document_frequency, *_numbers(term)]
        for row in worked.lexical
        for term in row.terms
        if term.count
    ]
    note = (
        "idf = ln(1 + (N - n + 0.5)/(n + 0.5)), K = k1 (1 - b + b |d|/avg), saturation = f (k1 + 1)/(f + K), "
        "contribution = idf · saturation; k1 = 1.5, b = 0.75."
    )
    return table("2. BM25 term by term", columns, rows, note)


def _numbers(term: TermScore) -> tuple[float, float, float, float]:
    return (term.idf, term.length_norm, term.saturation, term.contribution)


def _scores(worked: WorkedExample) -> Table:
    rows: list[list[Value]] = [[row.chunk, row.bm25, row.classic] for row in worked.lexical]
    orders = [_order([row.bm25 for row in worked.lexical]), _order([row.classic for row in worked.lexical])]
    note = (
        f"BM25: {orders[0]}. With the classic idf, ln((N - n + 0.5)/(n + 0.5)): {orders[1]}; a term that most chunks "
        "hold counts against them."
    )
    return table("3. BM25 scores", ["chunk", *_four("BM25", "classic idf")], rows, note)


def _tfidf(worked: WorkedExample) -> Table:
    rows: list[list[Value]] = [[row.chunk, row.vector_length, row.product, row.cosine] for row in worked.lexical]
    idf = ", ".join(f"{term} {value:.4f}" for term, value in worked.tfidf_idf)
    note = (
        f"Raw counts times idf = ln((1 + N)/(1 + n)) + 1: {idf}. The question's vector is {worked.query_length:.4f} "
        f"long. {_order([row.cosine for row in worked.lexical])}."
    )
    return table("4. tf-idf", ["chunk", *_four("length", "dot product", "cosine")], rows, note)


def _dense(worked: WorkedExample) -> Table:
    rows: list[list[Value]] = [
        [name, f"({x:g}, {y:g})", cosine]
        for (name, (x, y)), cosine in zip(EMBEDDINGS.items(), worked.cosines, strict=True)
    ]
    note = f"The question's embedding is ({QUERY_EMBEDDING[0]:g}, {QUERY_EMBEDDING[1]:g}). {_order(worked.cosines)}."
    return table("5. Embeddings", ["chunk", "embedding", *_four("cosine")], rows, note)


def _fusion(worked: WorkedExample) -> Table:
    bm25, dense, _ = worked.judgements
    rows: list[list[Value]] = [
        [name, bm25.order.index(name) + 1, dense.order.index(name) + 1, score]
        for name, score in zip(NAMES, worked.fused, strict=True)
    ]
    note = f"Sum of 1/(c + rank), c = {RRF_C:g}. {_order(worked.fused)}."
    return table("6. Reciprocal rank fusion", ["chunk", "rank BM25", "rank dense", *_four("RRF")], rows, note)


def _judgements(worked: WorkedExample) -> Table:
    columns = [
        "ranking",
        "order",
        *(Column(f"recall@{k}", form=".1f") for k in (1, 2, 3)),
        *_four("RR", "DCG@3", "nDCG@3"),
    ]
    rows: list[list[Value]] = [
        [each.name, " ".join(each.order), *each.recall, each.reciprocal_rank, each.dcg, each.ndcg]
        for each in worked.judgements
    ]
    gains = ", ".join(f"{name} {gain:g}" for name, gain in GAINS.items())
    right, wrong = worked.one_of_two
    note = (
        f"Gains: {gains}; ideal DCG@3 {worked.ideal:.4f}. One of two relevant chunks found, at rank 3: nDCG@3 "
        f"{right:.4f}; against the ideal of the list alone it would be {wrong:.1f}, which forgives the other one."
    )
    return table("7. Judged", columns, rows, note)


def _prompt(worked: WorkedExample) -> Table:
    rows: list[list[Value]] = [
        [f"[{source.number}]", source.chunk.text, coverage]
        for source, coverage in zip(worked.prompt.sources, worked.coverage, strict=True)
    ]
    note = f"The whole prompt has {worked.prompt.tokens} tokens. Answer: {worked.answer.text}"
    return table("8. Prompt and quoted answer", ["source", "sentence", *_four("coverage")], rows, note)


def _checks(worked: WorkedExample) -> Table:
    rows: list[list[Value]] = [
        [each.sentence, each.support, "yes" if each.supported else "no", each.reason] for each in worked.checks
    ]
    return table("9. Claims checked", ["claim", *_four("support"), "supported", "reason"], rows)


def _probabilities(worked: WorkedExample) -> Table:
    columns = [
        "token",
        *_four(
            *(f"weight {name}" for name in TOKEN_PROBABILITIES), *(f"p under {name}" for name in TOKEN_PROBABILITIES)
        ),
        *_four("sequence factor", "token factor", *(f"posterior {name}" for name in TOKEN_PROBABILITIES)),
    ]
    rows: list[list[Value]] = [
        [number, *step.weights, *step.probabilities, step.sequence_factor, step.token_factor, *step.posterior]
        for number, step in enumerate(worked.steps, 1)
    ]
    note = (
        f"Prior: softmax of the BM25 scores at τ = {TEMPERATURE:g}. RAG-Sequence {worked.sequence:.4f}, "
        f"RAG-Token {worked.token:.4f}."
    )
    return table("10. RAG as a probability", columns, rows, note)


def _order(scores: Sequence[float]) -> str:
    """Return the names, best first: `d1 d3 d2 d4`."""
    return " ".join(sorted(NAMES, key=lambda name: -scores[NAMES.index(name)]))
