"""A screen that runs jobs in threads and hears their ends as messages."""

from __future__ import annotations

from collections.abc import Callable

from textual.message import Message
from textual.screen import Screen, ScreenResultType

from engine.errors import EngineError
from planet_tui import jobs

Failed = Callable[[str, str], Message]
"""Makes the message that tells of a failure from what happened and what to do."""


class WorkingScreen(Screen[ScreenResultType]):
    """Starts jobs; a job that fails tells of it in words, whatever went wrong."""

    def start_job(self, group: str, job: Callable[[], Message | None], failed: Failed) -> None:
        """Run a job in a thread and post the message it returns, or the one that tells of its failure."""

        def work() -> None:
            try:
                ended = job()
            except EngineError as error:
                ended = failed(error.message, error.hint)
            except Exception as error:  # a fault of ours: the person gets a line, the log the rest
                jobs.log_fault(error)
                ended = failed(f"This should not happen: {type(error).__name__}: {error}", "The log says more.")
            if ended is not None:
                self.post_message(ended)

        self.run_worker(work, group=group, description=group, thread=True, exclusive=True, exit_on_error=False)
