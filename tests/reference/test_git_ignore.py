"""What ignore files exclude: the walk and Git are of one mind."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.reading.folder import walk_folder

TREE = (
    "a.md", "b.md", "#c.md", "d e.md", "build/a.md", "build/keep.md", "docs/a.md", "docs/build/a.md", "docs/x/a.md",
    "docs/x/y/b.md", "logs/1.txt", "logs/22.txt", "x/docs/a.md", "[z].md", "café.md", "A.md",
)  # fmt: skip
CASES = {
    "names": {".gitignore": "a.md\n"},
    "anchored": {".gitignore": "/a.md\ndocs/x\n"},
    "folders only": {".gitignore": "build/\na.md/\n"},
    "stars": {".gitignore": "*.txt\ndocs/*/a.md\n"},
    "two stars": {".gitignore": "**/build\ndocs/**/b.md\nx/**\n"},
    "classes": {".gitignore": "logs/[0-9].txt\n[!a-c].md\n"},
    "escapes": {".gitignore": "\\#c.md\nd\\ e.md\n\\[z].md\n"},
    "comments and trailing blanks": {".gitignore": "# a.md\n\nb.md   \n"},
    "negation": {".gitignore": "*.md\n!keep.md\n!/b.md\n"},
    "negation in an excluded folder": {".gitignore": "build/\n!build/keep.md\n"},
    "all but one": {".gitignore": "/*\n!/docs\n/docs/*\n!/docs/x\n"},
    "nested": {".gitignore": "a.md\n", "docs/.gitignore": "!a.md\nx/\n", "docs/build/.gitignore": "a.md\n"},
    "nested, anchored there": {"docs/.gitignore": "/a.md\n"},
    "the last line wins": {".gitignore": "!a.md\na.md\nb.md\n!b.md\n"},
    "marks of bytes and lines": {".gitignore": "\ufeffa.md\r\nb.md\r\n"},
    "accents": {".gitignore": "café.md\n"},
}

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="Git is not installed")


def plant(folder: Path, ignores: dict[str, str]) -> None:
    for name in TREE:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x", encoding="utf-8")
    for name, text in ignores.items():
        (folder / name).write_bytes(text.encode())


def kept_by_git(folder: Path) -> list[str]:
    git = ("git", "-c", "core.excludesFile=", "-c", "core.quotePath=off", "-c", "core.ignoreCase=false")
    subprocess.run([*git, "init", "-q", str(folder)], check=True, capture_output=True)
    listed = subprocess.run(
        [*git, "ls-files", "-z", "--others", "--exclude-standard"], cwd=folder, check=True, capture_output=True
    )
    return sorted(name for name in listed.stdout.decode().split("\0") if name.endswith((".md", ".txt")))


def kept_by_the_walk(folder: Path) -> list[str]:
    return [file.id for file in walk_folder(folder)[0]]


@pytest.mark.parametrize("case", CASES)
def test_the_same_files_stay(case: str, tmp_path: Path) -> None:
    plant(tmp_path, CASES[case])
    kept = kept_by_git(tmp_path)
    assert kept_by_the_walk(tmp_path) == kept
    assert 0 < len(kept) < len(TREE)


def test_any_patterns(tmp_path_factory: pytest.TempPathFactory) -> None:
    pieces = ["a.md", "*", "**", "/", "docs", "build", "x", "!", "?", "[a-d]", ".md", "keep", "\\", " "]
    patterns = st.lists(st.lists(st.sampled_from(pieces), min_size=1, max_size=5).map("".join), max_size=4).map(
        "\n".join
    )
    folder = tmp_path_factory.mktemp("any")
    plant(folder, {})

    @given(patterns, patterns)
    def compare(top: str, below: str) -> None:
        plant_only = {".gitignore": top, "docs/.gitignore": below}
        for name, text in plant_only.items():
            (folder / name).write_text(text, encoding="utf-8")
        assert kept_by_the_walk(folder) == kept_by_git(folder), plant_only

    compare()
