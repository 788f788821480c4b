"""`planet-tui experiment` as a person or a script meets it."""

import json

import pytest

from engine.evaluation.experiments.catalogue import EXPERIMENTS
from engine.evaluation.solar_system.articles import TITLES
from planet_tui import cli
from planet_tui.cli import experiment


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))


@pytest.fixture
def run(capsys):
    def run(*words):
        status = cli.run(["experiment", *words], lambda folder: 99)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


@pytest.fixture
def folder(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "tea.md").write_text("# Tea\n\nGreen tea is steeped at 80 degrees.\n", encoding="utf-8")
    (notes / "coffee.md").write_text("# Coffee\n\nCoffee is brewed at 93 degrees.\n", encoding="utf-8")
    labels = '[[question]]\ntext = "How hot is tea?"\n[[question.evidence]]\n'
    (tmp_path / "labels.toml").write_text(
        labels + 'spans = [{ document = "tea.md", text = "80 degrees" }, { document = "tea.md", text = "boiling" }]\n',
        encoding="utf-8",
    )
    return notes


def test_the_worked_example_is_printed(run):
    status, out, err = run("worked-example")
    assert (status, err) == (0, "")
    assert out.startswith("1. Chunks and their lengths")
    assert "0.7558" in out


def test_without_a_folder_it_takes_the_sample_notes(run):
    assert run("retrievers", "--dimensions", "16") == run("retrievers", "--sample", "--dimensions", "16")


def test_a_folder_and_its_labels_are_taken(run, folder, tmp_path):
    status, out, err = run("chunking", str(folder), "--questions", str(tmp_path / "labels.toml"), "--json")
    assert status == 0
    found = json.loads(out)
    assert found["experiment"] == "chunking"
    assert found["tables"][0]["rows"][-1]["recall@1"] == 1.0
    assert found["figure"]["panels"][0]["rows"]
    assert "tea.md" in err and "boiling" in err  # a labelled span that does not stand there


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_the_figure_is_drawn(run, tmp_path, ending):
    path = tmp_path / f"worked.{ending}"
    status, out, err = run("worked-example", "--figure", str(path))
    assert status == 0 and out and str(path) in err
    assert path.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([], 2, "NAME is missing"),
        (["dowsing"], 2, "Unknown experiment: dowsing"),
        (["chunking", "a", "b"], 2, "Too many words: a b"),
        (["libraries", "--figure", "x.png"], 2, "libraries has no figure"),
        (["chunking", "--figure", "x.gif"], 1, "not written in that form"),
        (["chunking", "--max-words", "0"], 2, "max_words = 0 is out of range"),
        (["chunking", "/nowhere"], 1, "/nowhere does not exist"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(run, words, status, said):
    found, out, err = run(*words)
    assert (found, out) == (status, "")
    assert said in err and "Hint:" in err and len(err.splitlines()) == 1


def test_notes_without_labels_are_no_experiment(run, folder):
    status, out, err = run("retrievers", str(folder))
    assert (status, out) == (1, "")
    assert "holds no questions.toml" in err


def test_the_help_names_every_experiment_as_the_catalogue_has_it():
    text = experiment.__doc__ or ""
    assert [f"  {name:<17}{each.shows}" for name, each in EXPERIMENTS.items()] == [
        line for line in text.splitlines() if line.startswith("  ") and "planet-tui" not in line
    ]


def test_the_articles_are_taken_from_a_folder(run, tmp_path):
    for name in TITLES:
        text = "Venus is hot. The Moon is tidally locked to Earth."
        (tmp_path / name).write_text(f"# {TITLES[name]}\n\n{text}\n", encoding="utf-8")
    status, out, err = run("retrievers", str(tmp_path), "--articles", "--dimensions", "2")
    assert status == 0
    assert out.startswith("Retrievers: 10 chunks, 64 questions")
    assert "“The hexagonal feature does not shift" in err  # another revision: every span that it lost is named


def test_the_articles_have_questions_of_their_own(run, tmp_path):
    status, out, err = run("retrievers", "--articles", "--questions", "labels.toml")
    assert (status, out) == (2, "") and "questions of its own" in err


def test_without_the_articles_it_says_what_names_them(run, tmp_path, monkeypatch):
    monkeypatch.setenv("PLANET_TUI_DATA", str(tmp_path / "nowhere"))
    status, out, err = run("retrievers", "--articles")
    assert (status, out) == (1, "") and "PLANET_TUI_DATA" in err
