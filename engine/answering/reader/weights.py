"""What the reader looks at, in order, and what each counts for: in a sentence, and in judging the best one.

`WEIGHTS` were fitted on the questions of squad-v1.1-train60, `SIGNS` on those and squad-v2.0-dev, by
`docs/measure_reader.py`, which prints both anew.
"""

from __future__ import annotations

WEIGHTS = {
    "coverage": 7.68,
    "sentence before": 4.01,
    "sentence after": 1.79,
    "antecedent": 2.28,
    "same beginnings": 5.92,
    "neighbouring words": 1.86,
    "close together": 0.74,
    "repeated words": 1.09,
    "number": 2.61,
    "name": 1.43,
    "pairs in source": 1.41,
    "names in source": 1.98,
    "source score": 1.32,
    "source rank": 0.67,
}
"""Feature -> weight. The score of a sentence is the sum of value times weight; higher is better."""

BASE = -1.50
SIGNS = {
    "ahead": 2.79,
    "coverage": 0.63,
    "rarest missing": -0.81,
    "names missing": -0.54,
    "negation asked": -1.78,
    "negation differs": -0.53,
    "opposite": -1.86,
    "words asked": 0.17,
}
"""Sign -> weight in log odds, and the odds without any. The signs are told in `confidence.py`."""
