"""An index of an older format is brought up to date where that costs little; any other is made again."""

import json
import os
import zlib
from array import array
from hashlib import sha256
from typing import get_args

import pytest

from engine.errors import StorageError
from engine.library import Library
from engine.pipeline import ask
from engine.records import BlockKind
from engine.settings import Settings
from engine.storage.array_file import FORMAT, format_of, read_arrays, write_arrays
from engine.storage.documents import START, pack
from engine.storage.shelf import Slot
from engine.storage.snapshot import describe_recipe
from engine.storage.strings import Blobs
from engine.storage.upgrading import STEPS, read_notes


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("mars", "venus", "empty"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nThe planet {name} turns.\n" * (name != "empty"))
        os.utime(folder / f"{name}.md", (1_600_000_000,) * 2)  # so that it is not taken for one that may change again
    return folder


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def in_format_3(document):
    """Return a document's record with its numbers as they are, and its words deflated."""
    record, blocks = pack(document), document.blocks
    _, n_blocks, n_lines = START.unpack_from(record)
    inflated = zlib.decompress(record[START.size :])
    words = inflated[2 * (4 * n_blocks + 2 * n_lines) :]  # all of these notes are short
    kinds = [get_args(BlockKind).index(block.kind) for block in blocks]
    rows = [block.start for block in blocks] + [block.end for block in blocks] + [block.level for block in blocks]
    numbers = array("H", [*rows, *kinds, *document.line_offsets, *document.line_numbers])
    return START.pack(b"H", n_blocks, n_lines) + numbers.tobytes() + zlib.compress(words)


def age(notes, cache):
    """Write the index of a folder as format 2 had it, where it had it; return its slot."""
    Library.open(notes, cache=cache)
    slot = Slot.of(cache, notes, Settings())
    about, arrays = read_arrays(slot.path / "notes")
    about["folder"] = str(notes.resolve())
    older = {name: array for name, array in arrays.items() if name not in ("sorted_digests", "firsts")}
    records = Blobs.of(map(in_format_3, Library.open(notes).documents.values()))
    older |= {"records.bytes": records.bytes, "records.offsets": records.offsets}
    write_arrays(slot.path / "notes", {key: each for key, each in about.items() if key != "folders"}, older)
    for file in slot.path.iterdir():
        content = bytearray(file.read_bytes())
        content[6:8] = (2).to_bytes(2, "little")
        file.write_bytes(content)
    key = json.dumps([str(notes.resolve()), describe_recipe(Settings(), None)]).encode()
    slot.path.rename(slot.path.with_name(sha256(key).hexdigest()[:24]))
    return slot


def scores(library):
    hits = ask(library, "Which planet is Mars?").rankings["bm25"].hits
    return [(library.chunks[hit.chunk].document, hit.score) for hit in hits]


def test_an_index_of_format_2_opens_without_reading_a_note_and_is_kept_in_todays(notes, cache, monkeypatch):
    fresh, slot = scores(Library.open(notes)), age(notes, cache)
    with monkeypatch.context() as patch:
        patch.setattr("engine.storage.building.read_note", lambda *_, **__: pytest.fail("a note was read"))
        first, *_, last = Library.stages(notes, cache=cache)
        assert scores(first) == scores(last) == fresh
    assert last.stage == "lsa" and dict(last.documents) == dict(Library.open(notes).documents)
    assert [format_of(file) for file in sorted(slot.path.iterdir())] == [FORMAT] * 2
    assert [each.name for each in slot.path.parent.iterdir()] == [slot.path.name], "it moved to where today's are"


def test_a_file_of_format_2_holds_what_one_of_today_holds(notes, cache):
    Library.open(notes, cache=cache)
    today = read_arrays(Slot.of(cache, notes, Settings()).path / "notes")
    slot = age(notes, cache)
    slot._adopt()
    about, arrays = read_notes(slot.path / "notes")
    assert about == today.about
    assert {name: array.tolist() for name, array in arrays.items()} == {
        name: array.tolist() for name, array in today.arrays.items()
    }


@pytest.mark.parametrize("version", [1, FORMAT + 1, 65535])
def test_a_format_without_a_step_is_made_again_without_a_word(notes, cache, version):
    library = Library.open(notes, cache=cache)
    slot = Slot.of(cache, notes, Settings())
    content = bytearray((slot.path / "notes").read_bytes())
    content[6:8] = version.to_bytes(2, "little")
    (slot.path / "notes").write_bytes(content)
    with pytest.raises(StorageError, match="another format"):
        read_notes(slot.path / "notes")
    again = Library.open(notes, cache=cache)
    assert (scores(again), again.notices) == (scores(library), ())
    assert format_of(slot.path / "notes") == FORMAT


def test_every_step_leads_to_a_format_that_is_known():
    assert all(0 < step < FORMAT for step in STEPS)
    assert 1 not in STEPS
