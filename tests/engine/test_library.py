import dataclasses
from pathlib import Path

import pytest

from engine.errors import Cancelled, FolderError
from engine.library import Library
from engine.records import Document, Progress
from engine.settings import Settings, describe

NOTES = {
    "mars.md": "# Mars\n\nMars has two small moons, Phobos and Deimos.\n",
    "sub/jupiter.md": "# Jupiter\n\nJupiter has dozens of moons.\n\n## Storm\n\nThe red spot is a storm.\n",
    "venus.md": "# Venus\n\nVenus has no moons.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in NOTES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


# --- stages


def test_a_folder_becomes_documents_then_bm25_then_lsa(folder):
    stages = list(Library.stages(folder))
    assert [library.stage for library in stages] == ["documents", "bm25", "lsa"]
    assert [list(library.documents) for library in stages] == [["mars.md", "sub/jupiter.md", "venus.md"]] * 3
    assert [len(library.chunks) for library in stages] == [0, 4, 4]
    assert [library.index.n_chunks for library in stages] == [0, 4, 4]
    assert [library.lsa is None for library in stages] == [True, True, False]


def test_an_earlier_stage_stays_what_it_was_when_a_later_one_is_made(folder):
    documents, *later = Library.stages(folder)
    assert (documents.stage, documents.chunks, documents.bm25.search("moons").hits) == ("documents", (), ())
    assert later[-1].bm25.search("moons").hits


def test_opened_is_the_last_stage(folder):
    library = Library.open(str(folder))
    assert (library.stage, library.folder, library.settings) == ("lsa", folder, Settings())


def test_a_chunk_id_is_its_place_and_chunks_follow_document_and_start(folder):
    chunks = Library.open(folder).chunks
    assert [chunk.id for chunk in chunks] == [0, 1, 2, 3]
    assert [(chunk.document, chunk.start) for chunk in chunks] == sorted((c.document, c.start) for c in chunks)
    assert [(chunk.header, chunk.line) for chunk in chunks][1:3] == [("Jupiter", 3), ("Jupiter > Storm", 7)]


def test_what_was_skipped_is_told(folder):
    (folder / "photo.md").write_bytes(b"\x89PNG\0\0")
    (notice,) = Library.open(folder).notices
    assert notice.path == "photo.md" and "binary" in notice.problem


# --- from documents


def test_ids_do_not_depend_on_the_order_in_which_documents_are_given(folder):
    built = Library.open(folder)
    backwards = dict(reversed(built.documents.items()))
    *_, again = Library.from_documents(backwards, built.settings, folder)
    assert again.chunks == built.chunks
    assert again.bm25.search("red moons") == built.bm25.search("red moons")


def test_documents_that_are_read_already_are_cut_again_without_the_folder(folder):
    built = Library.open(folder)
    gone, sections = folder / "gone", Settings(chunker="sections", headers=False)
    *_, again = Library.from_documents(built.documents, sections, gone, built.notices)
    assert (again.documents, again.folder, again.settings) == (built.documents, gone, sections)
    assert [chunk.text for chunk in again.chunks if chunk.section] == ["The red spot is a storm."]
    assert built.index.document_frequency("jupiter") == 2  # also by the header of the section on the storm
    assert again.index.document_frequency("jupiter") == 1


def test_copies_of_a_text_are_grouped_over_case_and_white_space():
    notes = [
        Document("a.md", "A", "Mars is red."),
        Document("b.md", "B", "It is."),
        Document("c.md", "C", "MARS is\nred."),
    ]
    *_, library = Library.from_documents({note.id: note for note in notes}, Settings(chunker="windows"), Path())
    assert library.duplicates.first.tolist() == [0, 1, 0]
    assert library.duplicates.copies.tolist() == [2, 1, 2]


# --- settings


def test_new_k1_and_b_change_the_scores_and_rebuild_nothing(folder):
    built = Library.open(folder)
    # With k1 = 0 a term counts its idf, however often it occurs: "moons" is in 3 of 4 chunks, ln(1 + 1.5/3.5).
    flat = built.with_settings(Settings(k1=0.0))
    assert flat.index is built.index and flat.lsa is built.lsa and flat.chunks is built.chunks
    assert {hit.score for hit in flat.bm25.search("moons").hits} == {flat.bm25.idf("moons")}
    assert len({hit.score for hit in built.bm25.search("moons").hits}) > 1
    assert built.settings == Settings()


def test_settings_that_need_a_rebuild_stay_as_they_were_built(folder):
    built = Library.open(folder, Settings(headers=False))
    wanted = Settings(headers=True, stemming="english", max_words=7, max_file_mb=1.0, k1=2.0, model="m", sources=3)
    changed = built.with_settings(wanted)
    assert changed.settings == Settings(headers=False, k1=2.0, model="m", sources=3)
    assert built.settings.stale_after(changed.settings) == "nothing"


def test_every_setting_of_retrieval_is_taken_by_what_it_is_for(folder):
    library = Library.open(folder, Settings(k1=0.7, b=0.1, dimensions=2))
    assert (library.bm25.k1, library.bm25.b, library.lsa.n_dims) == (0.7, 0.1, 2)


# --- folders that hold nothing, or are none


def test_an_empty_folder_is_a_library_of_nothing(tmp_path):
    stages = list(Library.stages(tmp_path))
    assert [library.stage for library in stages] == ["documents", "bm25", "lsa"]
    last = stages[-1]
    assert (dict(last.documents), last.chunks, last.bm25.search("mars").hits) == ({}, [], ())
    assert last.lsa.search("mars").hits == () and last.tfidf.search("mars").hits == ()


@pytest.mark.parametrize("text", ["", "\n \n", "---\ntitle: Nothing\n---\n", "the of and"])
def test_notes_without_a_word_to_index_are_a_library_all_the_same(tmp_path, text):
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    library = Library.open(tmp_path)
    assert list(library.documents) == ["a.md"]
    assert library.bm25.search("mars").hits == library.lsa.search("mars").hits == ()


@pytest.mark.parametrize("name", ["missing", "mars.md"])
def test_what_is_no_folder_is_an_error_with_its_name(folder, name):
    with pytest.raises(FolderError, match=name) as caught:
        Library.open(folder / name)
    assert caught.value.hint


# --- progress and stopping


def test_progress_names_each_stage_in_turn_and_never_goes_beyond_its_total(folder):
    reports: list[Progress] = []
    Library.open(folder, report=reports.append)
    stages = list(dict.fromkeys(progress.stage for progress in reports))
    assert stages == ["reading", "cutting", "indexing", "comparing", "LSA"]
    assert all(0 <= progress.done <= progress.total for progress in reports if progress.total)


@pytest.mark.parametrize("every", ["cutting", "indexing", "comparing"])
def test_each_stage_is_left_within_one_item_of_the_request_to_stop(folder, monkeypatch, every):
    monkeypatch.setattr("engine.library.REPORT_EVERY", 0.0)
    reports: list[Progress] = []
    with pytest.raises(Cancelled):
        Library.open(folder, report=reports.append, should_stop=lambda: any(p.stage == every for p in reports))
    assert [progress.done for progress in reports if progress.stage == every] == [0]


def test_cutting_is_watched_note_by_note(folder, monkeypatch):
    """The notes are sorted before the first is cut; counting them there would leave the cutting unwatched."""
    monkeypatch.setattr("engine.library.REPORT_EVERY", 0.0)
    cut: list[str] = []
    told: list[tuple[int, int]] = []
    chunker = lambda document: cut.append(document.id) or ()  # noqa: E731
    monkeypatch.setattr("engine.library.chunker_for", lambda settings: chunker)
    Library.open(folder, report=lambda p: told.append((p.done, len(cut))) if p.stage == "cutting" else None)
    assert told == [(0, 0), (1, 1), (2, 2)]


def test_a_request_to_stop_between_two_stages_leaves_a_usable_library(folder):
    stop: list[bool] = []
    stages = Library.stages(folder, should_stop=lambda: bool(stop))
    next(stages)
    bm25 = next(stages)
    stop.append(True)
    with pytest.raises(Cancelled):
        next(stages)
    assert bm25.bm25.search("moons").hits


def test_a_library_cannot_be_changed(folder):
    with pytest.raises(dataclasses.FrozenInstanceError):
        Library.open(folder).stage = "bm25"  # type: ignore[misc]


def test_light_settings_are_those_a_library_can_be_given_without_a_rebuild():
    light = {option.name for option in describe() if option.rebuild == "nothing"}
    assert {"k1", "b", "depth", "rrf_c", "sources", "budget", "threshold"} <= light
    assert not light & {"stemming", "stopwords", "chunker", "max_words", "overlap_words", "headers", "dimensions"}
