from pathlib import Path

import pytest

from engine.evaluation.collections import data_folder, read_collection
from engine.library import Library
from engine.ranking.lean import measure_lean
from engine.records import Chunk
from engine.settings import Settings
from engine.text.analysis import Analyzer, analyze

DATA = data_folder()


def chunks_of(name):
    sources = read_collection(DATA / name).sources
    return [Chunk(at, source.id, 0, len(source.text), source.text, source.title) for at, source in enumerate(sources)]


def test_passages_that_are_few_or_of_one_sentence_tell_nothing():
    assert measure_lean([], analyze) is None
    short = [Chunk(at, "n.md", at, at + 1, f"One sentence about moon number {at}.") for at in range(200)]
    assert measure_lean(short, analyze) is None


@pytest.mark.skipif(DATA is None, reason="needs the folder that PLANET_TUI_DATA names")
def test_lsa_does_better_where_texts_share_a_subject_than_where_terms_are_exact():
    stems = Analyzer(stemming="english")
    aerodynamics, claims = measure_lean(chunks_of("cranfield"), stems), measure_lean(chunks_of("scifact"), stems)
    assert 0.4 < claims < 0.55 < aerodynamics < 0.8
    assert measure_lean(chunks_of("cranfield"), stems) == aerodynamics


def test_it_is_kept_with_the_space(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    sample = Path(__file__).parents[3] / "sample_docs"
    for note in sample.glob("*.md"):
        text = note.read_text(encoding="utf-8")
        for copy in range(3):
            (notes / f"{copy}{note.name}").write_text(text, encoding="utf-8")
    made = Library.open(notes, Settings(), cache=tmp_path / "cache")
    kept = next(iter(Library.stages(notes, Settings(), cache=tmp_path / "cache")))
    assert made.lsa.lean is not None
    assert kept.lsa.lean == made.lsa.lean
