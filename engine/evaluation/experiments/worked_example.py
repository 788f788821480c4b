"""Four chunks and one question, every number of every stage computed: a page to follow with a pencil.

`worked_tables` draws it. Nothing here is stored; change a chunk and all numbers follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.answering.extractive import extractive_generator
from engine.answering.prompt import assemble_prompt
from engine.answering.verification import check_answer
from engine.evaluation.experiments.mistakes import vector_lengths
from engine.evaluation.metrics import dcg, ndcg, recall_at_k, reciprocal_rank
from engine.indexing.bm25 import BM25
from engine.indexing.exact import exact_search
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.tfidf import Tfidf
from engine.modelling.rag_models import (
    TokenStep,
    bayes_steps,
    rag_sequence_likelihood,
    rag_token_likelihood,
    softmax,
)
from engine.ranking.fusion import reciprocal_rank_fusion
from engine.records import Answer, Check, Chunk, Prompt, Ranking, TermScore

CHUNKS = {
    "d1": "Mars has two small moons, Phobos and Deimos.",
    "d2": "Phobos orbits Mars faster than Mars rotates.",
    "d3": "Jupiter has dozens of moons, including four large moons.",
    "d4": "The red colour of Mars comes from iron oxide dust.",
}
QUESTION = "What moons does Mars have?"
QUERY_EMBEDDING = (0.8, 0.6)
EMBEDDINGS = {"d1": (0.5, 0.9), "d2": (1.0, 0.5), "d3": (-0.1, 1.0), "d4": (0.9, -0.2)}
RRF_C = 10.0
GAINS = {"d1": 2.0, "d2": 1.0}
CLAIMS = (
    "Mars has two moons, Phobos and Deimos [1].",
    "Phobos circles Mars every 8 hours [2].",
    "Deimos is the smaller moon [3].",
    "Mars has 300 small moons with Phobos [1].",
)
"""Answers to check against d1 and d2; in the last one only the check of numbers sees what is invented."""
TEMPERATURE = 0.5
TOKEN_PROBABILITIES = {"d1": (0.5, 0.6), "d2": (0.7, 0.05)}


@dataclass(frozen=True, slots=True)
class LexicalScore:
    """One chunk in the eyes of BM25 and tf-idf."""

    chunk: str
    """Its name."""
    length: int
    """|d|: terms."""
    terms: tuple[TermScore, ...]
    """BM25 term by term."""
    bm25: float
    """Their sum."""
    classic: float
    """BM25 with the classic idf, which may be negative."""
    vector_length: float
    """Length of the vector of raw counts times idf."""
    product: float
    """Its dot product with the question's vector."""
    cosine: float
    """The product over both lengths."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One ranking against the gains."""

    name: str
    """What ranked."""
    order: tuple[str, ...]
    """Names of the chunks, best first."""
    recall: tuple[float, float, float]
    """recall@1, @2, @3."""
    reciprocal_rank: float
    """1/rank of the first relevant chunk."""
    dcg: float
    """DCG@3."""
    ndcg: float
    """nDCG@3."""


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """The stages of one question over four chunks."""

    terms: tuple[str, ...]
    """The question's terms."""
    average_length: float
    """avg: mean |d|."""
    tfidf_idf: tuple[tuple[str, float], ...]
    """idf of tf-idf for the question's terms, and for a term that one chunk holds."""
    query_length: float
    """Length of the question's tf-idf vector."""
    lexical: tuple[LexicalScore, ...]
    """Chunk by chunk."""
    cosines: tuple[float, ...]
    """Of the embeddings with the question's, chunk by chunk."""
    fused: tuple[float, ...]
    """RRF scores, chunk by chunk."""
    ideal: float
    """The best DCG@3 there is."""
    judgements: tuple[Judgement, ...]
    """BM25, dense and fused."""
    one_of_two: tuple[float, float]
    """nDCG@3 of one of two relevant chunks at rank 3: against the collection's ideal, and, wrongly, the list's own."""
    prompt: Prompt
    """With d1 and d2 as sources."""
    coverage: tuple[float, ...]
    """Extractive coverage of each source's sentence."""
    answer: Answer
    """The quoted answer."""
    checks: tuple[Check, ...]
    """Of `CLAIMS`."""
    prior: tuple[float, ...]
    """Softmax of BM25's scores of d1 and d2."""
    sequence: float
    """RAG-Sequence's probability of the two tokens."""
    token: float
    """RAG-Token's."""
    steps: tuple[TokenStep, ...]
    """Token by token."""


def worked_example() -> WorkedExample:
    """Compute every stage."""
    names = list(CHUNKS)
    index = InvertedIndex(list(CHUNKS.values()))
    bm25, tfidf = BM25(index), Tfidf(index, sublinear=False)
    terms = index.query_terms(QUESTION)
    idf = {term: float(tfidf.idf[index.vocabulary[term]]) for term in (*terms, "iron")}
    query_length = float(np.linalg.norm([idf[term] for term in terms]))
    unit = np.array([np.divide(row, np.linalg.norm(row)) for row in EMBEDDINGS.values()])
    dense = exact_search(unit, np.array(QUERY_EMBEDDING), len(names))
    lists = [bm25.search(QUESTION, len(names)), dense]
    fused = reciprocal_rank_fusion(lists, RRF_C)
    prompt = assemble_prompt(QUESTION, [Chunk(at, name, 0, 0, CHUNKS[name]) for at, name in enumerate(names[:2])])
    answer = extractive_generator(bm25).answer(prompt)
    prior = softmax(bm25.scores(QUESTION)[:2], TEMPERATURE)
    tokens = list(TOKEN_PROBABILITIES.values())
    gains = {names.index(name): gain for name, gain in GAINS.items()}
    return WorkedExample(
        terms=tuple(terms),
        average_length=index.average_length,
        tfidf_idf=tuple(idf.items()),
        query_length=query_length,
        lexical=_lexical(names, bm25, tfidf, query_length),
        cosines=_by_chunk(dense),
        fused=_by_chunk(fused),
        ideal=dcg(sorted(GAINS.values(), reverse=True), 3),
        judgements=tuple(
            _judge(name, ranking, gains, names)
            for name, ranking in zip(("BM25", "dense", "fused"), (*lists, fused), strict=True)
        ),
        one_of_two=(ndcg({7: 1.0, 8: 1.0}, [1, 2, 7], 3), ndcg({7: 1.0}, [1, 2, 7], 3)),
        prompt=prompt,
        coverage=tuple(each.coverage for each in sorted(answer.candidates, key=lambda candidate: candidate.source)),
        answer=answer,
        checks=tuple(check for claim in CLAIMS for check in check_answer(claim, prompt)),
        prior=tuple(prior.tolist()),
        sequence=rag_sequence_likelihood(prior, tokens),
        token=rag_token_likelihood(prior, tokens),
        steps=bayes_steps(np.log(prior), np.log(tokens)),
    )


def _lexical(names: Sequence[str], bm25: BM25, tfidf: Tfidf, query_length: float) -> tuple[LexicalScore, ...]:
    classic = BM25(bm25.index, variant="classic").scores(QUESTION)
    scores, cosines, lengths = bm25.scores(QUESTION), tfidf.scores(QUESTION), vector_lengths(tfidf)
    return tuple(
        LexicalScore(
            chunk=name,
            length=int(bm25.index.lengths[at]),
            terms=bm25.explain(QUESTION, at),
            bm25=float(scores[at]),
            classic=float(classic[at]),
            vector_length=float(lengths[at]),
            product=float(cosines[at] * lengths[at] * query_length),
            cosine=float(cosines[at]),
        )
        for at, name in enumerate(names)
    )


def _by_chunk(ranking: Ranking) -> tuple[float, ...]:
    return tuple(hit.score for hit in sorted(ranking.hits, key=lambda hit: hit.chunk))


def _judge(name: str, ranking: Ranking, gains: dict[int, float], names: Sequence[str]) -> Judgement:
    ids = ranking.ids
    return Judgement(
        name=name,
        order=tuple(names[at] for at in ids),
        recall=(recall_at_k(gains, ids, 1), recall_at_k(gains, ids, 2), recall_at_k(gains, ids, 3)),
        reciprocal_rank=reciprocal_rank(gains, ids),
        dcg=dcg([gains.get(at, 0.0) for at in ids], 3),
        ndcg=ndcg(gains, ids, 3),
    )
