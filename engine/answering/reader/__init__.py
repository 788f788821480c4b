"""Prompt -> the sentence that answers, told by what can be known of sentences without a model."""

from __future__ import annotations

from engine.answering import Generator
from engine.answering.extractive import TermWeights, extractive_generator
from engine.answering.reader.generator import feature_reader
from engine.settings import Settings

__all__ = ["feature_reader", "reader_of"]


def reader_of(settings: Settings, bm25: TermWeights) -> Generator:
    """Return the extractive generator that the settings name."""
    if settings.reader == "coverage":
        return extractive_generator(bm25, settings.threshold)
    return feature_reader(bm25, settings.threshold)
