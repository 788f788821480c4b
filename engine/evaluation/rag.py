"""Records of answered questions -> the figures of a RAG pipeline: found, faithful, refused rightly and wrongly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

KEYS = ("answerable", "gold", "retrieved", "abstained", "claims")
"""What a record holds."""


def rag_report(records: Sequence[Mapping[str, Any]], k: int) -> dict[str, float]:
    """Return the figures of a run, each 0 to 1, and 0.0 where no record counts for it.

    `context_recall`: mean over answerable records of the share of `gold` in `retrieved[:k]`. `faithfulness`: mean
    over records with claims of the share that is true. `abstain_when_unanswerable` (higher is better) and
    `abstain_when_answerable` (lower is better): shares of those records that abstained.

    Args:
        records: each a dict with `answerable` (bool), `gold` (set of ids), `retrieved` (ranked ids), `abstained`
            (bool) and `claims` (list of bools: whether each sentence is supported; empty when abstained).
        k: how many of the retrieved count as context.

    Raises:
        ValueError: a record lacks a key.

    >>> one = {"answerable": True, "gold": {1, 2}, "retrieved": [2, 7], "abstained": False, "claims": [True, False]}
    >>> rag_report([one], k=2)["context_recall"], rag_report([one], k=2)["faithfulness"]
    (0.5, 0.5)
    """
    for at, record in enumerate(records):
        missing = [key for key in KEYS if key not in record]
        if missing:
            raise ValueError(f"record {at} has no {', '.join(missing)}")
    answerable = [record for record in records if record["answerable"]]
    unanswerable = [record for record in records if not record["answerable"]]
    return {
        "context_recall": _mean([_share(record["gold"], record["retrieved"][:k]) for record in answerable]),
        "faithfulness": _mean([fmean(map(bool, record["claims"])) for record in records if len(record["claims"])]),
        "abstain_when_unanswerable": _mean([bool(record["abstained"]) for record in unanswerable]),
        "abstain_when_answerable": _mean([bool(record["abstained"]) for record in answerable]),
    }


def _share(gold: Sequence[Any], context: Sequence[Any]) -> float:
    wanted = set(gold)
    return len(wanted.intersection(context)) / len(wanted) if wanted else 0.0


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
