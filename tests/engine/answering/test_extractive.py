from math import log

import pytest

from engine.answering.extractive import asks_for_number, extractive_generator
from engine.answering.prompt import assemble_prompt
from engine.answering.verification import check_answer
from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex
from engine.records import Answer, Chunk, Prompt
from engine.text.analysis import Analyzer, analyze

TEXTS = (
    "Mars has two small moons, Phobos and Deimos.",
    "Phobos orbits Mars faster than Mars rotates.",
    "Jupiter has dozens of moons, including four large moons.",
    "The red colour of Mars comes from iron oxide dust.",
)


def chunk(at: int, text: str, title: str = "", section: str = "") -> Chunk:
    return Chunk(at, f"d{at + 1}.md", 0, len(text), text, title, section)


def answer(question: str, *texts: str | Chunk, threshold: float = 0.5, analyzer=analyze) -> Answer:
    chunks = [text if isinstance(text, Chunk) else chunk(at, text) for at, text in enumerate(texts)]
    bm25 = BM25(InvertedIndex(chunks, analyzer))
    return extractive_generator(bm25, threshold).answer(assemble_prompt(question, chunks))


# --- the golden example


def test_the_golden_question_is_answered_by_the_sentence_that_covers_it_whole():
    chunks = [chunk(at, text) for at, text in enumerate(TEXTS)]
    generator = extractive_generator(BM25(InvertedIndex(chunks)))
    prompt = assemble_prompt("What moons does Mars have?", chunks[:2])
    found = generator.answer(prompt)
    assert found.text == generator(prompt) == "Mars has two small moons, Phobos and Deimos [1]."
    assert (found.generator, found.abstained) == ("extractive", False)
    # idf moons ln 2 = 0.6931, mars ln(5/3.5) = 0.3567; d2 holds mars alone: 0.3567 / 1.0498.
    assert [candidate.coverage for candidate in found.candidates] == [1.0, pytest.approx(0.3397, abs=5e-5)]
    assert found.candidates[1].coverage == pytest.approx(log(5 / 3.5) / (log(2) + log(5 / 3.5)), abs=1e-12)
    assert found.candidates[1].matched == ("mars",)
    assert found.reason == "The sentence covers 1.00 of the question: moons, mars."
    assert [check.supported for check in check_answer(found.text, prompt)] == [True]


# --- coverage


def test_title_and_section_of_the_label_count_for_every_sentence_but_path_and_date_do_not():
    headed = Chunk(0, "mercury.md", 0, 20, "It has no moons.", "Mars", "Orbit", date="2024-05-01")
    (found,) = answer("Mars orbit mercury 2024 moons", headed).candidates
    assert found.matched == ("mars", "orbit", "moons")


def test_a_word_that_no_note_holds_weighs_most():
    # N = 1: idf known = ln(1 + 0.5/1.5) = ln(4/3), unknown = ln(1 + 1.5/0.5) = ln 4; ln(4/3) / (ln(4/3) + ln 4).
    (found,) = answer("Is Titan cold?", "Titan is large.").candidates
    assert found.coverage == pytest.approx(log(4 / 3) / log(16 / 3), abs=1e-12)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("How long is a year on Venus?", ["year", "venus"]),
        ("How many moons has Mars?", ["moons", "mars"]),
        ("How hot is Venus?", ["venus"]),
        ("How long is the long day?", ["long", "day"]),
        ("Venus, Venus and venus's year", ["venus", "year"]),
        ("Is 1,014 more than 224.7?", ["1014", "224.7"]),
        ("How?", []),
    ],
)
def test_question_terms_are_distinct_and_lack_the_word_after_how(question, terms):
    assert extractive_generator(BM25(InvertedIndex(["a"]))).question_terms(question) == terms


def test_question_terms_follow_the_analyzer_of_the_index():
    assert "Mars has two small moons" in answer("moon", *TEXTS, analyzer=Analyzer("english")).text


# --- asking for a number


@pytest.mark.parametrize("question", ["How many moons has Mars?", "how LONG is it?", "When was it found?"])
def test_these_questions_ask_for_a_number(question):
    assert asks_for_number(question)


@pytest.mark.parametrize("question", ["How hot is it?", "Show many", "What is a long year?", "How is it so long?", ""])
def test_these_questions_do_not(question):
    assert not asks_for_number(question)


def test_a_sentence_without_a_number_loses_half_when_one_is_asked_for():
    found = answer("When was Neptune found?", "Neptune was found early. Neptune was found in 1846.")
    assert found.text == "Neptune was found in 1846 [1]."
    assert [(c.coverage, c.penalty) for c in found.candidates] == [(1.0, 0.0), (0.5, 0.5)]


def test_the_threshold_sees_the_coverage_after_the_penalty():
    assert not answer("When was Neptune found?", "Neptune was found early.", threshold=0.5).abstained
    refused = answer("When was Neptune found?", "Neptune was found early.", threshold=0.51)
    assert refused.abstained
    assert refused.reason == ("The best sentence covers 0.50 of the question (no number in it); the threshold is 0.51.")


# --- choosing


def test_ties_go_to_the_earlier_source_and_the_earlier_sentence():
    found = answer("Mars?", "Dust. Mars is one. Mars is two.", "Mars is three.")
    assert [candidate.sentence for candidate in found.candidates[:3]] == [
        "Mars is one.",
        "Mars is two.",
        "Mars is three.",
    ]


def test_five_candidates_are_kept_best_first():
    found = answer("Mars dust", "Mars. Mars. Mars. Mars. Mars. Mars. Mars dust.")
    assert len(found.candidates) == 5
    assert found.candidates[0].sentence == "Mars dust."


# --- abstaining


def test_below_the_threshold_it_abstains_and_names_coverage_and_threshold():
    found = answer("What is the surface temperature of Titan?", *TEXTS)
    assert (found.text, found.abstained) == ("I don't know: the notes do not say.", True)
    assert found.reason == "The best sentence covers 0.00 of the question; the threshold is 0.50."
    assert found.closest is None


def test_a_refusal_names_the_sentence_that_covers_most():
    """Of "neptune" and "found", each in one of two texts and so of equal idf, half is covered."""
    closest = answer("Who found Neptune?", "Neptune is blue.", "Uranus was found first.", threshold=0.51).closest
    assert closest.quoted == "“Neptune is blue.” [1]"
    assert closest.said == "covers 0.50 of the question (threshold 0.51)"
    assert (closest.value, closest.lead) == (0.5, "Closest")
    assert answer("Who found Neptune?", "Neptune is blue.", "Uranus was found first.").closest is None


def test_the_closest_sentence_says_that_it_lacks_a_number():
    closest = answer("When was Neptune found?", "Neptune was found early.", threshold=0.51).closest
    assert closest.said == "covers 0.50 of the question; it has no number (threshold 0.51)"
    without = answer("When was Neptune found?", "Neptune is blue.", "Uranus was found first.").closest
    assert (without.value, without.lead) == (0.0, "Closest, but most likely not the answer")


@pytest.mark.parametrize(
    ("question", "texts", "reason"),
    [
        ("", TEXTS, "The question has no word to look for."),
        ("What is it?", TEXTS, "The question has no word to look for."),
        ("Mars?", (), "No source made it into the prompt."),
        ("Mars?", (" \n ",), "The sources hold no sentence."),
    ],
)
def test_with_nothing_to_go_by_it_abstains_and_says_why(question, texts, reason):
    found = answer(question, *texts, threshold=0.0)
    assert (found.abstained, found.reason, found.candidates) == (True, reason, ())


def test_a_question_in_chinese_finds_its_sentence():
    assert answer("火星的颜色", "金星没有卫星。火星的颜色是红色。").text == "火星的颜色是红色 [1]。"


def test_an_empty_prompt_is_an_abstention():
    generator = extractive_generator(BM25(InvertedIndex([])))
    assert generator.answer(Prompt("Mars?", "", (), (), 0, 0)).abstained
