"""From memory a day on Pluto is one on Mercury, and the check says so."""

import pytest

from engine.evaluation.experiments.grounding import Comparison, GroundingDemo, Recall, grounding
from engine.evaluation.labelled import Labelled
from engine.settings import Settings
from engine.text.analysis import contains_phrase


@pytest.fixture(scope="module")
def demo(articles: Labelled) -> GroundingDemo:
    library = articles.library(Settings(stemming="none", max_words=100, dimensions=128))
    recall = Recall("How long is Pluto's rotation period?", "A day on Pluto lasts about", "6.39 Earth days")
    return grounding(
        library, recall, Comparison(sentence="Saturn has {} known moons and Jupiter {}.", facts=("83", "80"))
    )


def test_from_memory_a_day_on_pluto_is_one_on_mercury(articles: Labelled, demo: GroundingDemo):
    assert demo.memory.wrong.text == "176 earth days" and demo.memory.memory_odds < 0
    assert contains_phrase(articles.documents["mercury.md"].text, f"lasts about {demo.memory.wrong.text}")
    assert not contains_phrase(articles.documents["pluto.md"].text, demo.memory.wrong.text)


def test_the_check_finds_two_thirds_of_its_words_in_the_source_and_not_the_number(demo: GroundingDemo):
    check = demo.memory.wrong.check
    assert round(check.support, 2) == 0.67 and not check.supported and check.missing_numbers == ("176",)


def test_given_the_sources_the_right_day_is_preferred_by_four_orders_of_magnitude(demo: GroundingDemo):
    assert 4 < demo.memory.sequence_odds < 5


def test_rag_token_gives_a_sentence_of_two_sources_a_thousand_times_what_rag_sequence_gives_it(demo: GroundingDemo):
    assert 1000 < demo.swap.token_over_sequence < 2000
    assert demo.swap.token_swap > 0.5
