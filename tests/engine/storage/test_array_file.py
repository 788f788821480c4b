import os
import signal
import subprocess
import sys
import time
import zlib

import numpy as np
import pytest

from engine.errors import StorageError
from engine.storage.array_file import is_sound, read_arrays, write_arrays

ARRAYS = {
    "ids": np.arange(10, dtype=np.int32),
    "nothing": np.zeros((0, 3), np.float64),
    "rows": np.arange(6, dtype=np.float32).reshape(2, 3),
    "bytes": np.frombuffer("金星".encode(), np.uint8),
}
ABOUT = {"folder": "/notes", "language": "english"}


@pytest.fixture
def file(tmp_path):
    write_arrays(tmp_path / "deep" / "library.idx", ABOUT, ARRAYS)
    return tmp_path / "deep" / "library.idx"


def test_what_was_written_is_read(file):
    about, arrays = read_arrays(file)
    assert about == ABOUT
    assert {name: (array.dtype, array.shape, array.tolist()) for name, array in arrays.items()} == {
        name: (array.dtype, array.shape, array.tolist()) for name, array in ARRAYS.items()
    }
    assert is_sound(file)
    assert [entry.name for entry in file.parent.iterdir()] == ["library.idx"]


def test_arrays_are_views_that_cannot_be_written_to(file):
    _, arrays = read_arrays(file)
    with pytest.raises(ValueError, match="read-only"):
        arrays["ids"][0] = 7


def test_a_reader_keeps_what_it_opened_when_another_writes(file):
    _, arrays = read_arrays(file)
    write_arrays(file, ABOUT, {"ids": np.zeros(3, np.int32)})
    assert arrays["ids"].tolist() == list(range(10))
    assert read_arrays(file).arrays["ids"].tolist() == [0, 0, 0]


@pytest.mark.parametrize("keep", [0, 1, 15, 16, 40, -1])
def test_a_file_cut_short_is_refused(file, keep):
    content = file.read_bytes()
    file.write_bytes(content[:keep])
    with pytest.raises(StorageError):
        read_arrays(file)
    assert not is_sound(file)


def test_every_changed_byte_is_noticed(file):
    content = file.read_bytes()
    used = {at for at in range(len(content)) if content[at]}
    for at in sorted(used):
        file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert not is_sound(file)


@pytest.mark.parametrize(
    "content",
    [b"", b"notes", b"\0" * 200, b"planet\xff\x00" + b"\0" * 100],
    ids=["empty", "text", "zeros", "another format"],
)
def test_what_is_no_index_is_refused(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(StorageError):
        read_arrays(tmp_path / "x")


def test_a_header_that_names_objects_makes_none(file):
    """A file made to be unpickled is a file without that array."""
    content = bytearray(file.read_bytes())
    length = int.from_bytes(content[8:12], "little")
    header = bytes(content[16 : 16 + length]).replace(b'"<i4"', b'"|O8"')
    content[16 : 16 + length] = header
    content[12:16] = zlib.crc32(header).to_bytes(4, "little")
    file.write_bytes(content)
    with pytest.raises(StorageError):
        read_arrays(file)


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="file"):
        write_arrays(tmp_path / "file" / "library.idx", ABOUT, ARRAYS)


WRITER = """
import sys, itertools
from pathlib import Path
import numpy as np
from engine.storage.array_file import write_arrays
for turn in itertools.count(1):
    write_arrays(Path(sys.argv[1]), {"turn": turn}, {"a": np.full(200_000, turn), "b": np.full(300_000, turn)})
    print(turn, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_killed_at_any_moment_it_leaves_the_old_file_or_the_new_one_whole(tmp_path):
    path = tmp_path / "library.idx"
    for pause in np.random.default_rng(0).uniform(0, 0.02, 6):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, cwd=os.getcwd()
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(pause)
            writer.send_signal(signal.SIGKILL)
        about, arrays = read_arrays(path)
        assert is_sound(path)
        assert set(arrays["a"].tolist()) == set(arrays["b"].tolist()) == {about["turn"]}


def test_what_a_killed_writer_left_goes_with_the_next_writing_and_what_is_being_written_stays(file):
    folder = file.parent
    abandoned, written, other = (folder / name for name in (".library.idx.a.tmp", ".library.idx.b.tmp", ".other.c.tmp"))
    for path in (abandoned, written, other):
        path.write_bytes(b"half")
    for path in (abandoned, other):
        os.utime(path, (0, 0))
    write_arrays(file, ABOUT, ARRAYS)
    assert sorted(path.name for path in folder.iterdir()) == [".library.idx.b.tmp", ".other.c.tmp", "library.idx"]
