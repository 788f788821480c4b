"""The index names every page, every figure is used, and those that need only the sample notes are drawn again alike."""

import doctest
import importlib.util
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import engine
from engine.evaluation.figures import Figure
from engine.evaluation.tables import table

DOCS = Path(__file__).parents[1] / "docs"
FIGURES = sorted((DOCS / "figures").glob("*.svg"))
QUICK = ("line-map", "words", "saturation", "support", "masks")


def script(name):
    specification = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def maker():
    return script("make_figures")


@pytest.fixture(scope="module")
def reporter():
    return script("make_reports")


def test_the_index_names_every_page():
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([\w-]+\.(?:md|ipynb))\)", index))
    assert linked == {page.name for page in DOCS.glob("*.md") if page.name != "README.md"} | {"tour.ipynb"}


def test_every_page_of_a_stage_has_a_figure_or_a_table_and_says_where_it_fails():
    for name in "text chunking retrieval prompting generators verification extraction probability-model".split():
        page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        assert re.search(r"!\[[^\]]{20,}\]\(figures/[\w-]+\.svg\)", page), name
        assert re.search(r"fails|cannot|Not read", page), name


def test_every_figure_stands_on_a_page_and_is_made_by_a_script(maker, reporter):
    pages = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    names = {figure.stem for figure in FIGURES}
    assert names == {*maker.FIGURES, *reporter.REPORTS}
    assert names == set(re.findall(r"\(figures/([\w-]+)\.svg\)", pages))


def test_a_report_takes_its_place_between_its_marks_and_nothing_else_moves(reporter):
    page = (DOCS / "evaluation.md").read_text(encoding="utf-8")
    for name in reporter.REPORTS:
        report = reporter.Report((table("", ["a"], [["x"]]),), Figure("", ()))
        made = reporter.put(page, name, report)
        assert f"<!-- {name} -->\n\n| a |\n| --- |\n| x |\n\n<!-- end of {name} -->" in made
        assert made.split(f"<!-- {name} -->")[0] == page.split(f"<!-- {name} -->")[0]
        assert made.split(f"<!-- end of {name} -->")[1] == page.split(f"<!-- end of {name} -->")[1]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.stem)
def test_each_is_a_small_picture(figure):
    assert ElementTree.parse(figure).getroot().tag.endswith("svg")
    assert figure.stat().st_size < 100_000


@pytest.mark.parametrize("name", QUICK)
def test_what_needs_the_sample_notes_alone_is_drawn_again_alike(maker, name, tmp_path):
    pytest.importorskip("matplotlib")
    drawn = maker.FIGURES[name]().save(tmp_path / f"{name}.svg")
    assert drawn.read_text(encoding="utf-8") == (DOCS / "figures" / f"{name}.svg").read_text(encoding="utf-8")


def blocks(page: str) -> list[str]:
    """Return the blocks of a page in which lines are typed into Python."""
    found = re.findall(r"^```\w*\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [block for block in found if block.startswith(">>>")]


@pytest.mark.parametrize(
    "page", [each.name for each in sorted(DOCS.glob("*.md")) if each.stem not in ("api", "tour", "probability-model")]
)
def test_what_a_page_types_into_python_gives_what_it_shows(page, monkeypatch):
    """The three left out have tests of their own."""
    monkeypatch.chdir(DOCS.parent)
    names = {name: getattr(engine, name) for name in engine.__all__}
    for block in blocks(page):
        test = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
        said = io.StringIO()
        doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.write, clear_globs=False)
        assert not said.getvalue()
        names = test.globs
