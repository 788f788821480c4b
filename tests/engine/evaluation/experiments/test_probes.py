"""With every list probed the search is exact; fewer probes scan less and find no more."""

import pytest

from engine.evaluation.experiments.probes import CUT, probe_trade_off
from engine.evaluation.experiments.retrievers import figures_of
from engine.evaluation.labelled import Labelled
from engine.settings import Settings


def test_all_lists_are_exact_search(sample: Labelled) -> None:
    settings = Settings(dimensions=32)
    measured = probe_trade_off(sample, settings, lists=8)
    last = measured.rows[-1]
    library = sample.library(settings)
    judged = sample.judged(library)
    exact = figures_of(judged, [library.lsa.search(question.text, 10) for question in judged])
    assert (last.probes, last.scanned, last.found) == (8, 1.0, 1.0)
    assert last.recall == pytest.approx(exact[f"recall@{CUT}"])


def test_more_probes_scan_and_find_more(sample: Labelled) -> None:
    rows = probe_trade_off(sample, lists=8).rows
    assert [row.probes for row in rows] == [1, 2, 3, 4, 6, 8]
    assert sorted(row.scanned for row in rows) == [row.scanned for row in rows]
    assert sorted(row.found for row in rows) == [row.found for row in rows]
    assert 0 < rows[0].scanned < 0.5


def test_more_lists_than_chunks_are_as_many_as_chunks(tiny: Labelled) -> None:
    measured = probe_trade_off(tiny, Settings(dimensions=2), lists=100, probes=[1])
    assert measured.n_lists == measured.n_vectors
    assert [row[0] for row in measured.tables()[0].rows] == [1]
