"""The main screen: a question, and under it the panes that show what comes of it, stage by stage.

The first frame is the question line alone, ready to be typed into; the panes, and what draws them, come after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from engine.settings import describe
from planet_tui import jobs
from planet_tui.messages import (
    AnswerFailed,
    AnswerGrew,
    ChunkExplained,
    DocumentRead,
    ModelChecked,
    ModelWaits,
    TraceReady,
)
from planet_tui.screens.library import LibraryScreen, SaveSetting
from planet_tui.screens.marking import MarkingScreen
from planet_tui.screens.wording import evidence_in, why_empty, why_nothing
from planet_tui.session import History, Session
from planet_tui.widgets.pane_tabs import PaneTabs
from planet_tui.widgets.question_bar import QuestionBar
from planet_tui.widgets.status_line import StatusLine

if TYPE_CHECKING:
    from engine.library import Library
    from engine.records import Trace
    from planet_tui.screens.panes import Panes

PANES = (
    ("answer", "Answer"),
    ("fused", "Fused"),
    ("bm25", "BM25"),
    ("lsa", "LSA"),
    ("chunk", "Chunk"),
    ("prompt", "Prompt"),
    ("notes", "Notes"),
)
"""Pane ids and names in the order of the number keys."""


class ExploreScreen(MarkingScreen, LibraryScreen):
    """Ask, and see every stage."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "ask", "Ask", key_display="/", id="explore.ask"),
        Binding("f", "filter", "Filter notes", show=False, id="explore.filter"),
        Binding("M", "unanswerable", "Unanswerable", show=False, id="explore.unanswerable"),
        Binding("u", "unmark", "Take a mark back", show=False, id="explore.unmark"),
        Binding("f1,question_mark", "app.help", "Help", key_display="F1", id="explore.help"),
        Binding("q", "app.quit", "Quit", id="explore.quit"),
        Binding("m", "mark", "Mark", id="explore.mark"),
        Binding("y", "copy", "Copy", id="explore.copy"),
        Binding("f3", "settings", "Settings", key_display="F3", id="explore.settings"),
        Binding("f4", "evaluate", "Evaluate", key_display="F4", id="explore.evaluate"),
        Binding("ctrl+g", "generator", "Generator", key_display="^g", id="explore.generator"),
        Binding("n", "notes", "Notes", id="explore.notes"),
        Binding("z", "zoom", "Zoom", id="explore.zoom"),
        Binding("w", "notices", "Notices", show=False, id="explore.notices"),
        Binding("ctrl+r", "reread", "Read again", show=False, id="explore.reread"),
        Binding("escape", "back", "Stop", show=False, id="explore.back"),
        *(
            Binding(str(number), f"pane('{pane}')", name, show=False, id=f"explore.{pane}")
            for number, (pane, name) in enumerate(PANES, 1)
        ),
    ]

    def __init__(self, session: Session, history: History, save_setting: SaveSetting, question: str = "") -> None:
        """Take the session, the history, what keeps a setting by name, and a first question."""
        super().__init__(session, save_setting)
        self._history = history
        self._first_question = question
        self._question = ""
        self._panes: Panes | None = None
        self._trace: Trace | None = None
        self._asked: Library | None = None
        self._model_waits = False
        self._goes_on = False

    def compose(self) -> ComposeResult:
        """Yield what the first frame shows."""
        yield StatusLine(id="status")
        yield QuestionBar(self._history.step, id="question")
        yield PaneTabs(PANES, id="tabs")

    def on_mount(self) -> None:
        """Show the frame first, then the panes, then read the folder."""
        question = self.query_one(QuestionBar)
        question.focus()
        question.value = self._first_question
        self.show_status()
        self.call_after_refresh(self._furnish)

    async def _furnish(self) -> None:
        """Put the panes up, unless they are there: whoever needs them first waits for them."""
        if self._panes is not None:
            return
        from textual.widgets import Footer

        from planet_tui.screens.panes import Panes

        panes = Panes(id="body")
        await self.mount(panes, Footer())
        self._panes = panes
        self.refresh_bindings()
        self._show_pane("answer")
        self._show_trace(None)
        self.start_build()
        self.read_labels()

    @property
    def panes(self) -> Panes:
        """What is below the question, once it is there."""
        assert self._panes is not None
        return self._panes

    # The library.

    def library_changed(self, before: Library | None) -> None:
        """List its notes, and ask it what was asked."""
        library = self.session.library
        assert library is not None
        if before is None or before.documents is not library.documents:
            self.panes.notes.show(library.documents.titles, "" if library.documents else "No notes here.")
        if self._question.strip() and library.stage != "documents":
            self._ask()
            if self._model_waits:
                self._ask_model()
        elif self._trace is None:
            self._show_trace(None)

    def library_failed(self, message: str, hint: str) -> None:
        """Say so above the answer."""
        self._say(message, hint, bad=True)
        if self.session.library is None:
            self.panes.notes.show({}, "Nothing was read.")

    def build_ended(self) -> None:
        """Say what there is to be seen without a question."""
        if self._trace is None:
            self._show_trace(None)

    # The question.

    @on(QuestionBar.Edited)
    async def _question_edited(self, message: QuestionBar.Edited) -> None:
        await self._furnish()
        if message.question == self._question:
            return
        self._question, self._goes_on = message.question, message.at_end
        self._model_waits = False
        self.session.hosted.stop()
        self._say("")
        self._ask()

    @on(QuestionBar.Asked)
    async def _question_asked(self, message: QuestionBar.Asked) -> None:
        await self._furnish()
        self._question, self._goes_on = message.question, False
        if not message.question.strip():
            self._show_trace(None)
            return
        self._history.add(message.question)
        self._ask()
        self._ask_model()
        self._show_pane("answer")
        self.panes.answer.focus()

    def _ask(self) -> None:
        """Answer the question as it stands; what is not ready yet says so."""
        library = self.session.library
        self.ask_quoting(self._question, typing=self._goes_on)
        if library is None or library.stage == "documents" or not self._question.strip():
            self._show_trace(None)

    @on(TraceReady)
    def _trace_ready(self, message: TraceReady) -> None:
        requests = self.session.hosted if message.hosted else self.session.questions
        if not requests.is_current(message.request) or message.trace.question != self._question:
            return
        if message.hosted:
            self._say("")
        elif self._keeps_hosted_answer(message.library):
            return
        self._asked = message.library
        self._show_trace(message.trace)

    def _keeps_hosted_answer(self, library: Library) -> bool:
        """Whether the model's answer to this question stands: only LSA has joined the library it was asked of."""
        trace, asked = self._trace, self._asked
        if trace is None or asked is None or trace.answer.generator == "extractive":
            return False
        return trace.question == self._question and asked.index is library.index

    @on(AnswerFailed)
    def _answer_failed(self, message: AnswerFailed) -> None:
        requests = self.session.hosted if message.hosted else self.session.questions
        if requests.is_current(message.request):
            said = f"{message.message}" + (" The quoted answer stays." if message.hosted else "")
            self._say(said, message.hint, bad=True)

    def _show_trace(self, trace: Trace | None) -> None:
        self._trace = trace
        note = why_nothing(self.session, self._question, trace, failed=bool(self._alert))
        self.panes.mark(evidence_in(trace, self.session.labels))
        self.panes.show(trace, note, lambda ranking: why_empty(ranking, trace, building=self._building))

    # The hosted model.

    def _ask_model(self) -> None:
        """Ask the hosted model too, when it is the chosen generator."""
        if self.session.settings.generator != "hosted" or not self._question.strip():
            return
        self._model_waits = not self.ask_model(self._question)
        said = "waits for the index" if self._model_waits else "is answering"
        self._say(f"The hosted model {said} …", "esc stops it")

    @on(AnswerGrew)
    def _answer_grew(self, message: AnswerGrew) -> None:
        if self.session.hosted.is_wanted(message.request):
            self.panes.answer.show_growing(message.text)

    @on(ModelWaits)
    def _model_waits_on(self, message: ModelWaits) -> None:
        if self.session.hosted.is_wanted(message.request):
            self._wait = message.wait
            self.show_status()

    @on(ModelChecked)
    def _model_checked(self, message: ModelChecked) -> None:
        if self.session.hosted.is_wanted(message.request):
            self._say(f"The hosted model answered: {message.reply}", "It is ready to be asked: ctrl+g chooses it")

    def _say(self, message: str, hint: str = "", *, bad: bool = False) -> None:
        """Say something above the answer in place of what was said, and of what the model wrote so far."""
        self.panes.answer.show_banner(message, hint, bad=bad)
        if self._wait:
            self._wait = ""
            self.show_status()

    # The selected chunk.

    def on_panes_chosen(self, message: Panes.Chosen) -> None:
        """Ask why the chosen chunk stands where it stands."""
        if self._asked is not None:
            self.explain(message.trace, message.chunk, self._asked)

    def on_panes_note_opened(self, message: Panes.NoteOpened) -> None:
        """Read a note that was opened in a pane."""
        self.read_note(message.document)

    @on(ChunkExplained)
    def _chunk_explained(self, message: ChunkExplained) -> None:
        if self.session.explanations.is_current(message.request):
            self.panes.explain(message.explanation, message.marks)

    def read_note(self, document: str) -> None:
        """Open a note, at the selected passage when it is one of its own."""
        self.read(document, self._trace.terms if self._trace else (), self.panes.passage_in(document))

    @on(DocumentRead)
    def _document_read(self, message: DocumentRead) -> None:
        if self.session.readings.is_current(message.request):
            from planet_tui.screens.reader import ReaderScreen

            words = self._trace.terms if self._trace else ()
            note = message.document, message.terms, message.passage
            self.app.push_screen(ReaderScreen(self.session.roots, *note, self.session.library, words))

    # Which panes are on show.

    def action_ask(self) -> None:
        """Go to the question; typing takes the place of the old one."""
        self.minimize()
        question = self.query_one(QuestionBar)
        question.focus()
        question.action_select_all()

    @on(QuestionBar.Left)
    async def _leave_question(self) -> None:
        await self._furnish()
        if self._building and not self._question:
            self.action_back()
        self.panes.go_to(self._shown_pane() if self.has_class("-narrow") else "fused")

    def action_pane(self, pane: str) -> None:
        """Show and focus a pane."""
        self.minimize()
        if pane == "notes":
            self.add_class("-notes")
        self._show_pane(pane)
        self.panes.go_to(pane)

    @on(PaneTabs.Switched)
    def _tab_clicked(self, message: PaneTabs.Switched) -> None:
        self.action_pane(message.pane)

    def action_notes(self) -> None:
        """Show or hide the notes, where they share the window with other panes."""
        if self.has_class("-narrow"):
            self.action_pane("answer" if self._shown_pane() == "notes" else "notes")
            return
        self.toggle_class("-notes" if self.has_class("-medium") else "-no-notes")
        if self.panes.notes.has_focus and not self.query_one("#notes-column").display:
            self.panes.answer.focus()

    def action_filter(self) -> None:
        """Filter the notes by words."""
        self.action_pane("notes")
        self.remove_class("-no-notes")
        self.panes.filter_notes()

    def action_zoom(self) -> None:
        """Give the focused pane the whole window, or give it back."""
        if self.maximized is not None:
            self.minimize()
        elif self.focused is not None and self.focused.has_class("pane"):
            self.maximize(self.focused)

    def _shown_pane(self) -> str:
        return next((pane for pane, _ in PANES if self.has_class(f"-pane-{pane}")), "answer")

    def _show_pane(self, pane: str) -> None:
        for other, _ in PANES:
            self.set_class(other == pane, f"-pane-{other}")
        self.query_one(PaneTabs).shown = pane

    # Other actions.

    def action_copy(self) -> None:
        """Copy what the focused pane shows."""
        if (copied := self.panes.copied(self.focused)) is not None:
            what, text = copied
            self.app.copy_to_clipboard(text)
            self.notify(f"The {what} is in the clipboard.", markup=False)

    def action_notices(self) -> None:
        """List the files that were skipped or read with a reservation."""
        from planet_tui.screens.notices import NoticesScreen

        library = self.session.library
        self.app.push_screen(NoticesScreen(library.notices if library else ()))

    def action_mark(self) -> None:
        """Mark the selected passage as evidence for the question."""
        self.mark(self._trace, self.panes.selected)

    def action_unanswerable(self) -> None:
        """Mark the question as one that the notes cannot answer."""
        self.mark_unanswerable(self._trace)

    def action_unmark(self) -> None:
        """Take the last mark back."""
        self.take_back()

    def show_labels(self) -> None:
        """Draw the signs of evidence anew."""
        self.panes.mark(evidence_in(self._trace, self.session.labels))

    def action_evaluate(self) -> None:
        """Measure the labelled questions; one chosen there is asked here."""
        from planet_tui.screens.evaluate import EvaluateScreen

        self.app.push_screen(EvaluateScreen(self.session, self._choose_threshold), self._ask_chosen)

    def _choose_threshold(self, threshold: float) -> None:
        self.change_setting("threshold", threshold)

    def _ask_chosen(self, question: str | None) -> None:
        if question:
            bar = self.query_one(QuestionBar)
            with bar.prevent(bar.Changed):
                bar.value = question
            self.post_message(QuestionBar.Asked(question))

    def action_generator(self) -> None:
        """Switch between quoting and the hosted model."""
        chosen = "extractive" if self.session.settings.generator == "hosted" else "hosted"
        self._say("")
        if chosen == "hosted" and (problem := jobs.hosted_problem(self.session.settings)):
            self._say(*problem, bad=True)
            return
        self.set_setting("generator", chosen)
        if chosen == "hosted":
            self._ask_model()
        else:
            self.session.hosted.stop()
            self._trace = None
            self._ask()

    def action_switch(self, name: str) -> None:
        """Take the next choice of a setting, and answer anew."""
        (choices,) = (option.choices for option in describe() if option.name == name)
        chosen = choices[(choices.index(getattr(self.session.settings, name)) + 1) % len(choices)]
        self.change_setting(name, chosen)
        self.notify(f"{name} = {chosen}", title="Setting", markup=False)

    def action_settings(self) -> None:
        """Show every setting, to be changed."""
        from planet_tui.screens.settings import SettingsScreen

        self.app.push_screen(SettingsScreen(self.session, self.setting, self.change_setting))

    def settings_changed(self) -> None:
        """Answer anew, and have the model asked where it is the generator."""
        self._say("")
        self._trace = None
        self._ask()
        self._ask_model()

    def action_check_model(self) -> None:
        """Ask the hosted model for a word."""
        self._say("The hosted model is asked for a word …", "esc stops it")
        self._show_pane("answer")
        self.check_model()

    def action_reread(self) -> None:
        """Read the folder again."""
        self._say("")
        self.start_build()

    def action_back(self) -> None:
        """Stop what is running, or go back to the question."""
        if self.focused is not None and self.focused.id == "notes-filter":
            self.panes.end_filter()
        elif self._building:
            self.session.builds.stop()
        elif self.panes.answer.has_banner:
            self._model_waits = False
            self.session.hosted.stop()
            self._say("")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave "ask" out of the footer while a line is being typed, and everything before the panes are there."""
        typing = self.focused is not None and self.focused.id in ("question", "notes-filter")
        return not (action == "ask" and typing) and self._panes is not None
