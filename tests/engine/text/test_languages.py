"""The language of a folder: told by its words, and what follows from it."""

import json
from pathlib import Path

import pytest

from engine.evaluation.collections import data_folder
from engine.library import Library
from engine.settings import LANGUAGES, Settings
from engine.text.analysis import Analyzer, analyze, tokenize
from engine.text.languages import analyzer_for, detect_language
from engine.text.stopwords import STOPWORDS, STOPWORDS_OF, TOLD_BY_WORDS

VENUS = {
    "arabic": "الزهرة هي ثاني كوكب من الشمس و ليس لها أي قمر",
    "catalan": "Venus és el segon planeta des del Sol i no té cap lluna",
    "chinese": "金星是离太阳第二近的行星，没有卫星。",
    "czech": "Venuše je druhá planeta od Slunce a nemá žádný měsíc, ale její den je delší než rok",
    "danish": "Venus er den anden planet fra Solen, og den har ikke nogen måne",
    "dutch": "Venus is de tweede planeet van de zon en heeft geen maan",
    "english": "Venus is the second planet from the Sun and has no moon",
    "finnish": "Venus on toinen planeetta Auringosta, ja sillä ei ole kuuta",
    "french": "Vénus est la deuxième planète du Soleil et n'a pas de lune",
    "german": "Die Venus ist der zweite Planet von der Sonne aus und hat keinen Mond",
    "greek": "Η Αφροδίτη είναι ο δεύτερος πλανήτης από τον Ήλιο και δεν έχει φεγγάρι",
    "hindi": "शुक्र सूर्य से दूसरा ग्रह है और इस का कोई चंद्रमा नहीं है",
    "hungarian": "A Vénusz a második bolygó a Naptól, és nincs holdja",
    "indonesian": "Venus adalah planet kedua dari Matahari dan tidak memiliki bulan",
    "italian": "Venere è il secondo pianeta dal Sole e non ha una luna",
    "japanese": "金星は太陽から二番目の惑星で、衛星を持たない。",
    "korean": "금성은 태양에서 두 번째 행성이며 위성이 없다.",
    "norwegian": "Venus er den andre planeten fra solen, og den har ikke noen måne",
    "persian": "زهره دومین سیاره از خورشید است و هیچ ماه ندارد که آن را",
    "polish": "Wenus jest drugą planetą od Słońca i nie ma księżyca",
    "portuguese": "Vênus é o segundo planeta do Sol e não tem uma lua",
    "romanian": "Venus este a doua planetă de la Soare și nu are nici o lună",
    "russian": "Венера это вторая планета от Солнца, и у неё нет спутников",
    "spanish": "Venus es el segundo planeta desde el Sol y no tiene ninguna luna",
    "swedish": "Venus är den andra planeten från solen och har inte någon måne",
    "thai": "ดาวศุกร์เป็นดาวเคราะห์ดวงที่สองจากดวงอาทิตย์และไม่มีดวงจันทร์",
    "turkish": "Venüs Güneş'e en yakın ikinci gezegen ve bir uydusu yok",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_sentence_tells_the_language(language):
    assert detect_language([VENUS[language]]) == language


@pytest.mark.parametrize("text", ["", "x = foo(bar)\nls -la /usr", "Vulcanus 1 2 3", "der die das"[:7]])
def test_where_nothing_tells_it_is_english(text):
    assert detect_language([text]) == "english"


def test_most_of_a_folder_decides():
    notes = [VENUS["german"]] * 5 + [VENUS["english"]] * 2 + [""]
    assert detect_language(notes) == detect_language(notes[::-1]) == "german"
    assert detect_language([]) == "english"
    assert detect_language([f"{VENUS['english']} 金星"] * 1000) == "english"


@pytest.mark.parametrize("language", TOLD_BY_WORDS)
def test_every_stopword_can_be_reached(language):
    assert len(STOPWORDS_OF[language]) > 50
    assert [word for word in STOPWORDS_OF[language] if tokenize(word) != [word]] == []


@pytest.mark.parametrize(
    ("language", "text", "terms"),
    [
        ("german", "Wie heißt der größte Mond des Saturn?", ["heisst", "grosste", "mond", "saturn"]),
        ("french", "Qu'est-ce que l'été sur Mars ?", ["ete", "mars"]),
        ("spanish", "¿Cuántas lunas tiene Marte?", ["cuantas", "lunas", "marte"]),
        ("italian", "L'anno dell'Uomo", ["anno", "uomo"]),
        ("chinese", "the Venus 金星", ["venus", "金星"]),
        ("none", "the Venus", ["the", "venus"]),
    ],
)
def test_stopwords_go_whatever_their_accents(language, text, terms):
    assert Analyzer(stopwords=language)(text) == terms


def test_the_settings_choose_the_analyzer():
    assert analyzer_for(Settings(), "english") == Analyzer("english")
    assert analyzer_for(Settings(stemming="none"), "english") == Analyzer()
    assert analyzer_for(Settings(stemming="none"), "german") == Analyzer("none", "german")
    assert analyzer_for(Settings(stopwords="english"), "german") == Analyzer("german", "english")
    assert analyzer_for(Settings(stopwords="none"), "german") == Analyzer("german", "none")
    assert analyzer_for(Settings(), "japanese") == Analyzer("none", "japanese")
    assert analyzer_for(Settings(stemming="english"), "french") == Analyzer("english", "french")


def test_stems_join_the_forms_of_a_language():
    german = Analyzer("german", "german")
    assert german("Monde des Mondes") == ["mond", "mond"] == german("der Mond") * 2
    assert Analyzer("french", "french")("les planètes") == Analyzer("french", "french")("une planète")


def test_a_library_knows_its_language(tmp_path):
    (tmp_path / "venus.md").write_text(f"# Venus\n\n{VENUS['german']}.\n", encoding="utf-8")
    library = Library.open(tmp_path)
    assert library.language == "german"
    assert set(library.index.vocabulary) == {"venus", "zweit", "planet", "sonn", "mond"}
    plain = Library.open(tmp_path, Settings(language="english", stemming="none"))
    assert plain.language == "english" and plain.index.analyzer == Analyzer()
    assert plain.index.analyzer("Die Venus") == analyze("Die Venus") == ["die", "venus"]


def test_the_sample_notes_are_english():
    assert Library.open(Path(__file__).parents[3] / "sample_docs").language == "english"


@pytest.mark.skipif(data_folder() is None, reason="the collections lie elsewhere: set PLANET_TUI_DATA")
@pytest.mark.parametrize(
    ("folder", "language"), [("en", "english"), ("zh", "chinese"), ("es", "spanish"), ("de", "german")]
)
def test_paragraphs_of_an_encyclopedia_are_told_apart(folder, language):
    lines = (data_folder() / "xquad" / folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    assert detect_language(texts) == language
    assert sum(detect_language([text]) == language for text in texts) >= 0.99 * len(texts)


def test_english_stopwords_are_the_plain_ones():
    assert STOPWORDS_OF["english"] is STOPWORDS is STOPWORDS_OF["korean"]
