"""Which files of a folder become documents, and what is said about the others."""

import os
from pathlib import Path

import pytest

from engine.errors import Cancelled, FolderError
from engine.reading.folder import load_markdown_folder, read_note, walk_folder
from engine.records import Document, Notice, Progress


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def ids(folder: Path) -> list[str]:
    return [file.id for file in walk_folder(folder)[0]]


def test_notes_of_every_ending_are_found_at_every_depth_in_the_order_of_their_ids(tmp_path: Path) -> None:
    names = ["b.md", "a/z.MARKDOWN", "a/y/x.mdx", "c.txt", "d.Rst"]
    write(tmp_path, dict.fromkeys([*names, "e.json", "md", "f.md.bak", "a/g.py"], "text"))
    folder = load_markdown_folder(tmp_path)
    assert [document.id for document in folder.documents] == sorted(names)
    assert folder.notices == ()


def test_markdown_is_parsed_and_plain_text_is_not(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# *Title*", "b.txt": "# *Title*"})
    assert [document.text for document in load_markdown_folder(tmp_path).documents] == ["Title", "# *Title*"]


def test_the_day_of_the_file_is_the_date_of_a_note_without_one(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x", "b.md": "---\ndate: 2001-02-03\n---\n"})
    for name in ("a.md", "b.md"):
        os.utime(tmp_path / name, (1_700_000_000, 1_700_000_000))  # 14 November 2023, 22:13 UTC
    first, second = load_markdown_folder(tmp_path).documents
    assert first.date in ("2023-11-14", "2023-11-15")  # local time
    assert second.date == "2001-02-03"


def test_a_folder_may_be_given_as_text_and_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"notes/a.md": "x"})
    monkeypatch.chdir(tmp_path)
    (document,) = load_markdown_folder("notes").documents
    assert document.id == "a.md"


class TestPassedOver:
    def test_hidden_things_and_node_modules_are(self, tmp_path: Path) -> None:
        names = [".git/a.md", ".obsidian/b.md", ".c/d.md", ".e.md", "node_modules/f.md", "g/node_modules/h.md"]
        write(tmp_path, dict.fromkeys([*names, "g/i.md"], "x"))
        assert walk_folder(tmp_path)[1] == []
        assert ids(tmp_path) == ["g/i.md"]

    def test_ignore_files_exclude_and_let_in_again(self, tmp_path: Path) -> None:
        write(tmp_path, {".gitignore": "*.txt\n!keep.txt\nbuild/\n/top.md\n# comment\n\n"})
        write(
            tmp_path, dict.fromkeys(["a.txt", "keep.txt", "build/b.md", "sub/build/c.md", "top.md", "sub/top.md"], "")
        )
        assert ids(tmp_path) == ["keep.txt", "sub/top.md"]

    def test_a_nested_ignore_file_counts_from_its_folder_and_wins_over_those_above(self, tmp_path: Path) -> None:
        write(tmp_path, {".gitignore": "*.txt\ndraft.md\n", "sub/.gitignore": "!draft.md\n/only.md\n"})
        write(tmp_path, dict.fromkeys(["draft.md", "sub/draft.md", "sub/only.md", "sub/x/only.md", "sub/a.txt"], ""))
        assert ids(tmp_path) == ["sub/draft.md", "sub/x/only.md"]

    def test_an_ignore_file_that_is_not_git_s_wins_over_git_s(self, tmp_path: Path) -> None:
        write(tmp_path, {".gitignore": "a.md\n", ".ignore": "!a.md\nb.md\n", "a.md": "", "b.md": "", "c.md": ""})
        assert ids(tmp_path) == ["a.md", "c.md"]

    def test_a_file_in_an_excluded_folder_cannot_be_let_in_again(self, tmp_path: Path) -> None:
        write(tmp_path, {".gitignore": "out/\n!out/a.md\n", "out/a.md": "", "out/.gitignore": "!a.md"})
        assert ids(tmp_path) == []

    def test_a_pattern_that_is_none_is_a_notice_and_the_others_hold(self, tmp_path: Path) -> None:
        write(tmp_path, {".gitignore": "a.md\n!\nb.md\n", "a.md": "", "b.md": "", "c.md": ""})
        files, notices = walk_folder(tmp_path)
        assert [file.id for file in files] == ["c.md"]
        assert [(notice.path, "Line 2" in notice.problem) for notice in notices] == [(".gitignore", True)]


class TestLinks:
    def test_a_linked_note_counts_once_by_its_own_name(self, tmp_path: Path) -> None:
        write(tmp_path, {"z/real.md": "x"})
        (tmp_path / "a.md").symlink_to(tmp_path / "z" / "real.md")
        (tmp_path / "b").symlink_to(tmp_path / "z", target_is_directory=True)
        assert walk_folder(tmp_path) == (walk_folder(tmp_path)[0], [])
        assert ids(tmp_path) == ["z/real.md"]

    def test_a_link_brings_in_what_is_walked_on_no_other_way(self, tmp_path: Path) -> None:
        write(tmp_path, {".store/x.md": "x", ".store/deep/y.md": "y", ".one.md": "z"})
        (tmp_path / "notes").symlink_to(".store", target_is_directory=True)
        (tmp_path / "later").symlink_to(".store/deep", target_is_directory=True)
        (tmp_path / "one.md").symlink_to(".one.md")
        assert ids(tmp_path) == ["later/y.md", "notes/x.md", "one.md"]

    def test_loops_end(self, tmp_path: Path) -> None:
        write(tmp_path, {"a/b/c.md": "x"})
        (tmp_path / "a" / "b" / "up").symlink_to(tmp_path / "a", target_is_directory=True)
        (tmp_path / "a" / "root").symlink_to(tmp_path, target_is_directory=True)
        (tmp_path / "self").symlink_to("self")
        (tmp_path / "ping.md").symlink_to("pong.md")
        (tmp_path / "pong.md").symlink_to("ping.md")
        files, notices = walk_folder(tmp_path)
        assert [file.id for file in files] == ["a/b/c.md"]
        assert [notice.path for notice in notices] == ["ping.md", "pong.md"]

    def test_links_that_lead_out_are_named_and_not_followed(self, tmp_path: Path) -> None:
        write(tmp_path, {"notes/a.md": "x", "notes-too/b.md": "y", "c.md": "z"})
        (tmp_path / "notes" / "folder").symlink_to(tmp_path / "notes-too", target_is_directory=True)
        (tmp_path / "notes" / "up").symlink_to("..", target_is_directory=True)
        (tmp_path / "notes" / "file.md").symlink_to(tmp_path / "c.md")
        files, notices = walk_folder(tmp_path / "notes")
        assert [file.id for file in files] == ["a.md"]
        assert [(n.path, "leads out" in n.problem) for n in notices] == [
            ("file.md", True),
            ("folder", True),
            ("up", True),
        ]

    def test_a_link_to_nothing_is_named_where_it_would_be_a_note(self, tmp_path: Path) -> None:
        (tmp_path / "gone.md").symlink_to("nowhere.md")
        (tmp_path / "gone.png").symlink_to("nowhere.png")
        files, notices = walk_folder(tmp_path)
        assert files == [] and [notice.path for notice in notices] == ["gone.md"]

    def test_an_ignored_link_is_not_followed(self, tmp_path: Path) -> None:
        write(tmp_path, {".gitignore": "notes\n", ".store/x.md": "x"})
        (tmp_path / "notes").symlink_to(".store", target_is_directory=True)
        assert ids(tmp_path) == []

    def test_the_folder_itself_may_be_a_link(self, tmp_path: Path) -> None:
        write(tmp_path, {"real/a.md": "x"})
        (tmp_path / "link").symlink_to("real", target_is_directory=True)
        assert ids(tmp_path / "link") == ["a.md"]


class TestFoldersThatCannotBeRead:
    def test_missing(self, tmp_path: Path) -> None:
        with pytest.raises(FolderError, match="no folder") as caught:
            load_markdown_folder(tmp_path / "none")
        assert caught.value.hint

    def test_a_file(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.md": "x"})
        with pytest.raises(FolderError, match="is a file") as caught:
            load_markdown_folder(tmp_path / "a.md")
        assert caught.value.hint

    @pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
    def test_a_name_that_no_folder_can_have(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(FolderError):
            load_markdown_folder(f"{tmp_path}/{name}")

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
    def test_without_permission(self, tmp_path: Path) -> None:
        write(tmp_path, {"sub/a.md": "x", "b.md": "y"})
        (tmp_path / "sub").chmod(0)
        try:
            folder = load_markdown_folder(tmp_path)
            with pytest.raises(FolderError, match="cannot be read"):
                load_markdown_folder(tmp_path / "sub")
        finally:
            (tmp_path / "sub").chmod(0o755)
        assert [document.id for document in folder.documents] == ["b.md"]
        assert [notice.path for notice in folder.notices] == ["sub"]

    def test_an_empty_one_is_no_error(self, tmp_path: Path) -> None:
        folder = load_markdown_folder(tmp_path)
        assert (folder.documents, folder.notices) == ((), ())


class TestTwoSteps:
    def test_a_file_knows_its_size_and_time(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.md": "é"})
        ((file,), _) = walk_folder(tmp_path)
        status = (tmp_path / "a.md").stat()
        assert (file.size, file.modified_ns) == (2, status.st_mtime_ns)
        assert Path(file.path) == tmp_path / "a.md"

    def test_a_note_that_vanished_since_the_walk_is_a_notice(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.md": "x"})
        ((file,), _) = walk_folder(tmp_path)
        (tmp_path / "a.md").unlink()
        assert isinstance(read_note(file), Notice)

    def test_a_folder_that_vanishes_during_the_walk_is_a_notice(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.md": "x", "sub/b.md": "y"})
        folders_begun = 0

        def checkpoint() -> None:
            nonlocal folders_begun
            folders_begun += 1
            if folders_begun == 2:
                (tmp_path / "sub" / "b.md").unlink()
                (tmp_path / "sub").rmdir()

        files, notices = walk_folder(tmp_path, checkpoint=checkpoint)
        assert [file.id for file in files] == ["a.md"]
        assert [(notice.path, "skipped" in notice.problem) for notice in notices] == [("sub", True)]

    def test_a_folder_in_place_of_a_note_is_a_notice(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.md": "x"})
        ((file,), _) = walk_folder(tmp_path)
        (tmp_path / "a.md").unlink()
        (tmp_path / "a.md").mkdir()
        assert isinstance(read_note(file), Notice)

    def test_a_note_that_changed_since_the_walk_is_read_as_it_is_now_and_says_so(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.md": "old"})
        ((file,), _) = walk_folder(tmp_path)
        write(tmp_path, {"a.md": "newer"})
        note = read_note(file)
        assert isinstance(note, Document) and note.text == "newer"
        assert ["changed" in notice.problem for notice in note.notices] == [True]

    def test_a_note_that_grew_over_the_limit_since_the_walk_is_a_notice(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.md": "x"})
        ((file,), _) = walk_folder(tmp_path, max_file_mb=0.001)
        write(tmp_path, {"a.md": "x" * 1001})
        note = read_note(file, max_file_mb=0.001)
        assert isinstance(note, Notice) and "limit" in note.problem


class TestLongJobs:
    def test_progress_is_told_and_ends_at_the_total(self, tmp_path: Path) -> None:
        write(tmp_path, {f"{number}.md": "x" for number in range(5)})
        told: list[Progress] = []
        load_markdown_folder(tmp_path, report=told.append)
        assert told[-1] == Progress("reading", 5, 5)
        assert [progress.done for progress in told] == sorted(progress.done for progress in told)

    def test_it_stops_when_asked_before_anything_is_read(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.md": "x"})
        with pytest.raises(Cancelled):
            load_markdown_folder(tmp_path, should_stop=lambda: True)

    def test_it_stops_within_one_long_note(self, tmp_path: Path) -> None:
        write(tmp_path, {"a.md": "*a* b\n\n" * 500_000})
        reading = False

        def report(progress: Progress) -> None:
            nonlocal reading
            reading = reading or progress.total == 1

        with pytest.raises(Cancelled):
            load_markdown_folder(tmp_path, report=report, should_stop=lambda: reading)
