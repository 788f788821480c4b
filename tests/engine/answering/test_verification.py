import pytest

from engine.answering.prompt import assemble_prompt
from engine.answering.verification import check_answer, split_claims
from engine.records import Check, Chunk, Source

D1 = "Mars has two small moons, Phobos and Deimos."
D2 = "Phobos orbits Mars faster than Mars rotates."


def check(answer: str, *sources: str | Chunk | Source) -> Check:
    (only,) = check_answer(answer, sources or (D1, D2))
    return only


# --- golden values


def test_a_claim_whose_five_terms_all_stand_in_its_source_is_supported():
    found = check("Mars has two moons, Phobos and Deimos [1].")
    assert (found.support, found.supported, found.citations) == (5 / 5, True, (1,))
    assert (found.missing_terms, found.missing_numbers) == ((), ())
    assert found.reason == "5 of 5 terms stand in [1]"


def test_a_claim_with_two_of_six_terms_and_a_strange_number_is_not():
    found = check("Phobos circles Mars every 8 hours [2].")
    # phobos and mars of phobos circles mars every 8 hours
    assert (found.support, found.supported) == (pytest.approx(2 / 6), False)
    assert found.missing_terms == ("circles", "every", "8", "hours")
    assert found.missing_numbers == ("8",)
    assert found.reason == "2 of 6 terms stand in [2]; missing: circles, every, hours; number not in it: 8"


def test_a_claim_that_cites_no_existing_source_has_no_support():
    found = check("Deimos is the smaller moon [3].")
    assert (found.support, found.supported, found.citations) == (0.0, False, (3,))
    assert found.reason == "there is no source [3]"


def test_only_the_number_check_catches_an_invented_number():
    found = check("Mars has 3 moons, Phobos and Deimos [1].")
    # mars, moons, phobos, deimos of five terms: enough words, but not the 3
    assert (found.support, found.supported) == (pytest.approx(4 / 5), False)
    assert found.missing_numbers == ("3",)
    assert found.reason == "4 of 5 terms stand in [1]; number not in it: 3"


# --- support


def test_repeated_terms_count_each_time():
    # red and mars, mars, mars of blue red mars mars mars
    assert check("Blue red Mars Mars Mars [1].", "Mars red").support == pytest.approx(4 / 5)


def test_three_quarters_are_enough_and_less_is_not():
    assert check("Alpha beta gamma delta [1].", "alpha beta gamma").supported
    assert not check("Alpha beta gamma delta gamma epsilon zeta [1].", "alpha beta gamma delta").supported


def test_all_cited_sources_count_together_and_only_they():
    assert check("Deimos rotates [1, 2].").support == 1.0
    assert check("Deimos rotates [1].").support == 0.5


def test_title_and_section_count_as_words_of_a_source_but_path_and_date_do_not():
    chunk = Chunk(0, "files/list.md", 0, 9, "It is hot.", "Venus", "Surface", date="2024-05-01")
    found = check("Venus surface: hot in files/list.md 2024 [1].", chunk)
    assert found.missing_terms == ("files", "list", "md", "2024")


def test_prompt_sources_chunks_and_texts_are_checked_alike():
    chunks = [Chunk(at, "d.md", 0, len(text), text) for at, text in enumerate((D1, D2))]
    prompt = assemble_prompt("?", chunks)
    answer = "Mars has two moons [1]. Phobos circles [2]. No [3]."
    assert (
        check_answer(answer, prompt)
        == check_answer(answer, prompt.sources)
        == check_answer(answer, chunks)
        == check_answer(answer, [D1, D2])
    )


def test_a_missing_source_beside_an_existing_one_is_named_and_does_no_other_harm():
    found = check("Mars has two moons [1, 9].")
    assert (found.support, found.supported) == (1.0, True)
    assert found.reason == "3 of 3 terms stand in [1]; there is no source [9]"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Mars has two moons.", "it cites no source"),
        ("Mars has two moons [0].", "there is no source [0]"),
        ("It is so [1].", "it holds no word to check"),
        ("[1]", "it holds no word to check"),
    ],
)
def test_nothing_cited_or_nothing_said_is_support_0(answer, reason):
    found = check(answer)
    assert (found.support, found.supported, found.reason) == (0.0, False, reason)


def test_a_reason_names_four_missing_terms_and_counts_the_rest():
    reason = check("Ant bee cow dog elk fox [1].").reason
    assert reason == "0 of 6 terms stand in [1]; missing: ant, bee, cow, dog and 2 more"


# --- numbers


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It has 1,014 chunks", "It has 1014 chunks."),
        ("A year takes 224.7 days", "A year takes 224.7 days."),
        ("It lasts 8 h", "It lasts 8 h."),
        ("Found in 1846", "It was found in 1846."),
        ("It was ５ days", "It was 5 days."),
    ],
)
def test_the_reason_says_that_every_number_was_found(claim, source):
    found = check(f"{claim} [1].", source)
    assert found.supported
    assert "and every number" in found.reason


@pytest.mark.parametrize(
    ("claim", "source", "missing"),
    [
        ("A year takes 224 whole Earth days", "A year takes 224.7 whole Earth days.", ("224",)),
        ("A year takes 225 or 226 whole Earth days", "A year takes 224.7 whole Earth days.", ("225", "226")),
        ("It lasts almost exactly 9h", "It lasts almost exactly 8h.", ("9h",)),
    ],
)
def test_a_number_that_stands_nowhere_is_flagged(claim, source, missing):
    found = check(f"{claim} [1].", source)
    assert (found.missing_numbers, found.supported) == (missing, False)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It lasts 2.5 days", "It lasts 2½ days."),
        ("It lasts 2½ days", "It lasts 2.5 days."),
        ("It has 1500 rings", "It has 1.5×10^3 rings."),
        ("It has 1.0e3 rings", "It has 1,000 rings."),
        ("It has 5 million craters", "It has 5,000,000 craters."),
        ("It has 2 moons", "It has two moons."),
        ("It has two moons", "It has 2 moons."),
        ("It is 12 km wide", "It is 12 kilometres wide."),
        ("It is 12 km wide", "It is 12 wide."),
        ("It is 12 wide", "It is 12 km wide."),
        ("It lasts 9h", "It lasts 9 hours."),
        ("It cools to -63 °C", "It cools to −63 degrees Celsius."),
        ("It covers 12% there", "It covers 12 percent there."),
        ("In the 1990s it rained", "It rained in the 1990s."),
        ("The 2nd moon", "The 2nd moon."),
    ],
)
def test_numbers_are_compared_by_value_and_unit(claim, source):
    found = check(f"{claim} [1].", source)
    assert found.missing_numbers == ()
    # A unit that is spelled otherwise is a missing term, but no missing number.
    assert found.supported or set(found.missing_terms) <= {"km", "c"}


@pytest.mark.parametrize(
    ("claim", "source", "reason"),
    [
        ("It is 12 miles wide", "It is 12 km wide, not miles.", "number not in it: 12 miles (it says 12 km)"),
        ("It covers 12% there", "It covers 12 there.", "number not in it: 12% (it says 12)"),
        ("It covers 12 there", "It covers 12 % there.", "number not in it: 12 (it says 12 %)"),
        ("It cools to -63 there", "It cools to 63 there.", "number not in it: -63"),
        ("It cools to 63 there", "It cools to −63 there.", "number not in it: 63"),
        ("It has 5 craters", "It has 5 million craters.", "number not in it: 5"),
        ("It has 1,014 old craters and rings", "It has old craters and rings.", "number not in it: 1014"),
        (
            "It has 1.5×10^3 old craters, rings, icy moons",
            "old craters, rings, icy moons",
            "number not in it: 1.5×10^3",
        ),
        ("It has three small icy moons", "It has two small icy moons.", "number not in it: three"),
        ("In the 1980s it rained long there", "It rained there long in the 1990s.", "number not in it: 1980s"),
    ],
)
def test_another_value_or_unit_is_flagged_and_the_reason_says_what_stands_there(claim, source, reason):
    found = check(f"{claim} [1].", source)
    assert not found.supported
    assert len(found.missing_numbers) == 1
    assert found.reason.endswith(reason)


def test_a_number_word_is_wanted_only_where_the_source_counts_the_same_thing():
    source = "Phobos and Deimos are moons of Mars, found in 1877."
    assert check("Phobos and Deimos are two moons of Mars [1].", source).missing_numbers == ()
    assert check("The two of Mars are Phobos and Deimos [1].", "Mars: Phobos, Deimos. 95 moons.").missing_numbers == ()


def test_a_number_that_a_source_writes_otherwise_counts_as_a_term_found():
    # takes, 2.5 and days: the source holds 2 and 1, no term 2.5
    assert check("It takes 2.5 days [1].", "It takes 2½ days.").support == 1.0


def test_the_numbers_of_a_citation_are_no_numbers_of_the_claim():
    assert check("Mars has two moons [1-2].").missing_numbers == ()


# --- which sentence a citation belongs to


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("It is hot [1]. It is dry [2].", ["It is hot [1].", "It is dry [2]."]),
        ("It is hot. [1] It is dry. [2]", ["It is hot. [1]", "It is dry. [2]"]),
        ("It is hot. [1][2] It is dry. [1-3]", ["It is hot. [1][2]", "It is dry. [1-3]"]),
        ("金星很热。[1]火星很冷。【2】", ["金星很热。[1]", "火星很冷。【2】"]),
        ("It is hot.\n[1]\nIt is dry.", ["It is hot.\n[1]", "It is dry."]),
        ("It is hot [1].\n[2] Venus", ["It is hot [1].", "[2] Venus"]),
        ("[1] It is hot.", ["[1] It is hot."]),
        ("[1]", ["[1]"]),
        ("", []),
    ],
)
def test_a_citation_after_the_full_stop_belongs_to_the_sentence_before_it(answer, claims):
    assert split_claims(answer) == claims
    assert [found.sentence for found in check_answer(answer, [D1])] == claims
