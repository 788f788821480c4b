"""What the cache holds and is not what was written is found by reading it, removed, and made again."""

import pytest

from engine.errors import Cancelled
from engine.library import Library
from engine.settings import Settings
from engine.storage.shelf import FILES, Slot
from tests.engine.storage.damaging import damage


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Return a library, its cache, and the slot in which it is kept: a base, an edit beside it, and a space."""
    monkeypatch.setattr("engine.storage.layers.SHARE", 1e9)
    monkeypatch.setattr("engine.library.DRIFT", 1e9)
    notes, cache = tmp_path / "notes", tmp_path / "cache"
    notes.mkdir()
    for name in ("mars", "venus", "jupiter"):
        (notes / f"{name}.md").write_text(f"# {name.title()}\n\nThe planet {name} turns. Its moons are known.\n")
    library = Library.open(notes, cache=cache)
    (notes / "mars.md").write_text("# Mars\n\nDeimos and Phobos are small.\n")
    *_, library = library.refreshed(cache=cache)
    slot = Slot.of(cache, notes, Settings())
    assert {file.name for file in slot.path.iterdir()} == set(FILES)
    return library, cache, slot


def test_a_sound_index_stays(kept):
    _, _, slot = kept
    assert not slot.drop_damaged()
    assert all((slot.path / name).exists() for name in FILES)


@pytest.mark.parametrize(("name", "left"), [("edits", {"notes", "lsa"}), ("lsa", {"notes", "edits"}), ("notes", set())])
def test_a_damaged_file_goes_with_those_that_are_of_no_use_without_it(kept, name, left):
    library, cache, slot = kept
    damage(slot.path / name)
    assert slot.drop_damaged()
    assert {file.name for file in slot.path.iterdir()} == left
    again = Library.open(library.folder, cache=cache)
    assert (again.stage, list(again.documents.values())) == ("lsa", list(library.documents.values()))
    assert again.bm25.search("deimos").ids == library.bm25.search("deimos").ids
    assert not slot.drop_damaged()


def test_nothing_kept_is_nothing_damaged(tmp_path):
    assert not Slot.of(tmp_path / "cache", tmp_path, Settings()).drop_damaged()


def test_the_look_stops_when_it_is_asked_to(kept):
    _, _, slot = kept
    damage(slot.path / "notes")
    with pytest.raises(Cancelled):
        slot.drop_damaged(lambda: True)
    assert (slot.path / "notes").exists()
