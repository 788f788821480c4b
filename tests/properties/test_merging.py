"""A library changed note by note holds what a fresh build of the same notes holds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.indexing.counting import TermCounter
from engine.reading.markdown import parse_markdown
from engine.settings import Settings
from engine.storage.columns import Columns
from engine.storage.merging import merge
from engine.storage.parts import make_part
from engine.storage.strings import text_of

SETTINGS = Settings(max_words=5, chunker="structure")
WORDS = st.sampled_from(
    [
        "Mars",
        "moons",
        "ring",
        "1,014",
        "金星",
        "it's",
        "dust.",
        "\n\n",
        "# Orbit\n",
        "\n- item\n",
        "the",
        "# " + "moon " * 300 + "\n",
    ]
)
TEXT = st.lists(WORDS, max_size=12).map(" ".join)
NAMES = st.sampled_from(["a.md", "b.md", "b/a.md", "b/ü.md", "c.md", "z.md"])
NOTES = st.dictionaries(NAMES, TEXT, max_size=6)


def build(notes):
    documents = [parse_markdown(text, name) for name, text in sorted(notes.items())]
    return Columns.of([make_part(documents, SETTINGS, TermCounter())])


def seen(columns):
    """Everything a library answers from, free of the numbers that names of sections happen to have."""
    names = (columns.ids, columns.sections, columns.contexts, columns.abouts, columns.terms)
    ids, sections, contexts, abouts, terms = (list(map(text_of, blobs)) for blobs in names)
    places = [
        (ids[row], *place, sections[section], contexts[context], abouts[about])
        for row, *place, section, context, about in columns.places.tolist()
    ]
    arrays = (columns.indptr, columns.postings, columns.counts, columns.lengths, columns.digests)
    arrays += (columns.sorted_digests, columns.firsts)
    return (
        ids,
        list(columns.facts),
        list(columns.texts),
        list(columns.records),
        places,
        terms,
        *((array.dtype, array.tolist()) for array in arrays),
    )


@given(before=NOTES, edits=st.lists(st.dictionaries(NAMES, TEXT | st.none(), max_size=3), max_size=3))
def test_edits_in_any_order_come_to_what_a_fresh_build_makes(before, edits):
    notes, columns = dict(before), build(before)
    for edit in edits:
        changed = {name: text for name, text in edit.items() if text is not None}
        gone = np.array([text_of(name) in edit for name in columns.ids], np.bool_)
        merged = merge(columns, gone, build(changed))
        notes = {name: text for name, text in notes.items() if name not in edit} | changed
        stays = [at for at, row in enumerate(columns.places[:, 0].tolist()) if not gone[row]]
        assert np.flatnonzero(merged.kept >= 0).tolist() == stays
        assert sorted([*merged.kept[stays].tolist(), *merged.added.tolist()]) == list(range(len(merged.columns.places)))
        columns = merged.columns
        assert seen(columns) == seen(build(notes))
