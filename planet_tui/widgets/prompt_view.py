"""The prompt exactly as it is sent, under a meter of what each part costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from rich.style import Style
from rich.text import Text

from engine.records import Prompt, Source
from planet_tui.plain import one_line
from planet_tui.widgets.flow import Flow, FlowView
from planet_tui.widgets.wrapping import Mark, spread

BORDER_METER = 16
"""Cells of the meter on the border."""
NAMED = 3
"""Searched notes that are named."""


class PromptView(FlowView):
    """Token meter, what was left out and why, and the prompt's text; the items are source numbers."""

    def __init__(self, *, id: str) -> None:  # noqa: A002
        """Start without a prompt."""
        super().__init__(id=id, classes="pane")
        self.border_title = "6 Prompt"
        self._prompt: Prompt | None = None
        self._routed: tuple[str, ...] = ()

    def show(self, prompt: Prompt | None, routed: Sequence[str] = ()) -> None:
        """Show a prompt, and the notes that were searched where leads chose them."""
        self._prompt, self._routed = prompt, tuple(routed)
        self.border_subtitle = self._meter_line(prompt) if prompt else ""
        self.lay_out_again()

    def _meter_line(self, prompt: Prompt) -> Text:
        """The meter in small, on the border: there it stays in sight wherever the prompt is scrolled to."""
        parts, free = self._parts(prompt)
        cells = spread(BORDER_METER, [*(tokens for _, tokens, _ in parts), free])
        bars = [("█" * n, style) for n, (_, _, style) in zip(cells, parts, strict=False)]
        return Text.assemble(*bars, ("░" * cells[-1], self.style("dim")), f" {prompt.tokens:,} of {prompt.budget:,}")

    def compose_flow(self, flow: Flow) -> None:
        """Draw the meter, what was dropped, and the text."""
        prompt = self._prompt
        if prompt is None:
            flow.paragraph("The prompt appears here as it is sent.", self.style("dim"))
            return
        self._meter(flow, prompt)
        fitting = takewhile(lambda item: not item.why.startswith("below the"), prompt.dropped)
        over = [item for item in fitting if "budget" in item.why]
        if over:
            flow.paragraph(f"{len(over)} ranked passages did not fit:", self.style("warn"))
            for item in over[:3]:
                flow.paragraph(f"{one_line(item.chunk.header)} – {item.why}", self.style("dim"), lead=("  ", None))
        flow.blank()
        self._text(flow, prompt)

    def _meter(self, flow: Flow, prompt: Prompt) -> None:
        """One bar of the whole budget, a segment a part, and the figures under it."""
        dim = self.style("dim")
        parts, free = self._parts(prompt)
        cells = spread(flow.width, [*(tokens for _, tokens, _ in parts), free])
        bars = [("█" * n, style) for n, (_, _, style) in zip(cells, parts, strict=False)]
        flow.line(*bars, ("░" * cells[-1], dim))
        legend: list[tuple[str, Style | None]] = []
        for name, tokens, style in parts:
            legend += [(name, style), (f"\N{NO-BREAK SPACE}{tokens}  ", None)]
        flow.pieces(*legend, (f"free\N{NO-BREAK SPACE}{free:,}", dim))
        flow.pieces((f"template {prompt.template}  ", dim), (f"strategy {prompt.strategy}", dim))
        if self._routed:
            more = f" and {len(self._routed) - NAMED} more" if len(self._routed) > NAMED else ""
            flow.paragraph(f"searched by their leads: {one_line(', '.join(self._routed[:NAMED]))}{more}", dim)

    def _parts(self, prompt: Prompt) -> tuple[list[tuple[str, int, Style]], int]:
        """Return (name, tokens, style) of every part, and the tokens that are free."""
        parts: list[tuple[str, int, Style]] = [("instruction", prompt.instruction_tokens, self.style("dim"))]
        parts += [(f"[{s.number}]", s.tokens, self.source_style(s.number)) for s in prompt.sources]
        parts += [("question", prompt.question_tokens, self.style("accent"))]
        return parts, max(0, prompt.budget - prompt.tokens)

    def _text(self, flow: Flow, prompt: Prompt) -> None:
        """Draw the text line by line; lines of a source are its item, and its label has its colour."""
        sources, at, source = iter(prompt.sources), 0, None
        coming = next(sources, None)
        for line in prompt.text.split("\n"):
            if source is not None and at >= source.span.end:
                source = None
            marks: list[Mark] = []
            if coming is not None and at >= coming.span.start:
                source, coming = coming, next(sources, None)
                number = self.source_style(source.number)
                marks = [Mark(0, line.index("]") + 1, number)]
                self._warning(flow, source)
            indent = len(line) - len(line.lstrip(" "))
            style = self.style("dim") if source is not None and not marks else None
            item = None if source is None else source.number
            flow.paragraph(line[indent:], style, marks=marks, lead=(line[:indent], None), item=item)
            at += len(line) + 1

    def _warning(self, flow: Flow, source: Source) -> None:
        """Mark a source that seems to give orders to a model, above its label."""
        if source.suspicious:
            said = f"looks like an instruction to a model: “{one_line(source.suspicious)}”"
            flow.paragraph(said, self.style("warn"), lead=("! ", self.style("warn")), item=source.number)
