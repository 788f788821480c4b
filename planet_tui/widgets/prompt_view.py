"""The prompt exactly as it is sent, under a meter of what each part costs."""

from __future__ import annotations

import re
from collections.abc import Hashable

from rich.style import Style

from engine.records import Prompt
from planet_tui.plain import one_line
from planet_tui.widgets.flow import Flow, FlowView
from planet_tui.widgets.wrapping import Mark, spread

LABEL = re.compile(r"^\[(\d+)\] .*$", re.MULTILINE)


class PromptView(FlowView):
    """Token meter, what was left out and why, and the prompt's text; the items are source numbers."""

    def __init__(self, *, id: str) -> None:  # noqa: A002
        """Start without a prompt."""
        super().__init__(id=id, classes="pane")
        self.border_title = "6 Prompt"
        self._prompt: Prompt | None = None

    def show(self, prompt: Prompt | None) -> None:
        """Show a prompt."""
        self._prompt = prompt
        self.border_subtitle = f"{prompt.tokens:,} of {prompt.budget:,} tokens" if prompt else ""
        self.lay_out_again()

    def compose_flow(self, flow: Flow) -> None:
        """Draw the meter, what was dropped, and the text."""
        prompt = self._prompt
        if prompt is None:
            flow.paragraph("The prompt appears here as it is sent.", self.style("dim"))
            return
        self._meter(flow, prompt)
        over = [item for item in prompt.dropped if "budget" in item.why]
        if over:
            flow.paragraph(f"{len(over)} ranked passages did not fit:", self.style("warn"))
            for item in over[:3]:
                flow.paragraph(f"{one_line(item.chunk.header)} – {item.why}", self.style("dim"), lead=("  ", None))
        flow.blank()
        self._text(flow, prompt)

    def _meter(self, flow: Flow, prompt: Prompt) -> None:
        """One bar of the whole budget, a segment a part, and the figures under it."""
        dim = self.style("dim")
        parts: list[tuple[str, int, Style]] = [("instruction", prompt.instruction_tokens, dim)]
        parts += [(f"[{s.number}]", s.tokens, self.source_style(s.number)) for s in prompt.sources]
        parts += [("question", prompt.question_tokens, self.style("accent"))]
        free = max(0, prompt.budget - prompt.tokens)
        cells = spread(flow.width, [*(tokens for _, tokens, _ in parts), free])
        bars = [("█" * n, style) for n, (_, _, style) in zip(cells, parts, strict=False)]
        flow.line(*bars, ("░" * cells[-1], dim))
        legend: list[tuple[str, Style | None]] = []
        for name, tokens, style in parts:
            legend += [(name, style), (f" {tokens}  ", None)]
        flow.pieces(*legend, (f"free {free:,}", dim))

    def _text(self, flow: Flow, prompt: Prompt) -> None:
        known = {source.number for source in prompt.sources}
        number: Hashable | None = None
        for line in prompt.text.split("\n"):
            label = LABEL.match(line)
            if label and int(label[1]) in known:
                number = int(label[1])
                flow.paragraph(line, marks=[Mark(0, len(label[1]) + 2, self.source_style(int(label[1])))], item=number)
                continue
            if not line.startswith((" ", "\t")) and line.strip():
                number = None
            indent = len(line) - len(line.lstrip(" "))
            style = None if number is None else self.style("dim")
            flow.paragraph(line[indent:], style, lead=(line[:indent], None), item=number)
