import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from engine.evaluation.resampling import Interval, bootstrap, bootstrap_columns, compare_paired


def test_the_interval_is_about_the_mean_give_or_take_two_standard_errors():
    # 64 right of 100: standard error sqrt(0.64 · 0.36 / 100) = 0.048
    made = bootstrap([1.0] * 64 + [0.0] * 36)
    assert made.mean == 0.64
    assert made.low == pytest.approx(0.64 - 1.96 * 0.048, abs=0.015)
    assert made.high == pytest.approx(0.64 + 1.96 * 0.048, abs=0.015)


def test_it_agrees_with_scipy_s_percentile_bootstrap():
    values = np.random.default_rng(3).beta(2, 1, 80)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=9999, method="percentile", rng=1).confidence_interval
    ours = bootstrap(values.tolist(), resamples=9999)
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs), abs=0.004)


def test_a_seed_gives_one_interval_and_another_seed_another():
    values = [0.1 * number for number in range(11)]
    assert bootstrap(values) == bootstrap(values)
    assert bootstrap(values) != bootstrap(values, seed=1)


def test_questions_to_which_a_figure_does_not_apply_are_left_out_of_its_mean():
    made = bootstrap([0.5, None, math.nan, 1.0])
    assert (made.mean, made.n) == (0.75, 2)
    assert 0.5 <= made.low <= made.high <= 1


def test_columns_are_measured_on_the_same_draws():
    values = np.random.default_rng(0).random((40, 3))
    together = bootstrap_columns(values)
    for at, interval in enumerate(together):
        assert interval == pytest.approx(bootstrap(values[:, at]), abs=1e-12)


@pytest.mark.parametrize("values", [[], [None, None]])
def test_nothing_measured_is_0_of_0_questions(values):
    assert bootstrap(values) == Interval(0.0, 0.0, 0.0, 0)


def test_many_questions_are_drawn_in_blocks_and_none_is_lost():
    made = bootstrap(np.ones(9001), resamples=1000)
    assert made == Interval(1.0, 1.0, 1.0, 9001)


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_an_interval_lies_within_the_values_and_around_their_mean(values):
    made = bootstrap(values, resamples=200)
    assert min(values) - 1e-12 <= made.low <= made.high <= max(values) + 1e-12


def test_the_p_value_is_the_exact_one_where_all_signs_can_be_listed():
    before, after = [0.0, 0.2, 0.1, 0.5, 0.3, 0.0], [0.4, 0.3, 0.4, 0.9, 0.2, 0.5]
    differences = np.subtract(after, before)
    sums = [abs(np.dot(signs, differences)) for signs in product((1, -1), repeat=6)]
    exact = np.mean(np.array(sums) >= abs(differences.sum()) - 1e-12)
    made = compare_paired(before, after)
    assert made.p == pytest.approx(exact, abs=0.01)
    assert made.difference == pytest.approx(differences.mean())
    assert (made.before, made.after, made.n) == (pytest.approx(1.1 / 6), pytest.approx(2.7 / 6), 6)
    assert made.low < made.difference < made.high


def test_chance_alone_seldom_looks_like_a_difference_and_a_real_one_does():
    generator = np.random.default_rng(11)
    noise = [
        compare_paired(generator.random(30), generator.random(30), permutations=500, resamples=10).p for _ in range(200)
    ]
    # Under chance p is uniform: 0.05 of 200 is 10, give or take 2 · sqrt(200 · 0.05 · 0.95) = 6.
    assert 2 <= sum(p <= 0.05 for p in noise) <= 20
    base = generator.random(30)
    assert compare_paired(base, base + 0.2 + 0.1 * generator.random(30)).p < 0.001


def test_two_equal_settings_have_p_1_and_no_difference():
    made = compare_paired([1.0, 0.0, None], [1.0, 0.0, 1.0])
    assert (made.p, made.difference, made.low, made.high, made.n) == (1.0, 0.0, 0.0, 0.0, 2)
    assert compare_paired([], []).p == 1.0


def test_swapping_the_two_swaps_the_sign_and_keeps_the_p_value():
    before, after = [0.1, 0.9, 0.4, 0.4], [0.3, 0.8, 0.9, 0.6]
    there, back = compare_paired(before, after), compare_paired(after, before)
    assert (back.difference, back.p) == (pytest.approx(-there.difference), there.p)


def test_other_questions_are_no_pair():
    with pytest.raises(ValueError, match="2 questions before, 1 after"):
        compare_paired([1.0, 0.0], [1.0])
