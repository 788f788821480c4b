"""The docs say what the program does, completely, and their examples run."""

import importlib
import re
import shlex
from pathlib import Path

import pytest

import engine
from engine.evaluation.answers import ANSWER_FIGURES
from engine.evaluation.diagnosis import CAUSES
from engine.evaluation.retrieval import FIGURES
from planet_tui import cli
from planet_tui.cli.arguments import Parser
from planet_tui.settings import describe

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SETTINGS = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")


def code_blocks(text):
    return re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("option", describe(), ids=lambda option: option.name)
def test_every_setting_is_documented_as_it_is(option):
    default = str(option.default).lower() if isinstance(option.default, bool) else option.default
    default = f'"{default}"' if isinstance(option.default, str) else list(default) if default == () else default
    anything = {bool: "true or false", tuple: "a list of texts"}.get(type(option.default), "any text")
    allowed = option.range or anything
    cells = (f"`[{option.group}]`", f"`{option.name}`", option.help, allowed, f"`{default}`", option.rebuild)
    assert f"| {' | '.join(cells)} |" in SETTINGS


def test_no_setting_is_documented_that_is_not_there():
    documented = re.findall(r"^\| `\[\w+\]` \| `(\w+)`", SETTINGS, re.MULTILINE)
    assert documented == [option.name for option in describe()]


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_and_its_options_are_documented(name):
    assert re.search(f"`planet-tui {name}[ `]", COMMAND_LINE)
    module = importlib.import_module(f"planet_tui.cli.{name}")
    parser = Parser(f"planet-tui {name}", module.WORDS, "")
    module.add_arguments(parser)
    for flag in re.findall(r"^  (--[a-z-]+)", parser.format_help(), re.MULTILINE):
        row = next((line for line in COMMAND_LINE.splitlines() if line.startswith(f"| `{flag}")), "")
        assert f"`{name}`" in row or (flag == "--sample" and f"`{name}`" in COMMAND_LINE), flag


@pytest.mark.parametrize("name", [*(f for f in FIGURES if "recall" not in f), *ANSWER_FIGURES, *CAUSES])
def test_every_figure_and_every_cause_is_documented(name):
    assert f"`{name}`" in (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")


def test_no_option_is_documented_that_is_not_there():
    documented = re.findall(r"^\| `(--[a-z-]+)[^|]*\| ([^|]*) \|", COMMAND_LINE, re.MULTILINE)
    assert documented
    for flag, names in documented:
        for name in re.findall(r"`(\w+)`", names):
            module = importlib.import_module(f"planet_tui.cli.{name}")
            parser = Parser(f"planet-tui {name}", module.WORDS, "")
            module.add_arguments(parser)
            assert f"  {flag}" in parser.format_help(), (flag, name)


@pytest.mark.parametrize("name", engine.__all__)
def test_every_public_name_of_the_engine_can_be_imported(name):
    assert getattr(engine, name) is not None


def test_a_name_that_is_not_public_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        engine.nonsense  # noqa: B018


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
)
def test_links_and_named_files_are_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", text):
        assert ((ROOT / page).parent / target).exists(), target
    for named in re.findall(r"`((?:engine|planet_tui|docs|tests|sample_docs)/[\w./-]*)`", text):
        assert (ROOT / named).exists(), named


def tour():
    """Yield (command, printed lines) for every `$ planet-tui …` in the README."""
    for block in code_blocks(README):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            first, _, printed = example.partition("\n")
            yield pytest.param(first, printed, id=first)


@pytest.mark.parametrize(("line", "printed"), tour())
def test_the_tour_prints_what_the_readme_shows(line, printed, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path))
    program, *words = shlex.split(line)
    assert program == "planet-tui"
    assert cli.run(words, lambda folder: 1) in (0, 3)
    assert capsys.readouterr().out.rstrip() == printed.rstrip()


def test_the_readme_has_a_tour():
    assert len(list(tour())) >= 3


@pytest.mark.parametrize("target", re.findall(r"^make (\w+)", README, re.MULTILINE))
def test_the_make_targets_of_the_readme_are_there(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def engine_modules():
    """Yield the name under which docs/architecture.md shows each module: its own, or that of a folder told as one."""
    wholes = ("answering/reader/", "evaluation/experiments/", "evaluation/solar_system/", "evaluation/tuning/")
    for path in sorted((ROOT / "engine").rglob("*.py")):
        place = path.relative_to(ROOT / "engine").as_posix()
        if path.name != "__init__.py":
            yield next((whole for whole in wholes if place.startswith(whole)), path.name)


def test_the_table_of_modules_names_every_module_and_none_that_is_not_there():
    tables = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## The app")[0]
    named = {name for name in re.findall(r"`(?:\w+/)?(\w+\.py)`", tables)}
    named |= {name for name in re.findall(r"`(\w+/\w+/)`", tables)}
    assert sorted(named) == sorted(set(engine_modules()))


def test_the_docs_name_nothing_of_one_machine():
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "constraints.txt"):
        assert not re.search(r"/(home|root|work|tmp)/", page.read_text(encoding="utf-8")), page
