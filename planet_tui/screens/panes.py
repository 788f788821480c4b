"""The layout of the Explore screen: every pane at once where there is room, one under tabs where there is not."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Input

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


class PanedScreen(Screen[None]):
    """Holds the panes, shows and hides them; knows nothing of what they show."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "filter", "Filter notes", show=False, id="explore.filter"),
        *(
            Binding(str(number), f"pane('{pane}')", name, show=False, id=f"explore.{pane}")
            for number, (pane, name) in enumerate(PANES, 1)
        ),
    ]

    def compose(self) -> ComposeResult:
        """Lay out all panes; the style sheet hides what does not fit."""
        yield StatusLine(id="status")
        yield QuestionBar(self.step_history, id="question")
        yield PaneTabs(PANES, id="tabs")
        with Horizontal(id="body"):
            with Vertical(id="notes-column"):
                yield Input(id="notes-filter", placeholder="filter notes", select_on_focus=False)
                yield NotesTree(id="notes")
            with Vertical(id="middle"):
                with Horizontal(id="lists"):
                    yield RankedList("bm25", "3 BM25 ▲▼ vs LSA", against="lsa", others=("lsa", "fused"), id="bm25")
                    yield RankedList("lsa", "4 LSA ▲▼ vs BM25", against="bm25", others=("bm25", "fused"), id="lsa")
                    yield RankedList("fused", "2 Fused ▲▼ vs BM25", against="bm25", others=("bm25", "lsa"), id="fused")
                with Horizontal(id="lower"):
                    yield ChunkView(id="chunk")
                    with Vertical(id="right"):
                        yield AnswerView(id="answer")
                        yield PromptView(id="prompt")
        yield Footer()

    def step_history(self, by: int) -> str | None:
        """Return an earlier (-1) or later (+1) question; `None`: there is none."""
        raise NotImplementedError

    def action_pane(self, pane: str) -> None:
        """Show and focus a pane."""
        self.minimize()
        if pane == "notes":
            self.add_class("-notes")
        self._show_pane(pane)
        view = self.query_one(f"#{pane}", LinesView)
        view.focus()
        view.call_after_refresh(view.show_item, view.cursor)  # it may have moved while the pane was hidden

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
        tree = self.query_one(NotesTree)
        tree.go_to_first_note()
        tree.focus()

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
