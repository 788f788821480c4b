import sys
from xml.etree import ElementTree

import pytest
from PIL import Image

from engine.errors import MissingExtraError, OutputError
from engine.evaluation.figures import Curve, Figure, Panel

RECALL = Panel(
    "Recall at k",
    "k",
    "recall",
    (
        Curve("BM25", (1, 3, 5), (0.5, 0.7, 0.8), (0.4, 0.6, 0.7), (0.6, 0.8, 0.9)),
        Curve("LSA costs $5$ and {x", (1, 3, 5), (0.4, 0.6, 0.7), kind="points"),
    ),
    log_x=True,
    y_range=(0, 1),
)
ANSWERS = Panel(
    "Answers",
    "threshold",
    "questions",
    (Curve("right", (0, 1), (16, 12)), Curve("火星", (0, 1), (5, 3), (4, 2), (7, 4), kind="bars")),
    categories=("low", "high"),
)
FIGURE = Figure("Sample notes", (RECALL, ANSWERS), "29 questions.")


def test_a_png_holds_two_panels_side_by_side(tmp_path):
    with Image.open(FIGURE.save(tmp_path / "made" / "recall.png")) as picture:
        assert picture.size == (1560, 600)
        assert len(picture.convert("RGB").getcolors(2**24)) > 100, "something is drawn"
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["recall.png"]


def test_an_svg_is_the_same_file_every_time(tmp_path):
    first = FIGURE.save(tmp_path / "a.svg").read_bytes()
    assert first == FIGURE.save(tmp_path / "b.svg").read_bytes()
    assert ElementTree.fromstring(first).tag.endswith("svg")
    assert b"dc:date" not in first


def test_the_points_are_there_as_tables_and_json():
    assert RECALL.to_table().rows[0] == ("BM25", 1, 0.5, 0.4, 0.6)
    assert ANSWERS.to_table().rows[-1] == ("火星", "high", 3, 2, 4)
    assert FIGURE.to_dict()["panels"][0]["rows"][3]["curve"] == "LSA costs $5$ and {x"


def test_another_ending_is_refused_with_those_that_work(tmp_path):
    with pytest.raises(OutputError, match=r"recall\.txt") as caught:
        FIGURE.save(tmp_path / "recall.txt")
    assert ".svg" in caught.value.hint


def test_a_file_that_cannot_be_written_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        FIGURE.save(tmp_path / "file" / "recall.png")


def test_without_matplotlib_the_error_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match="matplotlib") as caught:
        FIGURE.save(tmp_path / "recall.png")
    assert "-m pip install matplotlib" in caught.value.hint
    assert not list(tmp_path.iterdir())
