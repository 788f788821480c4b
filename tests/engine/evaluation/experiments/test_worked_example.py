"""Every number of the four chunks, as computed by hand to four decimals."""

import pytest

from engine.evaluation.experiments.worked_example import CHUNKS, WorkedExample, worked_example
from engine.evaluation.experiments.worked_tables import worked_figure, worked_tables


@pytest.fixture(scope="module")
def worked() -> WorkedExample:
    return worked_example()


def rounded(values) -> list[float]:
    return [round(value, 4) for value in values]


def test_bm25(worked: WorkedExample) -> None:
    assert (worked.terms, worked.average_length) == (("moons", "mars"), 6.5)
    assert [row.length for row in worked.lexical] == [6, 6, 7, 7]
    moons, mars = worked.lexical[0].terms
    assert rounded([moons.idf, mars.idf]) == [0.6931, 0.3567]
    assert rounded(row.terms[0].length_norm for row in worked.lexical) == [1.4135, 1.4135, 1.5865, 1.5865]
    held = [term for row in worked.lexical for term in row.terms if term.count]
    assert rounded(term.saturation for term in held) == [1.0359, 1.0359, 1.4648, 1.3941, 0.9665]
    assert rounded(term.contribution for term in held) == [0.7180, 0.3695, 0.5225, 0.9663, 0.3447]
    assert rounded(row.bm25 for row in worked.lexical) == [1.0875, 0.5225, 0.9663, 0.3447]
    assert rounded(row.classic for row in worked.lexical) == [-0.8777, -1.2411, 0, -0.8189]


def test_tfidf(worked: WorkedExample) -> None:
    assert [(term, round(idf, 4)) for term, idf in worked.tfidf_idf] == [
        ("moons", 1.5108),
        ("mars", 1.2231),
        ("iron", 1.9163),
    ]
    assert round(worked.query_length, 4) == 1.9439
    assert rounded(row.vector_length for row in worked.lexical) == [4.1325, 4.3913, 5.2432, 4.8507]
    assert rounded(row.product for row in worked.lexical) == [3.7787, 2.9922, 4.5652, 1.4961]
    assert rounded(row.cosine for row in worked.lexical) == [0.4704, 0.3505, 0.4479, 0.1587]


def test_embeddings_and_fusion(worked: WorkedExample) -> None:
    assert rounded(worked.cosines) == [0.9130, 0.9839, 0.5174, 0.6508]
    assert rounded(worked.fused) == [0.1742, 0.1678, 0.1548, 0.1484]


def test_the_judgements(worked: WorkedExample) -> None:
    bm25, dense, fused = worked.judgements
    assert [" ".join(each.order) for each in worked.judgements] == ["d1 d3 d2 d4", "d2 d1 d4 d3", "d1 d2 d3 d4"]
    assert (bm25.recall, bm25.reciprocal_rank) == ((0.5, 0.5, 1.0), 1.0)
    assert dense.recall == fused.recall == (0.5, 1.0, 1.0)
    assert rounded([worked.ideal, bm25.dcg, bm25.ndcg, dense.dcg, dense.ndcg, fused.ndcg]) == [
        2.6309,
        2.5,
        0.9502,
        2.2619,
        0.8597,
        1.0,
    ]
    assert rounded(worked.one_of_two) == [0.3066, 0.5]


def test_the_answer_and_the_checks(worked: WorkedExample) -> None:
    assert rounded(worked.coverage) == [1.0, 0.3397]
    assert worked.answer.text == "Mars has two small moons, Phobos and Deimos [1]."
    assert rounded(check.support for check in worked.checks) == [1.0, 0.3333, 0.0, 0.8]
    assert [check.supported for check in worked.checks] == [True, False, False, False]
    assert worked.checks[1].missing_numbers == ("8",)
    assert (worked.checks[3].missing_terms, worked.checks[3].missing_numbers) == (("300",), ("300",))


def test_the_probabilities(worked: WorkedExample) -> None:
    assert rounded(worked.prior) == [0.7558, 0.2442]
    assert rounded([worked.sequence, worked.token]) == [0.2353, 0.2556]
    first, second = worked.steps
    assert rounded(first.posterior) == [0.6886, 0.3114]
    assert rounded([first.token_factor, second.token_factor, second.sequence_factor]) == [0.5488, 0.4657, 0.4287]


def test_the_tables_show_all_of_it(worked: WorkedExample) -> None:
    tables = worked_tables(worked)
    assert [table.title.split(".")[0] for table in tables] == [str(step) for step in range(1, 11)]
    text = "\n".join(table.to_text() for table in tables)
    for number in ("1.0875", "0.4704", "0.9839", "0.1742", "0.9502", "0.3397", "0.8000", "0.2353"):
        assert number in text
    assert len(tables[1].rows) == 5
    panels = worked_figure(worked).panels
    assert len(panels) == 4
    assert all(panel.categories == tuple(CHUNKS) for panel in panels)
