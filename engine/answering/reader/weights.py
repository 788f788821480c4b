"""What the reader looks at in a sentence, in order, and what each counts for.

Fitted on the questions of squad-v1.1-train60 by `docs/measure_reader.py`, which prints this table anew.
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
