"""Who may read a note: a library opened for a name holds nothing that is kept from that name."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Library, ask
from engine.reading.folder import load_markdown_folder
from engine.reading.markdown import parse_markdown
from planet_tui import cli

CLOSED = [
    "access:",
    "access: 7",
    "access: no",
    'access: "Ada, Bo"',
    "access: [Ada, 7]",
    "access: [Ada, '']",
    "access: [Ada, [Bo]]",
    "access: {Ada: yes}",
    "access: [Ada]\nAccess: [Bo]",
    "access: [Ada\ntitle: x",
    "- broken: [\naccess: [Ada]",
    "*what\naccess: [Ada]",
]


@pytest.mark.parametrize(
    ("front", "names"),
    [
        ("title: Io", None),
        ("access: [Ada, Bo]", ("Ada", "Bo")),
        ("access: Ada", ("Ada",)),
        ("ACCESS: [ Ada ]", ("Ada",)),
        ("access: []", ()),
        ("access:\n- Ada Lovelace\n- Ada Lovelace", ("Ada Lovelace",)),
    ],
)
def test_a_list_of_names_is_read_without_a_word(front: str, names: tuple[str, ...] | None) -> None:
    note = parse_markdown(f"---\n{front}\n---\nHot.")
    assert (note.access, note.notices) == (names, ())


def test_toml_front_matter_has_lists_too() -> None:
    assert parse_markdown('+++\naccess = ["Ada"]\n+++\nHot.').access == ("Ada",)


@pytest.mark.parametrize("front", CLOSED)
def test_what_cannot_be_understood_is_closed_with_a_notice(front: str) -> None:
    note = parse_markdown(f"---\n{front}\n---\nHot.", "a.md")
    assert note.access == () and any("only the owner" in notice.problem for notice in note.notices)
    assert note.is_open_to(None) and not note.is_open_to("Ada")


@pytest.mark.parametrize(
    "source",
    [
        "---\naccess: [Ada]\n\nHot.",
        "\n ---\naccess: [Ada]\n---\nHot.",
        "+++\naccess = [\n+++\nHot.",
        "---\n'access': x: y\n---\n",
    ],
)
def test_front_matter_that_does_not_end_or_parse_is_closed(source: str) -> None:
    assert parse_markdown(source).access == ()


@pytest.mark.parametrize("source", ["access: [Ada]", "Text\n---\naccess: [Ada]\n---\n", "---\nWhy?\n\naccess: here\n"])
def test_the_word_in_the_text_closes_nothing(source: str) -> None:
    assert parse_markdown(source).access is None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    notes = {
        "open.md": "# Venus\n\nVenus is hot. See [[ada]] and [[bo]].",
        "ada.md": "---\naccess: [Ada]\n---\n# Zirconium\n\nVenus holds zirconium. See [[open]].",
        "bo.md": "---\naccess: [Bo]\ntags: [\n---\n# Beryllium\n\nVenus holds beryllium. See [[open]].",
        "closed.md": "---\naccess: 7\n---\n# Xenon\n\nVenus holds xenon.",
    }
    for name, text in notes.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_library_for_a_name_holds_nothing_kept_from_it(folder: Path) -> None:
    library = Library.open(folder, reader="Ada")
    assert (library.reader, list(library.documents)) == ("Ada", ["ada.md", "open.md"])
    assert {chunk.document for chunk in library.chunks} == {"ada.md", "open.md"}
    assert library.index.document_frequency("zirconium") == 1
    assert library.index.document_frequency("beryllium") == library.index.document_frequency("xenon") == 0
    assert library.notices == ()


def test_nothing_withheld_stands_in_a_trace(folder: Path) -> None:
    for question in ("What does Venus hold?", "beryllium", "xenon"):
        trace = str(ask(Library.open(folder, reader="Ada"), question).to_dict() | {"question": ""})
        assert "Beryllium" not in trace and "Xenon" not in trace and "bo.md" not in trace


def test_the_owner_sees_everything_and_the_notices(folder: Path) -> None:
    library = Library.open(folder)
    assert len(library.documents) == 4
    assert {notice.path for notice in library.notices} == {"bo.md", "closed.md"}


def test_a_rebuild_from_the_owner_s_documents_keeps_them_back_too(folder: Path) -> None:
    mine = Library.open(folder)
    *_, theirs = Library.from_documents(mine.documents, mine.settings, folder, mine.notices, reader="nobody")
    assert list(theirs.documents) == ["open.md"] and theirs.notices == ()


def test_a_cache_of_the_owner_s_is_not_opened_for_another(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    for reader, held in ((None, 4), ("Ada", 2), (None, 4), ("Bo", 1), ("Ada", 2)):
        library = Library.open(folder, reader=reader, cache=cache)
        assert len(library.documents) == held
        assert library.index.document_frequency("xenon") == (reader is None)


def test_skipped_files_are_not_named_to_a_reader(folder: Path) -> None:
    (folder / "secret.md").write_bytes(b"a\0b")
    assert "secret.md" in [notice.path for notice in load_markdown_folder(folder).notices]
    assert load_markdown_folder(folder, reader="Ada").notices == ()


@given(
    st.lists(st.text(alphabet="abAB ", min_size=1, max_size=3).map(str.strip).filter(bool), max_size=4),
    st.text("abAB", min_size=1, max_size=2),
)
def test_exactly_the_named_may_read(names: list[str], reader: str) -> None:
    listed = "\n".join(f"- '{name}'" for name in names)
    note = parse_markdown(f"---\naccess:\n{listed or '  []'}\n---\nHot.")
    assert note.is_open_to(reader) == (reader in names)


@pytest.mark.parametrize("command", ["ask", "search"])
def test_the_command_line_answers_for_a_name(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANET_TUI_HOME", str(folder / ".home"))
    seen = {}
    for name in ("Ada", "Bo"):
        cli.run([command, str(folder), "Venus holds", "--as", name], lambda path: 1)
        seen[name] = capsys.readouterr().out
    assert "ada.md" in seen["Ada"] and "bo.md" not in seen["Ada"]
    assert "bo.md" not in seen["Bo"] and "ada.md" not in seen["Bo"]  # its front matter is broken: closed
