"""Agreement with ir_measures on the same rankings and judgements, question by question."""

import random

import ir_measures
import pytest
from ir_measures import AP, RR, P, R, nDCG

from engine.evaluation.metrics import average_precision, ndcg, recall_at_k, reciprocal_rank

N_QUESTIONS = 5000
MEASURES = {
    nDCG @ 10: lambda gains, ranking: ndcg(gains, ranking, 10),
    nDCG @ 3: lambda gains, ranking: ndcg(gains, ranking, 3),
    nDCG: ndcg,
    R @ 1: lambda gains, ranking: recall_at_k(set(gains), ranking, 1),
    R @ 5: lambda gains, ranking: recall_at_k(set(gains), ranking, 5),
    RR: reciprocal_rank,
    AP: average_precision,
}


def draw_questions():
    """Return {question: gains} and {question: ranking}: gains of 1 to 3, rankings without ties that miss some."""
    draw = random.Random(7)
    gains, rankings = {}, {}
    for number in range(N_QUESTIONS):
        gains[f"q{number}"] = {f"d{item}": draw.randint(1, 3) for item in draw.sample(range(60), draw.randint(1, 20))}
        rankings[f"q{number}"] = [f"d{item}" for item in draw.sample(range(60), draw.randint(1, 60))]
    return gains, rankings


def test_metrics_agree_on_thousands_of_random_rankings_with_graded_gains():
    gains, rankings = draw_questions()
    judgements = [ir_measures.Qrel(q, item, gain) for q, found in gains.items() for item, gain in found.items()]
    run = [
        ir_measures.ScoredDoc(q, item, -float(rank))
        for q, ranking in rankings.items()
        for rank, item in enumerate(ranking)
    ]
    compared = 0
    for metric in ir_measures.iter_calc(list(MEASURES), judgements, run):
        ours = MEASURES[metric.measure](gains[metric.query_id], rankings[metric.query_id])
        assert ours == pytest.approx(metric.value, abs=1e-9), metric
        compared += 1
    assert compared == N_QUESTIONS * len(MEASURES)


def test_what_is_judged_worthless_is_not_relevant():
    # A grade of 0 is a judgement, not a relevant text: it leaves recall, precision and the ideal alone.
    judgements = [ir_measures.Qrel("q", "a", 2), ir_measures.Qrel("q", "b", 0)]
    run = [ir_measures.ScoredDoc("q", "b", 2.0), ir_measures.ScoredDoc("q", "a", 1.0)]
    theirs = ir_measures.calc_aggregate([nDCG @ 10, R @ 1, RR, AP, P @ 1], judgements, run)
    gains, ranking = {"a": 2.0}, ["b", "a"]
    assert ndcg(gains, ranking, 10) == pytest.approx(theirs[nDCG @ 10])
    assert (recall_at_k(gains, ranking, 1), theirs[P @ 1]) == (theirs[R @ 1], 0)
    assert (reciprocal_rank(gains, ranking), average_precision(gains, ranking)) == (theirs[RR], theirs[AP])
