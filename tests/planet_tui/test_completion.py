"""What a shell completes is what the commands take; asked of the shells themselves, where they are there."""

import os
import shutil
import subprocess

import pytest

from planet_tui import cli
from planet_tui.cli.completion import commands


@pytest.fixture
def script(capsys):
    def script(shell):
        assert cli.run(["completion", shell], lambda roots: 99) == 0
        return capsys.readouterr().out

    return script


@pytest.fixture
def here(tmp_path):
    """A folder with a folder and a file to complete."""
    (tmp_path / "my notes").mkdir()
    (tmp_path / "my labels.toml").touch()
    return tmp_path


def run(shell, text, folder):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} here")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    options = {"fish": ["--no-config"], "bash": ["--norc"], "zsh": ["-f"]}[shell]
    ended = subprocess.run(
        [program, *options], input=text, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=60
    )
    assert ended.stderr == ""
    return ended.stdout.splitlines()


def in_bash(script, folder, *words):
    """Return what bash offers for the last of the words."""
    quoted = " ".join("'" + word + "'" for word in ("planet-tui", *words))
    asked = f"COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _planet_tui; printf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    return run("bash", script + asked, folder)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ev",), ["evaluate"]),
        (("--sa",), ["--sample"]),
        (("my",), ["my notes"]),
        (("ask", "my"), ["my labels.toml", "my notes"]),
        (("cache", "cl"), ["clear"]),
        (("settings", "sh"), ["show"]),
        (("experiment", "pit"), ["pitfalls"]),
        (("completion", ""), ["bash", "zsh", "fish", "--help", "my labels.toml", "my notes"]),
        (("ask", "x", "--strat"), ["--strategy"]),
        (("ask", "x", "--strategy", ""), ["prefix", "edges"]),
        (("search", "x", "y", "--retriever", "b"), ["bm25"]),
        (("ask", "x", "--also", "my"), ["my notes"]),
        (("evaluate", "x", "--questions", "my"), ["my labels.toml", "my notes"]),
        (("ask", "x", "--sources", ""), [""]),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_bash_offers_commands_options_and_values(script, here, words, offered):
    assert sorted(in_bash(script("bash"), here, *words)) == sorted(offered)


def test_fish_offers_commands_options_and_values(script, here):
    def offered(line):
        return [each.split("\t")[0] for each in run("fish", f"{script('fish')}\ncomplete -C {line!r}\n", here)]

    assert offered("planet-tui ev") == ["evaluate"]
    assert offered("planet-tui ask x --strategy ") == ["edges", "prefix"]
    assert offered("planet-tui cache cl") == ["clear"]
    assert "--exclude" in offered("planet-tui search x --e")


def test_zsh_reads_the_script(script, here):
    assert run("zsh", f"compdef() {{ print $@ }}\n{script('zsh')}", here) == ["_planet_tui planet-tui"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_in_every_script(script, shell):
    text = script(shell)
    for command in commands():
        assert command.name in text
        for flag in command.flags:
            assert (f"-l {flag.name.removeprefix('--')} " if shell == "fish" else flag.name) in text


def test_another_shell_is_wrong_use(capsys):
    assert cli.run(["completion", "tcsh"], lambda roots: 99) == 2
    assert "Hint:" in capsys.readouterr().err
