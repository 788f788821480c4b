"""What a command tells the outside: an exit status, text for a person, JSON for a program, warnings on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from engine.errors import OutputError
from planet_tui.plain import one_line, plain

if TYPE_CHECKING:
    from engine.records import Notice, Progress

DONE, FAILED, WRONG_USE, ABSTAINED = 0, 1, 2, 3
"""Exit statuses."""
INTERRUPTED, NOBODY_READS = 130, 141
"""Exit statuses as a shell gives them for SIGINT and SIGPIPE."""

_STYLES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33}
_NOTICES_SHOWN = 5
_LONGEST_MESSAGE = 600


def paint(text: str, style: str) -> str:
    """Return text in `bold`, `dim`, `red`, `green` or `yellow` where standard output is a terminal with colour."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if has_colour(sys.stdout) else text


def say(text: str = "") -> None:
    """Print text of this program; text from outside goes through `plain` first."""
    write(text + "\n")


def write(text: str = "", *, flush: bool = False) -> None:
    """Write to standard output.

    Raises:
        BrokenPipeError: nobody reads it.
        OutputError: there is no room where it goes, or it failed otherwise.
    """
    try:
        sys.stdout.write(text)
        if flush:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"The output cannot be written: {error.strerror}", "Is there room where it goes?") from None


def say_json(value: dict[str, Any]) -> None:
    """Print JSON in ASCII, so that it survives every terminal, pipe and encoding."""
    say(json.dumps(value, indent=2, allow_nan=False))


def warn(message: str, hint: str = "") -> None:
    """Print one line on standard error, whatever the message holds; the middle of a very long one is left out."""
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[: _LONGEST_MESSAGE // 2]} … {message[-_LONGEST_MESSAGE // 2 :]}"
    line = f"{message.rstrip('. ')}. Hint: {hint.rstrip('. ')}." if hint else message
    print(f"planet-tui: {one_line(line)}", file=sys.stderr)


def warn_of(notices: Sequence[Notice]) -> None:
    """Count and list what was skipped or read with a reservation, the first few of many."""
    if not notices:
        return
    for notice in notices:
        if not notice.path:  # it is about a folder
            warn(notice.problem)
    notices = [notice for notice in notices if notice.path]
    if not notices:
        return
    files = "1 file was" if len(notices) == 1 else f"{len(notices)} files were"
    warn(f"{files} skipped or read with a reservation:")
    for notice in notices[:_NOTICES_SHOWN]:
        print(f"  {one_line(notice.path)}: {one_line(notice.problem)}", file=sys.stderr)
    if len(notices) > _NOTICES_SHOWN:
        print(f"  … and {len(notices) - _NOTICES_SHOWN} more", file=sys.stderr)


def place(file: Path, line: int) -> str:
    """Return `path:line` as an editor opens it from here: relative when the file is below the current folder."""
    path = os.path.abspath(file)
    try:
        here = os.path.join(os.getcwd(), "")
    except FileNotFoundError:  # it was removed
        here = ""
    return f"{one_line(path.removeprefix(here))}:{line}"


def excerpt(text: str, length: int = 100) -> str:
    r"""Return the start of a text in one line.

    >>> excerpt("Venus turns\nslowly.", 11)
    'Venus turns…'
    """
    line = one_line(" ".join(text.split()))
    return line if len(line) <= length else line[:length].rstrip() + "…"


class ProgressLine:
    """One line on standard error that shows how far a job is; nothing at all where that is no terminal."""

    def __init__(self) -> None:
        """Look where standard error goes."""
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> ProgressLine:
        """Return itself, to be called as the job's `report`."""
        return self

    def __call__(self, progress: Progress) -> None:
        """Draw the line anew."""
        if self._shown:
            total = f" of {progress.total:,}" if progress.total else ""
            print(f"\r\x1b[K{plain(progress.stage)} {progress.done:,}{total}", end="", file=sys.stderr, flush=True)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Take the line away."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class GrowingText:
    """A text on standard output that grows as a model writes it; a line that an error breaks off is ended."""

    def __init__(self) -> None:
        """Start with nothing shown."""
        self.shown = ""

    def __enter__(self) -> GrowingText:
        """Return itself, to be called with the text as far as it has come."""
        return self

    def __call__(self, text: str) -> None:
        """Print what is new."""
        write(paint(plain(text[len(self.shown) :]), "bold"), flush=True)
        self.shown = text

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the line when the text was broken off."""
        if error is not None and self.shown:
            say()


def has_colour(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that shows colour, and is wanted to."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
