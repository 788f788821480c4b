import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.tables import Column, from_records, table, width

RECALL = table(
    "Recall",
    [Column("retriever", "Retriever"), Column("recall@5", form=".1%"), "lists", "mrr"],
    [["BM25", 0.828, 16, 0.672], ["LSA | 128", 0.7034, None, 2 / 3]],
    "64 questions.",
)


def test_text_is_aligned_numbers_to_the_right_and_words_to_the_left():
    assert RECALL.to_text().splitlines() == [
        "Recall",
        "",
        "Retriever  recall@5  lists    mrr",
        "BM25          82.8%     16  0.672",
        "LSA | 128     70.3%      –  0.667",
        "",
        "64 questions.",
    ]


def test_markdown_keeps_its_columns_whatever_a_cell_holds():
    lines = RECALL.to_markdown().splitlines()
    assert lines[0] == "## Recall"
    assert lines[3] == "| --- | ---: | ---: | ---: |"
    assert lines[5] == "| LSA \\| 128 | 70.3% | – | 0.667 |"
    odd = table("", ["a"], [["two\nlines"], ["<b>|"]]).to_markdown().splitlines()
    assert odd == ["| a |", "| --- |", "| two lines |", "| &lt;b>\\| |"]


def test_csv_and_json_hold_the_numbers_unrounded():
    read = list(csv.DictReader(io.StringIO(RECALL.to_csv())))
    assert float(read[1]["mrr"]) == 2 / 3
    assert read[1]["lists"] == ""
    loaded = json.loads(RECALL.to_json())
    assert loaded["rows"][1] == {"retriever": "LSA | 128", "recall@5": 0.7034, "lists": None, "mrr": 2 / 3}
    assert loaded == RECALL.to_dict()


CELLS = st.one_of(st.none(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text())


@given(st.lists(st.tuples(CELLS, CELLS), max_size=8))
def test_every_form_has_every_row_whatever_stands_in_it(rows: list[tuple[object, object]]):
    made = table("t", ["a", "b"], rows)
    assert len(made.to_markdown().split("\n")) == len(rows) + 4
    assert len(made.to_text().split("\n")) == len(rows) + 3
    assert json.loads(made.to_json())["rows"] == [{"a": a, "b": b} for a, b in rows]
    read = list(csv.reader(io.StringIO(made.to_csv(), newline="")))
    assert read == [["a", "b"], *(["" if cell is None else str(cell) for cell in row] for row in rows)]


def test_wide_and_combining_characters_are_aligned_by_what_they_take_on_the_screen():
    lines = table("", ["name", "n"], [["火星", 2], ["e\u0301te", 3]]).to_text().splitlines()
    assert lines == ["name  n", "火星  2", "e\u0301te   3"]
    assert [width(line) for line in lines] == [7, 7, 7]


def test_a_table_without_rows_has_its_headings():
    assert table("", ["a", "b"], []).to_text() == "a  b"


def test_records_become_rows_under_all_their_keys():
    made = from_records("", [{"k": 1, "recall": 0.5}, {"k": 3, "map": 0.25}])
    assert [column.name for column in made.columns] == ["k", "recall", "map"]
    assert made.rows == ((1, 0.5, None), (3, None, 0.25))


@pytest.mark.parametrize("columns, rows", [(["a", "a"], []), (["a", "b"], [[1]])])
def test_what_is_no_table_is_refused(columns, rows):
    with pytest.raises(ValueError):
        table("", columns, rows)
