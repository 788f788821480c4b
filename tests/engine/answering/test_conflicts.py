import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answering.conflicts import MOST_SOURCES, find_conflicts
from engine.answering.prompt import assemble_prompt
from engine.library import Library
from engine.pipeline import ask
from engine.records import Chunk

LEAD = "The planet orbits the Sun once every 164.8 years at an average distance of 30.1 AU."
BODY = "It completes an orbit around the Sun on average every 164.79 years."


def conflicts(question, *texts, titles=("Neptune",), section="Orbit"):
    chunks = [
        Chunk(at, f"{at}.md", 0, len(text), text, titles[at % len(titles)], section) for at, text in enumerate(texts)
    ]
    return find_conflicts(assemble_prompt(question, chunks))


def test_a_lead_and_a_section_that_give_different_numbers_for_one_thing():
    (found,) = conflicts("How long is a year on Neptune?", LEAD, "It has rings.", BODY)
    assert (found.sources, found.numbers, found.unit) == ((1, 3), ("164.8", "164.79"), "years")
    assert found.sentences == (LEAD, BODY)
    assert {"everi", "orbit", "sun"} <= set(found.terms)
    assert str(found) == "Sources 1 and 3 disagree: 164.8 / 164.79 years"


def test_numbers_that_count_one_thing_may_have_no_unit():
    (found,) = conflicts(
        "How many moons does Saturn have?",
        "Saturn has 83 known moons, 53 of which have formal names.",
        "Saturn has 62 known moons, 53 of which have formal names.",
        titles=("Saturn",),
    )
    assert str(found) == "Sources 1 and 2 disagree: 83 / 62"
    assert "moon" in found.terms


QUESTION = "How fast are the winds on Neptune?"
ONE = "Winds reach speeds of 580 m/s near the equator."


def test_each_condition_alone_is_enough_to_keep_quiet():
    assert conflicts(QUESTION, ONE, "Winds reach speeds of almost 600 m/s near the equator.")
    quiet = {
        "one source": (f"{ONE} Winds reach speeds of almost 600 m/s near the equator.",),
        "another unit": (ONE, "Winds reach speeds of almost 2,100 km/h near the equator."),
        "one value": (ONE, "Winds reach speeds of 580.0 m/s near the equator."),
        "both values": (ONE, "Winds reach speeds of 580 to 600 m/s near the equator."),
        "far apart": (ONE, "Winds reach speeds of 20 m/s near the equator."),
        "other signs": (ONE, "Winds reach speeds of -600 m/s near the equator."),
        "other words": (ONE, "Winds of 600 m/s blow on Neptune."),
        "another name": (ONE, "On Saturn winds reach speeds of almost 600 m/s near the equator."),
        "the question's words": (ONE, "Clouds reach speeds of almost 600 m/s near the equator."),
    }
    assert {why: len(conflicts(QUESTION, *texts)) for why, texts in quiet.items()} == dict.fromkeys(quiet, 0)


def test_other_notes_are_about_other_things_unless_they_name_each_other():
    other = "Winds reach speeds of almost 600 m/s near the equator."
    assert conflicts(QUESTION, ONE, other, titles=("Neptune", "Saturn")) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It was found in 1846 by Galle.", "It was found in 1847 by Galle."),
        ("The probe flew past on 25 August.", "The probe flew past on 24 August."),
        ("It was found two years later by Galle.", "It was found three years later by Galle."),
        ("It is four times as wide as Earth.", "It is five times as wide as Earth."),
    ],
)
def test_years_dates_and_stories_are_left_alone(one, other):
    assert conflicts("When was Neptune found?", one, other) == ()


def test_a_trace_holds_conflicts_and_says_them_in_a_warning(tmp_path):
    (tmp_path / "neptune.md").write_text(f"# Neptune\n\n{LEAD}\n\n## Orbit\n\n{BODY}\n", encoding="utf-8")
    trace = ask(Library.open(tmp_path), "How long does Neptune take to orbit the Sun?")
    assert "Sources 1 and 2 disagree: 164.79 / 164.8 years." in trace.warnings or (
        "Sources 1 and 2 disagree: 164.8 / 164.79 years." in trace.warnings
    )
    (found,) = trace.to_dict()["conflicts"]
    assert set(found) == {"sources", "numbers", "unit", "terms", "sentences"}
    assert (found["sources"], found["unit"], sorted(found["numbers"])) == ([1, 2], "years", ["164.79", "164.8"])


PIECES = st.sampled_from(
    "Mars has 2 two 79 83 moons. winds reach 580 600 m/s km 12% The Sun orbit every year, \n 1,014".split(" ")
)


@given(st.lists(st.lists(PIECES, max_size=14).map(" ".join), min_size=2, max_size=5))
def test_whatever_is_found_stands_in_the_sources_it_names(texts):
    for found in conflicts("How many moons has Mars?", *texts, titles=("Mars",)):
        one, other = found.sources
        assert one < other
        for number, sentence, source in zip(found.numbers, found.sentences, found.sources, strict=True):
            assert number in sentence and sentence in texts[source - 1]
        assert found.numbers[0] != found.numbers[1] and len(found.terms) >= 2


@given(st.lists(PIECES, max_size=14).map(" ".join))
def test_a_text_never_disagrees_with_its_copy(text):
    assert conflicts("How many moons has Mars?", text, text, titles=("Mars",)) == ()


def test_long_sources_full_of_numbers_are_compared_in_part():
    texts = [" ".join(f"Wind {at} reaches {at}{place} km on Neptune." for at in range(500)) for place in range(10, 40)]
    for found in conflicts("How fast is the wind on Neptune?", *texts):
        assert max(found.sources) <= MOST_SOURCES
