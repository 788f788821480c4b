import numpy as np
import pytest

from engine.errors import Cancelled
from engine.evaluation.experiments.vectors import (
    CENTRES,
    SPREAD,
    clustered_vectors,
    independent_vectors,
    measure_lists,
    vectors,
)
from engine.library import Library
from planet_tui.paths import sample_notes


@pytest.fixture(scope="module")
def measured():
    return vectors(Library.open(sample_notes()), n_vectors=20_000, lists=64, n_queries=40, library_lists=8)


def test_more_probes_scan_more_and_find_more_until_all_is_found(measured):
    for one in measured.sets:
        assert [row.probes for row in one.rows] == [2**at for at in range(len(one.rows))]
        assert one.rows[-1].probes == one.n_lists
        scanned, found = [row.scanned for row in one.rows], [row.found for row in one.rows]
        assert scanned == sorted(scanned) and scanned[-1] == 1
        assert found[-1] == 1 and found[0] < found[-2] < 1


def test_clustered_vectors_are_found_with_fewer_probes_than_independent_ones(measured):
    own, clustered, independent = measured.sets
    assert (own.n_vectors, own.n_lists) == (57, 8)
    assert (clustered.n_vectors, clustered.n_dims, clustered.n_lists) == (20_000, 64, 64)
    for one, other in list(zip(clustered.rows, independent.rows, strict=True))[:4]:
        assert one.found > 1.15 * other.found


def test_what_is_drawn_is_what_is_said():
    random = np.random.default_rng(0)
    for make in (independent_vectors, clustered_vectors):
        drawn = make(3_000, 64, random)
        assert drawn.dtype == np.float32
        assert np.linalg.norm(drawn, axis=1) == pytest.approx(np.ones(3_000), abs=1e-5)
    # Two of one centre: the centres' product is 1, the lengths are sqrt(1 + SPREAD^2): cosine 1/2.44 = 0.41.
    cosines = drawn @ drawn.T
    close = cosines[np.triu_indices(3_000, 1)]
    assert np.sort(close)[-1_000:].mean() > 1 / (1 + SPREAD**2)
    # Without clusters only chance brings two together; about n^2 / 2 / CENTRES pairs share a centre.
    assert (close > 0.35).sum() > 3_000**2 / 2 / CENTRES / 2


def test_it_can_be_stopped():
    rows = independent_vectors(500, 8, np.random.default_rng(0))
    with pytest.raises(Cancelled):
        measure_lists("rows", rows, rows[:3], 5, should_stop=lambda: True)


def test_it_is_drawn_as_a_table_and_a_figure(measured):
    first = measured.tables()[0]
    assert first.title == "the library's vectors: 57 vectors of 32 dimensions in 8 lists"
    assert [column.name for column in first.columns] == ["probes", "scanned", "found@10"]
    (panel,) = measured.figure().panels
    assert [curve.label for curve in panel.curves] == ["the library's vectors", "clustered", "independent"]
