import gc
from pathlib import Path

import numpy as np
import pytest

from engine.chunking.corpus import chunk_corpus
from engine.chunking.sentences import section_chunks
from engine.indexing.inverted_index import InvertedIndex
from engine.library import Library
from engine.pipeline import ask
from engine.ranking import routing
from engine.ranking.routing import LeadRouter, Routed, router_for
from engine.reading.markdown import parse_markdown
from engine.settings import Settings
from engine.text.analysis import analyze

NOTES = {
    "io.md": "# Io\n\nIo is a moon of Jupiter.\n\n## Fire\n\nVolcanoes cover its face. Rings are far.",
    "saturn.md": "# Saturn\n\nSaturn is a planet with rings.\n\n## Moons\n\nTitan has lakes. A moon may be a shepherd.",
    "titan.md": "# Titan\n\nTitan is a moon of Saturn.\n\n## Sea\n\nIts lakes hold methane.",
    "venus.md": "# Venus\n\nVenus is a planet.\n\n## Fire\n\nVolcanoes cover its face too.",
}


@pytest.fixture
def documents():
    return {name: parse_markdown(text, name) for name, text in NOTES.items()}


@pytest.fixture
def chunks(documents):
    return chunk_corpus(documents.values(), section_chunks)


@pytest.fixture
def router(documents, chunks):
    return LeadRouter(documents, chunks, analyze)


def searched(routed, chunks):
    return {chunk.document for chunk, allowed in zip(chunks, routed.allowed, strict=True) if allowed}


def test_the_notes_with_the_best_leads_are_searched_and_no_other(router, chunks):
    routed = router.route(["moon", "saturn"], 1)
    # "Saturn" and "moon" both stand in Titan's lead alone; Saturn's has "Saturn", with the title twice.
    assert routed.documents == ("titan.md",)
    assert searched(routed, chunks) == {"titan.md"}
    assert router.route(["moon", "saturn"], 3).documents == ("titan.md", "saturn.md", "io.md")


def test_what_stands_below_a_lead_does_not_choose_its_note(router, chunks):
    assert router.route(["lakes"], 2) == Routed((), None)
    assert router.route(["volcanoes", "venus"], 4).documents == ("venus.md",)


def test_only_notes_that_hold_an_allowed_chunk_take_part(router, chunks):
    allowed = np.array([chunk.document != "titan.md" and chunk.section != "Moons" for chunk in chunks])
    routed = router.route(["moon", "saturn"], 1, allowed=allowed)
    assert routed.documents == ("saturn.md",)
    assert [chunks[place].section for place in np.flatnonzero(routed.allowed)] == [""]
    assert not (routed.allowed & ~allowed).any()


def test_where_no_lead_helps_everything_allowed_is_searched(router, chunks):
    allowed = np.array([chunk.document == "io.md" for chunk in chunks])
    routed = router.route(["saturn"], 2, allowed=allowed)
    assert routed.documents == () and routed.allowed is allowed
    assert router.route([], 2) == Routed((), None)


def test_a_collection_without_notes_routes_nowhere():
    assert LeadRouter({}, [], analyze).route(["moon"], 3) == Routed((), None)


def test_a_router_is_made_once_an_index_and_goes_with_it(documents, chunks):
    index = InvertedIndex(chunks)
    router = router_for(index, documents, chunks)
    assert router_for(index, documents, chunks) is router
    assert index in routing._ROUTERS
    del index
    gc.collect()
    assert router not in routing._ROUTERS.values()


# --- the pipeline


@pytest.fixture
def library(documents):
    *_, library = Library.from_documents(documents, Settings(chunker="sections"), Path("notes"))
    return library


def test_with_routing_every_list_holds_the_routed_notes_only(library):
    routed = ask(
        library.with_settings(Settings(routing="leads", routed_documents=2)), "Which moon of Saturn has lakes?"
    )
    assert routed.routed == ("titan.md", "saturn.md")
    for ranking in routed.rankings.values():
        assert {routed.chunks[chunk].document for chunk in ranking.ids} <= {"titan.md", "saturn.md"}
    assert routed.rankings["bm25"].hits
    assert "routing" in routed.timings


def test_scores_stay_those_of_the_whole_collection(library):
    question = "Which moon of Saturn has lakes?"
    plain = ask(library, question)
    routed = ask(library.with_settings(Settings(routing="leads", routed_documents=2)), question)
    scores = {hit.chunk: hit.score for hit in plain.rankings["bm25"].hits}
    assert all(scores[hit.chunk] == hit.score for hit in routed.rankings["bm25"].hits)
    assert plain.routed == () and "routing" not in plain.timings


def test_as_many_notes_as_there_are_leads_with_the_words_change_nothing(library):
    question = "What is Saturn?"
    settings = library.settings.replace(routing="leads", routed_documents=4)
    held = {library.chunks[chunk].document for chunk in ask(library, question).rankings["bm25"].ids}
    assert held == set(ask(library.with_settings(settings), question).routed) == {"saturn.md", "titan.md"}


def test_a_question_that_no_lead_knows_searches_everything_and_says_so(library):
    trace = ask(library.with_settings(Settings(routing="leads")), "Where are lakes?")
    assert {trace.chunks[chunk].document for chunk in trace.rankings["bm25"].ids} == {"saturn.md", "titan.md"}
    assert "No leading section holds a word of the question: all notes were searched." in trace.warnings


def test_filters_come_first(library):
    settings = Settings(routing="leads", routed_documents=1)
    trace = ask(library.with_settings(settings), "Which moon of Saturn has lakes? path:saturn.md")
    assert trace.routed == ("saturn.md",)
    assert {chunk.document for chunk in trace.chunks.values()} == {"saturn.md"}


def test_stopwords_and_a_library_that_is_not_indexed_are_not_routed(documents):
    stages = Library.from_documents(documents, Settings(routing="leads"), Path("notes"))
    first = next(stages)
    assert ask(first, "Which moon?").routed == ()
    *_, last = stages
    assert ask(last, "what is the").routed == ()


def test_the_places_of_the_chunks_say_the_same_as_the_chunks(documents, chunks):
    order = sorted(documents)
    rows = np.array([order.index(chunk.document) for chunk in chunks], np.int32)
    ordered = {name: documents[name] for name in order}
    terms = ["moon", "rings"]
    asked, told = LeadRouter(ordered, chunks, analyze), LeadRouter(ordered, chunks, analyze, rows)
    assert asked.route(terms, 2).documents == told.route(terms, 2).documents
    assert (asked.route(terms, 2).allowed == told.route(terms, 2).allowed).all()
