"""A folder with questions becomes what experiments are made over, or says what it lacks."""

import pytest

from engine.errors import LabelsError
from engine.evaluation.labelled import load_labelled
from engine.settings import Settings

QUESTION = '[[question]]\ntext = "Hot?"\n[[question.evidence]]\nspans = [{ document = "venus.md", text = "is hot" }]\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "venus.md").write_text("# Venus\n\nVenus is hot.", encoding="utf-8")
    return tmp_path


def test_notes_and_questions_are_read(folder):
    (folder / "questions.toml").write_text(QUESTION, encoding="utf-8")
    labelled = load_labelled(folder)
    assert labelled.name == folder.name
    assert (list(labelled.documents), labelled.n_pieces, labelled.stale) == (["venus.md"], 1, ())
    library = labelled.library(Settings(), "bm25")
    assert library.stage == "bm25" and library.lsa is None
    assert [judged.pieces for judged in labelled.judged(library)] == [(frozenset({0}),)]


def test_a_lost_span_is_named(folder):
    (folder / "questions.toml").write_text(QUESTION.replace("is hot", "is cold"), encoding="utf-8")
    (lost,) = load_labelled(folder).stale
    assert lost.path == "venus.md" and "is cold" in lost.problem


def test_without_questions_it_says_so(folder):
    with pytest.raises(LabelsError, match=r"holds no questions\.toml"):
        load_labelled(folder)
    (folder / "questions.toml").write_text('[[question]]\ntext = "Who?"\nunanswerable = true\n', encoding="utf-8")
    with pytest.raises(LabelsError, match="no question that the notes answer"):
        load_labelled(folder)
