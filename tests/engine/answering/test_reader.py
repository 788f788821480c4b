"""The reader by features: what each feature is on a worked example, what is chosen, and how sure it is of it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BM25, Chunk, InvertedIndex, Library, Settings, analyze, ask, assemble_prompt
from engine.answering.abstention import is_abstention
from engine.answering.citations import cite
from engine.answering.reader import feature_reader, reader_of
from engine.answering.reader.answer_types import answer_type, fitting_words
from engine.answering.reader.confidence import in_words, probability
from engine.answering.reader.features import MOST_SENTENCES, read_features
from engine.answering.reader.question import take_apart
from engine.answering.reader.weights import BASE, SIGNS, WEIGHTS
from engine.answering.reader.words import read_words, reader_analyzer
from engine.records import Closest
from engine.text.analysis import Analyzer

STEMS = Analyzer(stemming="english", stopwords="none")
MOONS = (
    "Mars has two small moons, Phobos and Deimos.",
    "Phobos orbits Mars faster than Mars rotates.",
    "Jupiter has dozens of moons, including four large moons.",
    "The red colour of Mars comes from iron oxide dust.",
)


def chunks(*texts, title=""):
    return [Chunk(at, f"{at}.md", 0, len(text), text, title) for at, text in enumerate(texts)]


def answered(question, *texts, title="", threshold=0.0):
    held = chunks(*texts, title=title)
    bm25 = BM25(InvertedIndex(held))
    return feature_reader(bm25, threshold).answer(assemble_prompt(question, held, sources=len(held)))


def nth_features(number, question, *texts, title=""):
    """Return the features of a sentence, counted from 0."""
    held = chunks(*texts, title=title)
    bm25 = BM25(InvertedIndex(held))
    asked = take_apart(question, bm25.idf, analyze, STEMS)
    _, rows = read_features(asked, assemble_prompt(question, held, sources=len(held)), STEMS)
    return dict(zip(WEIGHTS, rows[number].tolist(), strict=True))


def first_features(question, *texts, title=""):
    return nth_features(0, question, *texts, title=title)


def test_the_four_chunks_feature_by_feature():
    """idf as in the golden values: moons ln 2, mars ln(5/3.5); the question has the words moons and mars."""
    moons, mars = math.log(2), math.log(5 / 3.5)
    total = moons + mars
    found = first_features("What moons does Mars have?", *MOONS)
    # "moon" and "mar" both stand in it, but not within three words of each other and not side by side.
    assert found["coverage"] == found["words beside names"] == found["names in source"] == found["early words"] == 1.0
    assert found["pairs in source"] == found["neighbouring words"] == found["number"] == 0.0
    # Of the four sentences two hold "moon" and three "mar"; both stand in the first.
    assert found["rare here"] == pytest.approx(1.0)
    # Sources of 8, 7, 9 and 10 words, 8.5 on average. The best holds both words once, the third "moon" twice.
    assert found["against the best"] == 1.0
    norm = {words: 0.9 * (0.6 + 0.4 * words / 8.5) for words in (8, 9)}
    first, third = total * 1.9 / (1 + norm[8]), moons * 2 * 1.9 / (2 + norm[9])
    assert third < first
    assert nth_features(2, "What moons does Mars have?", *MOONS)["against the best"] == pytest.approx(third / first)
    assert found["source rank"] == 1.0


@pytest.mark.parametrize(
    ("feature", "question", "texts", "value"),
    [
        ("sentence before", "Where is Phobos mined?", ("It is mined. Phobos is red.",), 0.0),
        ("sentence after", "Where is Phobos mined?", ("It is mined. Phobos is red.",), 0.5),
        ("same beginnings", "Who is the inventor?", ("The invention is old.",), 1.0),
        ("same beginnings", "Which comets?", ("A comb.",), 0.0),
        ("neighbouring words", "What is a red dust plain?", ("A red dust rose on a plain.",), 2 / 3),
        ("pairs in source", "What is a red dust plain?", ("A red fine dust rose on a plain.",), 1 / 2),
        ("number", "How many moons?", ("Two moons.",), 1.0),
        ("number", "How many moons?", ("Moons.",), 0.0),
        ("person", "Who found it?", ("Galle found it.",), 0.0),
        ("person", "Who found it?", ("It was found by Johann Galle.",), 1.0),
        ("person", "Did Johann Galle find it, or who did?", ("It was found by Johann Galle.",), 0.0),
        ("place", "Where is it?", ("It is in Padua.",), 1.0),
        ("place", "Who found it?", ("It is in Padua.",), 0.0),
        ("time", "When was it found?", ("It was found in 1846.",), 1.0),
        ("time", "How many were found?", ("It was found in 1846.",), 0.0),
        ("coverage", "Who wrote it?", ("He writes.",), 1.0),
        ("coverage", "Which planet is hottest?", ("A hot planet.",), 1.0),
        ("words alike", "Which movie?", ("A film.",), 1.0),
        ("words alike", "Which movie?", ("A movie, a film.",), 0.0),
        ("words beside names", "Is dusty Mars empty?", ("Mars is iron.",), 0.0),
        ("early words", "Which dust?", ("It is said to be red dust.",), 0.0),
        ("early words", "Which dust?", ("It is red dust.",), 1.0),
        ("beside the answer", "How many moons?", ("Two of those small moons.",), 1.0),
        ("place in source", "Which dust?", ("Dust. More.",), 1.0),
    ],
)
def test_features_one_by_one(feature, question, texts, value):
    assert first_features(question, *texts)[feature] == pytest.approx(value)


def test_a_pronoun_takes_the_sentence_before_into_account():
    words = "Where does Galileo live?"
    plain, pronoun = (answered(words, f"Galileo was old. {who} does live in Padua.") for who in ("Kepler", "He"))
    scores = [
        next(c for c in each.candidates if "Padua" in c.sentence and c.sentence != "Galileo was old.")
        for each in (plain, pronoun)
    ]
    antecedents = [dict((f.name, f.value) for f in each.features)["antecedent"] for each in scores]
    assert antecedents[0] == 0.0 < antecedents[1]


def test_a_heading_stands_for_its_list_items():
    found = answered("How many moons has Saturn?", "- 83 moons\n- rings", title="Saturn")
    assert found.candidates[0].sentence.endswith("83 moons")
    assert found.candidates[0].coverage == 1.0


def test_a_date_is_preferred_where_one_is_asked_for():
    found = answered(
        "When was Neptune discovered?", "Neptune was discovered far away. Galle discovered Neptune in 1846."
    )
    assert found.text == "Galle discovered Neptune in 1846 [1]."


def test_two_sentences_where_two_names_are_asked_for():
    found = answered("Which has more moons, Saturn or Jupiter?", "Saturn has 83 moons.", "Jupiter has 80 moons.")
    assert sorted(found.text.split("]. ")) == ["Jupiter has 80 moons [2].", "Saturn has 83 moons [1"]
    one = answered("Which has more moons, Saturn or Jupiter?", "Saturn has 83 moons, Jupiter 80.", "It is hot.")
    assert one.text == "Saturn has 83 moons, Jupiter 80 [1]."


@given(
    st.lists(st.text("Marsmon 12.\n火星", max_size=40), min_size=1, max_size=4), st.text("Marsmon? 火星", max_size=20)
)
def test_scores_are_the_sums_of_the_products(texts, question):
    found = answered(question, *texts)
    scores = [candidate.score for candidate in found.candidates]
    assert scores == sorted(scores, reverse=True)
    for candidate in found.candidates:
        assert tuple(feature.name for feature in candidate.features) == tuple(WEIGHTS)
        assert sum(feature.product for feature in candidate.features) == pytest.approx(candidate.score)
        assert all(math.isfinite(feature.value) and feature.value >= 0 for feature in candidate.features)
    if found.candidates:
        odds = BASE + sum(sign.product for sign in found.signs)
        assert found.confidence == pytest.approx(1 / (1 + math.exp(-odds)))


@pytest.mark.parametrize(
    ("sign", "question", "texts", "value"),
    [
        ("ahead", "Is Mars red?", ("Mars is red.",), 1.0),
        ("ahead of other sources", "Is Mars red?", ("Mars is red. It is old.",), 1.0),
        ("missing", "Is it red?", ("Mars is old.", "Red."), 0.0),
        ("missing", "Who wrote a movie?", ("He writes a film.",), 0.0),
        ("names missing", "Is Mars old, or Venus?", ("Mars is old.",), 1.0),
        ("names missing", "Is Mars old, or Venus?", ("Mars is old.", "Venus is old."), 0.0),
        ("answer missing", "When was it found?", ("It was found in 1846.",), 0.0),
        ("answer missing", "When was it found?", ("It was found.",), 1.0),
        ("negation missing", "Which planet is not red?", ("A red planet.",), 1.0),
        ("negation missing", "Which planet is not red?", ("A planet without red.",), 0.0),
        ("opposite", "Which planet is first?", ("The last planet.",), 1.0),
        ("words asked", "Which planet is red?", ("A planet.",), math.log(3)),
    ],
)
def test_signs_one_by_one(sign, question, texts, value):
    assert {each.name: each.value for each in answered(question, *texts).signs}[sign] == pytest.approx(value)


def test_equal_sentences_keep_the_order_of_the_sources():
    found = answered("What is red?", "Mars is red.", "Mars is red.", "Mars is red.")
    assert [candidate.source for candidate in found.candidates] == [1, 2, 3]


def test_the_threshold_is_one_of_probability():
    sure = answered("What moons does Mars have?", *MOONS)
    above = answered("What moons does Mars have?", *MOONS, threshold=min(1.0, sure.confidence + 0.001))
    below = answered("What moons does Mars have?", *MOONS, threshold=sure.confidence - 0.001)
    assert above.abstained
    assert not below.abstained
    assert f"the threshold is {sure.confidence + 0.001:.2f}" in above.reason
    assert above.confidence == below.confidence == sure.confidence


# --- what stands beside a refusal

NAMES = (
    "Jupiter has 95 known moons. It is the largest planet.",
    "Saturn has 146 known moons. Its rings are of ice.",
    "Ferns grow in wet soil.",
)
"""What two names are asked about, and something else."""
EITHER = "Which has more known moons, Saturn or Jupiter?"


@pytest.mark.parametrize(
    ("question", "texts"), [("What moons does Mars have?", MOONS), (EITHER, NAMES)], ids=["one", "two"]
)
def test_a_refusal_names_what_a_lower_threshold_answers(question, texts):
    would_be = answered(question, *texts)
    found = answered(question, *texts, threshold=1.0)
    why = (
        "no sentence of the notes is likely enough to be the answer"
        if found.closest.value >= 0.2
        else "the notes do not say"
    )
    assert (found.text, found.abstained) == (f"I don't know: {why}.", True)
    assert is_abstention(found.text)
    assert found.closest.sentences[0] == found.candidates[0]
    assert " ".join(cite(each.sentence, each.source) for each in found.closest.sentences) == would_be.text
    assert (found.closest.value, found.closest.threshold) == (would_be.confidence, 1.0)
    assert would_be.closest is None


def test_the_closest_sentence_is_quoted_with_its_source_and_how_sure_it_is():
    found = answered("What moons does Mars have?", *MOONS, threshold=1.0).closest
    assert found.quoted == "“Mars has two small moons, Phobos and Deimos.” [1]"
    assert found.said == f"{in_words(found.value)} (threshold 1.00)".replace("right ", "right, ")
    assert found.sources == (1,)


@pytest.mark.parametrize(
    ("value", "lead"),
    [(0.47, "Closest"), (0.2, "Closest"), (0.19, "Closest, but most likely not the answer")],
)
def test_what_is_hardly_right_is_said_to_be_no_answer(value, lead):
    assert Closest((), value, 0.5, "").lead == lead


def test_where_nothing_matches_nothing_is_closest():
    found = answered("Where do ferns grow?", *MOONS, threshold=1.0)
    assert found.abstained
    assert found.candidates
    assert found.closest is None


@given(
    st.lists(st.lists(st.sampled_from("Mars moons red dust it has. two! 1877".split()), max_size=9), max_size=4),
    st.lists(st.sampled_from("what how many Mars moons red ferns".split()), max_size=5),
    st.floats(0, 1),
)
def test_the_closest_sentence_is_there_only_beside_a_refusal_and_below_its_threshold(texts, question, threshold):
    found = answered(" ".join(question), *map(" ".join, texts), threshold=threshold)
    if found.closest is not None:
        assert found.abstained
        assert found.closest.sentences[0] == found.candidates[0]
        assert found.confidence == found.closest.value < threshold
    elif found.abstained and found.candidates:
        assert not found.candidates[0].matched


@pytest.mark.parametrize("question", ["", "?", "What is it?", "…", "\ud800", "how"])
def test_a_question_without_words_is_refused(question):
    assert answered(question, *MOONS).abstained


def test_without_sources_there_is_no_answer():
    prompt = assemble_prompt("What is Mars?", [])
    assert feature_reader(BM25(InvertedIndex([])), 0.0).answer(prompt).abstained


def test_a_huge_source_is_read_in_part():
    held = chunks("Mars is red. " * 5_000)
    asked = take_apart("What is red?", BM25(InvertedIndex(held)).idf, analyze, STEMS)
    sentences, rows = read_features(asked, assemble_prompt("What is red?", held, budget=1_000_000), STEMS)
    assert len(sentences) == len(rows) == MOST_SENTENCES


def test_chinese_is_read_by_pairs_of_characters():
    found = answered("火星有几颗卫星？", "火星有两颗卫星。木星很大。")
    assert found.candidates[0].sentence == "火星有两颗卫星。"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who discovered Neptune?", "person"),
        ("In which year was it found?", "time"),
        ("When?", "time"),
        ("Where is Olympus Mons?", "place"),
        ("What city is it near?", "place"),
        ("How many moons?", "number"),
        ("How hot is Venus?", "number"),
        ("How long is a day?", "duration"),
        ("What percentage is iron?", "percentage"),
        ("Which has more moons?", "number"),
        ("What is rust?", ""),
        ("Somewhere whenever?", ""),
    ],
)
def test_what_is_asked_for(question, kind):
    assert answer_type(question) == kind


@pytest.mark.parametrize(
    ("sentence", "kind", "words"),
    [
        ("It was found in 1846 by Galle.", "time", ["1846"]),
        ("It was found on 23 September 1846.", "time", ["23", "September", "1846"]),
        ("It takes 165 years, or 60,190 days.", "duration", ["165", "60,190"]),
        ("About 40% of 12 craters.", "percentage", ["40", "12"]),
        ("It lies near Paris in France.", "place", ["Paris", "France"]),
        ("The crater is old.", "person", []),
        ("Two moons, 3 rings.", "number", ["Two", "3"]),
    ],
)
def test_what_fits(sentence, kind, words):
    read = read_words(sentence, STEMS)
    assert [read.written[at] for at in fitting_words(read, kind, frozenset())] == words


def test_what_the_question_holds_is_no_answer_to_it():
    read = read_words("In 1846 it was found, in 1847 named.", STEMS)
    assert [read.written[at] for at in fitting_words(read, "time", frozenset({"1846"}))] == ["1847"]


def test_words_are_compared_in_the_language_of_the_index():
    assert reader_analyzer(analyze) == STEMS
    assert reader_analyzer(Analyzer(stopwords="chinese")).stemming == "none"
    assert reader_analyzer(Analyzer(stemming="porter")).stemming == "porter"


@given(st.dictionaries(st.sampled_from(sorted(SIGNS)), st.floats(-1e9, 1e9)))
def test_a_probability_is_one(signs):
    assert 0.0 <= probability(signs) <= 1.0
    assert in_words(probability(signs)).split()[1] == "right"


def test_the_settings_choose_the_reader(tmp_path):
    (tmp_path / "mars.md").write_text("# Mars\n\nMars has two moons.\n", encoding="utf-8")
    library = Library.open(tmp_path)
    bm25 = library.bm25
    assert type(reader_of(Settings(reader="coverage"), bm25)) is not type(reader_of(Settings(reader="features"), bm25))
    settings = Settings(reader="features", threshold=0.0)
    reading = ask(library.with_settings(settings), "How many moons has Mars?").to_dict()["reading"]
    best = reading["sentences"][0]
    assert best["score"] == pytest.approx(sum(feature["product"] for feature in best["features"]))
    assert 0 < reading["confidence"] < 1
    assert {"name", "value", "weight", "product"} == set(best["features"][0])
