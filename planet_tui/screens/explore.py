"""The main screen: question, three ranked lists, the selected chunk, the prompt, the answer."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Footer, Input

from engine.records import Progress, Span, Trace
from planet_tui import paths
from planet_tui.messages import (
    AnswerFailed,
    BuildEnded,
    ChunkExplained,
    DocumentRead,
    LibraryProgressed,
    LibraryReady,
    TraceReady,
)
from planet_tui.screens.asking import AskingScreen
from planet_tui.screens.notices import NoticesScreen
from planet_tui.screens.reader import ReaderScreen
from planet_tui.session import History, Session
from planet_tui.widgets.answer_view import AnswerView
from planet_tui.widgets.chunk_view import ChunkView
from planet_tui.widgets.lines import LinesView
from planet_tui.widgets.notes_tree import NotesTree
from planet_tui.widgets.pane_tabs import PaneTabs
from planet_tui.widgets.prompt_view import PromptView
from planet_tui.widgets.question_bar import QuestionBar
from planet_tui.widgets.ranked_list import RankedList
from planet_tui.widgets.status_line import StatusLine

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

DEBOUNCE = 0.06
"""Seconds of quiet after a keystroke before the lists follow."""


class ExploreScreen(AskingScreen):
    """Ask, and see every stage."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "ask", "Ask", key_display="/", id="explore.ask"),
        Binding("n", "notes", "Notes", id="explore.notes"),
        Binding("f", "filter", "Filter notes", show=False, id="explore.filter"),
        Binding("y", "copy", "Copy", id="explore.copy"),
        Binding("z", "zoom", "Zoom", id="explore.zoom"),
        Binding("w", "notices", "Notices", show=False, id="explore.notices"),
        Binding("ctrl+g", "generator", "Generator", key_display="^g", id="explore.generator"),
        Binding("ctrl+r", "reread", "Read again", show=False, id="explore.reread"),
        Binding("escape", "back", "Stop", show=False, id="explore.back"),
        Binding("question_mark,f1", "app.help", "Help", key_display="?", id="explore.help"),
        Binding("q", "app.quit", "Quit", id="explore.quit"),
        *(
            Binding(str(number), f"pane('{pane}')", name, show=False, id=f"explore.{pane}")
            for number, (pane, name) in enumerate(PANES, 1)
        ),
    ]

    def __init__(
        self, session: Session, history: History, save_generator: Callable[[str], None], question: str = ""
    ) -> None:
        """Take the session, the history, what keeps the choice of generator, and a first question."""
        super().__init__(session)
        self._history = history
        self._save_generator = save_generator
        self._first_question = question
        self._question = ""
        self._trace: Trace | None = None
        self._selected: int | None = None
        self._typing: Timer | None = None
        self._progress: Progress | None = None
        self._stage_began = ("", 0.0)
        self._building = False
        self._alert = ""

    # Layout.

    def compose(self) -> ComposeResult:
        """Lay out all panes; the style sheet hides what does not fit."""
        yield StatusLine(id="status")
        yield QuestionBar(self._history.step, id="question")
        yield PaneTabs(PANES, id="tabs")
        with Horizontal(id="body"):
            with Vertical(id="notes-column"):
                yield Input(id="notes-filter", placeholder="filter notes", select_on_focus=False)
                yield NotesTree(id="notes")
            with Vertical(id="middle"):
                with Horizontal(id="lists"):
                    yield RankedList("bm25", "BM25 ▲▼ vs LSA", against="lsa", others=("lsa", "fused"), id="bm25")
                    yield RankedList("lsa", "LSA ▲▼ vs BM25", against="bm25", others=("bm25", "fused"), id="lsa")
                    yield RankedList("fused", "Fused ▲▼ vs BM25", against="bm25", others=("bm25", "lsa"), id="fused")
                yield ChunkView(id="chunk")
            with Vertical(id="right"):
                yield AnswerView(id="answer")
                yield PromptView(id="prompt")
        yield Footer(show_command_palette=False)

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
            if message.progress.stage != self._stage_began[0]:
                self._stage_began = (message.progress.stage, monotonic())
            self._show_status()

    @on(LibraryReady)
    def _library_ready(self, message: LibraryReady) -> None:
        if not self.session.builds.is_current(message.request):
            return
        library = self.session.library = message.library
        if library.stage == "documents":
            empty = "" if library.documents else "No notes here."
            self.query_one(NotesTree).show(library.documents, empty)
        self._show_status()
        if self._question.strip() and library.stage != "documents":
            self._ask()
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
            self._alert = "cannot read the folder"
            self.query_one(AnswerView).show_banner(message.message, message.hint, bad=True)
            self.query_one(NotesTree).show({}, "Nothing was read.")
        self._show_status()
        if self._trace is None:
            self._show_trace(None)

    # The question.

    @on(QuestionBar.Edited)
    def _question_edited(self, message: QuestionBar.Edited) -> None:
        if message.question == self._question:
            return
        self._question = message.question
        self.session.hosted.stop()
        self.query_one(AnswerView).show_banner("")
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(DEBOUNCE, self._ask)

    @on(QuestionBar.Asked)
    def _question_asked(self, message: QuestionBar.Asked) -> None:
        self._question = message.question
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
        self.ask_quoting(self._question)
        if library is None or library.stage == "documents" or not self._question.strip():
            self._show_trace(None)

    def _ask_model(self) -> None:
        """Ask the hosted model too, when it is the chosen generator."""
        if self.session.settings.generator == "hosted" and self.ask_model(self._question):
            self.query_one(AnswerView).show_banner("The hosted model is answering …", "esc stops it")

    @on(TraceReady)
    def _trace_ready(self, message: TraceReady) -> None:
        requests = self.session.hosted if message.hosted else self.session.questions
        if not requests.is_current(message.request) or message.trace.question != self._question:
            return
        if message.hosted:
            self.query_one(AnswerView).show_banner("")
        elif self._trace and self._trace.answer.generator != "extractive" and self._trace.question == self._question:
            return  # LSA became ready after the hosted model answered: keep its answer
        self._show_trace(message.trace)

    @on(AnswerFailed)
    def _answer_failed(self, message: AnswerFailed) -> None:
        requests = self.session.hosted if message.hosted else self.session.questions
        if requests.is_current(message.request):
            said = f"{message.message}" + (" The quoted answer stays." if message.hosted else "")
            self.query_one(AnswerView).show_banner(said, message.hint, bad=True)

    def _show_trace(self, trace: Trace | None) -> None:
        self._trace = trace
        note = self._why_nothing(trace)
        for ranked in self.query(RankedList):
            ranked.show(trace, self._why_empty(ranked.ranking, trace) or note)
        self.query_one(AnswerView).show(trace, note)
        self.query_one(PromptView).show(trace.prompt if trace else None)
        used = frozenset(source.chunk.document for source in trace.prompt.sources) if trace else frozenset()
        self.query_one(NotesTree).mark_used(used)
        best = trace.rankings["fused"].ids if trace else ()
        keep = self._selected if trace and self._selected in best[: trace.settings.results] else None
        self._select(keep if keep is not None else (best[0] if best else None))

    def _why_nothing(self, trace: Trace | None) -> str:
        """Say why there is no answer yet."""
        library = self.session.library
        if trace is not None:
            return "Nothing matches."
        if self._alert and library is None:
            return "Nothing to search."
        if library is not None and not library.documents:
            return (
                f"No notes in {paths.shown(self.session.folder)}. "
                "planet-tui reads .md, .markdown, .mdx, .txt and .rst files; hidden folders and what .gitignore excludes are left out."
            )
        if self._question.strip():
            return "The answer comes as soon as the words are counted."
        return "Type a question. The lists follow while you type; enter takes you to the answer."

    def _why_empty(self, ranking: str, trace: Trace | None) -> str:
        if trace is None or trace.rankings[ranking].hits:
            return ""
        if ranking == "lsa" and not trace.complete:
            return "LSA is being fitted; it joins when it is ready." if self._building else "LSA is not ready."
        if not trace.terms:
            return "Only stopwords: nothing to search for."
        return "LSA does not know these words." if ranking == "lsa" else "No note holds these words."

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
            self.explain(trace, shown)

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
            self.app.push_screen(ReaderScreen(self.session.folder, message.document, message.terms, message.passage))

    # Actions.

    def action_ask(self) -> None:
        """Go to the question."""
        self.minimize()
        self.query_one(QuestionBar).focus()

    @on(QuestionBar.Left)
    def _leave_question(self) -> None:
        if self._building and not self._question:
            self.action_back()
        pane = self._shown_pane() if self.has_class("-narrow") else "fused"
        self.query_one(f"#{pane}").focus()

    def action_pane(self, pane: str) -> None:
        """Show and focus a pane."""
        self.minimize()
        if pane == "notes":
            self.add_class("-notes")
        self._show_pane(pane)
        self.query_one(f"#{pane}").focus()

    @on(PaneTabs.Switched)
    def _tab_clicked(self, message: PaneTabs.Switched) -> None:
        self.action_pane(message.pane)

    def action_notes(self) -> None:
        """Show or hide the notes, where they share the window with other panes."""
        if self.has_class("-narrow"):
            self.action_pane("answer" if self._shown_pane() == "notes" else "notes")
            return
        self.toggle_class("-notes" if self.has_class("-medium") else "-no-notes")
        tree = self.query_one(NotesTree)
        if tree.has_focus and not self.query_one("#notes-column").display:
            self.query_one(AnswerView).focus()

    def action_filter(self) -> None:
        """Filter the notes by words."""
        self.action_pane("notes")
        self.remove_class("-no-notes")
        self.add_class("-filter")
        self.query_one("#notes-filter", Input).focus()

    @on(Input.Changed, "#notes-filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        self.query_one(NotesTree).filter(event.value)

    @on(Input.Submitted, "#notes-filter")
    def _filter_submitted(self) -> None:
        self.query_one(NotesTree).focus()

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

    def action_zoom(self) -> None:
        """Give the focused pane the whole window, or give it back."""
        if self.maximized is not None:
            self.minimize()
        elif self.focused is not None and self.focused.has_class("pane"):
            self.maximize(self.focused)

    def action_notices(self) -> None:
        """List the files that were skipped or read with a reservation."""
        library = self.session.library
        self.app.push_screen(NoticesScreen(library.notices if library else ()))

    def action_generator(self) -> None:
        """Switch between quoting and the hosted model."""
        chosen = "extractive" if self.session.settings.generator == "hosted" else "hosted"
        self.session.settings = self.session.settings.replace(generator=chosen)
        self._save_generator(chosen)
        self._show_status()
        self.query_one(AnswerView).show_banner("")
        if chosen == "hosted":
            self._ask_model()
        else:
            self.session.hosted.stop()
            self._trace = None
            self._ask()

    def action_reread(self) -> None:
        """Read the folder again."""
        self.query_one(AnswerView).show_banner("")
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
            self.session.hosted.stop()
            answer.show_banner("")
        else:
            self.action_ask()

    # Helpers.

    def _shown_pane(self) -> str:
        return next((pane for pane, _ in PANES if self.has_class(f"-pane-{pane}")), "answer")

    def _show_pane(self, pane: str) -> None:
        for other, _ in PANES:
            self.set_class(other == pane, f"-pane-{other}")
        self.query_one(PaneTabs).shown = pane

    def _show_status(self) -> None:
        library, settings = self.session.library, self.session.settings
        facts: list[str] = []
        if library is not None:
            facts.append(f"{len(library.documents):,} notes")
            if library.stage != "documents":
                ready = library.stage == "lsa"
                facts += [settings.generator, f"{len(library.chunks):,} chunks", "BM25 ✓"]
                facts.append(f"LSA {'✓' if ready else '…'}")
            if library.notices:
                facts.insert(1, f"{len(library.notices):,} notices (w)")
        self.query_one(StatusLine).show(
            folder=paths.shown(self.session.folder),
            facts=tuple(facts),
            progress=self._progress,
            seconds_left=self._seconds_left(),
            alert=self._alert,
        )

    def _seconds_left(self) -> float | None:
        """Estimate the rest of the stage from its pace so far."""
        progress = self._progress
        spent = monotonic() - self._stage_began[1]
        if progress is None or not progress.done or not progress.total or spent < 1:
            return None
        return spent / progress.done * (progress.total - progress.done)
