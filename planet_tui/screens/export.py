"""Asks for the file that a report is written into."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

FIRST = "evaluation.md"
KINDS = "The ending says what is written: .md .csv .json for tables, .svg .png .pdf for the picture. esc: not now."


class ExportScreen(ModalScreen[str]):
    """A line for a path; its result is the path."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Close", show=False, id="export.close")]
    DEFAULT_CSS = """
    ExportScreen { align: center middle; }
    ExportScreen Vertical { width: 72; max-width: 100%; height: auto; border: round $primary; padding: 0 1;
                            background: $surface; }
    ExportScreen Input { height: 1; border: none; background: $boost; padding: 0 1; }
    ExportScreen Static { color: $text-muted; }
    """

    def compose(self) -> ComposeResult:
        """Show the line and what may be written."""
        with Vertical() as box:
            box.border_title = "Write the report to"
            yield Input(FIRST, select_on_focus=False)
            yield Static(KINDS)

    @on(Input.Submitted)
    def _chosen(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())
