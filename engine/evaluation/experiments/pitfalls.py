"""The mistakes that a pipeline like this one invites, each by one figure on labelled questions, made and avoided."""

from __future__ import annotations

from dataclasses import dataclass

from engine.evaluation.experiments import answer_pitfalls, retrieval_pitfalls
from engine.evaluation.experiments.grounding import Comparison, Recall
from engine.evaluation.experiments.pitfall_records import Ground, Pitfall
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.labelled import Labelled
from engine.evaluation.tables import Table, Value, table
from engine.records import Report
from engine.settings import Settings


@dataclass(frozen=True, slots=True)
class Pitfalls:
    """Every pitfall on one collection."""

    name: str
    """What was measured on."""
    n_questions: int
    """Questions with evidence."""
    rows: tuple[Pitfall, ...]
    """From the first stage to the last."""

    def tables(self) -> tuple[Table, ...]:
        """Return the figures, and each pitfall in a sentence."""
        return (self._figures(), self._sentences())

    def figure(self) -> Figure:
        """Return the figures of what is measurable as bars, numbered as in the tables."""
        shown = [(number, each) for number, each in enumerate(self.rows, 1) if each.measurable]
        places = tuple(map(float, range(len(shown))))
        curves = (
            Curve("with the mistake", places, tuple(each.made or 0.0 for _, each in shown), kind="bars"),
            Curve("without", places, tuple(each.avoided or 0.0 for _, each in shown), kind="bars"),
        )
        panel = Panel("", "pitfall", "figure", curves, categories=tuple(str(number) for number, _ in shown))
        return Figure(f"Pitfalls on {self.name}", (panel,), "Numbered as in the table.")

    def _figures(self) -> Table:
        rows: list[list[Value]] = [
            [number, each.name, each.measured, each.better, each.made, each.avoided]
            for number, each in enumerate(self.rows, 1)
        ]
        note = (
            "Better: which end is; true: what one believes with the mistake, and what is so. –: not measurable here. "
            "Shares are 0 to 1."
        )
        columns = ["no", "pitfall", "measured", "better", "with", "without"]
        return table(f"Pitfalls: {self.n_questions} questions on {self.name}", columns, rows, note)

    def _sentences(self) -> Table:
        rows: list[list[Value]] = [[number, each.says] for number, each in enumerate(self.rows, 1)]
        return table("In words", ["no", "pitfall"], rows)


def pitfalls(
    labelled: Labelled,
    settings: Settings | None = None,
    recall: Recall | None = None,
    comparison: Comparison | None = None,
    *,
    report: Report | None = None,
) -> Pitfalls:
    """Measure every pitfall; what the documents or labels do not allow says so.

    Args:
        labelled: documents and questions.
        settings: how documents are cut, analysed and ranked, and how a prompt is made.
        recall: a fact of these notes for the demonstration of memory; `None`: that of the sample notes.
        comparison: two facts of these notes; `None`: those of the sample notes.
        report: told the progress.
    """
    ground = Ground(labelled, settings or Settings(), report)
    confidence, unsupported = answer_pitfalls.from_memory(ground)
    memory, mixing = answer_pitfalls.demonstrations(ground, recall, comparison)
    rows = (
        retrieval_pitfalls.lost_subject(ground),
        retrieval_pitfalls.cut_evidence(ground),
        retrieval_pitfalls.negative_idf(ground),
        retrieval_pitfalls.raw_dot_products(ground),
        retrieval_pitfalls.raw_score_sum(ground),
        retrieval_pitfalls.tuned_to_exact_search(ground),
        confidence,
        memory,
        retrieval_pitfalls.ideal_of_the_list(ground),
        answer_pitfalls.citation_is_no_answer(ground),
        unsupported,
        answer_pitfalls.swapped_facts(ground),
        mixing,
        answer_pitfalls.contradictions(ground),
        answer_pitfalls.middle_of_the_prompt(ground),
    )
    return Pitfalls(labelled.name, len(labelled.answerable), rows)
