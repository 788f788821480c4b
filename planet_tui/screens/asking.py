"""A screen that runs the engine: it starts jobs in threads and hears their ends as messages.

Every job carries the number of its request; starting a new one asks the old one to stop, and handlers of a
subclass drop messages whose number is no longer current.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from textual.message import Message

from engine.errors import Cancelled
from planet_tui import jobs
from planet_tui.messages import (
    AnswerFailed,
    AnswerGrew,
    BuildEnded,
    ChunkExplained,
    DocumentRead,
    IndexDropped,
    LibraryProgressed,
    LibraryReady,
    ModelChecked,
    ModelWaits,
    TraceReady,
)
from planet_tui.screens.working import WorkingScreen
from planet_tui.session import Session

if TYPE_CHECKING:
    from engine.library import Library
    from engine.records import Chunk, Progress, Span, Trace


class AskingScreen(WorkingScreen[None]):
    """Builds the library, asks it, explains its chunks and opens its notes, in the background."""

    def __init__(self, session: Session) -> None:
        """Take the session that outlives the screen."""
        super().__init__()
        self.session = session
        self._one_question = Lock()

    def on_unmount(self) -> None:
        """Let every job end."""
        self.session.stop_all()

    def build(self, *, keep_documents: bool = False) -> None:
        """Read the folder, or only cut and index its notes again; ends in `BuildEnded`."""
        session = self.session
        before = session.library if keep_documents else None
        session.watches.stop()
        number, should_stop = session.builds.start()

        def job() -> Message:
            def ready(library: Library) -> None:
                self._post(LibraryReady(number, library))

            def report(progress: Progress) -> None:
                self._post(LibraryProgressed(number, progress))

            try:
                jobs.build_library(session.roots, session.settings, before, session.cache, ready, report, should_stop)
            except Cancelled:
                return BuildEnded(number, stopped=True)
            return BuildEnded(number)

        self.start_job("library", job, lambda what, hint: BuildEnded(number, message=what, hint=hint))

    def follow(self, *, failed: bool = False) -> None:
        """Read what changes in the folder from now on; each state of it comes as `LibraryReady`.

        After a reading that `failed`, its first success comes, too.
        """
        library, cache, number = self.session.library, self.session.cache, self.session.builds.number
        _, should_stop = self.session.watches.start()
        if library is None or not self.session.live:
            return

        def job() -> None:
            def ready(state: Library) -> None:
                self._post(LibraryReady(number, state))

            with suppress(Cancelled):
                jobs.follow_folder(library, cache, ready, should_stop, failed=failed)

        self.start_job("follow", job, lambda what, hint: BuildEnded(number, message=what, hint=hint))

    def check_index(self) -> None:
        """Look whether what the cache holds is what was written; ends in `IndexDropped` where it was not.

        It gives way to the next reading of the folder.
        """
        session, cache, number = self.session, self.session.cache, self.session.builds.number
        if cache is None:
            return
        roots, settings, builds = session.roots, session.settings, session.builds

        def job() -> Message | None:
            with suppress(Cancelled):
                if jobs.drop_damaged(roots, settings, cache, lambda: not builds.is_wanted(number)):
                    return IndexDropped(number)
            return None

        self.start_job("check", job, lambda what, hint: AnswerFailed(session.questions.number, what, hint))

    def ask_quoting(self, question: str, *, typing: bool = False) -> None:
        """Answer by quoting; ends in `TraceReady`. Only the newest question counts.

        One is answered at a time; what has been overtaken meanwhile is dropped before it runs.
        """
        number, _ = self.session.questions.start()
        library, settings = self.session.library, self.session.settings
        if library is None or library.stage == "documents" or not question.strip():
            return

        def job() -> Message | None:
            with self._one_question:
                if not self.session.questions.is_wanted(number):
                    return None
                return TraceReady(number, jobs.ask_question(library, question, settings, typing=typing), library)

        self.start_job(
            "question",
            job,
            lambda what, hint: AnswerFailed(number, what, hint),
        )

    def ask_model(self, question: str) -> bool:
        """Answer with the hosted model; return whether it was asked."""
        number, should_stop = self.session.hosted.start()
        library, settings = self.session.library, self.session.settings
        if library is None or library.stage == "documents" or not question.strip():
            return False

        def job() -> Message | None:
            try:
                trace = jobs.ask_hosted(
                    library,
                    question,
                    settings,
                    should_stop,
                    lambda text: self._post(AnswerGrew(number, text)),
                    lambda wait: self._post(ModelWaits(number, wait)),
                )
                return TraceReady(number, trace, library, hosted=True)
            except Cancelled:
                return None

        self.start_job("hosted", job, lambda what, hint: AnswerFailed(number, what, hint, hosted=True))
        return True

    def check_model(self) -> None:
        """Ask the hosted model for a word, to see whether it is there; ends in `ModelChecked`."""
        number, should_stop = self.session.hosted.start()
        settings = self.session.settings

        def job() -> Message | None:
            try:
                return ModelChecked(number, jobs.check_model(settings, should_stop))
            except Cancelled:
                return None

        self.start_job("hosted", job, lambda what, hint: AnswerFailed(number, what, hint, hosted=True))

    def explain(self, trace: Trace, chunk: Chunk, library: Library) -> None:
        """Say why a chunk of the library that was asked stands where it does; ends in `ChunkExplained`."""
        number, _ = self.session.explanations.start()
        self.start_job(
            "explanation",
            lambda: ChunkExplained(number, *jobs.explain_chunk(library, trace, chunk.id)),
            lambda what, hint: AnswerFailed(self.session.questions.number, what, hint),
        )

    def read(self, document: str, terms: tuple[str, ...], passage: Span | None) -> None:
        """Fetch a note and mark the question's words in it; ends in `DocumentRead`."""
        number, _ = self.session.readings.start()
        library = self.session.library
        if library is not None and document in library.documents:
            self.start_job(
                "reading",
                lambda: DocumentRead(number, *jobs.read_document(library, document, terms), passage),
                lambda what, hint: AnswerFailed(self.session.questions.number, what, hint),
            )

    def _post(self, message: Message) -> None:
        self.post_message(message)
