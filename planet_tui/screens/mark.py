"""Asks which sentence of a passage is the evidence for a question, and for a short right answer."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from planet_tui.plain import one_line

WHOLE = "the whole passage"


class Mark(NamedTuple):
    """What a person marked."""

    text: str
    """The evidence, as it stands in the note."""
    answer: str
    """A short right answer; empty: none was given."""


class MarkScreen(ModalScreen[Mark]):
    """Sentences to choose from, and a line for the answer; its result is the mark."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", show=False, id="mark.close"),
        Binding("j", "move(1)", "Down", show=False, id="mark.down"),
        Binding("k", "move(-1)", "Up", show=False, id="mark.up"),
    ]
    DEFAULT_CSS = """
    MarkScreen { align: center middle; }
    MarkScreen Vertical { width: 90; max-width: 100%; height: auto; max-height: 90%; border: round $primary;
                          padding: 0 1; background: $surface; }
    MarkScreen OptionList { height: auto; max-height: 14; border: none; background: $surface; }
    MarkScreen OptionList:focus { border: none; }
    MarkScreen Input { height: 1; border: none; background: $boost; padding: 0 1; }
    MarkScreen Static { color: $text-muted; }
    """

    def __init__(self, question: str, sentences: tuple[str, ...], passage: str, likely: int) -> None:
        """Take the question, the sentences of the passage, the passage itself, and which sentence is the likeliest."""
        super().__init__()
        self._question, self._likely = question, likely
        self._texts = (*sentences, passage) if len(sentences) > 1 else (passage,)

    def compose(self) -> ComposeResult:
        """Show the sentences and the line."""
        names = [one_line(text) for text in self._texts]
        if len(names) > 1:
            names[-1] = WHOLE
        with Vertical() as box:
            box.border_title = Content(f"Evidence for: {one_line(self._question)}")
            yield OptionList(*(Option(Content(name)) for name in names))
            yield Static("A short right answer, if you like:")
            yield Input(placeholder="224.7 days", select_on_focus=False)
            yield Static("enter marks the sentence chosen · tab to the answer · esc: not now")

    def on_mount(self) -> None:
        """Stand on the likeliest sentence."""
        sentences = self.query_one(OptionList)
        sentences.highlighted = self._likely
        sentences.focus()

    def action_move(self, step: int) -> None:
        """Go down or up the sentences."""
        sentences = self.query_one(OptionList)
        if step > 0:
            sentences.action_cursor_down()
        else:
            sentences.action_cursor_up()

    @on(OptionList.OptionSelected)
    @on(Input.Submitted)
    def _chosen(self) -> None:
        at = self.query_one(OptionList).highlighted
        self.dismiss(Mark(self._texts[at or 0], self.query_one(Input).value.strip()))
