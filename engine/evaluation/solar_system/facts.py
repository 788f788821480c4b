"""Facts of the ten articles for the grounding demonstrations."""

from __future__ import annotations

from engine.evaluation.experiments.grounding import Comparison, Recall

RECALL = Recall("How long is a day on Pluto?", "A day on Pluto lasts", "6.39 Earth days")
COMPARISON = Comparison(
    "Which has more known moons, Saturn or Jupiter?",
    "Saturn has {} known moons and Jupiter has {} known moons.",
    ("83", "80"),
)
SOURCES = 8
"""Sources that hold both facts when chunks have at most 100 words; five do not hold Pluto's day."""
