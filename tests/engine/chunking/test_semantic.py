"""Chunks that begin where the subject changes."""

import numpy as np

from engine.chunking.semantic import _drops, semantic_chunks
from engine.reading.markdown import parse_markdown
from engine.records import Document

MOONS = "Mars has two moons. The moons orbit Mars. Both moons of Mars are small. "
BREAD = "Bread needs flour. The flour and water make dough. The dough of bread rests."


def texts(document, spans):
    return [document.text[start:end] for start, end in spans]


def test_a_note_is_cut_where_its_subject_changes():
    note = Document("a.md", "A", MOONS + BREAD)
    assert texts(note, semantic_chunks(note, 20)) == [MOONS.strip(), BREAD]


def test_the_drop_is_measured_from_the_peaks_on_either_side():
    # Peaks to the left 0.5 0.5 0.8 0.8 and to the right 0.5 0.8 0.8 0.7:
    # 0.5: 0; 0.1: 0.4 + 0.7; 0.8: 0; 0.7: 0.1 + 0.
    assert _drops(np.array([0.5, 0.1, 0.8, 0.7])).round(9).tolist() == [0, 1.1, 0, 0.1]
    assert _drops(np.zeros(0)).tolist() == []


def test_what_fits_stays_together_and_where_nothing_is_known_the_middle_is_cut():
    note = Document("a.md", "A", "One two. Three four. Five six. Seven eight.")
    assert texts(note, semantic_chunks(note, 8)) == [note.text]
    assert texts(note, semantic_chunks(note, 5)) == ["One two. Three four.", "Five six. Seven eight."]


def test_sections_are_not_crossed_and_notes_of_one_word_or_none_are_fine():
    note = parse_markdown("# A\n\nMars is red.\n\n## B\n\nMars is cold.\n", "a.md")
    assert texts(note, semantic_chunks(note, 60)) == ["Mars is red.", "Mars is cold."]
    assert semantic_chunks(Document("a.md", "A", "")) == []
    note = Document("a.md", "A", "水")
    assert texts(note, semantic_chunks(note)) == ["水"]


def test_the_same_note_is_always_cut_alike():
    note = Document("a.md", "A", (MOONS + BREAD + " ") * 40)
    assert semantic_chunks(note, 25) == semantic_chunks(note, 25)
