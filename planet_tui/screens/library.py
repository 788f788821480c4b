"""A screen over a library: it has the folder read, follows it, and says in the top line how far that has come."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual import on

from planet_tui import paths
from planet_tui.messages import BuildEnded, IndexDropped, LibraryProgressed, LibraryReady
from planet_tui.screens.asking import AskingScreen
from planet_tui.screens.wording import facts
from planet_tui.session import Session
from planet_tui.widgets.status_line import StatusLine

if TYPE_CHECKING:
    from engine.library import Library
    from engine.records import Progress

SaveSetting = Callable[[str, Any], None]
"""Keeps a setting by name."""


class LibraryScreen(AskingScreen):
    """Holds the state of the reading; a subclass hears of every change of the library."""

    def __init__(self, session: Session, save_setting: SaveSetting) -> None:
        """Take the session that outlives the screen, and what keeps a setting by name."""
        super().__init__(session)
        self._save_setting = save_setting
        self._progress: Progress | None = None
        self._building = False
        self._checked = False
        self._alert = ""
        self._wait = ""

    # What a subclass does.

    def library_changed(self, before: Library | None) -> None:
        """Show what is in the library now; `before` is the one that was there."""
        raise NotImplementedError

    def library_failed(self, message: str, hint: str) -> None:
        """Say what went wrong and what to do."""
        raise NotImplementedError

    def settings_changed(self) -> None:
        """Answer anew with the settings that are in force now."""
        raise NotImplementedError

    def build_ended(self) -> None:
        """Nothing is being read any more."""
        raise NotImplementedError

    # The settings.

    def setting(self, name: str) -> Any:  # noqa: ANN401
        """Return the value in force of a setting."""
        if name == "theme":
            return "dark" if self.app.current_theme.dark else "light"
        return getattr(self.session.settings, name)

    def set_setting(self, name: str, value: Any) -> None:  # noqa: ANN401
        """Put a value in force and keep it; raise `SettingsError` where it is out of range."""
        if name != "theme":
            self.session.settings = self.session.settings.replace(**{name: value})
        self._save_setting(name, value)
        self.show_status()

    def change_setting(self, name: str, value: Any) -> None:  # noqa: ANN401
        """Set a setting, and make again what that makes stale; raise as `set_setting`."""
        before = self.session.settings
        self.set_setting(name, value)
        stale = before.stale_after(self.session.settings)
        if stale != "nothing":
            self.start_build(keep_documents=stale == "index")
        elif name != "theme":
            self.settings_changed()

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
        gc.freeze()  # the list of notes, and what the first question warmed: looked through, they would hold up keys
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
        if not message.stopped and not self._checked:  # once; after a failure, too: damage may be its cause
            self._checked = True
            self.check_index()
        self.show_status()
        self.build_ended()

    @on(IndexDropped)
    def _index_dropped(self, message: IndexDropped) -> None:
        self.notify("The index in the cache was damaged. It is made again from the notes.", markup=False)
        if self.session.builds.is_current(message.request):
            self.start_build()

    def show_status(self) -> None:
        """Say in the top line how things are."""
        self.query_one(StatusLine).show(
            folder=paths.shown_all(self.session.roots.folders),
            facts=facts(self.session),
            work="reading" if self._building else "",
            progress=self._progress,
            alert=self._alert or self._wait,
        )
