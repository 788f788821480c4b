import json
from pathlib import Path

import pytest

from engine.evaluation.answers import ANSWER_FIGURES
from engine.evaluation.labels import subfolder_of
from engine.evaluation.report import NAMES, EvaluationReport, evaluate, searches, with_copies
from engine.evaluation.retrieval import FIGURES
from engine.library import Library
from engine.pipeline import ask
from engine.records import Evidence, Question

NOTES = {
    "mars.md": "# Mars\n\nMars has two small moons, Phobos and Deimos.\n\n## Orbit\n\nPhobos orbits every 8 hours.",
    "venus.md": "# Venus\n\nVenus has no moons.\n\n## Year\n\nVenus completes an orbit every 224.7 days.",
}
QUESTIONS = (
    Question("Which moons does Mars have?", (Evidence((("mars.md", "two small moons, Phobos and Deimos"),)),)),
    Question("How long is a year on Venus?", (Evidence((("venus.md", "224.7 days"),)),)),
    Question("Who painted Guernica?", unanswerable=True),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("notes")
    for name, text in NOTES.items():
        Path(folder, name).write_text(text, encoding="utf-8")
    return Library.open(folder)


@pytest.fixture(scope="module")
def report(library: Library) -> EvaluationReport:
    return evaluate(library, QUESTIONS)


def test_a_small_library_is_measured_end_to_end(report: EvaluationReport):
    assert list(report.retrieval.retrievers) == ["bm25", "tfidf", "lsa", "rrf", "fused"]
    # Each question's words stand in one chunk's text or header only.
    assert report.retrieval.retrievers["bm25"] == dict.fromkeys(FIGURES, 1.0)
    assert [row.outcome for row in report.answers.rows] == ["right", "right", "refused"]
    assert (report.n_questions, report.n_chunks, report.notices) == (3, 4, ())


def test_the_json_form_is_the_one_the_command_line_promises(report: EvaluationReport, library: Library):
    form = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert set(form) >= {"retrievers", "answers", "settings"}
    assert {name: list(figures) for name, figures in form["retrievers"].items()} == {
        name: list(FIGURES) for name in NAMES
    }
    assert form["answers"]["right"] == 2
    assert form["settings"] == library.settings.to_public_dict()
    assert (form["questions"], form["pieces"], form["chunks"], form["warnings"]) == (3, 2, 4, [])


def test_every_figure_has_an_interval_around_it(report: EvaluationReport):
    for name, figures in report.retrieval.retrievers.items():
        for figure, value in figures.items():
            interval = report.intervals[name][figure]
            assert interval.mean == pytest.approx(value) and interval.n == 2
            assert interval.low <= value <= interval.high
    answers = report.answers.to_dict()
    assert all(report.intervals["answers"][name].mean == pytest.approx(answers[name]) for name in ANSWER_FIGURES[1:])


def test_the_copy_that_a_list_shows_counts_as_the_chunk_that_is_labelled(tmp_path: Path):
    # Both notes hold the same sentence; the label names the second, the lists show one of them.
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("The kettle holds 3 litres of water.", encoding="utf-8")
    label = Question("How much does the kettle hold?", (Evidence((("b.md", "3 litres"),)),))
    twins = Library.open(tmp_path)
    assert with_copies([frozenset({1})], twins.duplicates) == [{0, 1}]
    assert evaluate(twins, [label]).answers.rows[0].figures["context_recall"] == 1


def test_labels_that_count_from_a_folder_within_are_read_there(library: Library, tmp_path: Path):
    (tmp_path / "planets").mkdir()
    for name, text in NOTES.items():
        (tmp_path / "planets" / name).write_text(text, encoding="utf-8")
    report = evaluate(Library.open(tmp_path), QUESTIONS)
    assert report.retrieval.retrievers["bm25"]["recall@5"] == 1.0
    assert [notice.path for notice in report.notices] == ["planets/"]


def test_labels_of_two_places_or_of_few_notes_stay_where_they_are():
    assert subfolder_of(QUESTIONS, ["a/mars.md", "a/venus.md", "b/mars.md", "b/venus.md"]) == ""
    assert subfolder_of(QUESTIONS, ["a/mars.md"]) == ""
    assert subfolder_of(QUESTIONS, ["venus.md", "a/mars.md", "a/venus.md"]) == ""
    assert subfolder_of(QUESTIONS, ["a/b/mars.md", "a/b/venus.md", "b/mars.md"]) == "a/b/"
    assert subfolder_of([], ["a/mars.md"]) == ""


def test_a_stale_label_lowers_the_figures_and_says_so(library: Library):
    stale = Question(QUESTIONS[1].text, (Evidence((("venus.md", "225 days"),)),))
    report = evaluate(library, [QUESTIONS[0], stale])
    assert report.retrieval.retrievers["bm25"]["recall@10"] == 0.5
    [notice] = report.notices
    assert "225 days" in notice.problem
    assert report.to_dict()["warnings"] == [f"venus.md: {notice.problem}"]


def test_the_measured_lists_are_those_that_a_question_gets(library: Library):
    found = searches(library)
    for question in QUESTIONS:
        rankings = ask(library, question.text).rankings
        for name in ("bm25", "lsa", "fused"):
            assert found[name](question.text).ids == rankings[name].ids


def test_a_question_is_measured_the_way_it_goes_in_the_app_or_by_its_words_alone(library: Library):
    text = 'Which moons does "Mars" have?'
    assert searches(library)["bm25"](text).ids == ask(library, text).rankings["bm25"].ids
    assert searches(library, as_asked=False)["bm25"](text) == library.bm25.search(text, 100)
    routed = library.with_settings(library.settings.replace(routing="leads", routed_documents=1))
    assert searches(routed)["fused"](text).ids == ask(routed, text).rankings["fused"].ids


def test_a_library_without_lsa_is_measured_with_what_it_has(library: Library):
    *_, second, _last = Library.stages(library.folder)
    report = evaluate(second, QUESTIONS)
    assert set(report.retrieval.retrievers["lsa"].values()) == {0.0}
    assert report.retrieval.retrievers["fused"] == report.retrieval.retrievers["bm25"]


def test_no_questions_give_an_empty_report(library: Library):
    report = evaluate(library, [])
    assert (report.n_questions, report.retrieval.n_pieces, report.answers.rows) == (0, 0, ())
    assert set(report.intervals) == {*NAMES, "answers"}
    assert {interval.n for group in report.intervals.values() for interval in group.values()} == {0}
