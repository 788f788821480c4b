import datetime

import pytest

from engine.reading.front_matter import MAX_CHARACTERS, aliases_of, date_of, read_front_matter, tags_of, title_of
from engine.reading.markdown import parse_markdown


def test_yaml_and_toml_are_read_and_the_body_starts_behind_them() -> None:
    for source in ("---\na: 1\n---\nbody", "---\na: 1\n...\nbody", "+++\na = 1\n+++\nbody"):
        front = read_front_matter(source)
        assert (front.values, source[front.end :], front.problem) == ({"a": 1}, "body", "")


@pytest.mark.parametrize("source", ["", "text", "---", "---\nno end", "----\na: 1\n----\n", " ---\na: 1\n---\n"])
def test_where_there_is_none_the_body_is_everything(source: str) -> None:
    assert read_front_matter(source) == ({}, 0, "")


def test_prose_between_two_rules_stays_text() -> None:
    assert parse_markdown("---\nJust *words*\n\n---\nmore").text == "Just words\n\nmore"
    assert parse_markdown("---\n*Hello*: `world\n---\nmore").text == "Hello: `world\n\nmore"


def test_an_empty_block_is_no_problem() -> None:
    assert read_front_matter("---\n---\nbody") == ({}, 8, "")
    assert read_front_matter("---\n# a comment\n---\nbody").problem == ""


@pytest.mark.parametrize(
    "block",
    [
        "title: [",
        "title: a: b",
        "\ttitle: a",
        "date: 2024-13-45",
        "n: !!int ''",
        "n: !!float x",
        "n: !!timestamp x",
        "n: !!python/object/apply:os.system ['true']",
        "n: " + "1" * 5000,
        "a: &a [1]\nb: *a",
        "n: " + "[" * 50_000,
        "title: \x07",
        "k: " + "x" * MAX_CHARACTERS,
    ],
)
def test_a_broken_block_is_a_notice_and_the_rest_is_read(block: str) -> None:
    note = parse_markdown(f"---\n{block}\n---\n# Title\n\nBody.", "a.md")
    (notice,) = note.notices
    assert notice.path == "a.md" and "\n" not in notice.problem and len(notice.problem) < 300
    assert (note.title, note.text, note.front_matter) == ("Title", "Title\n\nBody.", {})


def test_broken_toml_is_a_notice_too() -> None:
    for block in ("a = ", "a = 1\na = 2", "a = " + "[" * 50_000):
        note = parse_markdown(f"+++\n{block}\n+++\nBody.")
        assert note.text == "Body." and len(note.notices) == 1


def test_the_notice_names_the_line_of_the_file() -> None:
    (notice,) = parse_markdown("---\ntitle: Venus\nkind: a: b\n---\n").notices
    assert "line 3" in notice.problem


def test_a_list_instead_of_keys_is_a_notice() -> None:
    (notice,) = parse_markdown("---\n- a\n- b\n---\nBody.").notices
    assert "keys and values" in notice.problem


def test_aliases_that_would_unfold_to_billions_of_values_are_refused() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    note = parse_markdown("---\n" + "\n".join(lines) + "\n---\nBody.")
    assert note.text == "Body." and len(note.notices) == 1


def test_keys_become_text() -> None:
    assert set(read_front_matter("---\n7: a\ntrue: b\n2024-01-01: c\n---\n").values) == {"7", "True", "2024-01-01"}


@pytest.mark.parametrize(
    ("value", "title"),
    [("Venus", "Venus"), (" two\nlines ", "two lines"), (1984, "1984"), (True, ""), (None, ""), ([], ""), ({}, "")],
)
def test_title_is_one_line_of_text(value: object, title: str) -> None:
    assert title_of({"title": value}) == title


@pytest.mark.parametrize(
    ("value", "tags"),
    [
        ("a, #b c", ["a", "b", "c"]),
        (["two words", "#b", None, 3, ["deep"], {"k": 1}], ["two words", "b", "3"]),
        (7, ["7"]),
        (None, []),
        ({"a": 1}, []),
    ],
)
def test_tags_may_be_a_list_or_a_line(value: object, tags: list[str]) -> None:
    assert tags_of({"tags": value}) == tags


def test_aliases_may_be_a_list_or_one_name() -> None:
    assert aliases_of({"aliases": ["Morning star", 2, None], "alias": "Evening star"}) == [
        "Morning star",
        "2",
        "Evening star",
    ]


@pytest.mark.parametrize(
    ("value", "date"),
    [
        (datetime.date(2024, 5, 1), "2024-05-01"),
        (datetime.datetime(2024, 5, 1, 23, 59), "2024-05-01"),
        ("2024-05-01T10:00:00Z", "2024-05-01"),
        ("2024/5/1", "2024-05-01"),
        (20240501, "2024-05-01"),
        ("2024-02-30", None),
        ("next week", None),
        (2024, None),
        (True, None),
        ([2024], None),
        (float("inf"), None),
    ],
)
def test_dates_of_every_kind(value: object, date: str | None) -> None:
    assert date_of({"date": value}) == date


def test_updated_comes_before_date() -> None:
    assert date_of({"date": "2020-01-01", "updated": "2021-01-01"}) == "2021-01-01"
    assert date_of({"date": "2020-01-01", "updated": "soon"}) == "2020-01-01"
