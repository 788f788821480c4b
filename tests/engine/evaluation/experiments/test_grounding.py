import math
from pathlib import Path

import pytest

from engine import Library
from engine.errors import QuestionError
from engine.evaluation.experiments.grounding import Comparison, GroundingDemo, Recall, grounding
from engine.settings import Settings
from engine.text.analysis import contains_phrase

FOLDER = Path(__file__).parents[4] / "sample_docs"


@pytest.fixture(scope="module")
def library() -> Library:
    # The figures are those of the ranking and the terms that docs/probability-model.md uses.
    return Library.open(FOLDER, Settings(fusion="rrf", stemming="none"))


@pytest.fixture(scope="module")
def demo(library: Library) -> GroundingDemo:
    return grounding(library)


def test_from_memory_a_day_of_uranus_is_that_of_neptune(library: Library, demo: GroundingDemo):
    wrong = demo.memory.wrong.text
    assert wrong == "about 16 hours"
    assert contains_phrase(library.documents["neptune.md"].text, f"A spin takes {wrong}")
    assert not contains_phrase(library.documents["uranus.md"].text, wrong)
    assert contains_phrase(library.documents["uranus.md"].text, f"One spin takes {demo.memory.right.text}")
    assert round(demo.memory.memory_odds, 1) == -1.1


def test_the_check_catches_it_by_its_number_alone(demo: GroundingDemo):
    caught = demo.memory.wrong.check
    assert not caught.supported and caught.support == 0.8 and caught.missing_numbers == ("16",)
    assert demo.memory.right.check.supported
    [cited] = caught.citations
    assert demo.memory.sources[cited - 1].startswith("Uranus")


def test_given_the_sources_the_right_one_is_preferred_by_orders_of_magnitude(demo: GroundingDemo):
    memory = demo.memory
    assert round(memory.sequence_odds, 1) == 6.8
    assert round(memory.token_odds, 1) == 4.3
    # One source speaks of the spin of Uranus; the others do not know the words.
    assert [odds > 0 for odds in memory.source_odds] == [label.startswith("Uranus > Lying") for label in memory.sources]
    assert sum(memory.prior) == pytest.approx(1)


def test_the_odds_are_those_of_the_words(demo: GroundingDemo):
    def log10_of(tokens, which):
        return sum(math.log10(getattr(token, which)) for token in tokens)

    right, wrong = demo.memory.right.tokens, demo.memory.wrong.tokens
    assert [token.word for token in wrong] == ["about", "16", "hours"]
    assert log10_of(right, "memory") - log10_of(wrong, "memory") == pytest.approx(demo.memory.memory_odds)
    assert log10_of(right, "sources") - log10_of(wrong, "sources") == pytest.approx(demo.memory.sequence_odds)


def test_rag_token_takes_each_fact_where_it_stands_and_cannot_tell_whose_it_is(demo: GroundingDemo):
    swap = demo.swap
    assert " ".join(swap.right.words) == "saturn has 83 known moons and jupiter eighty"
    assert " ".join(swap.swapped.words) == "saturn has eighty known moons and jupiter 83"
    assert {label.split(" ")[0] for label in swap.sources} >= {"Saturn", "Jupiter"}
    # No source holds both facts: RAG-Sequence must write one of them with a source that does not know it.
    assert round(swap.token_over_sequence) == 36
    # And neither binds a number to its planet: exchanged, the sentence is even more probable.
    assert round(swap.token_swap, 1) == 3.4
    assert round(swap.sequence_swap, 1) == 2.0


def test_its_ratios_are_those_of_the_steps(demo: GroundingDemo):
    right, swapped = demo.swap.right, demo.swap.swapped
    by_token = [math.prod(step.token_factor for step in weighed.steps) for weighed in (right, swapped)]
    by_sequence = [math.prod(step.sequence_factor for step in weighed.steps) for weighed in (right, swapped)]
    assert demo.swap.token_swap == pytest.approx(by_token[1] / by_token[0])
    assert demo.swap.sequence_swap == pytest.approx(by_sequence[1] / by_sequence[0])
    assert demo.swap.token_over_sequence == pytest.approx(by_token[0] / by_sequence[0])


def test_other_facts_of_the_notes_will_do(library: Library):
    recall = Recall("How long is a year on Mars?", "Mars needs", "687 Earth days")
    memory = grounding(library, recall).memory
    assert memory.right.check.supported
    assert memory.sequence_odds > memory.memory_odds


def test_notes_without_the_facts_are_no_demonstration(tmp_path, library: Library):
    (tmp_path / "note.md").write_text("# Bread\n\nFlour, water and salt.")
    with pytest.raises(QuestionError, match="17 hours and 14 minutes"):
        grounding(Library.open(tmp_path))
    with pytest.raises(QuestionError, match="ninety"):
        grounding(library, comparison=Comparison(facts=("83", "ninety")))
