import datetime

import pytest

from engine.indexing.vocabulary import Vocabulary
from engine.reading.markdown import parse_markdown
from engine.records import Document
from engine.storage.documents import StoredDocuments, pack, pack_facts, unpack
from engine.storage.strings import Blobs, to_blobs

NOTE = """---
title: Venus
tags: [planet, hot]
aliases: Morning star
date: 2024-05-01
when: 2024-05-01 12:30:00
nested: {1: one, "$date": two, three: [null, true, 1.5]}
access: [Ada]
---

# Orbit

A *year* is [224.7](https://example.org) days, see [[mars#Moons|Mars]].

- one
- two

| a | b |
|---|---|
| 1 | 金星 |
"""


@pytest.mark.parametrize(
    "source", [NOTE, "", "plain", "---\nbroken: [\n---\ntext", "\u2028\ud800", "x" * 70_000 + "\n\n> y"]
)
def test_a_document_comes_back_as_it_was(source):
    document = parse_markdown(source, "sub/venus.md", modified="2023-01-01")
    again = unpack("sub/venus.md", document.text, pack(document))
    assert again == document
    assert [again.line_at(at) for at in range(len(again.text))] == [
        document.line_at(at) for at in range(len(document.text))
    ]


@pytest.mark.parametrize(
    "value",
    [
        datetime.date(2024, 5, 1),
        datetime.datetime(2024, 5, 1, 2),
        datetime.time(3),
        {1, 2},
        b"\xff",
        {(1, 2): 3},
        {"$": 1},
    ],
    ids=str,
)
def test_what_json_does_not_know_comes_back_as_it_was(value):
    document = Document("a.md", "A", "", front_matter={"x": [value]})
    assert unpack("a.md", "", pack(document)).front_matter == {"x": [value]}


def test_documents_are_a_mapping_that_unpacks_what_is_asked_for():
    notes = [parse_markdown("# A\n\n#x", "a.md"), parse_markdown("# B", "b.md", modified="2024-01-01")]
    ids, texts = Vocabulary.of(note.id for note in notes), to_blobs(note.text for note in notes)
    stored = StoredDocuments(ids, Blobs.of(map(pack_facts, notes)), texts, Blobs.of(map(pack, notes)))
    assert stored.facts_at(1) == stored.facts["b.md"]
    assert dict(stored) == {note.id: note for note in notes}
    assert "a.md" in stored and "c.md" not in stored and 3 not in stored
    assert [(facts.title, facts.date, facts.tags) for facts in stored.facts.values()] == [
        ("A", None, ("x",)),
        ("B", "2024-01-01", ()),
    ]
    with pytest.raises(KeyError):
        stored["c.md"]
