import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.indexing.inverted_index import InvertedIndex
from engine.library import Library
from engine.pipeline import ask, explain, find
from engine.ranking.filters import Catalog, Phrase
from engine.ranking.notes import Notes, _wildcards
from engine.ranking.query import Filter, parse_query
from engine.reading.markdown import parse_markdown
from engine.records import Chunk
from engine.settings import Settings
from engine.storage.chunks import StoredChunks
from engine.text.analysis import Analyzer, contains_phrase, tokenize

NOTES = {
    "inner/mars.md": """---
aliases: [The red planet]
tags: [planet/rocky, "Iron Oxide"]
date: 2024-03-01
---
# Mars
Iron oxide paints the ground red. It has two moons.

## Moons
Phobos and Deimos are moons. An oxide of iron is rust.
""",
    "inner/venus.md": """---
tags: [planet/rocky]
date: 2024-05-01
---
# Venus
Venus has no moons, and no iron-oxide dust.
""",
    "outer/saturn.md": "---\ntags: [Planet]\n---\n# Saturn\nSaturn has many moons and rings. Être à l'ombre.\n",
    "outer/Jupiter notes.md": "# Jupiter\nThe moons of Jupiter are large. #planetary 金星の年\n",
}


def library_of(notes, **settings):
    documents = {name: parse_markdown(text, name) for name, text in notes.items()}
    *_, library = Library.from_documents(documents, Settings(**settings), Path("notes"))
    return library


@pytest.fixture(scope="module")
def library():
    return library_of(NOTES)


def passing(library, typed):
    mask = library.catalog.allowed(parse_query(typed).filters)
    return sorted({f"{library.chunks[at].document}:{library.chunks[at].section}" for at in np.flatnonzero(mask)})


MARS, MOONS = "inner/mars.md:", "inner/mars.md:Moons"
VENUS, SATURN, JUPITER = "inner/venus.md:", "outer/saturn.md:", "outer/Jupiter notes.md:"


@pytest.mark.parametrize(
    ("typed", "passes"),
    [
        ('"iron oxide"', [MARS, VENUS]),
        ('"IRON, oxide"', [MARS, VENUS]),
        ('"oxide of iron"', [MOONS]),
        ('"are"', [MOONS, JUPITER]),
        ('"etre a l\'ombre"', [SATURN]),
        ('"星の"', [JUPITER]),
        ('"ars"', []),
        ('"mars moons"', [MOONS]),  # its header: Mars > Moons
        ('"iron" "moons"', [MARS, MOONS, VENUS]),
        ("-iron", [JUPITER, SATURN]),
        ("-iron-oxide", [MOONS, JUPITER, SATURN]),
        ('-"no moons"', [MARS, MOONS, JUPITER, SATURN]),
        ("-venus", [MARS, MOONS, JUPITER, SATURN]),
        ("-pluto", [MARS, MOONS, VENUS, JUPITER, SATURN]),
        ("path:inner", [MARS, MOONS, VENUS]),
        ("path:INNER/v", [VENUS]),
        ('path:"jupiter notes"', [JUPITER]),
        ("path:*r*/*s.md", [MARS, MOONS, VENUS, JUPITER]),
        ("path:inner*md", []),
        ("path:[a-z]", []),
        ("-path:inner -path:jup", [SATURN]),
        ("tag:planet", [MARS, MOONS, VENUS, SATURN]),
        ("tag:#Planet/ROCKY", [MARS, MOONS, VENUS]),
        ("tag:rocky", []),
        ('tag:"iron oxide"', [MARS, MOONS]),
        ("-tag:planet", [JUPITER]),
        ("title:mars", [MARS, MOONS]),
        ('title:"red planet"', [MARS, MOONS]),
        ('title:"planet mars"', []),
        ("title:mar", []),
        ("-title:mars -title:venus tag:planet", [SATURN]),
        ("path:inner tag:planet -title:venus -phobos", [MARS]),
    ],
)
def test_which_passages_pass(library, typed, passes):
    assert passing(library, typed) == sorted(passes)


def test_no_filter_is_no_mask(library):
    assert library.catalog.allowed(()) is None


def test_stemmed_notes_are_filtered_by_stems_where_a_word_is_excluded_and_by_letters_in_a_phrase():
    library = library_of(NOTES, stemming="english")
    assert passing(library, "-moon") == []
    assert passing(library, '"moon"') == []
    assert passing(library, '"large"') == [JUPITER]


def test_without_headers_a_phrase_stands_in_the_text(library):
    chunk = Chunk(0, "a.md", 0, 9, "No moons.", title="Mars", section="Moons")
    index = InvertedIndex([chunk], headers=False)
    catalog = Catalog(Notes({"a.md": parse_markdown("# Mars\nNo moons.", "a.md")}), [chunk], index)
    assert catalog.allowed([Filter("phrase", "Mars")]).tolist() == [False]
    assert catalog.allowed([Filter("phrase", "no moons")]).tolist() == [True]


WORDS = st.sampled_from(["iron", "oxide", "the", "mars", "moon's", "1,014", "É", "金星"])


@given(
    texts=st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=8), words=st.lists(WORDS, min_size=1, max_size=3)
)
def test_phrases_are_found_where_a_look_at_every_text_finds_them(texts, words):
    phrase = " ".join(words)
    chunks = [Chunk(at, f"{at}.md", 0, len(text), text) for at, text in enumerate(texts)]
    documents = {chunk.document: parse_markdown(chunk.text, chunk.document) for chunk in chunks}
    for analyzer in (Analyzer(), Analyzer(stopwords="none")):
        mask = Catalog(Notes(documents), chunks, InvertedIndex(chunks, analyzer)).allowed([Filter("phrase", phrase)])
        assert mask.tolist() == [contains_phrase(text, phrase) for text in texts]


TEXTS = st.text(alphabet="aB'.,-_ 1234\n", max_size=24) | st.text(alphabet="don't’ 's é,1“…\xa0", max_size=16)


@given(text=TEXTS, phrase=TEXTS.filter(tokenize))
@example("Mars's 1,014 days", "mars 1014")
@example("don't", "t")
@example("x 3.5 y", "3 5")
@example("1,014don't 3.5km", "1014 don't")
@example("1,014don't 3.5km", "km")
@example("v2the v2 the", "v2 the")
def test_a_phrase_looked_for_quickly_is_found_where_words_are_compared(text, phrase):
    assert Phrase(phrase).is_in(text) is contains_phrase(text, phrase)


@settings(max_examples=200)
@given(
    texts=st.lists(
        TEXTS | st.sampled_from(["the", "of\0the", "1the of", "the's of", "of THE", "the of the of", ""]), max_size=5
    )
)
def test_many_texts_are_looked_through_as_each_alone(texts):
    for phrase in ("the", "of the", "the the", "the of", "don't", "für"):
        assert Phrase(phrase).are_in(texts) == [contains_phrase(text, phrase) for text in texts]


def test_a_phrase_of_stopwords_is_read_for_once_and_makes_no_chunk(library, monkeypatch):
    whole = [at for at, chunk in enumerate(library.chunks) if contains_phrase(chunk.text, "has")]
    assert 1 < len(whole) < len(library.chunks)
    monkeypatch.setattr(StoredChunks, "__getitem__", None)
    catalog = Catalog(library.opened.notes, library.chunks, library.index, None, library.opened.chunks.written)
    assert np.flatnonzero(catalog.allowed([Filter("phrase", "has")])).tolist() == whole
    catalog._written = None  # what was found is remembered
    assert np.flatnonzero(catalog.allowed([Filter("phrase", "has")])).tolist() == whole


@pytest.mark.parametrize("lists", [0, 3])
def test_no_list_and_no_prompt_holds_what_a_filter_leaves_out(lists):
    library = library_of(NOTES, lists=lists, probes=1)
    trace = ask(library, "Which moons has Mars? -path:mars tag:planet")
    for ranking in trace.rankings.values():
        assert ranking.hits
        assert {library.chunks[at].document for at in ranking.ids} <= {"inner/venus.md", "outer/saturn.md"}
    assert {source.chunk.document for source in trace.prompt.sources} <= {"inner/venus.md", "outer/saturn.md"}
    assert trace.filters == ("-path:mars", "tag:planet")
    assert (trace.n_allowed, trace.n_chunks) == (2, 5)
    assert trace.to_dict()["filters"] == ["-path:mars", "tag:planet"]


def test_generator_and_prompt_see_the_question_without_operators(library):
    trace = ask(library, 'Which ground paints "iron oxide"? title:mars -pluto')
    assert trace.prompt.question == "Which ground paints iron oxide?"
    assert "title:" not in trace.prompt.text
    assert trace.question == 'Which ground paints "iron oxide"? title:mars -pluto'
    assert trace.terms == ("ground", "paint", "iron", "oxid")
    assert trace.answer.text == "Iron oxide paints the ground red [1]."
    plain = ask(library, "Which ground paints iron oxide?")
    assert explain(library, trace, 0).terms == explain(library, plain, 0).terms


def test_filters_alone_list_each_note_once_newest_first_then_by_path(library):
    trace = ask(library, "-path:nowhere")
    listed = [library.chunks[at] for at in trace.rankings["fused"].ids]
    assert [chunk.document for chunk in listed] == [
        "inner/venus.md", "inner/mars.md", "outer/Jupiter notes.md", "outer/saturn.md",
    ]  # fmt: skip
    assert listed[1].section == ""
    assert trace.answer.abstained
    assert trace.warnings == ("There are only filters and no question: what meets them is listed, newest note first.",)
    assert [hit.rank for hit in find(library_of(NOTES, depth=2), "-path:nowhere").rankings["fused"].hits] == [1, 2]


@pytest.mark.parametrize(
    ("typed", "warning"),
    [
        ("moons tag:nope", "Nothing in the notes matches tag:nope."),
        ('moons "iron oxides" title:x', 'Nothing in the notes matches "iron oxides", title:x.'),
        ("moons title:venus path:mars", "No passage meets all of these at once: title:venus path:mars."),
        ("moons -path:md", "No passage meets all of these at once: -path:md."),
        ("pluto -venus", "No passage that meets -venus has to do with the words of the question."),
        ("tag:nope", "Nothing in the notes matches tag:nope."),
    ],
)
def test_a_filter_that_leaves_nothing_is_named(library, typed, warning):
    trace = ask(library, typed)
    assert trace.warnings == (warning,)
    assert trace.rankings["fused"].hits == ()
    assert trace.answer.abstained


def test_while_nothing_is_indexed_a_filter_is_no_problem():
    documents = {name: parse_markdown(text, name) for name, text in NOTES.items()}
    first, *_ = Library.from_documents(documents, Settings(), Path("notes"))
    assert ask(first, "moons tag:planet").warnings == ("The index is not ready: nothing has been searched yet.",)


def test_settings_that_need_no_rebuild_keep_the_tables_of_the_filters(library):
    assert library.with_settings(Settings(k1=1.2)).catalog is library.catalog


@given(st.text("ab/*", max_size=12), st.text("ab/", max_size=12))
def test_wildcards_find_what_a_backtracking_pattern_finds(wanted: str, path: str):
    pieces = wanted.split("*")
    plain = re.compile("[^/]*".join(map(re.escape, pieces)))
    assert bool(_wildcards(pieces).search(path)) == bool(plain.search(path))


@pytest.mark.parametrize("wanted", ["*" * 3000 + "x", "*a" * 3000 + "x", "a*" * 3000 + "x"])
def test_thousands_of_wildcards_take_no_more_than_a_moment(wanted: str):
    assert not _wildcards(wanted.split("*")).search("a" * 200 + "/" + "a" * 50)
