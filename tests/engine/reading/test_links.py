"""Where links lead: names as Obsidian takes them, paths as a browser does, and the way back."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Library
from engine.reading.links import LinkGraph, link_graph
from engine.reading.markdown import parse_markdown
from engine.records import Document, Link


def graph(notes: dict[str, str]) -> LinkGraph:
    return link_graph({name: parse_markdown(text, name) for name, text in sorted(notes.items())})


def leads(found: LinkGraph, document: str, target: str, *, wiki: bool = True) -> str | None:
    destination = found.follow(document, Link(target, target, 0, wiki))
    return destination and destination.document


NOTES = {
    "venus.md": "# Venus\n\n## Orbit\n\nx\n\n## Orbit\n\ny",
    "moons/io.md": "---\naliases: [Jupiter I, Feuermond]\n---\nHot.",
    "moons/deep/io.md": "x",
    "moons/deep/moon.md": "x",
    "a/same.md": "x",
    "b/same.md": "x",
    "b/other.md": "x",
    "Über uns.md": "x",
    "moons/README.md": "x",
    "book/ch01-00.md": "x",
    "v2.0.md": "x",
    "data.txt": "x",
}


@pytest.mark.parametrize(
    ("document", "target", "found"),
    [
        ("venus.md", "io", "moons/io.md"),  # the shortest path
        ("venus.md", "IO", "moons/io.md"),
        ("venus.md", "deep/io", "moons/deep/io.md"),
        ("venus.md", "moons/deep/io.md", "moons/deep/io.md"),
        ("venus.md", "/moons/io", "moons/io.md"),
        ("venus.md", "/io", None),
        ("moons/io.md", "../venus", "venus.md"),
        ("moons/io.md", "./io", "moons/io.md"),
        ("venus.md", "../venus", None),
        ("b/other.md", "same", "b/same.md"),  # the one beside it
        ("venus.md", "same", "a/same.md"),
        ("moons/deep/io.md", "io", "moons/deep/io.md"),
        ("venus.md", "Jupiter I", "moons/io.md"),
        ("venus.md", "feuermond", "moons/io.md"),
        ("venus.md", "u\u0308ber uns", "Über uns.md"),
        ("venus.md", "v2.0", "v2.0.md"),
        ("venus.md", "data", "data.txt"),
        ("venus.md", "#Orbit", "venus.md"),
        ("venus.md", "mars", None),
        ("venus.md", "https://example.org/io", None),
    ],
)
def test_a_wikilink_leads_where_obsidian_would_go(document: str, target: str, found: str | None) -> None:
    assert leads(graph(NOTES), document, target) == found


@pytest.mark.parametrize(
    ("document", "target", "found"),
    [
        ("moons/io.md", "../venus.md", "venus.md"),
        ("moons/io.md", "deep/io.md", "moons/deep/io.md"),
        ("moons/io.md", "/venus.md?plain=1#orbit", "venus.md"),
        ("moons/io.md", "%C3%9Cber%20uns.md", "Über uns.md"),
        ("moons/io.md", "../%C3%9Cber%20uns.md", "Über uns.md"),
        ("venus.md", "moons/", "moons/README.md"),
        ("moons/io.md", ".", "moons/README.md"),
        ("venus.md", "book/ch01-00.html", "book/ch01-00.md"),  # as mdBook and MkDocs publish it
        ("venus.md", "deep/io.md", None),  # a path is no search
        ("venus.md", "../venus.md", None),
        ("venus.md", "mailto:io@example.org", None),
        ("venus.md", "//example.org/venus.md", None),
        ("venus.md", "", "venus.md"),
    ],
)
def test_a_markdown_link_is_relative_to_its_note(document: str, target: str, found: str | None) -> None:
    assert leads(graph(NOTES), document, target, wiki=False) == found


@pytest.mark.parametrize(
    ("target", "wiki", "line"),
    [
        ("venus#Orbit", True, 3),
        ("venus#orbit-1", False, 7),
        ("venus#Venus#Orbit", True, 3),
        ("venus#none", True, 1),
        ("venus#^block", True, 1),
        ("venus", True, 1),
    ],
)
def test_a_heading_is_where_the_link_goes(target: str, wiki: bool, line: int) -> None:
    found = graph(NOTES)
    destination = found.follow("v2.0.md", Link(target, "", 0, wiki))
    assert destination is not None
    assert found.documents["venus.md"].line_at(destination.position) == line


def test_links_are_known_from_both_ends_once_a_note() -> None:
    found = graph(
        {"a.md": "See [[b]], [b](b.md) and [[#Top]] and [[a]].", "b.md": "Back to [[a|the first]].", "c.md": "[[b]]"}
    )
    assert found.outgoing == {"a.md": ("b.md",), "b.md": ("a.md",), "c.md": ("b.md",)}
    assert [(mention.document, mention.label) for mention in found.incoming["b.md"]] == [("a.md", "b"), ("c.md", "b")]
    (mention,) = found.incoming["a.md"]
    text = found.documents["b.md"].text
    assert text[mention.position :].startswith(mention.label) and mention.label == "the first"
    assert found.unresolved == ()


def test_links_to_missing_notes_are_listed_and_others_are_not() -> None:
    found = graph(
        {"a.md": "[[mars]] [[mars]] ![[map.png]] [x](gone.md) [y](paper.pdf) [z](https://x.org/no.md) [[board.canvas]]"}
    )
    assert [(lost.document, lost.link.target) for lost in found.unresolved] == [("a.md", "mars"), ("a.md", "gone.md")]


def test_a_library_makes_its_links_once_and_only_of_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("[[b]]", encoding="utf-8")
    (tmp_path / "b.md").write_text("---\naccess: [Ada]\n---\n[[a]]", encoding="utf-8")
    mine, theirs = Library.open(tmp_path), Library.open(tmp_path, reader="Bo")
    assert mine.links is mine.links
    assert list(mine.links.incoming) == ["b.md", "a.md"]
    assert theirs.links.incoming == {} and [lost.link.target for lost in theirs.links.unresolved] == ["b"]


def test_an_edit_changes_the_links_of_its_note_and_makes_the_others_not_anew(tmp_path: Path, monkeypatch) -> None:
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    for name, text in {"a.md": "[[b]] [[c]]", "b.md": "[[c]] [[lost]]", "c.md": "[[a]]"}.items():
        write(name, text)
    library = Library.open(tmp_path)
    before = library.links
    monkeypatch.setattr("engine.library.DRIFT", 1e9)
    for at, text in enumerate(["[[c]] [[b]] [[gone]]", "nothing", "[[b]]"]):
        if at == 1:  # nobody asks for the links in between
            *_, library = library.refreshed(touched=[write("b.md", "[[a]] and more")])
        *_, library = library.refreshed(touched=[write("a.md", text)])
        with monkeypatch.context() as patch:
            patch.setattr("engine.contents.link_graph", None)
            found = library.links
        fresh = Library.open(tmp_path).links
        assert (found.outgoing, found.incoming, found.unresolved) == (fresh.outgoing, fresh.incoming, fresh.unresolved)
        assert found.documents is library.documents
    assert before.outgoing["a.md"] == ("b.md", "c.md"), "what was handed out stays as it was"
    write("lost.md", "Found.")
    *_, library = library.refreshed()
    write("b.md", "[[lost]]")
    *_, library = library.refreshed()
    assert library.links.outgoing["b.md"] == ("lost.md",)


@given(
    st.dictionaries(
        st.sampled_from(["a.md", "b.md", "x/a.md", "x/y/c.md", "d.txt"]),
        st.lists(st.text(alphabet="abcdxy/.#|%2 ", min_size=1, max_size=8), max_size=5),
        min_size=1,
    )
)
def test_back_links_are_the_links_turned_round(notes: dict[str, list[str]]) -> None:
    documents = {
        name: Document(
            name, name, "", links=tuple(Link(target, "x", 0, wiki) for target in targets for wiki in (True, False))
        )
        for name, targets in sorted(notes.items())
    }
    found = link_graph(documents)
    there = {(source, target) for source, targets in found.outgoing.items() for target in targets}
    back = {(mention.document, target) for target, mentions in found.incoming.items() for mention in mentions}
    assert there == back
    assert all(source != target and target in documents for source, target in there)
    for document in documents.values():
        for link in document.links:
            lost = any(each.document == document.id and each.link.target == link.target for each in found.unresolved)
            assert found.follow(document.id, link) is not None or lost or ":" in link.target or "." in link.target
