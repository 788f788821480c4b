import os

import pytest

from engine.errors import OutputError
from engine.writing import replacing, write_whole


def test_a_text_is_written_into_folders_that_are_made_on_the_way(tmp_path):
    path = write_whole(tmp_path / "a" / "b.md", "größer\n")
    assert path.read_bytes() == "größer\n".encode()
    assert os.listdir(path.parent) == ["b.md"]


def test_a_block_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    path = write_whole(tmp_path / "a.txt", "old")
    with pytest.raises(KeyError), replacing(path) as part:
        part.write_text("half")
        raise KeyError
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_link_stays_a_link(tmp_path):
    target = write_whole(tmp_path / "real.txt", "old")
    (tmp_path / "link.txt").symlink_to(target)
    write_whole(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink() and target.read_text() == "new"


def test_what_is_no_file_is_written_as_it_is(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(tmp_path / "pipe", "text")
        assert os.read(reader, 9) == b"text"
    finally:
        os.close(reader)
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("name", ["", "file/a.txt", "nul\0.txt"])
def test_a_path_that_cannot_be_written_is_one_clear_error(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        write_whole(tmp_path / name, "text")
