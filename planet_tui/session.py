"""What outlives a keystroke: the library at hand, its settings, the history, the request numbers. No Textual."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from engine.roots import Roots
from engine.settings import Settings
from planet_tui.plain import one_line

if TYPE_CHECKING:
    from engine.library import Library
    from engine.records import Question
    from planet_tui.jobs import Evaluation, Marked

HISTORY_LENGTH = 500


class Requests:
    """Numbers for one kind of request. Only the newest is wanted: starting one stops the one before.

    A job asks `should_stop` of its ticket; a handler asks `is_current` of its message.
    """

    def __init__(self) -> None:
        """Start at 0, where nothing has been asked."""
        self._number = 0
        self._stop = Event()

    def start(self) -> tuple[int, Callable[[], bool]]:
        """Stop the request before and return (number, should_stop) of a new one."""
        self._stop.set()
        self._stop = Event()
        self._number += 1
        return self._number, self._stop.is_set

    def stop(self) -> None:
        """Ask the newest request to stop; its number stays current, so that its end is heard."""
        self._stop.set()

    @property
    def number(self) -> int:
        """The newest request's number; 0 before the first."""
        return self._number

    def is_current(self, number: int) -> bool:
        """Return whether `number` is the newest."""
        return number == self._number

    def is_wanted(self, number: int) -> bool:
        """Return whether `number` is the newest and nobody asked it to stop."""
        return number == self._number and not self._stop.is_set()


@dataclass
class Session:
    """The state of the folders that are open."""

    roots: Roots
    """The notes."""
    settings: Settings
    """The settings in force."""
    cache: Path | None = None
    """Where indexes are kept; `None`: nowhere."""
    live: bool = False
    """Whether changes in the folder are followed while it is open."""
    library: Library | None = None
    """The most complete library so far; `None`: nothing is read yet."""
    builds: Requests = field(default_factory=Requests)
    """Builds of the library."""
    watches: Requests = field(default_factory=Requests)
    """Waits for changes in the folder."""
    questions: Requests = field(default_factory=Requests)
    """Questions to it."""
    explanations: Requests = field(default_factory=Requests)
    """Explanations of a chunk."""
    hosted: Requests = field(default_factory=Requests)
    """Questions to the hosted model."""
    readings: Requests = field(default_factory=Requests)
    """Notes to be opened."""
    evaluations: Requests = field(default_factory=Requests)
    """Measurements on the labelled questions."""
    evaluation: Evaluation | None = None
    """What was measured last; `None`: nothing yet."""
    labels: tuple[Question, ...] = ()
    """The labelled questions of the folder."""
    marks: list[Marked] = field(default_factory=list)
    """What was marked since the app was opened, the last one last."""

    def stop_all(self) -> None:
        """Ask every running job to stop: the app is closing."""
        asking = (self.questions, self.explanations, self.hosted, self.readings, self.evaluations)
        for requests in (self.builds, self.watches, *asking):
            requests.stop()


class History:
    """Questions asked before, oldest first, kept in a file of one question a line.

    A file that cannot be read or written costs the history, never the question.
    """

    def __init__(self, path: Path | None) -> None:
        """Read the history; `None`: keep it in memory only."""
        self._path = path
        lines: list[str] = []
        if path is not None:
            try:
                if path.is_file():
                    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
                elif path.exists():  # a pipe or a device would be waited for
                    self._path = None
            except OSError:
                pass
        self._questions = [one_line(line) for line in lines if line.strip()][-HISTORY_LENGTH:]
        self._at = len(self._questions)

    def add(self, question: str) -> None:
        """Put a question at the end, unless it is there already, and go to the end."""
        if question.strip() and question != (self._questions or [""])[-1]:
            self._questions.append(question)
            self._append_to_file(question)
        self._at = len(self._questions)

    def step(self, by: int) -> str | None:
        """Go back (-1) or forth (+1); return the question there, empty past the end, `None` at the start."""
        if not 0 <= self._at + by <= len(self._questions):
            return None
        self._at += by
        return self._questions[self._at] if self._at < len(self._questions) else ""

    def _append_to_file(self, question: str) -> None:
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8", errors="replace") as file:
                file.write(" ".join(question.split()) + "\n")
        except OSError:
            self._path = None
