"""What is said of a list woven of two is what is said of the list itself."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.indexing.weave import Weave


@st.composite
def woven(draw):
    """Return a weave, and each item seen as (is it of the base, which)."""
    n_base = draw(st.integers(0, 12))
    gone = sorted(draw(st.sets(st.integers(0, n_base - 1)))) if n_base else []
    before = sorted(draw(st.lists(st.integers(0, n_base), max_size=6)))
    seen = []
    for row in range(n_base + 1):
        seen += [(False, at) for at, place in enumerate(before) if place == row]
        seen += [(True, row)] if row < n_base and row not in gone else []
    return Weave(n_base, np.array(gone, np.int64), np.array(before, np.int64)), seen


@given(woven())
def test_every_place_leads_to_its_item_and_back(case):
    weave, seen = case
    assert len(weave) == len(seen)
    assert [weave.find(at) for at in range(len(seen))] == seen
    of_base, rows = weave.find_all(np.arange(len(seen))[::-1])
    assert list(zip(of_base.tolist(), rows.tolist(), strict=True)) == seen[::-1]
    beside = [at for at, (is_base, _) in enumerate(seen) if not is_base]
    assert weave.places_beside.tolist() == weave.of_beside(np.arange(len(beside))).tolist() == beside


@given(woven(), st.data())
def test_items_of_the_base_are_found_where_they_are_seen(case, data):
    weave, seen = case
    asked = sorted(data.draw(st.sets(st.integers(0, max(0, weave.n_base - 1)), max_size=weave.n_base)))
    places, mask = weave.of_base(np.array(asked, np.int32))
    kept = [row for row in asked if (True, row) in seen]
    assert places.tolist() == [seen.index((True, row)) for row in kept] and places.dtype == np.int32
    assert (mask is None) == (kept == asked)
    assert mask is None or np.array(asked)[mask].tolist() == kept


@given(woven())
def test_lists_arrays_and_masks_are_woven_alike(case):
    weave, seen = case
    base, beside = np.arange(weave.n_base), np.arange(len(weave.before)) + 100
    wanted = [row if is_base else row + 100 for is_base, row in seen]
    assert list(weave.stacked(base.tolist(), beside.tolist())) == wanted
    assert weave.stacked_arrays(base, beside).tolist() == wanted
    mask = np.arange(len(seen)) % 2 == 0
    marked = [row for (is_base, row), marked in zip(seen, mask, strict=True) if is_base and marked]
    assert np.flatnonzero(weave.base_mask(mask)).tolist() == marked
