"""What the reader looks at, in order, and what each counts for: in a sentence, and in judging the best one.

`WEIGHTS` were fitted on the questions of squad-v1.1-train60, `SIGNS` on those of squad-v2.0-dev, by
`docs/measure_reader.py`, which prints both anew.
"""

from __future__ import annotations

WEIGHTS = {
    "coverage": 7.68,
    "sentence before": 4.01,
    "sentence after": 1.78,
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

BASE = -1.0
SIGNS = {
    "ahead": 1.0,
    "coverage": 1.0,
    "words missing": -0.3,
    "rarest missing": -1.0,
    "missing in source": 1.0,
    "names missing": -0.5,
    "negation asked": -1.0,
    "negation differs": -0.5,
    "opposite": -1.0,
    "words asked": 0.2,
}
"""Sign -> weight in log odds, and the odds without any. The signs are told in `confidence.py`."""
