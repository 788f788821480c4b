"""The question line: one line, history with up and down, a pasted text made one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input

from planet_tui.plain import one_line

LONGEST = 20_000
"""Characters of a question that are kept."""


class QuestionBar(Input):
    """Where the question is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "history(-1)", "Earlier question", show=False),
        Binding("down", "history(1)", "Later question", show=False),
        Binding("enter", "submit", "Ask"),
        Binding("escape", "leave", "Results"),
    ]

    virtual_size: reactive[Size] = reactive(Size(0, 0))
    """How long the question is. It never changes the size of the line: the screen need not be laid out again."""

    class Edited(Message):
        """The question changed under the cursor."""

        def __init__(self, question: str, *, at_end: bool = False) -> None:
            """Keep the question so far, and whether it is being typed at its end."""
            self.question, self.at_end = question, at_end
            super().__init__()

    class Asked(Edited):
        """Enter was pressed."""

    class Left(Message):
        """Escape was pressed."""

    def __init__(self, step: Callable[[int], str | None], *, id: str) -> None:  # noqa: A002
        """Take the function that steps through the history."""
        super().__init__(
            id=id,
            placeholder="Ask your notes a question",
            select_on_focus=False,
            max_length=LONGEST,
        )
        self._step = step

    def action_history(self, by: int) -> None:
        """Put an earlier or later question into the line."""
        question = self._step(by)
        if question is not None:
            self.value = question
            self.cursor_position = len(question)

    def action_leave(self) -> None:
        """Give the focus away."""
        self.post_message(self.Left())

    def on_input_changed(self, event: Input.Changed) -> None:
        """Tell in our own words."""
        event.stop()
        at_end = self.has_focus and self.cursor_position >= len(event.value)
        self.post_message(self.Edited(event.value, at_end=at_end))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Tell in our own words."""
        event.stop()
        self.post_message(self.Asked(event.value))

    def _on_paste(self, event: events.Paste) -> None:
        """Make a pasted text one line without control characters; nothing of it is lost."""
        event.prevent_default()
        event.stop()
        text = one_line(" ".join(event.text.split()))
        self.insert_text_at_cursor(text[: max(0, LONGEST - len(self.value))])
