"""Facts that jobs post to the screen that started them. Each carries the number of the request it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from engine.library import Library
    from engine.records import Document, Explanation, NoteLink, Progress, Question, Span, Trace
    from planet_tui.jobs import Evaluation


class Numbered(Message):
    """A fact that belongs to one request; handlers drop those that are no longer wanted."""

    def __init__(self, request: int) -> None:
        """Keep the request's number."""
        self.request = request
        super().__init__()


class LibraryProgressed(Numbered):
    """A build came further."""

    def __init__(self, request: int, progress: Progress) -> None:
        """Keep how far."""
        self.progress = progress
        super().__init__(request)


class LibraryReady(Numbered):
    """A library reached a stage: documents, BM25 or LSA."""

    def __init__(self, request: int, library: Library) -> None:
        """Keep the library."""
        self.library = library
        super().__init__(request)


class BuildEnded(Numbered):
    """A build came to its end, was stopped, or failed."""

    def __init__(self, request: int, *, stopped: bool = False, message: str = "", hint: str = "") -> None:
        """Keep how it ended; `message` is empty when nothing failed."""
        self.stopped = stopped
        self.message = message
        self.hint = hint
        super().__init__(request)


class IndexDropped(Numbered):
    """What the cache held of a library was damaged, and is gone."""


class TraceReady(Numbered):
    """A question was answered."""

    def __init__(self, request: int, trace: Trace, library: Library, *, hosted: bool = False) -> None:
        """Keep the trace, the library its chunk ids belong to, and whether the hosted model wrote its answer."""
        self.trace = trace
        self.library = library
        self.hosted = hosted
        super().__init__(request)


class AnswerGrew(Numbered):
    """The hosted model wrote on."""

    def __init__(self, request: int, text: str) -> None:
        """Keep the answer as far as it has come."""
        self.text = text
        super().__init__(request)


class ModelChecked(Numbered):
    """The hosted model was asked for a word."""

    def __init__(self, request: int, reply: str) -> None:
        """Keep what it said."""
        self.reply = reply
        super().__init__(request)


class ModelWaits(Numbered):
    """The request to the hosted model waits, or goes on."""

    def __init__(self, request: int, wait: str) -> None:
        """Keep what it waits for; empty: it goes on."""
        self.wait = wait
        super().__init__(request)


class AnswerFailed(Numbered):
    """A question could not be answered, or the hosted model did not."""

    def __init__(self, request: int, message: str, hint: str, *, hosted: bool = False) -> None:
        """Keep what to tell the person."""
        self.message = message
        self.hint = hint
        self.hosted = hosted
        super().__init__(request)


class ChunkExplained(Numbered):
    """The selected chunk's ranks were explained."""

    def __init__(self, request: int, explanation: Explanation, marks: tuple[Span, ...]) -> None:
        """Keep the explanation and where the question's terms stand in the chunk's text."""
        self.explanation = explanation
        self.marks = marks
        super().__init__(request)


class DocumentRead(Numbered):
    """A note is ready to be shown."""

    def __init__(self, request: int, document: Document, terms: tuple[Span, ...], passage: Span | None) -> None:
        """Keep the note, where the question's words stand in it, and the passage to scroll to."""
        self.document = document
        self.terms = terms
        self.passage = passage
        super().__init__(request)


class LinksFound(Message):
    """It is known where the links of a note lead, and which notes link to it."""

    def __init__(self, links: tuple[NoteLink, ...], back_links: tuple[NoteLink, ...]) -> None:
        """Keep both."""
        self.links = links
        self.back_links = back_links
        super().__init__()


class EvaluationProgressed(Numbered):
    """A measurement came further."""

    def __init__(self, request: int, progress: Progress) -> None:
        """Keep how far."""
        self.progress = progress
        super().__init__(request)


class EvaluationEnded(Numbered):
    """The labelled questions were measured, or there are none, or it was stopped, or it failed."""

    def __init__(
        self,
        request: int,
        evaluation: Evaluation | None = None,
        *,
        stopped: bool = False,
        message: str = "",
        hint: str = "",
    ) -> None:
        """Keep what was measured, `None` where there are no labels; or how it ended else."""
        self.evaluation = evaluation
        self.stopped = stopped
        self.message = message
        self.hint = hint
        super().__init__(request)


class EvaluationSaved(Message):
    """A report was written, or could not be."""

    def __init__(self, path: str = "", *, message: str = "", hint: str = "") -> None:
        """Keep where, or what went wrong and what to do."""
        self.path = path
        self.message = message
        self.hint = hint
        super().__init__()


class LabelsChanged(Message):
    """The labelled questions were read, or a mark was set or taken back, or could not be."""

    def __init__(self, questions: tuple[Question, ...], done: str = "", *, message: str = "", hint: str = "") -> None:
        """Keep the questions, what was done in words, and what went wrong."""
        self.questions = questions
        self.done = done
        self.message = message
        self.hint = hint
        super().__init__()
