"""Terms: what a text is reduced to before anything is counted."""

import pytest

from engine.errors import SettingsError
from engine.text.analysis import (
    Analyzer,
    analyze,
    contains_phrase,
    find_terms,
    tokenize,
)
from engine.text.normalizing import normalize_text
from engine.text.stopwords import STOPWORDS


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("224.7 days, 6.387", ["224.7", "days", "6.387"]),
        ("1,014 = 1014, 1,014.5 and 3,000,000.", ["1014", "1014", "1014.5", "and", "3000000"]),
        ("12345,678 1,2,3 0.123,456", ["12345", "678", "1", "2", "3", "0.123", "456"]),
        ("约有1,014年", ["约有", "1014", "年"]),
        ("Saturn's and Saturn’s rings", ["saturn", "and", "saturn", "rings"]),
        ("well-known snake_case", ["well", "known", "snake", "case"]),
        ("don't, won’t", ["don't", "won't"]),
        ("H2O in the 1990s, 3d", ["h2o", "in", "the", "1990s", "3d"]),
        ("v1.2 on python3.11, 224.7km", ["v1.2", "on", "python3.11", "224.7", "km"]),
        ("café cafe\u0301 CAFÉ", ["cafe", "cafe", "cafe"]),
        ("ﬁn Ⅷ １２３ Straße", ["fin", "viii", "123", "strasse"]),
        ("co\u00adoperate", ["cooperate"]),
        ("金星の年", ["金星", "星の", "の年"]),
        ("水", ["水"]),
        ("Python语言3个", ["python", "语言", "3", "个"]),
        ("한글 문서", ["한글", "문서"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("ไทย", ["ไท", "ทย"]),
        ("!? — …", []),
        ("", []),
    ],
)
def test_a_text_has_these_tokens(text, terms):
    assert tokenize(text) == terms


def test_kana_keep_their_voicing_and_hangul_its_syllables_however_they_are_encoded():
    assert normalize_text("か\u3099 ｶﾞ") == "が ガ"
    assert normalize_text("か") != normalize_text("が")
    assert normalize_text("\u1112\u1161\u11ab") == "한"


@pytest.mark.parametrize("word", ["ışık", "Iğdır", "İzmir", "KISIR", "straße", "οδυσσεύς", "élève"])
def test_a_word_is_the_same_in_capitals(word):
    assert normalize_text(word) == normalize_text(word.upper()) == normalize_text(word.lower())


def test_hebrew_and_arabic_are_the_same_without_their_points():
    assert normalize_text("שָׁלוֹם") == normalize_text("שלום")
    assert normalize_text("كَتَبَ") == normalize_text("كتب")


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("What moons does Mars have?", ["moons", "mars"]),
        ("Mars has two small moons, Phobos and Deimos.", ["mars", "two", "small", "moons", "phobos", "deimos"]),
        ("Phobos orbits Mars faster than Mars rotates.", ["phobos", "orbits", "mars", "faster", "mars", "rotates"]),
        (
            "Jupiter has dozens of moons, including four large moons.",
            ["jupiter", "dozens", "moons", "including", "four", "large", "moons"],
        ),
        (
            "The red colour of Mars comes from iron oxide dust.",
            ["red", "colour", "mars", "comes", "iron", "oxide", "dust"],
        ),
        ("Phobos circles Mars every 8 hours", ["phobos", "circles", "mars", "every", "8", "hours"]),
    ],
)
def test_the_worked_example_has_these_terms(text, terms):
    assert analyze(text) == terms


def test_question_words_and_auxiliaries_are_stopwords_and_quantities_are_not():
    assert set("what which who does have is how would might isn't he'd".split()) <= STOPWORDS
    assert not STOPWORDS & set("one two four ten every including comes long many may".split())


def test_every_stopword_can_be_reached():
    assert all(tokenize(word) == [word] for word in STOPWORDS)


def test_stemming_joins_forms_and_leaves_the_plain_analyzer_alone():
    english = Analyzer(stemming="english")
    assert english("orbits orbiting orbited") == ["orbit"] * 3
    assert Analyzer()("orbits orbiting") == analyze("orbits orbiting") == ["orbits", "orbiting"]
    assert english == Analyzer(stemming="english") and hash(english) == hash(Analyzer(stemming="english"))


@pytest.mark.parametrize("stemming", ["english", "german", "russian", "turkish"])
def test_words_have_the_same_stems_alone_and_among_others(stemming):
    words = ["orbiting", "Häuser", "луны", "İstanbul", "running", "Straße"]
    analyzer = Analyzer(stemming=stemming, stopwords="none")
    assert analyzer(" ".join(words)) == [term for word in words for term in analyzer(word)]
    assert analyzer("orbiting running") == [*analyzer("orbiting"), *analyzer("running")]
    assert analyzer("") == []


def test_a_stemmer_sees_the_accents_that_terms_lose():
    russian = Analyzer(stemming="russian", stopwords="none")
    assert russian("красный красная красные") == ["красн"] * 3
    assert Analyzer(stemming="turkish")("İstanbul") == Analyzer(stemming="turkish")("istanbul")


def test_without_stopwords_every_token_is_a_term():
    assert Analyzer(stopwords="none")("What is it?") == ["what", "is", "it"]


def test_an_unknown_stemmer_is_named_with_the_known_ones():
    with pytest.raises(SettingsError, match="klingon") as failure:
        Analyzer(stemming="klingon")
    assert "english" in failure.value.hint


@pytest.mark.parametrize(
    ("text", "phrase", "holds"),
    [
        ("It takes 1,014 Earth-days.", "1014 earth days", True),
        ("Saturn’s rings", "saturn rings", True),
        ("Marsh", "Mars", False),
        ("red planet", "planet red", False),
        ("水星很热", "水", True),
        ("水 星", "水星", True),
        ("水星很热", "水热", False),
        ("anything", "", False),
        ("a — b", "—", False),
    ],
)
def test_a_phrase_is_found_whatever_its_punctuation_and_spacing(text, phrase, holds):
    assert contains_phrase(text, phrase) is holds


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("Mars's moons and Mars", "mars", ["Mars", "Mars"]),
        ("1,014 days, 1014.", "1014", ["1,014", "1014"]),
        ("ﬁn cafe\u0301 fin", "fin café", ["ﬁn", "cafe\u0301", "fin"]),
        ("Ⅷ２２４．７ x", "x", ["x"]),
        ("２２４．７ days", "224.7", ["２２４．７"]),
        ("金星の年と火星", "金星の 火星", ["金星の", "火星"]),
        ("か\u3099す", "がす", ["か\u3099す"]),
        ("A 한글", "한글", ["한글"]),
        ("A \u1112\u1161\u11ab", "한", ["\u1112\u1161\u11ab"]),
        ("A,B,12,34", "b", ["B"]),
        ("nothing", "mars", []),
    ],
)
def test_terms_are_marked_in_the_text_as_written(text, query, marked):
    spans = find_terms(text, set(analyze(query)), Analyzer())
    assert [text[start:end] for start, end in spans] == marked


def test_stems_are_marked_by_their_whole_words():
    text = "Orbiting moons orbit."
    spans = find_terms(text, {"orbit"}, Analyzer(stemming="english"))
    assert [text[start:end] for start, end in spans] == ["Orbiting", "orbit"]
