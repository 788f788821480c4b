"""Why the best sentence was chosen, and how sure that is: what it was judged by, the largest first."""

from __future__ import annotations

from collections.abc import Callable

from rich.style import Style

from engine.records import Answer
from planet_tui.widgets.flow import Flow

WHY_THIS = "It has the highest sum of these among all sentences of the sources. Each is a value × its weight."
HOW_SURE = "What speaks for the sentence being right (+) and against it (−); their sum gives the probability above."


def add_reading(flow: Flow, answer: Answer, style: Callable[[str], Style]) -> None:
    """Add them to a pane where a sentence is shown; `style` gives the style of what a text means."""
    if answer.abstained and answer.closest is None:
        return
    parts = answer.candidates[0].features if answer.candidates else ()
    for heading, features, meaning in (
        ("Why this sentence", parts, WHY_THIS),
        ("How sure", answer.signs, HOW_SURE),
    ):
        shown = sorted((each for each in features if each.product), key=lambda each: -abs(each.product))
        if shown:
            flow.heading(heading, style("strong"))
            flow.paragraph(meaning, style("dim"))
        for each in shown:
            what = f"{each.name} {each.value:.2f} × {each.weight:g}"
            flow.paragraph(what, style("dim"), lead=(f"{each.product:+6.2f} ", None))
