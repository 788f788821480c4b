"""A collection is measured as ir_measures measures the run files that the same measurement writes."""

import json
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, R, nDCG

from engine.errors import OutputError
from engine.evaluation.collection_formats import Text
from engine.evaluation.collection_report import collection_library, evaluate_collection, text_names
from engine.evaluation.collections import Collection, JudgedQuestion, data_folder, read_collection
from engine.evaluation.report import NAMES
from engine.evaluation.report_tables import collection_text, save_report
from engine.evaluation.runs import QRELS, run_files, run_lines
from engine.records import Hit, Ranking
from engine.settings import Settings

MEASURES = {
    R @ 1: "recall@1",
    R @ 3: "recall@3",
    R @ 5: "recall@5",
    R @ 10: "recall@10",
    RR: "mrr",
    nDCG @ 10: "ndcg@10",
    AP: "map",
}
TEXTS = [
    "Mars is red and dusty.",
    "Venus is hot and dry.",
    "",
    "Mars has two moons, Phobos and Deimos.",
    "Hot, hot, hot.",
]


def small() -> Collection:
    """Five texts, one of them empty and judged; graded gains; names with blanks."""
    sources = tuple(Text(f"text {at}", f"Title {at}" if at % 2 else "", text) for at, text in enumerate(TEXTS))
    questions = (
        JudgedQuestion("What is hot?", {1: 2.0, 4: 1.0, 2: 1.0}, "q one"),
        JudgedQuestion("Which moons does Mars have?", {3: 1.0}, "q two"),
        JudgedQuestion("xyzzy", {0: 1.0}, "q three"),
    )
    return Collection("small", tuple(f"{text.title}\n{text.text}" for text in sources), questions, sources)


def measured(collection: Collection, folder: Path):
    library = collection_library(collection, Settings())
    with run_files(folder, list(NAMES), text_names(collection, library).__getitem__) as write:
        return evaluate_collection(collection, library, write)


def agree(report, folder: Path) -> None:
    judgements = list(ir_measures.read_trec_qrels(str(folder / QRELS)))
    for name, ours in report.retrieval.retrievers.items():
        run = list(ir_measures.read_trec_run(str(folder / f"{name}.run")))
        theirs = ir_measures.calc_aggregate(list(MEASURES), judgements, run)
        for measure, figure in MEASURES.items():
            assert ours[figure] == pytest.approx(theirs[measure], abs=1e-9), (name, figure)


def test_a_small_collection_is_measured_as_ir_measures_measures_its_run(tmp_path):
    report = measured(small(), tmp_path)
    agree(report, tmp_path)
    # hot: text 4 says it three times and text 1 once; text 2 holds no word and is never found: 2 of 3.
    assert report.retrieval.rows[0].figures["bm25"]["recall@10"] == pytest.approx(2 / 3)
    assert report.retrieval.rows[2].first_relevant == dict.fromkeys(NAMES)


def test_a_judged_text_that_is_not_there_is_one_that_was_missed(tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"id": "m", "text": "Red Mars."}\n{"id": "v", "text": "Hot Venus."}\n')
    (tmp_path / "queries.jsonl").write_text('{"id": "q", "text": "Which is red?"}\n')
    (tmp_path / "qrels.tsv").write_text("q\tm\t1\nq\tpluto\t1\nx\tm\t1\n")
    report = measured(read_collection(tmp_path), tmp_path / "runs")
    agree(report, tmp_path / "runs")
    assert report.retrieval.retrievers["bm25"]["recall@10"] == 0.5 and report.n_texts == 2
    assert len(report.to_dict()["warnings"]) == 2


@pytest.mark.parametrize("name", ["cranfield", "xquad/en"])
def test_a_real_collection_too(tmp_path, name):
    folder = data_folder()
    if folder is None:
        pytest.skip("the labelled collections are not on this machine")
    report = measured(read_collection(folder / name), tmp_path)
    agree(report, tmp_path)
    assert report.retrieval.retrievers["bm25"]["mrr"] > 0.5


def test_every_form_of_the_report_says_the_same(tmp_path):
    report = measured(small(), tmp_path)
    assert set(report.to_dict()) == {
        "collection",
        "texts",
        "questions",
        "retrievers",
        "intervals",
        "settings",
        "warnings",
    }
    assert json.loads(save_report(report, tmp_path / "a.json").read_text("utf-8")) == report.to_dict()
    page = save_report(report, tmp_path / "a.md").read_text("utf-8")
    row = report.retrieval.retrievers["bm25"]
    assert f"| BM25 | {row['recall@1']:.3f} |" in page
    assert f"{row['map']:.3f}" in collection_text(report, verbose=True)
    assert save_report(report, tmp_path / "a.csv").read_text("utf-8").count("\n") == 1 + len(NAMES) * len(row)


def test_a_measurement_that_fails_leaves_no_run_files(tmp_path):
    with pytest.raises(KeyError), run_files(tmp_path / "runs", ["bm25"], str):
        raise KeyError
    assert not list((tmp_path / "runs").iterdir())


def test_runs_that_cannot_be_written_are_one_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"), run_files(tmp_path / "file", ["bm25"], str):
        pass


@given(st.lists(st.floats(-5, 40, width=64), max_size=30))
def test_scores_fall_strictly_in_single_precision_and_stay_close(scores):
    ordered = sorted(scores, reverse=True)
    ranking = Ranking("bm25", tuple(Hit(rank, rank, score) for rank, score in enumerate(ordered, 1)))
    lines = [line.split() for line in run_lines("q", ranking, str)]
    written = np.array([line[4] for line in lines], np.float32)
    assert np.all(np.diff(written) < 0)
    assert np.allclose(written, ordered, atol=1e-4)
    assert [line[3] for line in lines] == [str(hit.rank) for hit in ranking.hits]
