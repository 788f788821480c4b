"""Panes that are composed top to bottom: paragraphs, hanging indents and ready lines, wrapped to the width."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from planet_tui.plain import plain
from planet_tui.widgets.lines import LinesView
from planet_tui.widgets.wrapping import Mark, styled, wrap


class FlowLine(NamedTuple):
    """A line that is drawn already, and the item it belongs to."""

    text: Text
    item: Hashable | None


class Flow:
    """Collects the lines of a pane for one width."""

    def __init__(self, width: int) -> None:
        """Start empty, for `width` cells."""
        self.width = width
        self.lines: list[FlowLine] = []

    def paragraph(
        self,
        text: str,
        style: Style | None = None,
        *,
        marks: Iterable[Mark] = (),
        lead: tuple[str, Style | None] = ("", None),
        item: Hashable | None = None,
    ) -> None:
        """Wrap a text from outside or of ours; `lead` stands before its first line and indents the others."""
        text = plain(text)
        marks = tuple(marks)
        sign, sign_style = lead
        indent = len(sign)
        for index, (start, end) in enumerate(wrap(text, self.width - indent)):
            line = Text(no_wrap=True, end="")
            line.append(sign if index == 0 else " " * indent, sign_style)
            self.lines.append(FlowLine(line.append_text(styled(text, start, end, marks, style)), item))

    def pieces(self, *pieces: tuple[str, Style | None], item: Hashable | None = None) -> None:
        """Add one wrapped paragraph of differently styled pieces."""
        text, marks = "", []
        for piece, style in pieces:
            if style is not None:
                marks.append(Mark(len(text), len(text) + len(piece), style))
            text += piece
        self.paragraph(text, marks=marks, item=item)

    def line(self, *pieces: tuple[str, Style | None], item: Hashable | None = None) -> None:
        """Add one line as it is; what does not fit is cut at the edge."""
        text = Text(no_wrap=True, end="")
        for piece, style in pieces:
            text.append(plain(piece), style)
        self.lines.append(FlowLine(text, item))

    def blank(self) -> None:
        """Add an empty line, unless there is one or nothing above."""
        if self.lines and self.lines[-1].text.plain.strip():
            self.lines.append(FlowLine(Text(""), None))

    def heading(self, text: str, style: Style) -> None:
        """Add a heading with an empty line above."""
        self.blank()
        self.paragraph(text, style)


class FlowView(LinesView):
    """A pane whose lines a subclass composes with a `Flow`."""

    def compose_flow(self, flow: Flow) -> None:
        """Add every line to `flow`."""
        raise NotImplementedError

    def lay_out(self, width: int) -> Sequence[FlowLine]:
        """Compose for a width."""
        flow = Flow(width)
        self.compose_flow(flow)
        return flow.lines

    def draw(self, line: FlowLine, width: int) -> Text:
        """Return the line as composed."""
        return line.text

    def item_of(self, line: FlowLine) -> Hashable | None:
        """Return the item given at composing."""
        return line.item

    def on_mount(self) -> None:
        """Compose again whenever the theme has changed: its colours are in the lines."""
        self.app.theme_changed_signal.subscribe(self, lambda theme: self.lay_out_again(keep_scroll=True))
