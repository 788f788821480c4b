from pathlib import Path

import numpy as np
import pytest

from engine.library import Library
from engine.pipeline import ask, explain, find
from engine.ranking.titles import MOST
from engine.reading.markdown import parse_markdown
from engine.settings import Settings


def library_of(notes, **settings):
    documents = {name: parse_markdown(text, name) for name, text in sorted(notes.items())}
    *_, library = Library.from_documents(documents, Settings(**settings), Path("notes"))
    return library


# Twelve notes repeat the words of a title; the note itself says them once, in a long passage.
CROWD = {f"log-{at:02}.md": f"# Log {at}\nRed dwarf, red dwarf, red dwarf again: number {at}.\n" for at in range(12)}
DWARF = "---\naliases: [M dwarf, Proxima]\n---\n# Red dwarf\n" + " ".join(
    f"Sentence {at} says little." for at in range(40)
)
NOTES = {**CROWD, "stars/dwarf.md": DWARF, "venus.md": "# Venus\nVenus turns slowly.\n"}


@pytest.fixture(scope="module")
def library():
    return library_of(NOTES, lsa_weight=0.0)


def notes_of(library, question, **more):
    return [library.chunks[at].document for at in find(library, question, **more).rankings["fused"].ids]


@pytest.mark.parametrize("question", ["red dwarf", "What is a red dwarf?", "Dwarf: RED", "M dwarf", "proxima"])
def test_a_question_that_is_a_title_or_an_alias_finds_the_note_first(library, question):
    assert notes_of(library, question)[0] == "stars/dwarf.md"


def test_without_the_match_the_note_would_be_buried(library):
    found = find(library, "red dwarf")
    assert "log" in library.chunks[found.rankings["bm25"].ids[0]].document
    assert [library.chunks[at].document for at in found.rankings["bm25"].ids].index("stars/dwarf.md") >= 3


def test_a_title_inside_a_question_of_which_it_is_half_brings_the_note_to_place_3(library):
    # By idf: red and dwarf, in nearly every passage, weigh next to nothing beside "slowly"; "proxima" outweighs it.
    assert "stars/dwarf.md" not in notes_of(library, "Which red dwarf turns slowly?")[:3]
    assert notes_of(library, "proxima number")[2] == "stars/dwarf.md"
    assert notes_of(library, "proxima number 3")[0] == "log-03.md"


def test_a_note_that_stands_higher_anyway_stays_there(library):
    assert notes_of(library, "venus number")[0] == "venus.md"


def test_a_lifted_passage_says_so_and_its_parts_add_up(library):
    trace = ask(library, "red dwarf")
    first, second = trace.rankings["fused"].hits[:2]
    assert first.score == second.score
    why = explain(library, trace, first.chunk)
    assert [part.ranking for part in why.fusion] == ["bm25", "near", "header", "lsa", "note", "crowd", "title"]
    assert why.fused == first.score
    assert why.fusion[-1].contribution > 0
    assert [part.ranking for part in explain(library, trace, second.chunk).fusion] == [
        "bm25",
        "near",
        "header",
        "lsa",
        "note",
        "crowd",
    ]
    scores = [hit.score for hit in trace.rankings["fused"].hits]
    assert scores == sorted(scores, reverse=True)
    assert [hit.rank for hit in trace.rankings["fused"].hits] == list(range(1, len(scores) + 1))


def test_a_note_that_no_list_reaches_is_found_by_its_title():
    library = library_of(NOTES, depth=2, lsa_weight=0.0)
    trace = ask(library, "red dwarf")
    assert library.chunks[trace.rankings["bm25"].ids[0]].document != "stars/dwarf.md"
    assert [library.chunks[at].document for at in trace.rankings["fused"].ids][0] == "stars/dwarf.md"
    assert len(trace.rankings["fused"].hits) == 2
    first = trace.rankings["fused"].hits[0]
    assert explain(library, trace, first.chunk).fused == first.score


def test_filters_come_first(library):
    assert "stars/dwarf.md" not in notes_of(library, "red dwarf -path:stars")
    assert notes_of(library, 'red dwarf -"sentence 0"')[0] == "stars/dwarf.md"


def test_many_notes_of_one_title_do_not_push_everything_else_out():
    notes = {f"{at}/index.md": f"# Index\nPage {at} of something.\n" for at in range(20)}
    library = library_of({**notes, "a.md": "# All\n" + "Index, index, index. " * 3})
    found = notes_of(library, "index")
    assert "a.md" in found[: MOST + 1]


def test_a_question_that_names_no_note_is_ranked_by_fusion_alone(library):
    fused = find(library, "slowly turns number 4").rankings["fused"]
    assert library.titles.lift(fused, ["slowly", "turns", "number", "4"], library.bm25, 100) == fused


def test_titles_without_words_and_empty_libraries():
    library = library_of({"a.md": "---\ntitle: The\n---\nWhat is it?\n", "b.md": "# ?!\nx y z\n"})
    assert notes_of(library, "x") == ["b.md"]
    empty = library_of({})
    assert find(empty, "red dwarf").rankings["fused"].hits == ()
    assert library.titles.named([], library.bm25) == []
    nothing = np.zeros(len(library.chunks), bool)
    assert library.titles.lift(find(library, "b").rankings["fused"], ["b"], library.bm25, 10, nothing).hits == ()
