"""What a person should know about the files: skipped, or read with a reservation."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from engine.records import Notice
from planet_tui.plain import one_line
from planet_tui.widgets.flow import Flow, FlowView

SHOWN = 1000
"""More than these are counted, not listed."""


class NoticesView(FlowView):
    """One paragraph a notice."""

    def __init__(self, notices: tuple[Notice, ...]) -> None:
        """Take the notices."""
        super().__init__(id="notices")
        self._notices = notices

    def compose_flow(self, flow: Flow) -> None:
        """List path and problem."""
        if not self._notices:
            flow.paragraph("Every file was read without a reservation.", self.style("dim"))
        for notice in self._notices[:SHOWN]:
            flow.pieces((one_line(notice.path) or "the folder", self.style("accent")), (f"  {notice.problem}", None))
        if len(self._notices) > SHOWN:
            flow.paragraph(f"… and {len(self._notices) - SHOWN:,} more", self.style("dim"))


class NoticesScreen(ModalScreen[None]):
    """The list over the screen below."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,w", "dismiss", "Close", show=False, id="notices.close")]
    DEFAULT_CSS = """
    NoticesScreen { align: center middle; }
    NoticesScreen NoticesView { width: 90; max-width: 100%; height: 80%; border: round $primary; padding: 0 2;
                                background: $surface; }
    """

    def __init__(self, notices: tuple[Notice, ...]) -> None:
        """Take the notices."""
        super().__init__()
        self._notices = notices

    def compose(self) -> ComposeResult:
        """Show the list."""
        view = NoticesView(self._notices)
        view.border_title = "Notices"
        view.border_subtitle = "esc closes"
        yield view
