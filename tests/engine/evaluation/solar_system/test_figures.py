"""What docs/solar-system.md shows is what is measured; ranking by words is the same on every machine."""

import re
from pathlib import Path

import pytest

from engine.evaluation.experiments.catalogue import EXPERIMENTS, Task
from engine.evaluation.experiments.chunking import chunking
from engine.evaluation.experiments.retrievers import FIGURES, retrievers
from engine.evaluation.labelled import Labelled
from engine.settings import Settings

PAGE = Path(__file__).parents[4] / "docs" / "solar-system.md"


def row(first: str, second: str) -> list[str]:
    """Return the cells of the page's row that starts with these two."""
    start = rf"^\| {re.escape(first)} \| {re.escape(second)} \| "
    (line,) = re.findall(rf"{start}(.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return line.split(" | ")


@pytest.mark.parametrize("name", ["BM25", "tf-idf"])
def test_the_page_shows_what_is_measured(articles: Labelled, name: str) -> None:
    figures = retrievers(articles, Settings(stemming="none", max_words=100), dimensions=(8,)).figures[name]
    assert row(name, "here") == [f"{figures[figure]:.3f}" for figure in FIGURES]


def test_the_page_shows_what_each_cut_gives(articles: Labelled) -> None:
    for each in chunking(articles, Settings(stemming="none"), sizes=(100,)).strategies:
        cells = row(each.name, f"{each.n_chunks:,}")
        assert (cells[1], cells[3:10]) == (str(each.pieces_cut), [f"{each.figures[figure]:.3f}" for figure in FIGURES])


def test_every_claim_says_whether_it_holds() -> None:
    page = PAGE.read_text(encoding="utf-8")
    claims = re.findall(r"^\| [^|]* \| [^|]* \| [^|]* \| (yes|no) \|$", page, re.MULTILINE)
    assert len(claims) >= 20
    assert set(claims) == {"yes", "no"}


def test_memory_gives_pluto_the_day_of_mercury(articles: Labelled) -> None:
    outcome = EXPERIMENTS["grounding"].run(Task(lambda: articles, Settings(stemming="none", max_words=100)))
    words, odds, _ = outcome.tables
    assert [row[1] for row in words.rows if row[0] == "wrong"] == ["about", "176", "earth", "days"]
    assert "number not in it: 176" in words.note
    assert odds.rows[0][2] < 0 < min(odds.rows[1][2], odds.rows[2][2])
