import pytest

from engine.evaluation.comparison import compare_reports, compare_retrieval, library_with
from engine.evaluation.labels import load_questions
from engine.evaluation.report import evaluate
from engine.evaluation.resampling import compare_paired
from engine.library import Library
from planet_tui.paths import sample_notes


@pytest.fixture(scope="module")
def library():
    return Library.open(sample_notes())


@pytest.fixture(scope="module")
def questions():
    return load_questions(sample_notes() / "questions.toml")


@pytest.fixture(scope="module")
def reports(library, questions):
    other = library_with(library, library.settings.replace(max_words=100))
    return evaluate(library, questions), evaluate(other, questions)


def test_every_figure_is_compared_question_by_question(reports):
    before, after = reports
    comparison = compare_reports(before, after)
    assert (comparison.before, comparison.changes) == ({"max_words": 60}, {"max_words": 100})
    one = next(row for row in comparison.figures if (row.group, row.figure) == ("bm25", "mrr"))
    expected = [[row.figures["bm25"]["mrr"] for row in report.retrieval.rows] for report in reports]
    assert one.paired == compare_paired(*expected)
    assert one.paired.after == pytest.approx(after.retrieval.retrievers["bm25"]["mrr"])
    assert len(comparison.figures) == 5 * 7 + 10


def test_the_table_lists_what_differs_and_counts_the_rest(reports):
    made = compare_reports(*reports).to_table()
    assert made.title == "max_words = 60 against max_words = 100"
    assert made.rows and all(row[-1] > 0 for row in made.rows)
    assert f"{45 - len(made.rows)} of 45 figures are the same" in made.note
    assert compare_reports(reports[0], reports[0]).to_table().rows == ()


def test_the_json_form_names_both_settings_and_every_figure(reports):
    form = compare_reports(*reports).to_dict()
    assert (form["before"], form["after"]) == ({"max_words": 60}, {"max_words": 100})
    assert set(form["figures"][0]) >= {"group", "figure", "before", "after", "difference", "low", "high", "p"}


def test_other_questions_cannot_be_compared(library, questions, reports):
    fewer = evaluate(library, questions[:3])
    with pytest.raises(ValueError, match="questions before"):
        compare_retrieval(reports[0].retrieval, fewer.retrieval, library.settings, library.settings)


@pytest.mark.parametrize(
    ("changes", "same_index"), [({"k1": 1.0}, True), ({"stemming": "english"}, False), ({"max_file_mb": 5.0}, False)]
)
def test_a_library_is_made_anew_only_as_far_as_the_settings_differ(library, changes, same_index):
    other = library_with(library, library.settings.replace(**changes))
    assert other.settings == library.settings.replace(**changes)
    assert (other.index is library.index) == same_index
    assert dict(other.documents) == dict(library.documents)
