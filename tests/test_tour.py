"""The tour prints what it shows, and its notebook is the same, run from top to bottom."""

import ast
import contextlib
import importlib.util
import io
import json
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "tour.md").read_text(encoding="utf-8")
NOTEBOOK = json.loads((DOCS / "tour.ipynb").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def maker():
    specification = importlib.util.spec_from_file_location("make_tour", DOCS / "make_tour.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_every_value_of_the_page_is_printed_by_the_line_above_it(maker):
    assert maker.fill(PAGE) == PAGE, "run python docs/make_tour.py"


def test_a_value_that_is_not_true_is_noticed(maker):
    wrong = PAGE.replace("1.8092", "1.8093")
    assert wrong != PAGE and maker.fill(wrong) == PAGE


def test_the_notebook_is_the_page(maker):
    assert json.loads(maker.notebook(PAGE)) == NOTEBOOK, "run python docs/make_tour.py"


def test_the_cells_run_in_order_give_the_outputs_that_are_stored():
    names: dict = {}
    shown = 0
    for cell in NOTEBOOK["cells"]:
        if cell["cell_type"] != "code":
            continue
        *before, last = ast.parse("".join(cell["source"])).body
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(ast.Module(before, []), "<cell>", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            else:
                value = exec(compile(ast.Module([last], []), "<cell>", "exec"), names)
        stored = {output["output_type"]: output for output in cell["outputs"]}
        assert "".join(stored.get("stream", {}).get("text", [])) == printed.getvalue()
        result = "".join(stored["execute_result"]["data"]["text/plain"]) if "execute_result" in stored else None
        assert result == (None if value is None else repr(value))
        shown += bool(stored)
    assert shown >= 30


def test_the_tour_follows_the_question_to_a_checked_answer():
    assert PAGE.count("\n## ") == 13
    assert "224.7" in PAGE and "10 of 10 terms and every number stand in [1]" in PAGE


def test_the_notebook_has_the_form_of_notebooks():
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    identities = [cell["id"] for cell in NOTEBOOK["cells"]]
    assert len(set(identities)) == len(identities)
    counts = [cell["execution_count"] for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))
