"""What counts as a term, script by script."""

import pytest

from engine.text.analysis import STOPWORDS, Analyzer, analyze, contains_phrase, find_terms, normalize_text, tokenize


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("VENUS", "venus"),
        ("Café Ångström naïve", "cafe angstrom naive"),
        ("Straße İstanbul ΣΑΣ", "strasse istanbul σασ"),
        ("ﬁsh Ⅷ x² １２３", "fish viii x2 123"),
        ("が ﾊﾟ か\u3099", "が パ が"),
        ("한국어 \u1112\u1161\u11ab", "한국어 한"),
        ("हिन्दी ไทย", "हिन्दी ไทย"),
        ("العَرَبِيَّة שָׁלוֹם", "العربية שלום"),
    ],
)
def test_folding_drops_accents_and_case_but_no_mark_that_makes_a_letter(text: str, folded: str) -> None:
    assert normalize_text(text) == folded


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("224.7 and 6.387", "224.7 and 6.387"),
        ("1,014 = 1014", "1014 1014"),
        ("It has 1,014, or 2,100.", "it has 1014 or 2100"),
        ("1,000,000 $1,299.99 １，０１４", "1000000 1299.99 1014"),
        ("10,000–20,000", "10000 20000"),
        ("12,34 1,0000 1,2,3 2020,2021", "12 34 1 0000 1 2 3 2020 2021"),
        ("3,14 and 1.234.567", "3 14 and 1.234.567"),
        ("v1.2.3 3.14.15", "v1 2.3 3.14.15"),
        ("-5 +3 5%", "5 3 5"),
        ("H2O abc123 CO2", "h2o abc123 co2"),
        ("3D 12km 2nd 1e5", "3 d 12 km 2 nd 1 e5"),
        ("well-known 224.7-day", "well known 224.7 day"),
        ("snake_case __init__ x_1", "snake case init x 1"),
        ("C++ C# .NET a.m. U.S.", "c c net a m u s"),
        ("", ""),
        (" \n\t…—!?", ""),
    ],
)
def test_terms_are_words_and_numbers(text: str, terms: str) -> None:
    assert tokenize(text) == terms.split()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Venus's moons", "venus moons"),
        ("Venus’s and Marsʼs and Io＇s", "venus and mars and io"),
        ("the planets' orbits, Mars'", "the planets orbits mars"),
        ("the 1990's", "the 1990"),
        ("O'Brien rock 'n' roll l'eau", "o brien rock n roll l eau"),
        ("it's we'll they're I'm I've he'd", "it we they i i he"),
        ("don't can’t DON'T won't", "dont cant dont wont"),
        ("'sun' ’s", "sun s"),
    ],
)
def test_an_apostrophe_takes_a_possessive_or_a_contracted_verb_with_it(text: str, terms: str) -> None:
    assert tokenize(text) == terms.split()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("金", "金"),
        ("金星", "金星"),
        ("金星的一年。", "金星 星的 的一 一年"),
        ("日本語のテスト2023年", "日本 本語 語の のテ テス スト 2023 年"),
        ("金星abc第2章", "金星 abc 第 2 章"),
        ("ガス ｶﾞｽ", "ガス ガス"),
        ("ภาษาไทย", "ภา าษ ษา าไ ไท ทย"),
        ("한글은 좋다", "한글은 좋다"),
        ("हिन्दी भाषा", "हिन्दी भाषा"),
        ("Привет, Ёлка", "привет елка"),
    ],
)
def test_scripts_without_spaces_become_pairs_and_others_words(text: str, terms: str) -> None:
    assert tokenize(text) == terms.split()


def test_stopwords_hold_question_words_and_auxiliaries_but_no_words_that_carry_a_subject() -> None:
    assert set("what which who whom whose when where why how does do did have has is are was can".split()) <= STOPWORDS
    assert STOPWORDS.isdisjoint("one two three ten every including comes first many long".split())


def test_every_stopword_can_meet_a_token() -> None:
    assert all(tokenize(word) == [word] for word in STOPWORDS)


@pytest.mark.parametrize("contraction", ["don't", "Isn’t", "can't", "what's", "they're", "I'm", "she'd", "we've"])
def test_contractions_of_stopwords_are_stopwords(contraction: str) -> None:
    assert analyze(contraction) == []


def test_analysis_is_tokens_without_stopwords() -> None:
    assert analyze("What moons does Mars have?") == ["moons", "mars"]
    assert analyze("How long is a year on Venus?") == ["long", "year", "venus"]


def test_the_analyzer_of_the_defaults_is_the_plain_one() -> None:
    text = "Which of the planets' orbits is the longest, 1,014 days or 金星?"
    assert Analyzer()(text) == analyze(text)
    assert Analyzer(stopwords="none")(text) == tokenize(text)


def test_stemming_joins_the_forms_of_a_word() -> None:
    assert Analyzer(stemming="english")("The moons orbiting, a moon orbits") == ["moon", "orbit", "moon", "orbit"]
    assert Analyzer(stemming="german", stopwords="none")("Planeten Planet") == ["planet", "planet"]


def test_equal_settings_make_equal_analyzers() -> None:
    assert Analyzer(stemming="english") == Analyzer(stemming="english") != Analyzer()


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("Its year lasts 224.7 days.", "224.7 Days", True),
        ("Its year lasts 224.7 days.", "7 days", False),
        ("Olympus Mons, a volcano", "olympus-mons", True),
        ("Marsh", "Mars", False),
        ("moons two", "two moons", False),
        ("CAFÉ au lait", "cafe", True),
        ("金星的一年", "的一年", True),
        ("anything", "", False),
        ("", "…", False),
    ],
)
def test_a_phrase_is_found_by_whole_normalised_words(text: str, phrase: str, found: bool) -> None:
    assert contains_phrase(text, phrase) is found


@pytest.mark.parametrize(
    ("text", "terms", "marked"),
    [
        ("Moons of Mars. MARS's moon", {"mars"}, ["Mars", "MARS's"]),
        ("It has 1,014 of them, not 1,014.5", {"1014"}, ["1,014"]),
        ("A 224.7-day year", {"224.7", "day"}, ["224.7", "day"]),
        ("Café, cafe\u0301, CAFE", {"cafe"}, ["Café", "cafe\u0301", "CAFE"]),
        ("金星的一年", {"星的", "的一"}, ["星的一"]),
        ("金星的一年", {"金星", "一年"}, ["金星", "一年"]),
        ("x_mars mars_x", {"mars"}, ["mars", "mars"]),
        ("nothing here", {"mars"}, []),
        ("Mars", set(), []),
    ],
)
def test_terms_are_marked_where_they_stand(text: str, terms: set[str], marked: list[str]) -> None:
    assert [text[start:end] for start, end in find_terms(text, terms)] == marked


def test_marks_follow_the_stems() -> None:
    stems = Analyzer(stemming="english")
    assert find_terms("It orbits in orbit", {"orbit"}, stems) == [(3, 9), (13, 18)]
