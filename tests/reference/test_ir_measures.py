"""Agreement with ir_measures on the same rankings and judgements."""

import random

import ir_measures
import pytest
from ir_measures import AP, RR, R, nDCG

from engine.evaluation.metrics import average_precision, ndcg, recall_at_k, reciprocal_rank

MEASURES = {
    nDCG @ 10: lambda gains, ranking: ndcg(gains, ranking, 10),
    R @ 5: lambda gains, ranking: recall_at_k(gains, ranking, 5),
    RR: reciprocal_rank,
    AP: average_precision,
}


@pytest.mark.parametrize("seed", range(20))
def test_metrics_agree_question_by_question(seed):
    draw = random.Random(seed)
    gains = {f"d{item}": draw.randint(1, 3) for item in draw.sample(range(60), draw.randint(1, 20))}
    ranking = [f"d{item}" for item in draw.sample(range(60), draw.randint(1, 60))]
    judgements = [ir_measures.Qrel("q", item, gain) for item, gain in gains.items()]
    run = [ir_measures.ScoredDoc("q", item, -float(rank)) for rank, item in enumerate(ranking)]
    theirs = ir_measures.calc_aggregate(list(MEASURES), judgements, run)
    for measure, ours in MEASURES.items():
        assert ours(gains, ranking) == pytest.approx(theirs[measure], abs=1e-9), measure
