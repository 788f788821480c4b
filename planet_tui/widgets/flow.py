"""Panes that are composed top to bottom: paragraphs, hanging indents and ready lines, wrapped to the width."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from planet_tui.plain import plain
from planet_tui.widgets.lines import LinesView
from planet_tui.widgets.wrapping import Line, Mark, styled, wrap


class Ready(NamedTuple):
    """A line that is drawn already."""

    text: Text
    item: Hashable | None

    def wrap(self, width: int) -> Iterator[Line]:
        """Yield the one line."""
        yield Line(0, 0)

    def draw(self, start: int, end: int) -> Text:
        """Return the line."""
        return self.text

    @property
    def ends_blank(self) -> bool:
        """Whether the line is empty."""
        return not self.text.plain.strip()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text that is wrapped and drawn when it is needed: it may be megabytes long."""

    text: str
    style: Style | None
    marks: tuple[Mark, ...]
    lead: tuple[str, Style | None]
    """What stands before its first line and indents the others."""
    item: Hashable | None

    def wrap(self, width: int) -> Iterator[Line]:
        """Yield its lines."""
        return wrap(self.text, width - len(self.lead[0]))

    def draw(self, start: int, end: int) -> Text:
        """Draw one of its lines."""
        sign, sign_style = self.lead
        line = Text(no_wrap=True, end="")
        line.append(sign if start == 0 else " " * len(sign), sign_style)
        return line.append_text(styled(self.text, start, end, self.marks, self.style))

    @property
    def ends_blank(self) -> bool:
        """Whether its last line is empty."""
        last = self.text.rfind("\n") + 1
        return not self.text[last:].strip() and not (last == 0 and self.lead[0].strip())


class FlowLine(NamedTuple):
    """One line on screen: a range of a paragraph, or a ready line."""

    part: Paragraph | Ready
    start: int
    end: int


class Flow:
    """Collects the paragraphs and lines of a pane for one width."""

    def __init__(self, width: int) -> None:
        """Start empty, for `width` cells."""
        self.width = width
        self._parts: list[Paragraph | Ready] = []

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
        self._parts.append(Paragraph(plain(text), style, tuple(marks), lead, item))

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
        self._parts.append(Ready(text, item))

    def blank(self) -> None:
        """Add an empty line, unless there is one or nothing above."""
        if self._parts and not self._parts[-1].ends_blank:
            self._parts.append(Ready(Text(""), None))

    def heading(self, text: str, style: Style) -> None:
        """Add a heading with an empty line above."""
        self.blank()
        self.paragraph(text, style)

    def lines(self) -> Iterator[FlowLine]:
        """Yield every line, top to bottom."""
        return (FlowLine(part, start, end) for part in self._parts for start, end in part.wrap(self.width))


class FlowView(LinesView):
    """A pane whose lines a subclass composes with a `Flow`."""

    def compose_flow(self, flow: Flow) -> None:
        """Add every line to `flow`."""
        raise NotImplementedError

    def lay_out(self, width: int) -> Iterator[FlowLine]:
        """Compose for a width."""
        flow = Flow(width)
        self.compose_flow(flow)
        return flow.lines()

    def draw(self, line: FlowLine, width: int) -> Text:
        """Draw a line as composed."""
        return line.part.draw(line.start, line.end)

    def same(self, before: FlowLine, line: FlowLine) -> bool:
        """Return whether two lines say the same in the same styles."""
        return before == line

    def item_of(self, line: FlowLine) -> Hashable | None:
        """Return the item given at composing."""
        return line.part.item

    def on_mount(self) -> None:
        """Compose again whenever the theme has changed: its colours are in the lines."""
        self.app.theme_changed_signal.subscribe(self, lambda theme: self.lay_out_again(keep_scroll=True))
