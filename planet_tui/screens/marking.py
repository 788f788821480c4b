"""A screen on which passages are marked as evidence: an evaluation set grows out of use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.message import Message

from planet_tui import jobs
from planet_tui.messages import LabelsChanged
from planet_tui.screens.asking import AskingScreen

if TYPE_CHECKING:
    from engine.records import Chunk, Trace
    from planet_tui.screens.mark import Mark


class MarkingScreen(AskingScreen):
    """Reads the labels of the folder, adds to them, and takes the last one back."""

    def read_labels(self) -> None:
        """Read the labels; ends in `LabelsChanged`."""
        roots = self.session.roots
        self.start_job("labels", lambda: LabelsChanged(jobs.labelled_questions(roots)), self._unlabelled)

    def mark(self, trace: Trace | None, chunk: Chunk | None) -> None:
        """Ask which sentence of a passage is evidence for the question that was answered, and keep it."""
        if trace is None or chunk is None or not trace.question.strip():
            self.notify("Ask a question and select a passage first.", markup=False)
            return
        question, roots, document = trace.question, self.session.roots, chunk.document

        def keep(mark: Mark | None) -> None:
            if mark is not None:
                self._change(lambda: jobs.mark_evidence(roots, question, document, mark.text, mark.answer))

        from planet_tui.screens.mark import MarkScreen

        said = trace.answer.candidates[0].sentence if trace.answer.candidates else trace.answer.text
        sentences, likely = jobs.evidence_choices(chunk.text, said, trace.terms)
        self.app.push_screen(MarkScreen(question, sentences, chunk.text, likely), keep)

    def mark_unanswerable(self, trace: Trace | None) -> None:
        """Keep that the notes cannot answer the question."""
        if trace is None or not trace.question.strip():
            self.notify("Ask a question first.", markup=False)
            return
        question, roots = trace.question, self.session.roots
        self._change(lambda: jobs.mark_unanswerable(roots, question))

    def take_back(self) -> None:
        """Take the last mark back."""
        if not self.session.marks:
            self.notify("Nothing was marked since the app was opened.", markup=False)
            return
        roots, last = self.session.roots, self.session.marks[-1]

        def job() -> Message:
            jobs.take_mark_back(last)
            self.session.marks.pop()
            return LabelsChanged(jobs.labelled_questions(roots), "The last mark was taken back.")

        self.start_job("labels", job, self._unlabelled)

    def _change(self, mark: jobs.Marking) -> None:
        roots = self.session.roots

        def job() -> Message:
            marked = mark()
            self.session.marks.append(marked)
            what = "as one that the notes cannot answer" if marked.after.unanswerable else "with its evidence"
            return LabelsChanged(jobs.labelled_questions(roots), f"The question is kept {what}. u takes it back.")

        self.start_job("labels", job, self._unlabelled)

    def _unlabelled(self, message: str, hint: str) -> Message:
        return LabelsChanged(self.session.labels, message=message, hint=hint)

    @on(LabelsChanged)
    def _labels_changed(self, message: LabelsChanged) -> None:
        self.session.labels = message.questions
        if message.message:
            said = f"{message.message} {message.hint}"
            self.notify(said, title="Not marked", severity="warning", markup=False)
        elif message.done:
            self.notify(message.done, title="Marked", markup=False)
        self.show_labels()

    def show_labels(self) -> None:
        """Draw what is marked."""
        raise NotImplementedError
