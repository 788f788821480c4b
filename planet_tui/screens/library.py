"""A screen over a library: it has the folder read, follows it, and says in the top line how far that has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from planet_tui import paths
from planet_tui.messages import BuildEnded, LibraryProgressed, LibraryReady
from planet_tui.screens.asking import AskingScreen
from planet_tui.screens.wording import facts
from planet_tui.session import Session
from planet_tui.widgets.status_line import StatusLine

if TYPE_CHECKING:
    from engine.library import Library
    from engine.records import Progress


class LibraryScreen(AskingScreen):
    """Holds the state of the reading; a subclass hears of every change of the library."""

    def __init__(self, session: Session) -> None:
        """Take the session that outlives the screen."""
        super().__init__(session)
        self._progress: Progress | None = None
        self._building = False
        self._alert = ""
        self._wait = ""

    # What a subclass does.

    def library_changed(self, before: Library | None) -> None:
        """Show what is in the library now; `before` is the one that was there."""
        raise NotImplementedError

    def library_failed(self, message: str, hint: str) -> None:
        """Say what went wrong and what to do."""
        raise NotImplementedError

    def build_ended(self) -> None:
        """Nothing is being read any more."""
        raise NotImplementedError

    # The build.

    def start_build(self, *, keep_documents: bool = False) -> None:
        """Read the folder from the beginning, or only cut and index its notes again."""
        self._building, self._alert, self._progress = True, "", None
        self.build(keep_documents=keep_documents)
        self.show_status()

    @on(LibraryProgressed)
    def _library_progressed(self, message: LibraryProgressed) -> None:
        if self.session.builds.is_current(message.request) and self._building:
            self._progress = message.progress
            self.show_status()

    @on(LibraryReady)
    def _library_ready(self, message: LibraryReady) -> None:
        if not self.session.builds.is_current(message.request):
            return
        library, before = message.library, self.session.library
        if before is None or (library.stage != "documents" and library.pending <= before.pending):
            self.session.library = library  # an index that works stays until the new one knows as much
        self._alert = ""
        self.show_status()
        self.library_changed(before)

    @on(BuildEnded)
    def _build_ended(self, message: BuildEnded) -> None:
        if not self.session.builds.is_current(message.request):
            return
        self._building, self._progress = False, None
        if message.stopped:
            self._alert = "stopped: ctrl+r goes on"
        elif message.message:
            library = self.session.library
            encoding = library is not None and library.stage == "lsa" and self.session.settings.encoder != "lsa"
            alert = "the encoder failed: LSA stands in" if encoding else "cannot read the folder"
            if alert != self._alert:  # once, however often it is tried again
                self._alert = alert
                self.library_failed(message.message, message.hint)
            self.follow(failed=not encoding)  # what there is stays true, and the folder may come back
        else:
            self.follow()
        self.show_status()
        self.build_ended()

    def show_status(self) -> None:
        """Say in the top line how things are."""
        self.query_one(StatusLine).show(
            folder=paths.shown_all(self.session.roots.folders),
            facts=facts(self.session),
            work="reading" if self._building else "",
            progress=self._progress,
            alert=self._alert or self._wait,
        )
