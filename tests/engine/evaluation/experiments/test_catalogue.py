"""Every experiment of the catalogue runs, and its outcome has all its forms."""

import json
import re
from pathlib import Path

import pytest

from engine.evaluation.experiments.catalogue import EXPERIMENTS, Task
from engine.evaluation.labelled import Labelled
from engine.settings import Settings


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_each_has_tables_a_figure_and_json(sample: Labelled, name: str) -> None:
    outcome = EXPERIMENTS[name].run(Task(lambda: sample, Settings(), n_vectors=2_000))
    assert outcome.tables and all(table.rows for table in outcome.tables)
    assert (outcome.figure is not None) == EXPERIMENTS[name].drawn
    assert json.loads(json.dumps(outcome.to_dict(), allow_nan=False))["tables"]
    assert all(table.title in outcome.to_text() for table in outcome.tables)
    assert outcome.to_markdown().count("\n| ---") == len(outcome.tables)


def test_what_was_asked_for_is_held(sample: Labelled) -> None:
    def rows(name: str, **options: float) -> list[tuple]:
        task = Task(lambda: sample, Settings(**options), frozenset(options), n_vectors=0)
        return list(EXPERIMENTS[name].run(task).tables[0].rows)

    assert [row[0] for row in rows("chunking", max_words=40) if "sentences" in row[0]] == ["sentences 40"]
    assert [row[0] for row in rows("retrievers", dimensions=16)] == ["BM25", "tf-idf", "LSA-16", "RRF"]
    assert [row[0] for row in rows("vectors", lists=5, probes=2)] == [2]
    assert [row[1] for row in rows("answers", threshold=0.7)] == [None, 0.7] * 2


def test_the_worked_example_reads_no_notes() -> None:
    def nothing() -> Labelled:
        raise AssertionError("notes were read")

    assert EXPERIMENTS["worked-example"].run(Task(nothing, Settings())).tables


def test_the_exchange_of_facts_is_shown_as_computed(sample: Labelled) -> None:
    words, odds, swap = EXPERIMENTS["grounding"].run(Task(lambda: sample, Settings())).tables
    assert {row[0] for row in words.rows} == {"right", "wrong"}
    memory, sequence = odds.rows[0][2], odds.rows[1][2]
    assert memory < 0 < sequence
    assert "Saturn has 83 known moons" in swap.note


def test_the_page_names_every_experiment_and_shows_what_is_printed(sample: Labelled) -> None:
    page = (Path(__file__).parents[4] / "docs" / "experiments.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE) == list(EXPERIMENTS)
    shown = re.search(
        r"^\$ planet-tui experiment retrievers --dimensions 32\n(.*?)\n```", page, re.DOTALL | re.MULTILINE
    )
    printed = EXPERIMENTS["retrievers"].run(Task(lambda: sample, Settings(dimensions=32), frozenset(["dimensions"])))
    assert shown and shown[1] == printed.tables[0].to_text()
