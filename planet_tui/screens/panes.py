"""The panes of the Explore screen: what a trace and its selected chunk look like in each, and which are on show."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input

from engine.records import Chunk, Explanation, Span, Trace
from planet_tui.widgets.answer_view import AnswerView
from planet_tui.widgets.chunk_view import ChunkView
from planet_tui.widgets.lines import LinesView
from planet_tui.widgets.notes_tree import NotesTree
from planet_tui.widgets.prompt_view import PromptView
from planet_tui.widgets.ranked_list import RankedList

if TYPE_CHECKING:
    from textual.widget import Widget

Step = Callable[[], object]


class Panes(Horizontal):
    """Everything below the question line. Side by side where there is room; the style sheet hides what does not fit.

    A trace is put into one pane after the other, each drawn before the next is laid out, so that keys never wait for
    all of them; where the next trace comes before that has ended, the rest of the old one is left out.
    """

    class Chosen(Message):
        """A chunk is on show; why it stands where it stands is wanted."""

        def __init__(self, trace: Trace, chunk: Chunk) -> None:
            """Keep both."""
            self.trace, self.chunk = trace, chunk
            super().__init__()

    class NoteOpened(Message):
        """A note is to be read."""

        def __init__(self, document: str) -> None:
            """Keep its id."""
            self.document = document
            super().__init__()

    def __init__(self, *, id: str) -> None:  # noqa: A002
        """Start empty."""
        super().__init__(id=id)
        self._trace: Trace | None = None
        self._selected: int | None = None
        self._is_chosen = False
        self._steps: list[Step] = []
        self._showing = 0

    def compose(self) -> ComposeResult:
        """Lay out all panes."""
        with Vertical(id="notes-column"):
            yield Input(id="notes-filter", placeholder="filter notes", select_on_focus=False)
            yield NotesTree(id="notes")
        with Vertical(id="middle"):
            with Horizontal(id="lists"):
                yield RankedList("fused", "2 Fused ▲▼ vs BM25", against="bm25", others=("bm25", "lsa"), id="fused")
                yield RankedList("bm25", "3 BM25 ▲▼ vs LSA", against="lsa", others=("lsa", "fused"), id="bm25")
                yield RankedList("lsa", "4 LSA ▲▼ vs BM25", against="bm25", others=("bm25", "fused"), id="lsa")
            with Horizontal(id="lower"):
                yield ChunkView(id="chunk")
                with Vertical(id="right"):
                    yield AnswerView(id="answer")
                    yield PromptView(id="prompt")

    # What they show.

    @property
    def answer(self) -> AnswerView:
        """The pane of the answer."""
        return self.query_one(AnswerView)

    @property
    def notes(self) -> NotesTree:
        """The pane of the notes."""
        return self.query_one(NotesTree)

    @property
    def is_showing(self) -> bool:
        """Whether panes are still to be filled."""
        return bool(self._steps)

    @property
    def selected(self) -> Chunk | None:
        """The chunk that is selected in every pane."""
        return self._trace.chunks[self._selected] if self._trace and self._selected is not None else None

    def passage_in(self, document: str) -> Span | None:
        """Return where the selected chunk stands in a note; `None`: it is not from there."""
        chunk = self.selected
        return Span(chunk.start, chunk.end) if chunk and chunk.document == document else None

    def show(self, trace: Trace | None, note: str, why_empty: Callable[[str], str]) -> None:
        """Show a trace: the lists and what is selected at once, the other panes one after the other.

        The best is selected, until a person chooses another: that stays so while the question does.

        Args:
            trace: the trace; `None`: there is none.
            note: what stands in the place of an answer.
            why_empty: says of a list by its name why it is empty.
        """
        before, self._trace = self._trace, trace
        best = trace.rankings["fused"].ids if trace else ()
        same_question = trace and before and trace.question == before.question
        self._is_chosen = bool(self._is_chosen and same_question)
        keep = self._same_chunk(before, trace) if self._is_chosen and trace and before else None
        self._selected = keep if keep is not None else (best[0] if best else None)
        for ranked in self.query(RankedList):
            ranked.show(trace, why_empty(ranked.ranking))
            ranked.cursor = self._selected
        self._steps.clear()
        self._one_by_one(lambda: self.answer.show(trace, note), self._show_chunk, self._show_prompt, self._show_notes)

    def mark(self, evidence: frozenset[int]) -> None:
        """Take the chunks that are labelled as evidence for the question."""
        for ranked in self.query(RankedList):
            ranked.mark(evidence)
        self.query_one(ChunkView).mark(evidence)

    def explain(self, explanation: Explanation, marks: tuple[Span, ...]) -> None:
        """Add to the chunk why it stands where it stands."""
        self.query_one(ChunkView).show_explanation(explanation, marks)

    def select(self, chunk: int | None) -> None:
        """Select a chunk in every pane, as a person chose it."""
        self._selected, self._is_chosen = chunk, True
        for ranked in self.query(RankedList):
            ranked.cursor = chunk
        self._one_by_one(self._show_chunk, self._show_source, self._reveal)

    def copied(self, focused: Widget | None) -> tuple[str, str] | None:
        """Return what the focused pane holds to be copied: its name and its text."""
        trace, chunk = self._trace, self.selected
        if trace is None:
            return None
        if isinstance(focused, PromptView):
            return "prompt", trace.prompt.text
        if isinstance(focused, (RankedList, ChunkView)) and chunk is not None:
            return "chunk", chunk.text
        return "answer", trace.answer.text

    def _one_by_one(self, *steps: Step) -> None:
        """Take steps in turns of their own, after those that are still to come."""
        self._steps += (step for step in steps if step not in self._steps)
        self._showing += 1
        self.call_after_refresh(self._step, self._showing)

    def _step(self, showing: int) -> None:
        if showing == self._showing and self._steps:
            self._steps.pop(0)()
            self.call_after_refresh(self._step, showing)

    def _show_chunk(self) -> None:
        trace, chunk = self._trace, self.selected
        self.query_one(ChunkView).show(trace, chunk)
        if trace is not None and chunk is not None:
            self.post_message(self.Chosen(trace, chunk))

    def _show_prompt(self) -> None:
        trace = self._trace
        self.query_one(PromptView).show(trace.prompt if trace else None, trace.routed if trace else ())
        self._show_source()

    def _show_source(self) -> None:
        sources = self._trace.prompt.sources if self._trace else ()
        self.query_one(PromptView).cursor = next((s.number for s in sources if s.chunk.id == self._selected), None)

    def _show_notes(self) -> None:
        sources = self._trace.prompt.sources if self._trace else ()
        self.notes.mark_used(frozenset(source.chunk.document for source in sources))
        self._reveal()

    def _reveal(self) -> None:
        if (chunk := self.selected) is not None:
            self.notes.reveal(chunk.document)

    def _same_chunk(self, before: Trace, trace: Trace) -> int | None:
        """Return the id that the selected chunk has now, if it is among the results: notes may have changed."""
        held = before.chunks.get(self._selected) if self._selected is not None else None
        results = trace.rankings["fused"].ids[: trace.settings.results]
        chunks = ((chunk, trace.chunks[chunk]) for chunk in results)
        place = (held.document, held.start) if held else None
        return next((chunk for chunk, found in chunks if (found.document, found.start) == place), None)

    @on(LinesView.Moved)
    def _moved(self, message: LinesView.Moved) -> None:
        chunk = self._chunk_of(message.view, message.item)
        if chunk is not None and not isinstance(message, LinesView.Opened):
            self.select(chunk)

    @on(LinesView.Opened)
    def _opened(self, message: LinesView.Opened) -> None:
        chunk = self._chunk_of(message.view, message.item)
        if chunk is not None and self._trace is not None:
            self.select(chunk)
            self.post_message(self.NoteOpened(self._trace.chunks[chunk].document))
        elif isinstance(message.view, NotesTree) and isinstance(message.item, str):
            self.post_message(self.NoteOpened(message.item))

    def _chunk_of(self, view: LinesView, item: object) -> int | None:
        if isinstance(view, (RankedList, ChunkView)) and isinstance(item, int):
            return item
        if isinstance(view, AnswerView):
            return view.chunk_of(item)
        if isinstance(view, PromptView) and self._trace is not None:
            return next((s.chunk.id for s in self._trace.prompt.sources if s.number == item), None)
        return None

    # Which are on show.

    def go_to(self, pane: str) -> None:
        """Show a pane and give it the focus."""
        view = self.query_one(f"#{pane}", LinesView)
        view.focus()
        view.call_after_refresh(view.show_item, view.cursor)  # it may have moved while the pane was hidden

    def filter_notes(self) -> None:
        """Show the line that filters the notes and go into it."""
        self.add_class("-filter")
        self.query_one("#notes-filter", Input).focus()

    def end_filter(self) -> None:
        """Show all notes again."""
        self.query_one("#notes-filter", Input).value = ""
        self.remove_class("-filter")
        self.notes.focus()

    @on(Input.Changed, "#notes-filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        self.notes.filter(event.value)

    @on(Input.Submitted, "#notes-filter")
    def _filter_submitted(self) -> None:
        self.notes.go_to_first_note()
        self.notes.focus()
