"""The examples of docs/probability-model.md print what the page shows."""

import doctest
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_examples_of_the_page_print_what_it_shows(monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "docs" / "probability-model.md"), module_relative=False)
    assert failed == 0 and tried > 15
