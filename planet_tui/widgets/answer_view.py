"""The answer, each sentence with its flag, citations, support and reason, and the sources it drew on."""

from __future__ import annotations

import re
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from engine.records import Check, Closest, Trace
from planet_tui.plain import one_line
from planet_tui.widgets.flow import Flow, FlowView
from planet_tui.widgets.reading import add_reading
from planet_tui.widgets.wrapping import Mark

CITATION = re.compile(r"\[(\d+)\]")
LIMITS = (
    "The check compares words and numbers. It cannot see negation or paraphrase, "
    "and does not know whether a sentence answers the question."
)
OTHERS = 2
"""Sentences shown after the closest one."""


class Sentence(NamedTuple):
    """An item: the sentence at this place, from 0."""

    number: int


class SourceItem(NamedTuple):
    """An item: the source with this number."""

    number: int


class AnswerView(FlowView):
    """The last stage; what one sees first."""

    def __init__(self, *, id: str) -> None:  # noqa: A002
        """Start without an answer."""
        super().__init__(id=id, classes="pane")
        self.border_title = "1 Answer"
        self._trace: Trace | None = None
        self._note = ""
        self._banner = ("", "", False)
        self._growing = ""
        self._generator = ""

    def show(self, trace: Trace | None, note: str = "") -> None:
        """Show the answer of a trace, or a note while there is none."""
        generator = one_line(trace.answer.generator) if trace else ""
        if generator != self._generator:
            self._generator, self.border_subtitle = generator, Text(generator)
        self._trace, self._note = trace, note
        self.lay_out_again()

    def show_banner(self, message: str, hint: str = "", *, bad: bool = False) -> None:
        """Say something above the answer, such as how the hosted model is doing; an empty message ends it.

        What the model wrote so far goes: whatever is said is news of its end.
        """
        self._banner, self._growing = (message, hint, bad), ""
        self.lay_out_again(keep_scroll=True)

    def show_growing(self, text: str) -> None:
        """Show what the hosted model wrote so far, unchecked, in place of the answer before."""
        self._growing = text
        self.lay_out_again(keep_scroll=True)

    @property
    def has_banner(self) -> bool:
        """Whether something is said above the answer."""
        return bool(self._banner[0])

    def chunk_of(self, item: object) -> int | None:
        """Return the chunk id behind an item: a source, or the first source that a sentence cites."""
        trace = self._trace
        if trace is None:
            return None
        if isinstance(item, SourceItem):
            wanted: tuple[int, ...] = (item.number,)
        elif isinstance(item, Sentence) and item.number < len(trace.checks):
            wanted = trace.checks[item.number].citations
        else:
            return None
        return next((chunk.id for chunk in trace.prompt.cited(wanted)), None)

    def action_open(self) -> None:
        """Open what is under the cursor, or what comes first: nobody has moved it right after a question."""
        if self.cursor not in self.items and self.items:
            self._move_to(self.items[0])
        super().action_open()

    def compose_flow(self, flow: Flow) -> None:
        """Draw banner, sentences or the refusal, warnings and sources."""
        message, hint, bad = self._banner
        if message:
            flow.paragraph(message, self.style("bad" if bad else "accent"), lead=("! " if bad else "… ", None))
            if hint:
                flow.paragraph(hint, self.style("dim"), lead=("  ", None))
            flow.blank()
        trace = self._trace
        if trace is None:
            flow.paragraph(self._note, self.style("dim"))
            return
        if self._growing:
            self._so_far(flow, self._growing)
            self._sources(flow, trace)
            return
        if trace.answer.abstained:
            self._refusal(flow, trace)
        for index, check in enumerate(trace.checks):
            self._sentence(flow, index, check)
        if trace.answer.confidence is not None and not trace.answer.abstained:
            flow.blank()
            flow.paragraph(trace.answer.reason, self.style("dim"), lead=("  ", None))
        for warning in trace.warnings:
            flow.blank()
            flow.paragraph(warning, self.style("warn"), lead=("! ", self.style("warn")))
        self._sources(flow, trace)
        add_reading(flow, trace.answer, self.style)
        if trace.checks:
            flow.blank()
            flow.paragraph(LIMITS, self.style("dim"))

    def _so_far(self, flow: Flow, text: str) -> None:
        for line in text.split("\n"):
            flow.paragraph(line, self.style("strong"), marks=self._citations(line), lead=("  ", None))
        flow.paragraph("It is checked when it is complete.", self.style("dim"), lead=("  ", None))

    def _refusal(self, flow: Flow, trace: Trace) -> None:
        answer = trace.answer
        flow.paragraph(answer.text, self.style("strong"), lead=("○ ", self.style("warn")))
        if answer.closest is not None:
            self._closest(flow, answer.closest, trace)
        elif answer.reason:
            flow.paragraph(answer.reason, self.style("dim"), lead=("  ", None))

    def _closest(self, flow: Flow, closest: Closest, trace: Trace) -> None:
        """Show what the refusal would have quoted, and what came next: dim and in quotes, as no answer is."""
        dim = self.style("dim")
        item = SourceItem(closest.sources[0])
        text = f"{closest.lead}: {closest.quoted} – {closest.said}"
        flow.blank()
        flow.paragraph(text, dim, marks=self._citations(text), lead=("  ", None), item=item)
        for chunk in trace.prompt.cited(closest.sources):
            where = f"{one_line(chunk.document)}:{chunk.line} {one_line(chunk.header)}"
            flow.paragraph(where, dim, lead=("  ", None), item=item)
        others = [each for each in trace.answer.candidates[: OTHERS + 1] if each not in closest.sentences]
        if others:
            flow.heading("Next closest", dim)
        for each in others[:OTHERS]:
            text = f"“{each.sentence}” [{each.source}]"
            flow.paragraph(text, dim, marks=self._citations(text), lead=("  ", None), item=SourceItem(each.source))

    def _sentence(self, flow: Flow, index: int, check: Check) -> None:
        flow.blank()
        mark, name, word = ("✓ ", "good", "supported") if check.supported else ("✗ ", "bad", "not supported")
        item = Sentence(index)
        flow.paragraph(
            check.sentence, self.style("strong"), marks=self._citations(check.sentence), lead=(mark, self.style(name)),
            item=item,
        )  # fmt: skip
        verdict = f"{word}, {check.support:.0%}: {check.reason}"
        marks = [Mark(0, len(word), self.style(name))]
        flow.paragraph(verdict, self.style("dim"), marks=marks, lead=("  ", None), item=item)

    def _sources(self, flow: Flow, trace: Trace) -> None:
        if not trace.prompt.sources:
            return
        flow.heading("Sources", self.style("strong"))
        cited = {number for check in trace.checks for number in check.citations}
        for source in trace.prompt.sources:
            sign = f"[{source.number}] "
            where = f"{one_line(source.chunk.document)}:{source.chunk.line}"
            text = " · ".join(filter(None, (one_line(source.chunk.header), where, source.version)))
            style = None if source.number in cited else self.style("dim")
            flow.paragraph(text, style, lead=(sign, self.source_style(source.number)), item=SourceItem(source.number))

    def _citations(self, text: str) -> list[Mark]:
        def style(number: str) -> Style:
            return self.source_style(int(number))

        return [Mark(*found.span(), style(found[1])) for found in CITATION.finditer(text) if len(found[1]) < 4]
