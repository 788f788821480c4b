"""The main screen: question, three ranked lists, the selected chunk, the prompt, the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Input

from engine.records import Progress, Span, Trace
from engine.settings import describe
from planet_tui import jobs, paths
from planet_tui.messages import (
    AnswerFailed,
    AnswerGrew,
    BuildEnded,
    ChunkExplained,
    DocumentRead,
    LibraryProgressed,
    LibraryReady,
    ModelChecked,
    ModelWaits,
    TraceReady,
)
from planet_tui.screens.asking import AskingScreen
from planet_tui.screens.evaluate import EvaluateScreen
from planet_tui.screens.notices import NoticesScreen
from planet_tui.screens.panes import PanedScreen
from planet_tui.screens.reader import ReaderScreen
from planet_tui.screens.wording import facts, why_empty, why_nothing
from planet_tui.session import History, Session
from planet_tui.widgets.answer_view import AnswerView
from planet_tui.widgets.chunk_view import ChunkView
from planet_tui.widgets.lines import LinesView
from planet_tui.widgets.notes_tree import NotesTree
from planet_tui.widgets.prompt_view import PromptView
from planet_tui.widgets.question_bar import QuestionBar
from planet_tui.widgets.ranked_list import RankedList
from planet_tui.widgets.status_line import StatusLine

if TYPE_CHECKING:
    from engine.library import Library

DEBOUNCE = 0.01
"""Seconds of quiet after a keystroke before the lists follow; less than between two keys that are typed."""


class ExploreScreen(PanedScreen, AskingScreen):
    """Ask, and see every stage."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "ask", "Ask", key_display="/", id="explore.ask"),
        Binding("f", "filter", "Filter notes", show=False, id="explore.filter"),
        Binding("y", "copy", "Copy", id="explore.copy"),
        Binding("f4", "evaluate", "Evaluate", key_display="F4", id="explore.evaluate"),
        Binding("ctrl+g", "generator", "Generator", key_display="^g", id="explore.generator"),
        Binding("f1,question_mark", "app.help", "Help", key_display="F1", id="explore.help"),
        Binding("q", "app.quit", "Quit", id="explore.quit"),
        Binding("n", "notes", "Notes", id="explore.notes"),
        Binding("z", "zoom", "Zoom", id="explore.zoom"),
        Binding("w", "notices", "Notices", show=False, id="explore.notices"),
        Binding("ctrl+r", "reread", "Read again", show=False, id="explore.reread"),
        Binding("escape", "back", "Stop", show=False, id="explore.back"),
    ]

    def __init__(
        self, session: Session, history: History, save_setting: Callable[[str, str | float], None], question: str = ""
    ) -> None:
        """Take the session, the history, what keeps a setting by name, and a first question."""
        super().__init__(session)
        self._history = history
        self._save_setting = save_setting
        self._first_question = question
        self._question = ""
        self._trace: Trace | None = None
        self._asked: Library | None = None
        self._model_waits = False
        self._selected: int | None = None
        self._typing: Timer | None = None
        self._goes_on = False
        self._progress: Progress | None = None
        self._building = False
        self._alert = ""
        self._wait = ""

    def on_mount(self) -> None:
        """Show the frame first, then read the folder."""
        self._show_pane("answer")
        self._show_trace(None)
        question = self.query_one(QuestionBar)
        question.focus()
        question.value = self._first_question
        self._show_status()
        self.call_after_refresh(self.start_build)

    # The library.

    def start_build(self) -> None:
        """Read the folder from the beginning."""
        self._building, self._alert = True, ""
        self._progress = Progress("reading", 0, 0)
        self.build()
        self._show_status()

    @on(LibraryProgressed)
    def _library_progressed(self, message: LibraryProgressed) -> None:
        if self.session.builds.is_current(message.request) and self._building:
            self._progress = message.progress
            self._show_status()

    @on(LibraryReady)
    def _library_ready(self, message: LibraryReady) -> None:
        if not self.session.builds.is_current(message.request):
            return
        library, before = message.library, self.session.library
        if before is None or (library.stage != "documents" and library.pending <= before.pending):
            self.session.library = library  # an index that works stays until the new one knows as much
        if before is None or before.documents is not library.documents:
            self.query_one(NotesTree).show(library.documents.titles, "" if library.documents else "No notes here.")
        self._alert = ""
        self._show_status()
        if self._question.strip() and library.stage != "documents":
            self._ask()
            if self._model_waits:
                self._ask_model()
        elif self._trace is None:
            self._show_trace(None)

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
                self._say(message.message, message.hint, bad=True)
            if self.session.library is None:
                self.query_one(NotesTree).show({}, "Nothing was read.")
            self.follow(failed=not encoding)  # what there is stays true, and the folder may come back
        else:
            self.follow()
        self._show_status()
        if self._trace is None:
            self._show_trace(None)

    # The question.

    @on(QuestionBar.Edited)
    def _question_edited(self, message: QuestionBar.Edited) -> None:
        if message.question == self._question:
            return
        self._question, self._goes_on = message.question, message.at_end
        self._model_waits = False
        self.session.hosted.stop()
        self._say("")
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(DEBOUNCE, self._ask)

    @on(QuestionBar.Asked)
    def _question_asked(self, message: QuestionBar.Asked) -> None:
        self._question, self._goes_on = message.question, False
        if not message.question.strip():
            self._show_trace(None)
            return
        self._history.add(message.question)
        self._ask()
        self._ask_model()
        self._show_pane("answer")
        self.query_one(AnswerView).focus()

    def _ask(self) -> None:
        """Answer the question as it stands; what is not ready yet says so."""
        if self._typing is not None:
            self._typing.stop()
        library = self.session.library
        self.ask_quoting(self._question, typing=self._goes_on)
        if library is None or library.stage == "documents" or not self._question.strip():
            self._show_trace(None)

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
            self.query_one(AnswerView).show_growing(message.text)

    @on(ModelWaits)
    def _model_waits_on(self, message: ModelWaits) -> None:
        if self.session.hosted.is_wanted(message.request):
            self._wait = message.wait
            self._show_status()

    def _say(self, message: str, hint: str = "", *, bad: bool = False) -> None:
        """Say something above the answer in place of what was said, and of what the model wrote so far."""
        self.query_one(AnswerView).show_banner(message, hint, bad=bad)
        if self._wait:
            self._wait = ""
            self._show_status()

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
        before, self._trace = self._trace, trace
        note = why_nothing(self.session, self._question, trace, failed=bool(self._alert))
        for ranked in self.query(RankedList):
            ranked.show(trace, why_empty(ranked.ranking, trace, building=self._building))
        self.query_one(AnswerView).show(trace, note)
        self.query_one(PromptView).show(trace.prompt if trace else None, trace.routed if trace else ())
        used = frozenset(source.chunk.document for source in trace.prompt.sources) if trace else frozenset()
        self.query_one(NotesTree).mark_used(used)
        best = trace.rankings["fused"].ids if trace else ()
        keep = self._same_chunk(before, trace) if trace and before else None
        self._select(keep if keep is not None else (best[0] if best else None))

    def _same_chunk(self, before: Trace, trace: Trace) -> int | None:
        """Return the id that the selected chunk has now, if it is among the results: notes may have changed."""
        held = before.chunks.get(self._selected) if self._selected is not None else None
        results = trace.rankings["fused"].ids[: trace.settings.results]
        chunks = ((chunk, trace.chunks[chunk]) for chunk in results)
        place = (held.document, held.start) if held else None
        return next((chunk for chunk, found in chunks if (found.document, found.start) == place), None)

    # The selected chunk.

    @on(LinesView.Moved)
    def _moved(self, message: LinesView.Moved) -> None:
        chunk = self._chunk_of(message.view, message.item)
        if chunk is not None and not isinstance(message, LinesView.Opened):
            self._select(chunk)

    @on(LinesView.Opened)
    def _opened(self, message: LinesView.Opened) -> None:
        chunk = self._chunk_of(message.view, message.item)
        if chunk is not None and self._trace is not None:
            self._select(chunk)
            self.read_note(self._trace.chunks[chunk].document)
        elif isinstance(message.view, NotesTree) and isinstance(message.item, str):
            self.read_note(message.item)

    def _chunk_of(self, view: LinesView, item: object) -> int | None:
        if isinstance(view, RankedList) and isinstance(item, int):
            return item
        if isinstance(view, AnswerView):
            return view.chunk_of(item)
        if isinstance(view, PromptView) and self._trace is not None:
            return next((s.chunk.id for s in self._trace.prompt.sources if s.number == item), None)
        return None

    def _select(self, chunk: int | None) -> None:
        """Select a chunk in every pane and ask why it stands where it stands."""
        self._selected = chunk
        trace = self._trace
        for ranked in self.query(RankedList):
            ranked.cursor = chunk
        sources = trace.prompt.sources if trace else ()
        self.query_one(PromptView).cursor = next((s.number for s in sources if s.chunk.id == chunk), None)
        shown = trace.chunks[chunk] if trace and chunk is not None else None
        self.query_one(ChunkView).show(trace, shown)
        if trace is not None and shown is not None:
            self.query_one(NotesTree).reveal(shown.document)
            if self._asked is not None:
                self.explain(trace, shown, self._asked)

    @on(ChunkExplained)
    def _chunk_explained(self, message: ChunkExplained) -> None:
        if self.session.explanations.is_current(message.request):
            self.query_one(ChunkView).show_explanation(message.explanation, message.marks)

    def read_note(self, document: str) -> None:
        """Open a note, at the selected passage when it is one of its own."""
        trace = self._trace
        selected = trace.chunks[self._selected] if trace and self._selected is not None else None
        passage = Span(selected.start, selected.end) if selected and selected.document == document else None
        self.read(document, trace.terms if trace else (), passage)

    @on(DocumentRead)
    def _document_read(self, message: DocumentRead) -> None:
        if self.session.readings.is_current(message.request):
            words = self._trace.terms if self._trace else ()
            note = message.document, message.terms, message.passage
            self.app.push_screen(ReaderScreen(self.session.roots, *note, self.session.library, words))

    # Actions.

    def action_ask(self) -> None:
        """Go to the question; typing takes the place of the old one."""
        self.minimize()
        question = self.query_one(QuestionBar)
        question.focus()
        question.action_select_all()

    @on(QuestionBar.Left)
    def _leave_question(self) -> None:
        if self._building and not self._question:
            self.action_back()
        pane = self._shown_pane() if self.has_class("-narrow") else "fused"
        self.query_one(f"#{pane}").focus()

    def action_copy(self) -> None:
        """Copy what the focused pane shows."""
        trace, focused = self._trace, self.focused
        chunk = self.query_one(ChunkView).chunk
        if trace is None:
            return
        if isinstance(focused, PromptView):
            what, text = "prompt", trace.prompt.text
        elif isinstance(focused, (RankedList, ChunkView)) and chunk is not None:
            what, text = "chunk", chunk.text
        else:
            what, text = "answer", trace.answer.text
        self.app.copy_to_clipboard(text)
        self.notify(f"The {what} is in the clipboard.", markup=False)

    def action_notices(self) -> None:
        """List the files that were skipped or read with a reservation."""
        library = self.session.library
        self.app.push_screen(NoticesScreen(library.notices if library else ()))

    def action_evaluate(self) -> None:
        """Measure the labelled questions; one chosen there is asked here."""
        self.app.push_screen(EvaluateScreen(self.session, self._choose_threshold), self._ask_chosen)

    def _choose_threshold(self, threshold: float) -> None:
        self._set("threshold", threshold)
        self._trace = None
        self._ask()

    def _ask_chosen(self, question: str | None) -> None:
        if question:
            with self.prevent(Input.Changed):
                self.query_one(QuestionBar).value = question
            self._question_asked(QuestionBar.Asked(question))

    def action_generator(self) -> None:
        """Switch between quoting and the hosted model."""
        chosen = "extractive" if self.session.settings.generator == "hosted" else "hosted"
        self._say("")
        if chosen == "hosted" and (problem := jobs.hosted_problem(self.session.settings)):
            self._say(*problem, bad=True)
            return
        self._set("generator", chosen)
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
        self._set(name, chosen)
        self.notify(f"{name} = {chosen}", title="Setting", markup=False)
        self._say("")
        self._trace = None
        self._ask()
        self._ask_model()

    def _set(self, name: str, value: str | float) -> None:
        self.session.settings = self.session.settings.replace(**{name: value})
        self._save_setting(name, value)
        self._show_status()

    def action_check_model(self) -> None:
        """Ask the hosted model for a word."""
        self._say("The hosted model is asked for a word …", "esc stops it")
        self._show_pane("answer")
        self.check_model()

    @on(ModelChecked)
    def _model_checked(self, message: ModelChecked) -> None:
        if self.session.hosted.is_wanted(message.request):
            self._say(f"The hosted model answered: {message.reply}", "It is ready to be asked: ctrl+g chooses it")

    def action_reread(self) -> None:
        """Read the folder again."""
        self._say("")
        self.start_build()

    def action_back(self) -> None:
        """Stop what is running, or go back to the question."""
        answer = self.query_one(AnswerView)
        if isinstance(self.focused, Input) and self.focused.id == "notes-filter":
            self.focused.value = ""
            self.remove_class("-filter")
            self.query_one(NotesTree).focus()
        elif self._building:
            self.session.builds.stop()
        elif answer.has_banner:
            self._model_waits = False
            self.session.hosted.stop()
            self._say("")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave "ask" out of the footer while a line is being typed."""
        return not (action == "ask" and isinstance(self.focused, Input))

    def step_history(self, by: int) -> str | None:
        """Return an earlier or later question."""
        return self._history.step(by)

    def _show_status(self) -> None:
        self.query_one(StatusLine).show(
            folder=paths.shown_all(self.session.roots.folders),
            facts=facts(self.session),
            progress=self._progress,
            alert=self._alert or self._wait,
        )
