import os
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from engine.errors import Cancelled, FolderError, StorageError
from engine.indexing.counting import TermCounter
from engine.reading.markdown import parse_markdown
from engine.reading.walking import walk_folder
from engine.settings import Settings
from engine.storage import building, snapshot
from engine.storage.columns import Columns
from engine.storage.parts import READING, make_part
from engine.storage.snapshot import Snapshot, refresh, take
from engine.storage.strings import text_of

NOTES = {
    "mars.md": "# Mars\n\nMars has two small moons.\n",
    "sub/jupiter.md": "# Jupiter\n\nJupiter has dozens of moons.\n\n## Storm\n\nThe red spot is a storm.\n",
    "venus.md": "# Venus\n\nVenus has no moons.\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    notes = tmp_path / "notes"
    for name, text in NOTES.items():
        write(notes / name, text)
    return notes


def write(path, text, *, age=100):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    settled = path.stat().st_mtime_ns - age * 10**9
    os.utime(path, ns=(settled, settled))


def whole(folder, settings=None, **options):
    *_, last = take(folder, settings or Settings(), **options)
    return last


def seen(state):
    columns = state.columns
    chunks = columns.chunks(columns.documents())
    arrays = (columns.indptr, columns.postings, columns.counts, columns.lengths, columns.digests)
    terms = list(map(text_of, columns.terms))
    return list(chunks), terms, [array.tolist() for array in arrays], state.notices, state.language


def test_a_snapshot_is_the_same_after_saving_and_loading(folder, tmp_path):
    before = whole(folder)
    before.save(tmp_path / "library.idx", folder, Settings())
    after = Snapshot.load(tmp_path / "library.idx", Settings())
    assert seen(after) == seen(before)
    assert after.generation == before.generation
    assert refresh(after, folder, Settings()) is None


@pytest.mark.parametrize(
    "other", [Settings(max_words=30), Settings(stemming="english"), Settings(headers=False), Settings(max_file_mb=1.0)]
)
def test_a_snapshot_made_by_other_settings_is_refused(folder, tmp_path, other):
    whole(folder).save(tmp_path / "library.idx", folder, Settings())
    with pytest.raises(StorageError, match="other settings"):
        Snapshot.load(tmp_path / "library.idx", other)
    with pytest.raises(StorageError, match="other settings"):
        Snapshot.load(tmp_path / "library.idx", Settings(), "ada")


def test_settings_that_make_nothing_stale_do_not_matter(folder, tmp_path):
    whole(folder).save(tmp_path / "library.idx", folder, Settings())
    Snapshot.load(tmp_path / "library.idx", Settings(k1=2.0, dimensions=7))


def test_only_what_changed_is_read_again(folder, monkeypatch):
    before = whole(folder)
    write(folder / "venus.md", "# Venus\n\nVenus turns slowly, backwards.\n", age=50)
    write(folder / "a/new.md", "# Io\n\nIo has volcanoes.\n")
    (folder / "mars.md").unlink()
    read = []
    monkeypatch.setattr(building, "read_note", lambda file, **rest: read.append(file.id) or real(file, **rest))
    change = refresh(before, folder, Settings())
    assert sorted(read) == ["a/new.md", "venus.md"]
    assert seen(change.snapshot) == seen(whole(folder))
    layers = change.snapshot.layers
    assert layers.base is before.columns and layers.documents.gone.tolist() == [0, 2]
    assert list(map(text_of, layers.beside.ids)) == ["a/new.md", "venus.md"]
    assert refresh(change.snapshot, folder, Settings()) is None


real = building.read_note


def test_a_renamed_folder_of_notes_leaves_under_its_old_name(folder):
    before = whole(folder)
    shutil.move(folder / "sub", folder / "moved")
    change = refresh(before, folder, Settings())
    assert seen(change.snapshot) == seen(whole(folder))
    assert list(map(text_of, change.snapshot.columns.ids)) == ["mars.md", "moved/jupiter.md", "venus.md"]


def test_an_edit_that_keeps_size_and_time_is_found_when_the_file_was_fresh(folder):
    path = folder / "mars.md"
    path.write_text("Mars is red.", encoding="utf-8")
    before = whole(folder)
    time = path.stat().st_mtime_ns
    path.write_text("Mars is RUST", encoding="utf-8")
    os.utime(path, ns=(time, time))
    change = refresh(before, folder, Settings())
    assert change is not None and "rust" in list(map(text_of, change.snapshot.columns.terms))


def test_what_is_said_of_files_goes_and_comes_with_them(folder):
    write(folder / "photo.md", "\0")
    before = whole(folder)
    assert [notice.path for notice in before.notices] == ["photo.md"]
    write(folder / "photo.md", "A photo.")
    write(folder / "latin.md", "")
    (folder / "latin.md").write_bytes(b"caf\xe9")
    change = refresh(before, folder, Settings())
    assert [notice.path for notice in change.snapshot.notices] == ["latin.md"]
    (folder / "latin.md").unlink()
    assert refresh(change.snapshot, folder, Settings()).snapshot.notices == ()


def test_a_note_closed_to_a_reader_leaves_and_comes_back(folder):
    before = whole(folder, reader="ada")
    write(folder / "venus.md", "---\naccess: [bo]\n---\nSecret.", age=10)
    closed = refresh(before, folder, Settings(), "ada").snapshot
    assert list(map(text_of, closed.columns.ids)) == ["mars.md", "sub/jupiter.md"]
    assert "secret" not in list(map(text_of, closed.columns.terms))
    write(folder / "venus.md", "---\naccess: [ada]\n---\nOpen.", age=5)
    assert "open" in list(map(text_of, refresh(closed, folder, Settings(), "ada").snapshot.columns.terms))


def test_a_large_folder_is_shown_while_it_is_read(folder, monkeypatch):
    monkeypatch.setattr(building, "FIRST_BYTES", 1)
    monkeypatch.setattr(building, "BATCH_BYTES", 1)
    states = list(take(folder, Settings()))
    assert [(len(state.columns.ids), state.pending) for state in states] == [(1, 2), (3, 0)]
    assert seen(states[-1]) == seen(whole(folder))


def test_processes_come_to_what_one_alone_comes_to(folder, monkeypatch):
    alone = seen(whole(folder))
    monkeypatch.setattr(building, "FIRST_BYTES", 1)
    monkeypatch.setattr(building, "BATCH_BYTES", 1)
    monkeypatch.setattr(building, "WORTH_PROCESSES", 1)
    assert seen(whole(folder, workers=2)) == alone


@pytest.mark.parametrize("workers", [1, 2])
def test_reading_stops_when_it_is_asked_to(folder, monkeypatch, workers):
    monkeypatch.setattr(building, "FIRST_BYTES", 1)
    monkeypatch.setattr(building, "WORTH_PROCESSES", 1)
    told = []
    with pytest.raises(Cancelled):
        whole(folder, workers=workers, report=told.append, should_stop=lambda: len(told) > 1)


def test_joining_what_was_read_stops_when_it_is_asked_to(folder):
    recipe = building.Recipe(Settings(), None, "english")
    batches = list(building.read_batches(walk_folder(folder)[0], recipe))
    looks = []
    columns = Columns.of([batch.part for batch in batches], look=lambda: looks.append(None))
    for n in range(len(looks)):
        left = [None] * n
        with pytest.raises(IndexError):
            Columns.of([batch.part for batch in batches], look=left.pop)
    assert len(looks) > len(batches) and len(columns.ids) == 3


def test_what_reads_otherwise_makes_an_index_anew(folder, tmp_path, monkeypatch):
    whole(folder).save(tmp_path / "library.idx", folder, Settings())
    monkeypatch.setattr(snapshot, "READING", snapshot.READING + 1)
    with pytest.raises(StorageError, match="other settings"):
        Snapshot.load(tmp_path / "library.idx", Settings())


def test_what_is_read_is_what_the_version_of_reading_says():
    """Where this fails, the same notes come to other columns: raise `READING`, then put the new digest here."""
    columns = whole(Path("sample_docs"), settings=Settings(language="english", stemming="none")).columns
    arrays = [columns.places, columns.indptr, columns.postings, columns.counts, columns.lengths, columns.digests]
    names = [blob for blobs in (columns.ids, columns.sections, columns.terms) for blob in blobs]
    texts = [note.text for note in columns.documents().values()]
    said = repr([READING, names, texts, [array.tolist() for array in arrays]])
    assert sha256(said.encode()).hexdigest()[:16] == "b66ef663b2196334"


def test_an_empty_folder_is_a_snapshot_of_nothing(tmp_path):
    empty = whole(tmp_path)
    assert seen(empty) == ([], [], [[0], [], [], [], []], (), "english")
    write(tmp_path / "a.md", "One.")
    filled = refresh(empty, tmp_path, Settings()).snapshot
    assert seen(filled) == seen(whole(tmp_path))
    (tmp_path / "a.md").unlink()
    assert seen(refresh(filled, tmp_path, Settings()).snapshot) == seen(empty)


def test_a_folder_that_is_gone_is_an_error(folder):
    before = whole(folder)
    shutil.rmtree(folder)
    with pytest.raises(FolderError):
        refresh(before, folder, Settings())


def test_damaged_snapshots_are_refused(folder, tmp_path):
    whole(folder).save(tmp_path / "library.idx", folder, Settings())
    about, arrays = snapshot.read_notes(tmp_path / "library.idx")
    for name in arrays:
        snapshot.write_arrays(tmp_path / "less.idx", about, {n: a for n, a in arrays.items() if n != name})
        with pytest.raises(StorageError):
            Snapshot.load(tmp_path / "less.idx", Settings())


def deeds():
    """What may happen to a folder, and whether the files touched tell all of it."""

    def rename(folder):
        (folder / "venus.md").rename(folder / "evening.md")
        return ["venus.md", "evening.md"]

    def save_by_renaming(folder):
        write(folder / "venus.md.tmp123", "Venus is hot.")
        (folder / "venus.md.tmp123").replace(folder / "venus.md")
        return ["venus.md.tmp123", "venus.md"]

    def edit(folder):
        write(folder / "venus.md", "Venus is hot.")
        return ["venus.md"]

    def delete(folder):
        (folder / "venus.md").unlink()
        return ["venus.md"]

    def create(folder):
        write(folder / "sub" / "new.md", "New.")
        return ["sub/new.md"]

    def delete_a_folder(folder):
        shutil.rmtree(folder / "sub")
        return ["sub"]

    def ignore(folder):
        write(folder / ".gitignore", "sub/")
        return [".gitignore"]

    def outgrow(folder):
        (folder / "venus.md").write_bytes(b"x" * 10_000_001)
        return ["venus.md"]

    def leave_a_picture(folder):
        (folder / "moon.png").write_bytes(b"")
        return ["moon.png", "moon.png~"]

    told = (save_by_renaming, edit, delete, leave_a_picture)
    not_told = (rename, create, delete_a_folder, ignore, outgrow)
    return [pytest.param(deed, deed in told, id=deed.__name__) for deed in (*told, *not_told)]


@pytest.mark.parametrize(("deed", "told"), deeds())
def test_a_look_at_what_was_touched_sees_what_a_walk_sees(folder, monkeypatch, deed, told):
    write(folder / "photo.md", "\0")
    before = whole(folder)
    touched = [str(folder / path) for path in deed(folder)]
    walked = refresh(before, folder, Settings())
    if told:
        monkeypatch.setattr(snapshot, "walk_roots", lambda *_, **__: pytest.fail("the folder was walked"))
    looked = refresh(before, folder, Settings(), touched=touched)
    assert (walked is None) == (looked is None)
    if walked is not None and looked is not None:
        assert seen(looked.snapshot) == seen(walked.snapshot)
        assert list(looked.snapshot.files.ids) == list(walked.snapshot.files.ids)
        assert looked.snapshot.files.numbers.tolist() == walked.snapshot.files.numbers.tolist()


def test_parts_that_are_consumed_join_to_the_same_columns_and_are_empty_after():
    notes = [parse_markdown(f"# Moon {at}\n\nIo and Europa {at}.", f"{at}.md") for at in range(6)]
    parts = [make_part(notes[at : at + 2], Settings(), TermCounter()) for at in (0, 2, 4)]
    kept, consumed = Columns.of(parts).to_arrays(), Columns.of(parts, consume=True).to_arrays()
    assert all((consumed[name] == array).all() for name, array in kept.items())
    assert all(len(part.texts) == len(part.records) == len(part.facts) == 0 for part in parts)
