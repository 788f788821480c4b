"""Names such as snake_case and C++: found whole and in parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex
from engine.library import Library
from engine.settings import Settings
from engine.text.analysis import Analyzer, analyze, find_terms
from engine.text.identifiers import name_terms

NAMES = Analyzer(identifiers=True)


@pytest.mark.parametrize(
    ("text", "wholes", "parts"),
    [
        ("snake_case, __init__ and a__b", ["snake_case", "a__b"], []),
        ("node.js example.com engine.text_analysis.run", ["node.js", "example.com", "engine.text_analysis.run"], []),
        ("Use .NET or .gitignore.", [".net", ".gitignore"], []),
        ("DEC-0054 utf-8 ISO-8859-1 well-known 64-bit", ["dec-0054", "utf-8", "iso-8859-1"], []),
        ("C++, C#; C++20 (F#) a+b i#x x ++", ["c++", "c#", "c++20", "f#"], []),
        ("camelCase parseHTTPResponse getURLForID2", [], "camel case parse http response get url for id".split()),
        ("GitHub and an iPhone", [], ["git", "hub", "phone"]),
        ("v2.8.3, V1.0 and 2.8.3, 224.7", [], ["2.8.3", "1.0"]),
        ("e.g. the U.S.", ["e.g", "u.s"], []),
        ("Mars has two moons. They are small: 1,014 - 3. A_ _b", [], []),
        ("naïve_Ansatz 金星C++星 \udc80snake_case", ["ve_ansatz", "c++", "snake_case"], []),
        ("", [], []),
    ],
)
def test_a_text_has_these_names(text, wholes, parts):
    assert name_terms(text) == (wholes, parts)


def test_terms_of_names_come_beside_the_plain_ones():
    assert NAMES("What is snake_case in C++?") == ["snake", "case", "c", "snake_case", "c++"]
    assert NAMES("loadToMemory") == ["loadtomemory", "load", "memory"]
    assert Analyzer("english", identifiers=True)("parsingNotes x_moons") == [
        "parsingnot", "x", "moon", "x_moons", "pars", "note",
    ]  # fmt: skip


@given(st.text() | st.text(st.sampled_from("aB0._-+# \n")))
def test_the_plain_terms_stay_and_stand_first(text):
    plain = analyze(text)
    assert NAMES(text)[: len(plain)] == plain


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("snake_case", 0),
        ("C++", 2),
        ("C#", 3),
        ("node.js", 4),
        (".NET", 6),
        ("DEC-0054", 8),
        ("camel", 10),
        ("2.8.3", 11),
    ],
)
def test_a_question_for_a_name_ranks_it_first(question, first):
    texts = [
        "a snake_case name", "a snake in this case",
        "written in C++", "written in C#",
        "run by node.js", "js on a node",
        "the .NET platform", "the net",
        "see DEC-0054", "dec 5 and 0054",
        "it isCamelCase here", "release v2.8.3",
    ]  # fmt: skip
    assert BM25(InvertedIndex(texts, NAMES)).search(question, 12).ids[0] == first


def test_names_are_marked_by_their_words():
    text = "Use camelCase in C++."
    spans = find_terms(text, set(NAMES("case C++")), NAMES)
    assert [text[start:end] for start, end in spans] == ["camelCase", "C"]


def test_the_setting_is_off_unless_asked_for(tmp_path):
    (tmp_path / "note.md").write_text("We write C++ and snake_case.\n", encoding="utf-8")
    assert "c++" not in Library.open(tmp_path).index.vocabulary
    assert {"c++", "c", "snake_case"} <= set(Library.open(tmp_path, Settings(identifiers=True)).index.vocabulary)
