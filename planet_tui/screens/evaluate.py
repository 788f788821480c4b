"""The labelled questions of a folder, measured: retrievers, answers, thresholds, question by question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Footer, Static

from engine.errors import Cancelled
from engine.records import Progress
from planet_tui import jobs, paths
from planet_tui.messages import EvaluationEnded, EvaluationProgressed, EvaluationSaved
from planet_tui.plain import one_line
from planet_tui.screens.export import ExportScreen
from planet_tui.screens.working import WorkingScreen
from planet_tui.session import Session
from planet_tui.widgets.evaluation_views import (
    HOW_TO_LABEL,
    EvaluationView,
    FiguresView,
    QuestionsView,
    RecallView,
    ThresholdView,
)
from planet_tui.widgets.lines import LinesView
from planet_tui.widgets.pane_tabs import PaneTabs

if TYPE_CHECKING:
    from planet_tui.jobs import Evaluation

PANES = (("figures", "Figures"), ("questions", "Questions"), ("recall", "Recall"), ("thresholds", "Thresholds"))
"""Pane ids and names in the order of the number keys."""
PAUSE = 0.1
"""Seconds between two messages of progress, at least."""


class EvaluateScreen(WorkingScreen[str]):
    """Measures when it opens; its result is a question to be opened in Explore."""

    CSS_PATH = "evaluate.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f4", "back", "Back", key_display="esc", id="evaluate.back"),
        Binding("s", "sort", "Sort", id="evaluate.sort"),
        Binding("r", "measure", "Measure again", id="evaluate.measure"),
        Binding("x", "export", "Export", id="evaluate.export"),
        Binding("z", "zoom", "Zoom", id="evaluate.zoom"),
        Binding("f1,question_mark", "app.help", "Help", key_display="F1", id="evaluate.help"),
        *(
            Binding(str(number), f"pane('{pane}')", name, show=False, id=f"evaluate.{pane}")
            for number, (pane, name) in enumerate(PANES, 1)
        ),
    ]

    def __init__(self, session: Session, choose_threshold: Callable[[float], None]) -> None:
        """Take the session, and what puts a threshold into force."""
        super().__init__()
        self.session = session
        self._choose_threshold = choose_threshold
        self._progress: Progress | None = None

    def compose(self) -> ComposeResult:
        """Lay out title, panes and keys."""
        yield Static(id="evaluate-title")
        yield PaneTabs(PANES, id="tabs")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield FiguresView("1 Figures", id="figures")
                yield QuestionsView("2 Questions", id="questions")
            with Vertical(id="right"):
                yield RecallView("3 Recall by depth", id="recall")
                yield ThresholdView("4 Answers by threshold", id="thresholds")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show the frame, then measure."""
        self.query_one(ThresholdView).settings = self.session.settings
        self._show_pane("figures")
        self.query_one(FiguresView).focus()
        self.action_measure()

    def on_unmount(self) -> None:
        """Let the job end."""
        self.session.evaluations.stop()

    # Measuring.

    def action_measure(self) -> None:
        """Measure; what has not changed since the last time is shown as it was."""
        library, settings, before = self.session.library, self.session.settings, self.session.evaluation
        if library is None or library.stage == "documents":
            self._show(None, "The index is not ready yet: r measures as soon as it is.")
            return
        number, should_stop = self.session.evaluations.start()

        told = -PAUSE

        def report(progress: Progress) -> None:
            nonlocal told
            if (now := monotonic()) - told >= PAUSE:
                told = now
                self.post_message(EvaluationProgressed(number, progress))

        def job() -> Message:
            try:
                return EvaluationEnded(number, jobs.evaluate_notes(library, settings, before, report, should_stop))
            except Cancelled:
                return EvaluationEnded(number, stopped=True)

        self._progress = Progress("measuring", 0, 0)
        self._show_title()
        self.start_job("evaluate", job, lambda what, hint: EvaluationEnded(number, message=what, hint=hint))

    @on(EvaluationProgressed)
    def _progressed(self, message: EvaluationProgressed) -> None:
        if self.session.evaluations.is_wanted(message.request):
            self._progress = message.progress
            self._show_title()

    @on(EvaluationEnded)
    def _ended(self, message: EvaluationEnded) -> None:
        if not self.session.evaluations.is_current(message.request):
            return
        self._progress = None
        if message.stopped:
            self._show(self.session.evaluation, "Stopped. r measures again.")
        elif message.message:
            self._show(None, message.message, message.hint)
        elif message.evaluation is None:
            self._show(None, *HOW_TO_LABEL)
        else:
            self.session.evaluation = message.evaluation
            self._show(message.evaluation)

    def _show(self, evaluation: Evaluation | None, *note: str) -> None:
        for view in self.query(EvaluationView):
            view.show(evaluation, note if isinstance(view, FiguresView) else ())
        self.set_class(evaluation is None, "-empty")
        self._show_title()

    def _show_title(self) -> None:
        evaluation, progress = self.session.evaluation, self._progress
        facts = ""
        if evaluation is not None:
            report = evaluation.report
            facts = f"{report.n_questions} questions, {report.n_chunks:,} chunks, answers quoted"
        doing = ""
        if progress is not None:
            share = f" {progress.done:,} of {progress.total:,}" if progress.total else ""
            doing = f"{progress.stage}{share} … esc stops"
        self.query_one("#evaluate-title", Static).update(
            Content.assemble(
                (" Evaluate  ", "bold $primary"),
                one_line(paths.shown_all(self.session.roots.folders)),
                "  ",
                (facts, "dim"),
                "  ",
                (doing, "$accent"),
            )
        )

    # The panes.

    @on(LinesView.Opened)
    def _opened(self, message: LinesView.Opened) -> None:
        if isinstance(message.view, QuestionsView) and isinstance(message.item, str):
            self.dismiss(message.item)
        elif isinstance(message.view, ThresholdView) and isinstance(message.item, float):
            self._choose_threshold(message.item)
            message.view.settings = self.session.settings
            message.view.lay_out_again(keep_scroll=True)
            self.notify(f"threshold = {message.item:g}", title="Setting", markup=False)

    def action_pane(self, pane: str) -> None:
        """Show and focus a pane."""
        self.minimize()
        self._show_pane(pane)
        self.query_one(f"#{pane}", LinesView).focus()

    @on(PaneTabs.Switched)
    def _tab_clicked(self, message: PaneTabs.Switched) -> None:
        self.action_pane(message.pane)

    def _show_pane(self, pane: str) -> None:
        for other, _ in PANES:
            self.set_class(other == pane, f"-pane-{other}")
        self.query_one(PaneTabs).shown = pane

    def action_sort(self) -> None:
        """Order the questions otherwise."""
        self.query_one(QuestionsView).sort_otherwise()

    def action_zoom(self) -> None:
        """Give the focused pane the whole window, or give it back."""
        if self.maximized is not None:
            self.minimize()
        elif self.focused is not None and self.focused.has_class("pane"):
            self.maximize(self.focused)

    def action_back(self) -> None:
        """Stop what is measured; else go back."""
        if self._progress is not None:
            self.session.evaluations.stop()
        else:
            self.dismiss(None)

    # Export.

    def action_export(self) -> None:
        """Ask for a file and write the report into it."""
        if self.session.evaluation is None:
            self.notify("Nothing is measured yet.", markup=False)
            return
        self.app.push_screen(ExportScreen(), self._export)

    def _export(self, name: str | None) -> None:
        evaluation = self.session.evaluation
        if name and evaluation is not None:
            self.start_job(
                "export",
                lambda: EvaluationSaved(str(jobs.save_evaluation(evaluation, Path(name)))),
                lambda what, hint: EvaluationSaved(message=what, hint=hint),
            )

    @on(EvaluationSaved)
    def _saved(self, message: EvaluationSaved) -> None:
        if message.path:
            self.notify(one_line(message.path), title="Written", markup=False)
        else:
            said = one_line(f"{message.message} {message.hint}")
            self.notify(said, title="Not written", severity="warning", markup=False)
