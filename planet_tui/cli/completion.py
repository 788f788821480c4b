"""Print a script that lets a shell complete commands, options and their values.

Examples:
  planet-tui completion bash                  print it
  eval "$(planet-tui completion bash)"        in ~/.bashrc
  planet-tui completion zsh > ~/.zfunc/_planet-tui
  planet-tui completion fish > ~/.config/fish/completions/planet-tui.fish

In zsh the folder has to be in fpath before compinit runs: fpath+=~/.zfunc; autoload -Uz compinit; compinit
"""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from engine.settings import describe
from planet_tui.cli.arguments import PREFIX, Parser
from planet_tui.cli.output import DONE, say

WORDS = "bash | zsh | fish"

Takes = Literal["nothing", "folder", "file", "text"]
_TAKES: dict[str | None, Takes] = {"DIR": "folder", "FOLDER": "folder", "FILE": "file"}


class Flag(NamedTuple):
    """An option of a command."""

    name: str
    """With its dashes."""
    help: str
    """What it does, a few words."""
    takes: Takes
    """What follows it."""
    values: tuple[str, ...]
    """What may follow it; empty: anything of its kind."""


class Command(NamedTuple):
    """What can be completed after `planet-tui`."""

    name: str
    """Empty: no command, the app is opened."""
    help: str
    words: tuple[str, ...]
    """What the first word may be; empty: a folder."""
    flags: tuple[Flag, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell that reads the script")


def run(arguments: argparse.Namespace) -> int:
    """Print the script; return the exit status."""
    write = {"bash": bash, "zsh": zsh, "fish": fish}[arguments.shell]
    say(write(tuple(commands())))
    return DONE


def commands() -> Iterator[Command]:
    """Yield what can be completed, as the parsers of the commands declare it: the app first."""
    from planet_tui.cli import COMMANDS, app_parser

    yield Command("", "", (), tuple(_flags(app_parser())))
    for name, does in COMMANDS.items():
        module = importlib.import_module(f"planet_tui.cli.{name}")
        parser = Parser(f"planet-tui {name}", module.WORDS, "")
        module.add_arguments(parser)
        words = re.match(r"\w+(?: \| \w+)+", module.WORDS)
        first = tuple(words[0].split(" | ")) if words else tuple(getattr(module, "first_words", tuple)())
        yield Command(name, does, first, tuple(_flags(parser)))


def _flags(parser: argparse.ArgumentParser) -> Iterator[Flag]:
    choices = {PREFIX + option.name: option.choices for option in describe()}
    for action in parser._actions:  # argparse has no other list of them
        if not action.option_strings:
            continue
        text = re.split(r" \(|; |\. ", action.help or "")[0]
        metavar = action.metavar if isinstance(action.metavar, str) else None
        takes = "nothing" if action.nargs == 0 else _TAKES.get(metavar, "text")
        values = tuple(map(str, action.choices or choices.get(action.dest, ())))
        yield Flag(action.option_strings[-1], text, takes, values)


def bash(found: tuple[Command, ...]) -> str:
    """Return the script for bash 3.2 and later."""
    app, *others = found
    first = [command.name for command in others] + [flag.name for flag in app.flags]
    replies: dict[str, list[str]] = {}
    for command in others:
        for flag in (flag for flag in command.flags if flag.takes != "nothing"):
            replies.setdefault(_bash_reply(flag), []).append(f"'{command.name} {flag.name}'")
    cases = [f"        {' | '.join(which)}) {reply} ;;" for reply, which in replies.items()]
    words = [f"        {command.name}) words='{_lines((*command.words, *_names(command)))}' ;;" for command in others]
    return "\n".join((
        "# planet-tui completion for bash",
        "_planet_tui() {",
        "    local IFS=$'\\n' word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=''",
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
        f"        words='{_lines(first)}'",
        "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -d -- \"$word\"))",
        "        return",
        "    fi",
        '    case "${COMP_WORDS[1]} $before" in',
        *cases,
        "    esac",
        '    case "${COMP_WORDS[1]}" in',
        *words,
        f"        *) words='{_lines(_names(app))}' ;;",
        "    esac",
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -f -- \"$word\"))",
        "}",
        "complete -o filenames -F _planet_tui planet-tui",
    ))  # fmt: skip


def _bash_reply(flag: Flag) -> str:
    """Return the statements that complete what follows an option."""
    if flag.values:
        what = f"-W '{_lines(flag.values)}'"
    else:
        what = {"folder": "-d", "file": "-f"}.get(flag.takes, "")
    return f'COMPREPLY=($(compgen {what} -- "$word")); return' if what else "COMPREPLY=(); return"


def zsh(found: tuple[Command, ...]) -> str:
    """Return the script for zsh."""
    app, *others = found
    described = [f"        {_quoted(command.name + ':' + command.help)}" for command in others]
    return "\n".join((
        "#compdef planet-tui",
        "_planet_tui() {",
        "    local -a known=(",
        *described,
        "    )",
        "    if (( CURRENT == 2 )); then",
        "        _describe command known",
        "    fi",
        "    local chosen=${words[2]}",
        "    if (( CURRENT > 2 )) && (( ${known[(I)$chosen:*]} )); then",
        "        (( CURRENT-- ))",
        "        shift words",
        "    else",
        "        chosen=''",
        "    fi",
        '    case "$chosen" in',
        *(_zsh_case(command) for command in (*others, app)),
        "    esac",
        "}",
        'if [[ "${funcstack[1]}" == _planet_tui || "${funcstack[1]}" == _planet-tui ]]; then',
        '    _planet_tui "$@"',
        "else",
        "    compdef _planet_tui planet-tui",
        "fi",
    ))  # fmt: skip


def _zsh_case(command: Command) -> str:
    words = [_quoted(f"1:word:({' '.join(command.words)})")] if command.words else []
    parts = [*map(_zsh_flag, command.flags), *words, "'*:folder:_files'"]
    return f"        {command.name or chr(39) * 2}) _arguments {' '.join(parts)} ;;"


def _zsh_flag(flag: Flag) -> str:
    told = re.sub(r"([\[\]:\\])", r"\\\1", flag.help)
    if flag.takes == "nothing":
        return _quoted(f"{flag.name}[{told}]")
    what = (
        f"({' '.join(flag.values)})" if flag.values else {"folder": "_files -/", "file": "_files"}.get(flag.takes, " ")
    )
    return _quoted(f"*{flag.name}[{told}]:{flag.takes}:{what}")


def fish(found: tuple[Command, ...]) -> str:
    """Return the script for fish."""
    app, *others = found
    lines = ["# planet-tui completion for fish"]
    for command in others:
        told = _quoted(command.help)
        lines.append(f"complete -c planet-tui -n __fish_use_subcommand -a {command.name} -d {told}")
    for command in (app, *others):
        seen = f"__fish_seen_subcommand_from {command.name}" if command.name else "__fish_use_subcommand"
        start = f"complete -c planet-tui -n {_quoted(seen)}"
        if command.words:
            lines.append(f"{start} -f -a {_quoted(' '.join(command.words))}")
        lines += (f"{start} {_fish_flag(flag)}" for flag in command.flags)
    return "\n".join(lines)


def _fish_flag(flag: Flag) -> str:
    what = {"nothing": "-f", "folder": "-x -a '(__fish_complete_directories)'", "file": "-r -F", "text": "-x"}[
        flag.takes
    ]
    if flag.values:
        what = f"-x -a {_quoted(' '.join(flag.values))}"
    return f"-l {flag.name.lstrip('-')} {what} -d {_quoted(flag.help)}"


def _names(command: Command) -> tuple[str, ...]:
    return tuple(flag.name for flag in command.flags)


def _lines(words: tuple[str, ...] | list[str]) -> str:
    return "\n".join(words)


def _quoted(text: str) -> str:
    r"""Return a text in single quotes, as all three shells read it.

    >>> print(_quoted("the folder's"))
    'the folder'\''s'
    """
    return "'" + text.replace("'", "'\\''") + "'"
