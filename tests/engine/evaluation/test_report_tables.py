import csv
import io
import json

import pytest

from engine.errors import OutputError
from engine.evaluation.labels import load_questions
from engine.evaluation.report import NAMES, EvaluationReport, evaluate
from engine.evaluation.report_tables import (
    answer_lines,
    interval_table,
    lost_table,
    question_table,
    retrieval_table,
    save_report,
    to_markdown,
    to_text,
)
from engine.evaluation.retrieval import FIGURES
from engine.evaluation.traces import trace_file
from engine.library import Library
from planet_tui.paths import sample_notes


@pytest.fixture(scope="module")
def library() -> Library:
    return Library.open(sample_notes())


@pytest.fixture(scope="module")
def questions():
    return load_questions(sample_notes() / "questions.toml")


@pytest.fixture(scope="module")
def report(library: Library, questions) -> EvaluationReport:
    return evaluate(library, questions)


def test_the_retrieval_table_holds_the_figures_of_the_report(report):
    lines = to_text(report).splitlines()
    assert lines[0].startswith(f"{report.n_questions} questions, ")
    table = lines[2 : 3 + len(NAMES)]
    assert len({len(line) for line in table}) == 1
    assert table[0].split() == ["retriever", *FIGURES]
    for line, (name, figures) in zip(table[1:], report.retrieval.retrievers.items(), strict=True):
        assert line.split() == [NAMES[name], *(f"{figures[figure]:.3f}" for figure in FIGURES)]


def test_every_question_that_went_wrong_is_counted_once_and_listed(report):
    counts, causes = report.answers.counts(), report.answers.causes()
    wrong = counts["wrong"] + counts["refused"] + counts["several"] - counts["several_right"]
    wrong += counts["unanswerable"] - counts["unanswerable_refused"]
    assert sum(number for cause, number in causes.items() if cause != "middle") == wrong == len(lost_table(report).rows)
    for question, why, _ in lost_table(report).rows:
        assert question in to_text(report, verbose=True) and why in to_text(report, verbose=True)
    assert sum(int(line.split()[0]) for line in answer_lines(report) if line.startswith("  ")) == wrong


def test_every_form_holds_the_same_figures(report, tmp_path):
    saved = {
        ending: save_report(report, tmp_path / f"report{ending}").read_text("utf-8") for ending in (".csv", ".json")
    }
    rows = list(csv.DictReader(io.StringIO(saved[".csv"])))
    figures = {(row["group"], row["figure"]): float(row["mean"]) for row in rows}
    loaded = json.loads(saved[".json"])
    assert loaded == json.loads(json.dumps(report.to_dict()))
    for name, label in NAMES.items():
        assert {figure: figures[label, figure] for figure in FIGURES} == pytest.approx(loaded["retrievers"][name])
    assert len(rows) == len(interval_table(report.intervals).rows)
    page = save_report(report, tmp_path / "report.md").read_text("utf-8")
    assert page == to_markdown(report)
    assert retrieval_table(report.retrieval.retrievers).to_markdown() in page
    assert all(f"| {question} |" in page for question, *_ in question_table(report).rows)


def test_another_ending_is_refused(report, tmp_path):
    with pytest.raises(OutputError, match=r"report\.xlsx"):
        save_report(report, tmp_path / "report.xlsx")


def test_the_rank_of_the_first_relevant_chunk_is_listed_by_question(report):
    made = question_table(report)
    assert [column.name for column in made.columns] == ["question", *NAMES]
    for row in made.rows:
        assert all(rank is None or rank >= 1 for rank in row[1:])


def test_traces_are_one_json_line_a_question_with_its_judgement(library, questions, tmp_path):
    with trace_file(tmp_path / "traces.jsonl") as write:
        made = evaluate(library, questions, on_row=write)
    lines = [json.loads(line) for line in (tmp_path / "traces.jsonl").read_text("utf-8").splitlines()]
    assert [line["question"] for line in lines] == [question.text for question in questions]
    assert [line["judged"]["outcome"] for line in lines] == [row.outcome for row in made.answers.rows]
    assert set(lines[0]) >= {"terms", "settings", "rankings", "prompt", "answer", "checks", "timings", "warnings"}


def test_a_run_that_fails_leaves_no_traces(library, questions, tmp_path):
    def broken(prompt):
        raise RuntimeError

    with pytest.raises(RuntimeError), trace_file(tmp_path / "traces.jsonl") as write:
        evaluate(library, questions, generator=broken, on_row=write)
    assert not list(tmp_path.iterdir())


def test_no_secret_of_an_address_is_written(library, questions, tmp_path):
    secret = library.with_settings(library.settings.replace(base_url="https://host/v1?api_key=sesame"))
    with trace_file(tmp_path / "traces.jsonl") as write:
        made = evaluate(secret, questions[:1], on_row=write)
    for ending in (".md", ".csv", ".json"):
        save_report(made, tmp_path / f"report{ending}")
    for path in tmp_path.iterdir():
        assert "sesame" not in path.read_text("utf-8"), path.name
