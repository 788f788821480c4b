import math

import pytest

from engine.evaluation.experiments.language_models import LanguageModels, Parts, language_models

PLANETS = ["Mars", "Venus", "Saturn", "Neptune", "Mercury", "Uranus"]
DAYS = range(88, 688, 100)
SKY = [
    f"{planet} is a planet. It goes around the Sun in {days} days. {planet} has {moons} moons."
    for moons in range(5)
    for planet, days in zip(PLANETS, DAYS, strict=True)
]
BREAD = [
    f"Mix {grams} grams of flour with water. Knead it for {minutes} minutes. Bake the bread until it is brown."
    for grams in range(300, 800, 100)
    for minutes in (5, 8, 10, 12, 15, 20)
]


@pytest.fixture(scope="module")
def measured() -> LanguageModels:
    return language_models(Parts.of("sky", SKY), Parts.of("bread", BREAD), dimensions=8)


def rows_of(measured):
    return {(row.text, row.beside): row for row in measured.rows}


def test_no_text_is_in_two_parts():
    parts = Parts.of("sky", SKY)
    assert len(parts.train) + len(parts.held_out) + len(parts.test) == len(SKY)
    assert len(parts.held_out) == len(parts.test) == 3
    assert not set(parts.train) & set(parts.test) and not set(parts.held_out) & set(parts.test)


def test_every_way_is_measured_on_both_collections(measured):
    assert list(rows_of(measured)) == [
        ("sky", ""),
        ("sky", "neighbours in sky"),
        ("sky", "neighbours in bread"),
        ("sky", "passages of sky"),
        ("bread", ""),
        ("bread", "neighbours in bread"),
        ("bread", "passages of bread"),
    ]
    assert all(math.isfinite(row.test) and row.test > 1 for row in measured.rows)


def test_a_weight_of_0_is_tried_too_so_that_held_out_text_is_never_worse(measured):
    rows = rows_of(measured)
    for (text, _), row in rows.items():
        assert row.held_out <= rows[text, ""].held_out * (1 + 1e-9)
        assert 0 <= row.weight < 1


def test_another_subject_is_read_much_better_with_its_own_datastore(measured):
    rows = rows_of(measured)
    assert rows["bread", "neighbours in bread"].test < rows["bread", ""].test / 4
    assert rows["bread", "passages of bread"].test < rows["bread", ""].test / 4


def test_a_datastore_of_another_subject_is_given_little_weight(measured):
    rows = rows_of(measured)
    assert rows["sky", "neighbours in bread"].weight < rows["bread", "neighbours in bread"].weight
    assert rows["sky", "neighbours in bread"].weight <= rows["sky", "neighbours in sky"].weight


def test_it_is_drawn_as_a_table(measured):
    [table] = measured.tables()
    assert f"{measured.n_tokens:,} tokens" in table.title
    assert [row[1] for row in table.rows][:2] == ["nothing", "neighbours in sky"]
    assert "sky" in table.to_text() and "| bread |" in table.to_markdown()
