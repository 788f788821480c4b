import dataclasses
import itertools
import os
from pathlib import Path

import pytest

from engine.errors import Cancelled, FolderError
from engine.library import Library
from engine.pipeline import ask
from engine.records import Document, Progress
from engine.settings import Settings, describe
from engine.storage import parts
from engine.storage.shelf import kept_indexes

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


@pytest.mark.parametrize("at", [0, 1])
def test_a_library_that_was_left_while_it_was_read_is_read_whole_by_a_refresh(folder, tmp_path, monkeypatch, at):
    monkeypatch.setattr("engine.storage.building.FIRST_BYTES", 1)
    early = list(itertools.islice(Library.stages(folder), 2))[at]
    *_, whole = early.refreshed(cache=tmp_path)
    assert (list(whole.chunks), whole.stage, whole.pending) == (list(Library.open(folder).chunks), "lsa", 0)
    kept = next(Library.stages(folder, cache=tmp_path))
    assert list(kept.chunks) == list(whole.chunks) and kept.lsa is not None


# --- from documents


def test_ids_do_not_depend_on_the_order_in_which_documents_are_given(folder):
    built = Library.open(folder)
    backwards = dict(reversed(list(built.documents.items())))
    *_, again = Library.from_documents(backwards, built.settings, folder)
    assert list(again.chunks) == list(built.chunks)
    assert again.bm25.search("red moons") == built.bm25.search("red moons")


def test_documents_that_are_read_already_are_cut_again_without_the_folder(folder):
    built = Library.open(folder)
    gone, sections = folder / "gone", Settings(chunker="sections", headers=False)
    *_, again = Library.from_documents(built.documents, sections, gone, built.notices)
    assert (again.documents, again.folder, again.settings) == (built.documents, gone, sections)
    assert [chunk.text for chunk in again.chunks if chunk.section] == ["The red spot is a storm."]
    assert built.index.document_frequency("jupit") == 2  # also by the header of the section on the storm
    assert again.index.document_frequency("jupit") == 1


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
    assert {hit.score for hit in flat.bm25.search("moons").hits} == {flat.bm25.idf("moon")}
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
    assert (dict(last.documents), list(last.chunks), last.bm25.search("mars").hits) == ({}, [], ())
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
    library = Library.open(folder, report=reports.append)
    assert list(dict.fromkeys(progress.stage for progress in reports)) == ["reading", "LSA"]
    reports.clear()
    *_, _ = library.rebuilt(Settings(max_words=7), report=reports.append)
    assert list(dict.fromkeys(progress.stage for progress in reports)) == ["cutting", "LSA"]
    assert all(0 <= progress.done <= progress.total for progress in reports if progress.total)


@pytest.mark.parametrize("stage", ["reading", "cutting"])
def test_a_stage_is_left_before_the_next_note_when_it_is_asked_to_stop(folder, monkeypatch, stage):
    library = Library.open(folder)
    seen: list[str] = []
    real = parts.chunker_for(Settings())
    monkeypatch.setattr(parts, "chunker_for", lambda settings: lambda note: seen.append(note.id) or real(note))
    jobs = {"reading": Library.stages, "cutting": lambda _, **rest: library.rebuilt(Settings(), **rest)}
    with pytest.raises(Cancelled):
        list(jobs[stage](folder, should_stop=lambda: len(seen) == 1))
    assert seen == ["mars.md"]


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


# --- the cache


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    settled = path.stat().st_mtime_ns - 100 * 10**9
    os.utime(path, ns=(settled, settled))


@pytest.fixture
def aged(folder):
    """Notes that were written a while ago."""
    for name, text in NOTES.items():
        write(folder / name, text)
    return folder


def answers(library):
    queries = ("moons", "red storm", "venus", "io volcanoes")
    return [
        [[(library.chunks[hit.chunk].text, hit.score) for hit in retriever.search(query).hits] for query in queries]
        for retriever in (library.bm25, library.tfidf)
    ]


def test_the_second_time_a_library_comes_from_the_cache_and_is_the_same(aged, tmp_path_factory, monkeypatch):
    cache = tmp_path_factory.mktemp("cache")
    first = Library.open(aged, cache=cache)
    monkeypatch.setattr("engine.storage.building.read_note", None)  # nothing is read again
    stages = list(Library.stages(aged, cache=cache))
    assert [library.stage for library in stages] == ["lsa"]
    again = stages[0]
    assert answers(again) == answers(first)
    assert again.lsa.search("moons") == first.lsa.search("moons")
    assert again.lsa.nearest_terms("moons") == first.lsa.nearest_terms("moons")
    assert (dict(again.documents), list(again.chunks)) == (dict(first.documents), list(first.chunks))
    assert again.duplicates.first.tolist() == first.duplicates.first.tolist()


def test_an_edited_folder_is_shown_as_it_was_and_then_as_it_is(aged, tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    Library.open(aged, cache=cache)
    write(aged / "io.md", "# Io\n\nIo has volcanoes.\n")
    (aged / "venus.md").unlink()
    before, after, fitted = Library.stages(aged, cache=cache)
    assert list(before.documents) == sorted(NOTES)
    assert list(after.documents) == list(fitted.documents) == ["io.md", "mars.md", "sub/jupiter.md"]
    fresh = Library.open(aged)
    assert answers(after) == answers(fitted) == answers(fresh)
    assert fitted.lsa.search("storm") == fresh.lsa.search("storm")
    (kept,) = Library.stages(aged, cache=cache)
    assert answers(kept) == answers(fresh)


def test_new_notes_are_put_into_the_space_that_lsa_has_until_many_have_changed(tmp_path, monkeypatch):
    for number in range(60):
        write(tmp_path / f"{number:02}.md", f"Mars has moon {number}. The red dust of iron, number {number % 7}.")
    library = Library.open(tmp_path)
    write(tmp_path / "30.md", "Iron dust of Mars.")
    (folded,) = library.refreshed()
    assert (folded.lsa.folded, folded.lsa.drift) == (1, 1 / 60)
    assert folded.lsa.singular_values is library.lsa.singular_values
    best = folded.lsa.search("iron dust of mars", 1).hits[0]
    assert folded.chunks[best.chunk].document == "30.md" and best.score > 0.99
    others = [chunk for chunk in range(60) if chunk != 30]
    assert (folded.lsa.embeddings[others] == library.lsa.embeddings[others]).all()
    for number in range(5):
        write(tmp_path / f"{number:02}.md", "Iron dust of Mars.")
    stages = list(folded.refreshed())
    assert [stage.lsa.folded for stage in stages] == [6, 0]


@pytest.mark.parametrize("file", ["notes", "lsa"])
@pytest.mark.parametrize("damage", [lambda content: b"", lambda content: content[:100], lambda content: b"x" + content])
def test_a_damaged_cache_is_made_again(aged, tmp_path_factory, file, damage):
    cache = tmp_path_factory.mktemp("cache")
    first = Library.open(aged, cache=cache)
    (path,) = cache.glob(f"*/*/{file}")
    path.write_bytes(damage(path.read_bytes()))
    assert answers(Library.open(aged, cache=cache)) == answers(first)
    assert [library.stage for library in Library.stages(aged, cache=cache)] == ["lsa"]


def test_a_cache_that_cannot_be_written_costs_nothing_but_a_notice(aged, tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache") / "file"
    cache.write_text("in the way")
    library = Library.open(aged, cache=cache)
    assert answers(library) == answers(Library.open(aged))
    assert [(notice.path, "not kept" in notice.problem) for notice in library.notices] == [("", True)]


def test_each_way_of_making_an_index_has_its_own(aged, tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    for settings, reader in [(Settings(), None), (Settings(max_words=7), None), (Settings(), "ada")]:
        Library.open(aged, settings, reader=reader, cache=cache)
    assert len(list(kept_indexes(cache))) == 3
    assert {(kept.folders, kept.n_notes) for kept in kept_indexes(cache)} == {((str(aged.resolve()),), 3)}


def test_while_a_folder_is_read_an_answer_says_so(folder, monkeypatch):
    monkeypatch.setattr("engine.storage.building.FIRST_BYTES", 1)
    monkeypatch.setattr("engine.storage.building.BATCH_BYTES", 1)
    libraries = [library for library in Library.stages(folder) if library.stage == "bm25"]
    assert [library.pending for library in libraries] == [2, 0]
    first, whole = (ask(library, "moons").warnings for library in libraries)
    assert "The folder is being read: 2 files are not in the lists yet." in first
    assert not any("being read" in warning for warning in whole)


GERMAN = "Die Venus ist der zweite Planet und hat keinen Mond. Sie ist nicht so groß wie die Erde.\n"


@pytest.mark.parametrize("before", [{}, {"a.md": "The notes of this folder are in English, and so is this one.\n"}])
def test_a_folder_that_comes_to_be_in_another_language_is_analysed_as_one_that_is_read_anew(tmp_path, before):
    folder, cache = tmp_path / "notes", tmp_path / "cache"
    folder.mkdir()
    for name, text in before.items():
        write(folder / name, text)
    library = Library.open(folder, cache=cache)
    assert library.language == "english"
    for at in range(8):
        write(folder / f"v{at}.md", GERMAN)
    stages = list(library.refreshed(cache=cache))
    assert all(stage.documents and not stage.pending for stage in stages)
    library = stages[-1]
    fresh = Library.open(folder)
    assert library.language == fresh.language == "german"
    assert ask(library, "Planeten").rankings["bm25"] == ask(fresh, "Planeten").rankings["bm25"]
    assert list(library.refreshed(cache=cache)) == []
    assert [stage.language for stage in Library.stages(folder, cache=cache)] == ["german"]


def test_what_is_passed_over_is_told_anew_where_no_note_has_changed(aged, tmp_path):
    library = Library.open(aged, cache=tmp_path / "cache")
    (aged / "away.md").symlink_to(aged / "nowhere.md")
    write(aged / "page.html", "<p>Mars")
    (library,) = library.refreshed(cache=tmp_path / "cache")
    assert library.notices == Library.open(aged).notices == Library.open(aged, cache=tmp_path / "cache").notices
    assert [notice.path for notice in library.notices] == ["", "away.md"]
