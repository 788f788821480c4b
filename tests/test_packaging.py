"""The wheel holds everything, and works where there is no checkout."""

import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from planet_tui import __version__

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_code_styles_and_notes(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    expected = [
        path.relative_to(ROOT).as_posix()
        for package in ("engine", "planet_tui")
        for path in (ROOT / package).rglob("*")
        if path.suffix in (".py", ".tcss", ".toml")
    ]
    notes = [f"planet_tui/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "sample_docs").iterdir()]
    assert notes and set(expected + notes) <= held
    assert not [name for name in held if name.startswith("tests/") or "__pycache__" in name]


def test_every_dependency_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(line.count("==") == 1 and "/" not in line and "@" not in line for line in pins)
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in pins}
    needed = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {requirement.split(">")[0].split("=")[0].lower() for requirement in needed}
    assert names <= pinned


def test_the_installed_command_answers_from_the_bundled_notes(wheel, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment |= {"PLANET_TUI_HOME": str(tmp_path / "home"), "PYTHONUTF8": "1"}

    def run(*words):
        return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", timeout=600)

    venv.create(tmp_path / "venv", with_pip=False)
    scripts = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    pip = (
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(scripts / "python"),
        "--disable-pip-version-check",
        "--no-input",
    )
    constraints = ("--constraint", str(ROOT / "constraints.txt"))
    reached = run(*pip, "download", "--quiet", "--no-deps", "--retries", "0", *constraints, "tomli-w")
    if reached.returncode:
        pytest.skip("no package index can be reached")
    installed = run(*pip, "install", "--quiet", "--no-compile", *constraints, str(wheel))
    assert installed.returncode == 0, installed.stderr

    answered = run(str(scripts / "planet-tui"), "ask", "--sample", "How long is a year on Venus?")
    assert answered.returncode == 0, answered.stderr
    assert "224.7" in answered.stdout and "✓ supported" in answered.stdout
    assert str(ROOT) not in answered.stdout
    assert run(str(scripts / "planet-tui"), "--version").stdout == f"planet-tui {__version__}\n"
