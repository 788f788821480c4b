import math

import numpy as np
import pytest

from engine.modelling.sources import SourceModels
from engine.modelling.trigram import Trigram, Vocabulary
from engine.records import Chunk

SOURCES = [
    Chunk(0, "mars.md", 0, 0, "It has two moons.", title="Mars"),
    Chunk(1, "venus.md", 0, 0, "It has no moon of its own.", title="Venus"),
]


@pytest.fixture
def models():
    return SourceModels(SOURCES, [2.0, 1.0], Vocabulary.of(["Mars Venus it has two moons no moon of its own"]))


def test_the_prior_is_the_softmax_of_the_scores(models):
    assert np.exp(models.log_prior).tolist() == pytest.approx([1 / (1 + math.exp(-1)), 1 / (1 + math.exp(1))])


def test_a_lower_temperature_trusts_the_better_source_more(models):
    cold = SourceModels(SOURCES, [2.0, 1.0], models.vocabulary, temperature=0.1)
    assert cold.log_prior[0] > models.log_prior[0]


def test_a_sentence_is_weighed_under_each_source_with_its_header(models):
    weighed = models.weigh("two moons", stem="It has")
    assert weighed.words == ("two", "moons")
    tokens, stem = models.vocabulary.encode("two moons"), models.vocabulary.encode("it has")
    alone = [
        Trigram([text], models.vocabulary).token_log_probabilities(tokens, stem).sum()
        for text in ("Mars\nIt has two moons.", "Venus\nIt has no moon of its own.")
    ]
    assert weighed.log_sources == pytest.approx(tuple(alone))
    assert math.prod(step.sequence_factor for step in weighed.steps) == pytest.approx(math.exp(weighed.log_sequence))
    assert weighed.steps[-1].posterior[0] > weighed.steps[0].weights[0]


def test_both_decoders_say_what_the_better_source_says(models):
    for decode in (models.decode_token, models.decode_sequence):
        said = dict(decode("It has", width=8))
        assert "two moons" in said and said["two moons"].ended


def test_a_score_for_each_source_is_needed(models):
    with pytest.raises(ValueError, match="score"):
        SourceModels(SOURCES, [1.0], models.vocabulary)
    with pytest.raises(ValueError, match="score"):
        SourceModels([], [], models.vocabulary)
