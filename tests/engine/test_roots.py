"""Several folders are one library: unique ids, statistics over all, links within each, none lost when it is away."""

import os
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import FolderError
from engine.library import Library
from engine.pipeline import ask
from engine.reading.folder import load_markdown_folder, walk_roots
from engine.roots import Root, Roots
from engine.settings import Settings
from engine.storage.shelf import Slot, kept_indexes


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, ns=(1_600_000_000_000_000_000,) * 2)


@pytest.fixture
def notes(tmp_path):
    write(tmp_path / "notes" / "mars.md", "# Mars\n\nMars has two moons. See [[io]] and [[venus]].\n")
    write(tmp_path / "notes" / "old" / "venus.md", "# Venus\n\nVenus has no moons.\n")
    return tmp_path / "notes"


@pytest.fixture
def wiki(tmp_path):
    write(tmp_path / "wiki" / "io.md", "# Io\n\nIo is a moon with volcanoes. See [Mars](mars.md).\n")
    write(tmp_path / "wiki" / "mars.md", "# Mars, the god\n\nThe god of war.\n")
    return tmp_path / "wiki"


def scores(library, question):
    found = ask(library, question).rankings["bm25"].hits
    return [(library.chunks[hit.chunk].document, library.chunks[hit.chunk].start, hit.score) for hit in found]


# Ids.


def test_one_folder_alone_keeps_its_ids(notes):
    assert list(Library.open([notes]).documents) == list(Library.open(notes).documents) == ["mars.md", "old/venus.md"]


def test_the_ids_of_several_start_with_the_folders_names(notes, wiki):
    library = Library.open([notes, wiki])
    assert list(library.documents) == ["notes/mars.md", "notes/old/venus.md", "wiki/io.md", "wiki/mars.md"]
    for note in library.documents:
        assert library.roots.path_of(note).read_text().startswith("# ")
        assert library.roots.id_of(os.path.realpath(library.roots.path_of(note))) == note


def test_statistics_are_those_of_all_notes(notes, wiki, tmp_path):
    # The same notes in two folders below one: equal scores, since ids and so ties are in the same order.
    together, parent = Library.open([notes, wiki]), Library.open(tmp_path)
    assert list(together.documents) == list(parent.documents)
    for question in ("moons of Mars", "volcanoes", "god of war"):
        assert scores(together, question) == scores(parent, question) != []


@pytest.mark.parametrize(
    ("folders", "names"),
    [
        (["/a/notes", "/b/wiki"], ["notes", "wiki"]),
        (["/a/notes", "/b/notes"], ["notes (a)", "notes (b)"]),
        (["/x/a/notes", "/y/a/notes", "/w"], ["notes (x)", "notes (y)", "w"]),
        (["/notes", "/a/notes"], ["notes (root)", "notes (a)"]),
        (["/", "/"], [""]),
    ],
)
def test_names_are_told_apart_by_what_is_above(folders, names):
    assert list(Roots.of(folders).names) == names


@given(
    st.lists(
        st.lists(st.sampled_from(["a", "b", "notes", "notes (a)", "root"]), min_size=1, max_size=4).map("/".join),
        min_size=2,
        max_size=5,
        unique=True,
    )
)
def test_names_are_unique_whatever_the_order(paths):
    roots = Roots.of([f"/nowhere/{path}" for path in paths])
    assert len(set(roots.names)) == len(roots)
    assert not any("/" in name for name in roots.names)
    for order in list(permutations(paths))[:6]:
        again = Roots.of([f"/nowhere/{path}" for path in order])
        assert dict(zip(again.folders, again.names, strict=True)) == dict(zip(roots.folders, roots.names, strict=True))
        assert again.key() == roots.key()


def test_the_same_folder_twice_is_one_and_one_within_another_a_part_of_it(notes):
    (notes.parent / "link").symlink_to(notes)
    assert Roots.of([notes, notes.parent / "link", str(notes) + "/"]).folders == (notes,)
    roots = Roots.of([notes / "old", notes, notes.parent])
    assert (roots.folders, roots.names) == ((notes.parent,), ("",))
    assert [notice.problem for notice in roots.notices] == [
        f"{notes / 'old'} is read as part of {notes.parent}.",
        f"{notes} is read as part of {notes.parent}.",
    ]
    assert roots.notices[0] in Library.open(roots).notices


def test_no_folder_at_all_is_an_error():
    with pytest.raises(FolderError, match="No folder is named"):
        Roots.of([])


def test_a_path_of_no_root_has_no_id(notes, wiki):
    roots = Roots.of([notes, wiki])
    assert roots.id_of(str(notes.parent / "notes2" / "x.md")) is None
    assert roots.id_of("/x.md") is None
    assert Roots.of("/").id_of("/x.md") == "x.md"


# Excludes.


def test_each_folder_has_its_own_excludes(notes, wiki):
    found = walk_roots([Root(notes, ("old/",)), Root(wiki, ("mars.*", "!io.md"))])
    assert [file.id for file in found.files] == ["notes/mars.md", "wiki/io.md"]


def test_an_exclude_goes_before_the_ignore_files(notes):
    write(notes / ".gitignore", "mars.md\n")
    write(notes / "old" / ".ignore", "!venus.md\n")
    seen = [file.id for file in walk_roots(Root(notes, ("!/mars.md", "venus.*"))).files]
    assert seen == ["mars.md"]


def test_a_bad_exclude_is_said_and_passed_over(notes):
    found = walk_roots(Root(notes, ("[z-a]", "old/")))
    assert [file.id for file in found.files] == ["mars.md"]
    assert [notice.problem for notice in found.notices] == ["exclude: '[z-a]' is no valid pattern and was passed over."]


def test_excludes_are_part_of_what_an_index_is_made_with(notes, tmp_path):
    cache = tmp_path / "cache"
    assert "old/venus.md" in Library.open(notes, cache=cache).documents
    assert "old/venus.md" not in Library.open(Root(notes, ("old/",)), cache=cache).documents
    assert [kept.exclude for kept in kept_indexes(cache)] in ([(), ("old/",)], [("old/",), ()])


# Links.


def test_links_stay_within_their_folder(notes, wiki):
    links = Library.open([notes, wiki]).links
    assert links.outgoing == {"notes/mars.md": ("notes/old/venus.md",), "wiki/io.md": ("wiki/mars.md",)}
    assert [(lost.document, lost.link.target) for lost in links.unresolved] == [("notes/mars.md", "io")]
    assert [mention.document for mention in links.incoming["wiki/mars.md"]] == ["wiki/io.md"]


# The cache.


def test_the_order_of_the_folders_makes_no_other_index(notes, wiki, tmp_path):
    for folders in ([notes, wiki], [wiki, notes], [wiki, notes, wiki]):
        Library.open(folders, cache=tmp_path / "cache")
    (kept,) = kept_indexes(tmp_path / "cache")
    assert (kept.folders, kept.n_notes) == ((str(notes.resolve()), str(wiki.resolve())), 4)


def test_a_change_in_either_folder_is_found_by_a_walk_and_by_its_path(notes, wiki):
    library = Library.open([notes, wiki])
    write(wiki / "io.md", "# Io\n\nSulphur and lava.\n")
    os.utime(wiki / "io.md")
    *_, walked = library.refreshed()
    *_, looked = library.refreshed(touched=[str(wiki / "io.md")])
    assert scores(walked, "sulphur") == scores(looked, "sulphur")
    assert scores(looked, "sulphur")[0][0] == "wiki/io.md"
    (notes / "mars.md").unlink()
    *_, gone = looked.refreshed(touched=[str(notes / "mars.md")])
    assert "notes/mars.md" not in gone.documents and "wiki/mars.md" in gone.documents


EDIT = st.tuples(
    st.sampled_from(["one", "two"]), st.sampled_from(["a.md", "b.md", "in/a.md"]), st.sampled_from(["x y", "y z", ""])
)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(EDIT, min_size=1, max_size=4), min_size=1, max_size=4), st.booleans())
def test_after_any_edits_in_both_the_library_is_a_fresh_one(tmp_path_factory, rounds, told):
    parent = tmp_path_factory.mktemp("both")
    folders = [parent / "one", parent / "two"]
    for folder in folders:
        write(folder / "start.md", f"# Start\n\nThe words of {folder.name}.\n")
    english, cache = Settings(language="english"), parent / "cache"
    library = Library.open(folders, english, cache=cache)
    for edits in rounds:
        for folder, name, words in edits:
            if words:
                write(parent / folder / name, f"# {name}\n\n{words} {folder}\n")
                os.utime(parent / folder / name)
            else:
                (parent / folder / name).unlink(missing_ok=True)
        touched = [str(parent / folder / name) for folder, name, _ in edits] if told else None
        library = [library, *library.refreshed(touched=touched, cache=cache)][-1]
        fresh = Library.open(folders, english)
        assert list(library.documents) == list(fresh.documents)
        for question in ("x", "y z", "words of one"):
            assert scores(library, question) == scores(fresh, question)
    assert list(Library.open(folders, english, cache=cache).documents) == list(library.documents)


# A folder that is away.


def test_a_missing_folder_is_said_and_the_others_open(notes, tmp_path):
    library = Library.open([notes, tmp_path / "usb"])
    assert list(library.documents) == ["notes/mars.md", "notes/old/venus.md"]
    (notice,) = library.notices
    assert f"There is no folder {tmp_path / 'usb'}" in notice.problem
    read = load_markdown_folder([notes, tmp_path / "usb"])
    assert [document.id for document in read.documents] == list(library.documents)
    assert read.notices == library.notices


def test_what_was_read_of_a_missing_folder_stays(notes, wiki, tmp_path):
    cache, folders = tmp_path / "cache", [notes, wiki]
    before = Library.open(folders, cache=cache)
    wiki.rename(tmp_path / "unplugged")
    *_, without = Library.stages(folders, cache=cache)
    assert list(without.documents) == list(before.documents)
    assert scores(without, "volcanoes") == scores(before, "volcanoes")
    assert [str(wiki) in notice.problem for notice in without.notices] == [True]
    # An edit elsewhere, a touched path in it and a rebuild do not change that.
    write(notes / "new.md", "# New\n\nComets.\n")
    *_, edited = without.refreshed(cache=cache, touched=[str(notes / "new.md"), str(wiki / "io.md")])
    assert [*before.documents, "notes/new.md"] == sorted(
        edited.documents, key=lambda note: (note == "notes/new.md", note)
    )
    *_, rebuilt = edited.rebuilt(Settings(max_words=20), cache=cache)
    assert list(rebuilt.documents) == list(edited.documents)
    # It comes back, as it was: the notice goes.
    (tmp_path / "unplugged").rename(wiki)
    *_, back = edited.refreshed(cache=cache)
    assert back.notices == () == list(Library.stages(folders, Settings(max_words=20), cache=cache))[-1].notices


def test_all_missing_is_an_error(tmp_path):
    with pytest.raises(FolderError, match="There is no folder .*one"):
        Library.open([tmp_path / "one", tmp_path / "two"])


def test_a_reader_hears_of_a_missing_folder_but_not_of_files(notes, tmp_path):
    write(notes / "photo.md", "\0")
    library = Library.open([notes, tmp_path / "usb"], reader="ada")
    assert [notice.path for notice in library.notices] == [""]


def test_a_slot_is_one_of_a_set_of_folders(notes, wiki, tmp_path):
    slots = {Slot.of(tmp_path, each, Settings()).path for each in (notes, wiki, [notes, wiki], Root(notes, ("x",)))}
    assert len(slots) == 4


# A folder whose mount is away.


def other_device(monkeypatch):
    real = Roots.devices
    monkeypatch.setattr(Roots, "devices", lambda self: {path: device + 1 for path, device in real(self).items()})


def test_the_empty_place_of_a_mount_loses_no_note_and_is_told(notes, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    with monkeypatch.context() as patched:
        other_device(patched)  # the notes are read from a device that is away afterwards
        before = Library.open(notes, cache=cache)
    for path in sorted(notes.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    for _ in range(2):
        library = Library.open(notes, cache=cache)
        assert dict(library.documents) == dict(before.documents)
        assert library.notices[0].problem.startswith(f"{notes} is empty and on another device.")
    write(notes / "new.md", "It is mounted again.")
    library = Library.open(notes, cache=cache)
    assert (list(library.documents), library.notices) == (["new.md"], ())


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_a_folder_whose_notes_were_all_deleted_is_empty(notes, tmp_path, monkeypatch, is_elsewhere):
    (notes / ".hidden").touch()
    with monkeypatch.context() as patched:
        if is_elsewhere:
            other_device(patched)
        Library.open(notes, cache=tmp_path / "cache")
    for path in notes.rglob("*.md"):
        path.unlink()
    if not is_elsewhere:
        (notes / ".hidden").unlink()
    library = Library.open(notes, cache=tmp_path / "cache")
    assert (list(library.documents), library.notices) == ([], ())
