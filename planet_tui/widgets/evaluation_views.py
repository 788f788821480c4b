"""The panes of the Evaluate screen: the figures, the recall curve, the questions one by one, the thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual import events

from engine.settings import Settings
from planet_tui.plain import one_line
from planet_tui.widgets.flow import Flow, FlowView
from planet_tui.widgets.plotting import MARKS, Points, plot
from planet_tui.widgets.wrapping import bar, fit

if TYPE_CHECKING:
    from engine.evaluation.answers import AnswerRow
    from engine.evaluation.confidence import AtThreshold, Calibration
    from engine.evaluation.retrieval import QuestionRow
    from planet_tui.jobs import Evaluation

NAMES = {"bm25": "BM25", "tfidf": "tf-idf", "lsa": "LSA", "rrf": "RRF", "fused": "fused"}
SHOWN = ("recall@1", "recall@3", "recall@5", "recall@10", "mrr", "ndcg@10", "map")
"""Figures of the table, the last of which go where there is no room."""
SHORT = {
    "recall@1": "R@1",
    "recall@3": "R@3",
    "recall@5": "R@5",
    "recall@10": "R@10",
    "mrr": "MRR",
    "ndcg@10": "nDCG",
    "map": "MAP",
}
ORDERS = ("retrievers disagree most", "went wrong first", "as labelled")
"""Orders of the questions."""
SIGNS = {"right": ("✓", "good"), "wrong": ("✗", "bad"), "refused": ("○", "warn")}
HOW_TO_LABEL = (
    "No labelled questions yet. With some, this screen says which retriever finds the evidence, which answers are "
    "right, and what another threshold would do.",
    "In Explore, ask a question and press m: the selected passage becomes its evidence (M: the notes cannot answer "
    "it). What you mark is kept outside your notes.",
    "Or write a file questions.toml into the folder:",
    '[[question]]\ntext = "How long is a year on Venus?"\nreference = ["224.7 days"]\n\n[[question.evidence]]\n'
    'spans = [{ document = "venus.md", text = "completes an orbit every 224.7 days" }]',
)


class EvaluationView(FlowView):
    """A pane of the screen; says why it is empty until something is measured."""

    def __init__(self, title: str, *, id: str) -> None:  # noqa: A002
        """Start with nothing measured."""
        super().__init__(id=id, classes="pane")
        self.border_title = title
        self.evaluation: Evaluation | None = None
        self._note: tuple[str, ...] = ()

    def show(self, evaluation: Evaluation | None, note: tuple[str, ...] = ()) -> None:
        """Take what was measured, or paragraphs that say why there is nothing."""
        self.evaluation, self._note = evaluation, note
        self.lay_out_again()

    def compose_flow(self, flow: Flow) -> None:
        """Draw what was measured, or the note."""
        if self.evaluation is not None:
            self.compose_evaluation(flow, self.evaluation)
            return
        for text in self._note:
            flow.blank()
            flow.paragraph(text, self.style("dim") if "\n" not in text else self.style("code"))

    def compose_evaluation(self, flow: Flow, evaluation: Evaluation) -> None:
        """Draw what was measured."""
        raise NotImplementedError


class FiguresView(EvaluationView):
    """A row a retriever, the best of each column strong; then how the answers came out."""

    def compose_evaluation(self, flow: Flow, evaluation: Evaluation) -> None:
        """Draw table and sentences."""
        retrievers = evaluation.report.retrieval.retrievers
        names = SHOWN[: max(4, min(len(SHOWN), (flow.width - 8) // 8))]
        heads = "".join(f"{SHORT.get(name, name):>8}" for name in names)
        flow.line((f"{'':<8}{heads}", self.style("dim")))
        best = {name: max(row[name] for row in retrievers.values()) for name in names}
        for retriever, row in retrievers.items():
            cells = [
                (f"{row[name]:>8.3f}", self.style("good") if row[name] == best[name] > 0 else None) for name in names
            ]
            flow.line((f"{NAMES.get(retriever, retriever):<8}", self.style("strong")), *cells)
        flow.paragraph(
            f"best of its column in bold · R@k: evidence found in the first k · {_sure(evaluation)}", self.style("dim")
        )
        flow.blank()
        for line in evaluation.outcome:
            lost = line.startswith("  ")
            flow.paragraph(line.strip(), self.style("warn") if lost else None, lead=("  ✗ " if lost else "", None))
        for notice in evaluation.report.notices:
            flow.paragraph(f"{notice.path}: {notice.problem}", self.style("warn"))


class RecallView(EvaluationView):
    """Recall by depth, drawn."""

    def on_resize(self, event: events.Resize) -> None:
        """Draw for the new height, too."""
        self.lay_out_again(keep_scroll=True)

    def compose_evaluation(self, flow: Flow, evaluation: Evaluation) -> None:
        """Draw the curves and the legend under them."""
        curves = [curve for curve in evaluation.recall.curves if curve.x]
        styles = [self.source_style(number + 1) for number in range(len(curves))]
        legend = [
            (f"{MARKS[at % len(MARKS)]}\u00a0{curve.label}\u00a0{curve.y[-1]:.2f}  ", styles[at])
            for at, curve in enumerate(curves)
        ]
        taken = 1 + sum(len(text) for text, _ in legend) // max(1, flow.width)
        height = max(4, self.size.height - taken - 1)
        if not evaluation.report.retrieval.rows:
            flow.paragraph("No question with evidence is labelled.", self.style("dim"))
            return
        for row in plot([Points(c.x, c.y) for c in curves], max(16, flow.width - 1), height, curves[0].x):
            flow.line(*((cell.sign, self._cell(cell.curve, styles)) for cell in row))
        flow.pieces(*legend)

    def _cell(self, curve: int | None, styles: list[Style]) -> Style:
        return self.style("dim") if curve is None else styles[curve]


class QuestionsView(EvaluationView):
    """Every question with the rank of its evidence in each list, and how it was answered; items are their texts."""

    order = ORDERS[0]

    def sort_otherwise(self) -> None:
        """Take the next order."""
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        self.lay_out_again()

    def compose_evaluation(self, flow: Flow, evaluation: Evaluation) -> None:
        """Draw two lines a question."""
        self.border_subtitle = f"{self.order} (s)"
        ranks = {row.question: row for row in evaluation.report.retrieval.rows}
        for answer in self._ordered(evaluation):
            sign, style = _sign(answer)
            text = fit(one_line(answer.question), flow.width - 2).rstrip()
            flow.line((f"{sign} ", self.style(style)), (text, None), item=answer.question)
            row = ranks.get(answer.question)
            why = answer.diagnosis.text if answer.diagnosis else _praise(answer)
            flow.paragraph(f"{_ranks(row)}{why}", self.style("dim"), lead=("  ", None), item=answer.question)

    def _ordered(self, evaluation: Evaluation) -> list[AnswerRow]:
        rows = list(evaluation.report.answers.rows)
        if self.order == ORDERS[0]:
            spread = {row.question: row.spread for row in evaluation.report.retrieval.rows}
            rows.sort(key=lambda row: -spread.get(row.question, -1.0))
        elif self.order == ORDERS[1]:
            rows.sort(key=lambda row: row.diagnosis is None)
        return rows


class ThresholdView(EvaluationView):
    """What every threshold would do to the answers; items are thresholds."""

    settings = Settings()
    """Those in force: their threshold is marked."""

    def compose_evaluation(self, flow: Flow, evaluation: Evaluation) -> None:
        """Draw a row a threshold."""
        found = evaluation.report.calibration
        if found is None:
            reader = evaluation.settings.reader
            flow.paragraph(
                f"The reader “{reader}” gives no probabilities, so there is no curve: “features” does. "
                "In Explore, ctrl+p and “Switch the reader” choose it.",
                self.style("dim"),
            )
            return
        best = max(found.curve, key=lambda each: each.decided)
        now = min(found.curve, key=lambda each: abs(each.threshold - self.settings.threshold))
        flow.line(
            ("     ", None),
            ("█ right ", self.style("good")),
            ("█ wrong ", self.style("bad")),
            ("█ rightly refused", self.style("accent")),
        )
        for each in found.curve:
            marks = ("  now" if each is now else "") + ("  best" if each is best else "")
            self._row(flow, each, found, marks)
        refusable = best.unanswerable_refused or any(row.n_pieces == 0 for row in evaluation.report.answers.rows)
        advice = (
            "enter: answer from the threshold under the cursor on. rightly decided: right answers, and refusals where "
            "there is no answer"
        )
        flow.paragraph(advice if refusable else f"{advice}. {NONE_UNANSWERABLE}", self.style("dim"))

    def _row(self, flow: Flow, each: AtThreshold, found: Calibration, marks: str) -> None:
        said = f" {each.right} right of {each.answered}, {each.decided} rightly decided{marks}"
        room = max(8, flow.width - 5 - max(len(said), 44))
        counts = each.right, each.answered - each.right, each.unanswerable_refused
        bars = [
            (bar(count / found.n, room).rstrip() if count else "", self.style(style))
            for count, style in zip(counts, ("good", "bad", "accent"), strict=True)
        ]
        drawn = sum(len(text) for text, _ in bars)
        style = self.style("strong") if marks else None
        flow.line(
            (f"{each.threshold:.2f} ", style),
            *bars,
            (" " * max(0, room - drawn), None),
            (said, style),
            item=each.threshold,
        )


NONE_UNANSWERABLE = "No question is marked as unanswerable, so that a threshold can only cost answers here"


def _sure(evaluation: Evaluation) -> str:
    interval = evaluation.report.retrieval.intervals["fused"]["ndcg@10"]
    return f"95 % interval of fused nDCG@10 {interval.low:.3f} to {interval.high:.3f} over {interval.n} questions"


def _sign(row: AnswerRow) -> tuple[str, str]:
    if row.n_pieces == 0:
        return ("✓", "good") if row.outcome == "refused" else ("✗", "bad")
    return SIGNS[row.outcome]


def _praise(row: AnswerRow) -> str:
    return "refused, as it should be" if row.n_pieces == 0 else "right"


def _ranks(row: QuestionRow | None) -> str:
    if row is None:
        return "not in the notes: "
    ranks = (f"{NAMES.get(name, name)} {rank or '–'}" for name, rank in row.first_relevant.items())
    return " · ".join(ranks) + "  "
