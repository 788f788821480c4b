"""Every golden value of docs/golden-values.md is held by the test that the page names beside it."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "golden-values.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.*) \| (.*?) ?\| `(tests/[\w/]+\.py)::(test_\w+)` \|$", PAGE, re.MULTILINE)
NUMBER = re.compile(r"(?<![\d.])-?\d+(?:\.\d+)?")


def source_of(file: str, test: str) -> str:
    """Return the lines of a test, with its decorators; empty: there is no such test."""
    text = (ROOT / file).read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == test:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return ""


def test_the_page_has_no_row_without_a_test():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| what |")]
    assert len(rows) == len(ROWS) >= 30


@pytest.mark.parametrize(("what", "values", "file", "test"), ROWS, ids=[row[0][:40] for row in ROWS])
def test_the_named_test_holds_the_values(what, values, file, test):
    source = source_of(file, test)
    assert source, f"{file} has no {test}"
    held = set(map(float, NUMBER.findall(source)))
    missing = [number for number in NUMBER.findall(values) if float(number) not in held]
    assert not missing, (what, missing)
