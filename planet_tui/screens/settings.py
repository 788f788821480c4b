"""Every setting with its meaning, range and default, over the Explore screen, where a change is seen at once.

What a change makes stale is made again in the background; the top line of the screen below says how far it has come.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input

from engine.errors import Cancelled, SettingsError
from engine.settings import Option, describe
from planet_tui import jobs
from planet_tui.messages import AnswerFailed, ModelChecked
from planet_tui.screens.working import WorkingScreen
from planet_tui.session import Session
from planet_tui.settings import APP_OPTIONS
from planet_tui.widgets.lines import LinesView
from planet_tui.widgets.option_views import OptionHelp, OptionsView

OPTIONS = (*(option for option in APP_OPTIONS if option.choices), *describe())
"""What can be changed here: all but what the app remembers by itself."""

Read = Callable[[str], Any]
"""Returns the value in force of a setting by its name."""
Change = Callable[[str, Any], None]
"""Puts a value in force, keeps it, and has made again what it makes stale; raises `SettingsError`."""


class SettingsScreen(WorkingScreen[None], ModalScreen[None]):
    """The list of settings, what the one under the cursor means, and a line to type its value."""

    CSS_PATH = "settings.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f3", "leave", "Back", show=False, id="settings.back"),
        Binding("l,right", "step(1)", "Next value", show=False, id="settings.next"),
        Binding("h,left", "step(-1)", "Previous value", show=False, id="settings.previous"),
        Binding("d", "default", "Default", show=False, id="settings.default"),
        Binding("t", "test", "Test the hosted model", show=False, id="settings.test"),
    ]

    def __init__(self, session: Session, read: Read, change: Change) -> None:
        """Take the session, for the test of the model, and what reads and changes a setting."""
        super().__init__()
        self._session, self._read, self._change = session, read, change

    def compose(self) -> ComposeResult:
        """Yield the list, the help and the line."""
        yield OptionsView(OPTIONS, self._read, id="options")
        yield OptionHelp(id="option-help")
        yield Input(id="option-value", select_on_focus=True)

    def on_mount(self) -> None:
        """Start at the first setting."""
        options = self.query_one(OptionsView)
        options.focus()
        options.cursor = OPTIONS[0].name
        self._explain()

    @property
    def option(self) -> Option:
        """The setting under the cursor."""
        cursor = self.query_one(OptionsView).cursor
        return next(option for option in OPTIONS if option.name == cursor)

    @on(LinesView.Moved)
    def _moved(self, message: LinesView.Moved) -> None:
        message.stop()
        if isinstance(message, LinesView.Opened):
            self._edit()
        else:
            self._explain()

    def _edit(self) -> None:
        """Take the next of a few values, or have one typed."""
        if self.option.choices or isinstance(self.option.default, bool):
            self.action_step(1)
            return
        line = self.query_one("#option-value", Input)
        line.value = str(self._read(self.option.name))
        line.placeholder = self.option.range or "empty: none"
        self.add_class("-typing")
        line.focus()

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        event.stop()
        if self._apply(self.option.read(event.value)):
            self.action_leave()

    def action_step(self, by: int) -> None:
        """Take the next or previous value where there are a few."""
        option, value = self.option, self._read(self.option.name)
        if isinstance(option.default, bool):
            self._apply(not value)
        elif option.choices:
            self._apply(option.choices[(option.choices.index(value) + by) % len(option.choices)])

    def action_default(self) -> None:
        """Go back to the default."""
        self._apply(self.option.default)

    def action_leave(self) -> None:
        """End the typing, or close the screen."""
        if self.has_class("-typing"):
            self.remove_class("-typing")
            self.query_one(OptionsView).focus()
        else:
            self.dismiss()

    def _apply(self, value: object) -> bool:
        """Put a value in force; say what is wrong where it cannot be."""
        try:
            if value != self._read(self.option.name):
                self._change(self.option.name, value)
        except SettingsError as error:
            hint = "" if self.option.help in error.hint else f" {error.hint}"  # the meaning stands below anyway
            self._explain(f"{error.message}.{hint}", bad=True)
            return False
        self.query_one(OptionsView).lay_out_again(keep_scroll=True)
        self._explain()
        return True

    def _explain(self, said: str = "", *, bad: bool = False) -> None:
        self.query_one(OptionHelp).show(self.option, said, bad=bad)

    # The hosted model.

    def action_test(self) -> None:
        """Ask the hosted model for a word."""
        number, should_stop = self._session.hosted.start()
        settings = self._session.settings
        self._explain("The hosted model is asked for a word …")

        def job() -> ModelChecked | None:
            try:
                return ModelChecked(number, jobs.check_model(settings, should_stop))
            except Cancelled:
                return None

        self.start_job("hosted", job, lambda what, hint: AnswerFailed(number, what, hint, hosted=True))

    @on(ModelChecked)
    def _model_checked(self, message: ModelChecked) -> None:
        if self._session.hosted.is_wanted(message.request):
            self._explain(f"The hosted model answered: {message.reply}")

    @on(AnswerFailed)
    def _model_failed(self, message: AnswerFailed) -> None:
        if self._session.hosted.is_wanted(message.request):
            self._explain(f"{message.message} {message.hint}", bad=True)
