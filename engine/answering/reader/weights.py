"""What the reader looks at, in order, and what each counts for: in a sentence, and in judging the best one.

Fitted on the questions of squad-v1.1-train60, `SIGNS` also on ones made of them that have no answer, by
`docs/measure_reader.py`, which prints both anew.
"""

from __future__ import annotations

WEIGHTS = {
    "coverage": 5.36,
    "words beside names": 1.74,
    "rare here": 1.84,
    "sentence before": 3.83,
    "sentence after": 1.42,
    "antecedent": 1.96,
    "same beginnings": 5.65,
    "words alike": 5.18,
    "neighbouring words": 1.96,
    "early words": 0.97,
    "person": 1.55,
    "place": 0.60,
    "time": 1.96,
    "number": 3.00,
    "beside the answer": 1.23,
    "place in source": 0.51,
    "pairs in source": 1.39,
    "names in source": 2.67,
    "against the best": 2.67,
    "source rank": 0.68,
}
"""Feature -> weight. The score of a sentence is the sum of value times weight; higher is better."""

BASE = -4.86
SIGNS = {
    "ahead": 3.22,
    "ahead of other sources": 1.70,
    "missing": -2.31,
    "names missing": -0.73,
    "answer missing": -0.47,
    "negation missing": -2.87,
    "opposite": -1.54,
    "words asked": 1.04,
}
"""Sign -> weight in log odds, and the odds without any. The signs are told in `confidence.py`."""
