import json
import sys

import pytest
from PIL import Image

from engine.evaluation.label_files import append_question
from engine.evaluation.report import NAMES
from engine.library import Library
from engine.pipeline import ask
from engine.records import Evidence, Question
from planet_tui import cli, paths
from planet_tui.settings import load


@pytest.fixture
def run(monkeypatch, tmp_path, capsys):
    """Run `planet-tui evaluate` with words and return (status, stdout, stderr)."""
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def run(*words):
        capsys.readouterr()
        status = cli.run(["evaluate", *words], lambda folder: 1)
        out, err = capsys.readouterr()
        return status, out, err

    return run


@pytest.fixture
def collection(tmp_path):
    folder = tmp_path / "planets"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text('{"id": "m", "text": "Red Mars."}\n{"id": "v", "text": "Hot Venus."}\n')
    (folder / "queries.jsonl").write_text('{"id": "q", "text": "Which is red?"}\n')
    (folder / "qrels.tsv").write_text("q\tm\t1\n")
    return folder


def test_verbose_adds_intervals_and_the_questions_that_went_wrong(run):
    short, long = run("--sample")[1], run("--sample", "--verbose")[1]
    assert long.startswith(short.rstrip())
    assert "95% percentile bootstrap interval" in long and "Questions that went wrong" in long


def test_report_traces_and_runs_are_written_beside_what_is_printed(run, tmp_path):
    status, out, err = run("--sample", "--report", "a/report.md", "--traces", "traces.jsonl", "--runs", "runs")
    assert (status, err) == (0, "")
    assert out == run("--sample")[1]
    assert "# Evaluation" in (tmp_path / "a" / "report.md").read_text("utf-8")
    assert len((tmp_path / "traces.jsonl").read_text("utf-8").splitlines()) == 29
    assert {path.name for path in (tmp_path / "runs").iterdir()} == {*(f"{name}.run" for name in NAMES), "qrels.txt"}


def test_settings_are_compared_on_request(run):
    status, out, _ = run("--sample", "--compare", "max_words=100, headers=false")
    assert status == 0
    assert "max_words = 60, headers = True against max_words = 100, headers = False" in out
    form = json.loads(run("--sample", "--compare", "k1=1.2", "--json")[1])
    assert form["comparison"]["after"] == {"k1": 1.2}
    assert set(form) >= {"retrievers", "answers", "settings"}


def test_a_collection_takes_the_place_of_a_folder(run, collection):
    status, out, err = run("--collection", str(collection), "--compare", "chunker=windows")
    assert (status, err) == (0, "")
    assert out.startswith("planets: 1 questions, 2 texts\n")
    form = json.loads(run("--collection", str(collection), "--json")[1])
    assert form["retrievers"]["bm25"]["map"] == 1 and form["collection"] == "planets"


def test_weights_that_do_not_help_beyond_noise_are_not_kept(run, tmp_path):
    status, out, err = run("--sample", "--tune", "--save")
    assert status == 0 and "Keep what you have" in out
    assert "stay as they are" in err and not paths.config_file().exists()
    form = json.loads(run("--sample", "--tune", "--json")[1])
    assert form["tuning"]["helps"] is False and form["tuning"]["questions"] == 26


def test_weights_that_help_are_kept_with_the_number_of_questions(run, tmp_path):
    # Twenty notes say what a moon is made of; only their words tell them apart, and BM25 alone finds each.
    folder = tmp_path / "moons"
    folder.mkdir()
    names = [
        f"{first}{second}" for first in ("phob", "dim", "titan", "ariel") for second in ("os", "ia", "ax", "urn", "el")
    ]
    for name in names:
        (folder / f"{name}.md").write_text(f"{name} is a moon of grey rock and ice.", encoding="utf-8")
        label = Question(f"Which rock is {name} of?", (Evidence(((f"{name}.md", "grey rock"),)),))
        append_question(folder / "questions.toml", label)
    paths.config_file().parent.mkdir(parents=True, exist_ok=True)
    harmful = "[retrieval]\nfusion = 'rrf'\nbm25_weight = 0.01\nlsa_weight = 50.0\n# mine\n"
    paths.config_file().write_text(harmful, encoding="utf-8")
    status, out, err = run(str(folder), "--tune", "--save", "--dimensions", "2")
    assert (status, "Tuned on 20 questions" in out) == (0, True)
    kept = load(paths.config_file()).settings.engine
    assert kept.tuned_on == 20 and kept.lsa_weight < 50 and kept.bm25_weight == 0.01
    assert "are kept in" in err and kept.dimensions == 0  # an option of this run is not
    trace = ask(Library.open(folder, kept), "Which rock is titanax of?")
    assert str(trace.fusion).endswith("tuned on 20 questions")


def test_some_of_many_questions_are_asked_evenly_spaced(run, collection):
    assert run("--sample", "--limit", "10")[1].startswith("10 questions, ")
    assert run("--collection", str(collection), "--limit", "7")[1].startswith("planets: 1 questions, ")


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["--sample", "--compare", "k1"], 2, "'k1' is no change"),
        (["--sample", "--compare", "k1=x"], 2, "it takes a number"),
        (["--sample", "--compare", "k1=99"], 2, "out of range"),
        (["--sample", "--compare", "nonsense=1"], 2, "Unknown setting: nonsense"),
        (["--sample", "--report", "report.txt"], 1, "report.txt"),
        (["--sample", "--collection", "x"], 2, "--collection measures retrievers alone"),
        (["--sample", "--save"], 2, "--save goes with --tune"),
        (["--sample", "--limit", "0"], 2, "'0' is no number of questions"),
        (["--sample", "--limit", "3", "--tune"], 1, "Too few to tune on: questions 3, notes"),
        (["--sample", "--judge"], 1, "No hosted model is set up"),
        (["--sample", "--person", "x"], 2, "--person goes with --judge"),
        (["--collection", "gone"], 1, "gone is not there"),
        (["--sample", "--generator", "hosted"], 1, "No hosted model is set up"),
        (["--sample", "--traces", "/dev/null/traces"], 1, "cannot be written"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_fault_is_one_line_with_a_hint(run, words, status, complaint, monkeypatch):
    for name in ("LLM_BASE_URL", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    found, out, err = run(*words)
    assert (found, out) == (status, "")
    assert complaint in err and "Hint:" in err and err.count("\n") == 1


def test_questions_that_a_person_labelled_in_the_app_are_asked_too(run, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "kettle.md").write_text("The kettle holds 3 litres.", encoding="utf-8")
    assert "holds no questions.toml" in run(str(notes))[2]
    label = Question("How much does the kettle hold?", (Evidence((("kettle.md", "3 litres"),)),))
    append_question(paths.labels_file(notes), label)
    assert run(str(notes))[1].startswith("1 questions, 1 pieces")
    append_question(notes / "questions.toml", Question("Who made it?", unanswerable=True))
    assert run(str(notes))[1].startswith("2 questions, 1 pieces")


def test_a_model_judges_when_it_is_asked_to(run, endpoint, monkeypatch, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "kettle.md").write_text("The kettle holds 3 litres.", encoding="utf-8")
    label = Question("How much does the kettle hold?", (Evidence((("kettle.md", "3 litres"),)),))
    append_question(notes / "questions.toml", label)
    monkeypatch.setenv("LLM_BASE_URL", endpoint.url)
    monkeypatch.setenv("LLM_MODEL", "judge")
    for text in ('{"statements": ["The kettle holds 3 litres."]}', '{"verdicts": [true]}', '{"questions": ["What?"]}'):
        endpoint.play_chat(text)
    form = json.loads(run(str(notes), "--judge", "--json", "--threshold", "0")[1])
    assert form["judge"]["figures"]["faithfulness"]["mean"] == 1
    assert [request.path for request in endpoint.received] == ["/v1/chat/completions"] * 3


def test_figures_hold_recall_beside_the_trade_off_of_ivf(run, tmp_path):
    assert run("--sample", "--figures", "pictures")[0] == 0
    with Image.open(tmp_path / "pictures" / "evaluation.png") as picture:
        assert picture.size == (1560, 600)


def test_a_picture_without_matplotlib_is_refused_before_anything_is_read(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    status, out, err = run("--sample", "--figures", "pictures")
    assert (status, out) == (1, "")
    assert "-m pip install matplotlib" in err
