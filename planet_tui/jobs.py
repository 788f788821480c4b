"""The only part of the app that runs the engine: plain functions from inputs to records.

A screen starts them in thread workers. The engine, and NumPy with it, is imported inside, after the first frame.
"""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

from engine.errors import EngineError, LabelsError, MissingExtraError, SettingsError
from engine.roots import Folders, Roots
from engine.settings import Settings
from planet_tui import paths

if TYPE_CHECKING:
    from engine.evaluation.figures import Panel
    from engine.evaluation.report import EvaluationReport
    from engine.library import Library
    from engine.reading.links import Destination
    from engine.records import Document, Explanation, NoteLink, Question, Report, ShouldStop, Span, Trace


LOOK_EVERY = 10
"""Seconds between two looks at a folder that cannot be watched."""


def build_library(
    roots: Roots,
    settings: Settings,
    before: Library | None,
    cache: Path | None,
    ready: Callable[[Library], None],
    report: Report,
    should_stop: ShouldStop,
) -> None:
    """Build a library stage by stage and hand each stage to `ready`.

    Args:
        roots: the notes.
        settings: what to build with.
        before: a library whose documents are still true, so that only chunks and indexes are made again;
            `None`: read the folder.
        cache: where the index is kept; `None`: nowhere.
        ready: called with the library at each stage.
        report: called with the progress about ten times a second.
        should_stop: asked at least every 100 ms.

    Raises:
        FolderError: the folder cannot be read.
        Cancelled: `should_stop` returned true.
    """
    from engine.library import Library

    if before is None:
        stages = Library.stages(roots, settings, cache=cache, workers=workers(), report=report, should_stop=should_stop)
    else:
        stages = before.rebuilt(settings, cache=cache, report=report, should_stop=should_stop)
    for library in stages:
        # The notes live as long as the app: kept out of the cycle collector, which would stop the interface to
        # walk through millions of objects again and again.
        gc.freeze()
        ready(library)
        if library.stage != "documents" and not library.pending:
            library.warm()


def drop_damaged(roots: Roots, settings: Settings, cache: Path, should_stop: ShouldStop) -> bool:
    """Remove what a cache holds of folders and is not what was written; return whether any was.

    Reads all that is kept: opening looks at a few bytes of it.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    from engine.storage.shelf import Slot

    return Slot.of(cache, roots, settings).drop_damaged(should_stop)


def follow_folder(
    library: Library,
    cache: Path | None,
    ready: Callable[[Library], None],
    should_stop: ShouldStop,
    *,
    failed: bool = False,
) -> None:
    """Wait for changes in a library's folder and hand the library as it is after each to `ready`.

    Args:
        library: as it is now.
        cache: where the index is kept; `None`: nowhere.
        ready: called with each later state.
        should_stop: asked ten times a second; then this returns.
        failed: whether the folder could not be read: then it is tried again after a while, and that it can be read is
            told, changed or not.

    Raises:
        FolderError: the folder cannot be read any more.
        Cancelled: `should_stop` returned true while something was read.
    """
    for touched in chain(_later(should_stop) if failed else (), _changes(library.roots, should_stop)):
        for state in library.refreshed(touched=touched, cache=cache, workers=workers(), should_stop=should_stop):
            library, failed = state, False
            ready(state)
            state.warm()
        if failed:
            failed = False
            ready(library)


def _later(should_stop: ShouldStop) -> Iterator[None]:
    """Yield `None` once, after a while, unless `should_stop` returns true."""
    for _ in range(LOOK_EVERY * 10):
        sleep(0.1)
        if should_stop():
            return
    yield None


def _changes(roots: Roots, should_stop: ShouldStop) -> Iterator[list[str] | None]:
    """Yield the paths that have changed below folders when they are quiet again, until `should_stop` returns true.

    `None`: one cannot be watched, is gone or has come back, and anything may have changed.
    """
    try:
        while not should_stop():
            there = _there(roots)
            for touched in _touched(there or roots.folders, should_stop):
                if _there(roots) != there:
                    yield None
                    break
                if touched:
                    yield touched
    except (OSError, RuntimeError) as error:  # the system watches no more folders: look now and then
        logging.getLogger("planet_tui").warning("not watching %s: %s", roots.folders, error)
        while not should_stop():
            yield from _later(should_stop)


def _touched(folders: Sequence[Path], should_stop: ShouldStop) -> Iterator[list[str]]:
    """Yield the paths that have changed below folders; none, after every `LOOK_EVERY` seconds in which nothing has."""
    from watchfiles import watch

    quiet = 0
    for changes in watch(*folders, debounce=500, rust_timeout=100, yield_on_timeout=True, raise_interrupt=False):
        if should_stop():
            return
        quiet = 0 if changes else quiet + 1
        if changes or quiet % (LOOK_EVERY * 10) == 0:
            yield [path for _, path in changes]


def _there(roots: Roots) -> tuple[Path, ...]:
    return tuple(folder for folder in roots.folders if paths.is_folder(folder))


def open_library(roots: Roots, settings: Settings, *, reader: str | None = None, report: Report) -> Library:
    """Return the library of folders, complete; raise as `Library.open`."""
    from engine.library import Library

    return Library.open(roots, settings, reader=reader, cache=paths.cache_folder(), workers=workers(), report=report)


def workers() -> int:
    """Return how many processes may read notes at once: one a core, where there are more cores than one."""
    return min(4, os.cpu_count() or 1)


def ask_question(library: Library, question: str, settings: Settings, *, typing: bool = False) -> Trace:
    """Answer with the extractive generator: milliseconds. With `typing` the last word may go on.

    A tokenizer that cannot be used costs a warning.
    """
    from engine.pipeline import ask

    try:
        return _read_results(ask(library.with_settings(settings), question, typing=typing))
    except (SettingsError, MissingExtraError) as error:
        if not settings.tokenizer:
            raise
        trace = ask(library.with_settings(settings.replace(tokenizer="")), question, typing=typing)
        said = f"{error.message.rstrip('.')}: the tokens are counted by words and marks. {error.hint}"
        return replace(trace, warnings=(*trace.warnings, said))


def _read_results(trace: Trace) -> Trace:
    """Read the chunks that lists show, here and not where they are drawn: a trace reads each when it is looked at."""
    for ranking in trace.rankings.values():
        for hit in ranking.hits[: trace.settings.results]:
            trace.chunks[hit.chunk]
    return trace


def ask_hosted(
    library: Library,
    question: str,
    settings: Settings,
    should_stop: ShouldStop,
    on_text: Callable[[str], None],
    report: Callable[[str], None],
) -> Trace:
    """Answer with the hosted model of the settings and the environment.

    Args:
        library: the notes.
        question: as asked.
        settings: those in force.
        should_stop: asked every 50 ms.
        on_text: takes the answer as far as it has come.
        report: told in words what the request waits for; an empty text when the wait is over.

    Raises:
        EndpointError: it is not set up, cannot be reached, or does not answer as agreed.
        Cancelled: `should_stop` returned true.
    """
    from engine.answering.hosted import hosted_generator, hosted_settings
    from engine.pipeline import ask

    generator = hosted_generator(
        *hosted_settings(settings, os.environ),
        timeout=settings.timeout,
        time_limit=settings.time_limit,
        should_stop=should_stop,
        report=report,
        on_text=on_text,
    )
    return ask(library.with_settings(settings), question, generator=generator)


def check_model(settings: Settings, should_stop: ShouldStop) -> str:
    """Ask the hosted model for a word and return the start of its reply; raise as `ask_hosted`."""
    from engine.answering.hosted import check_hosted

    return " ".join(check_hosted(settings, os.environ, should_stop).split())[:60]


def hosted_problem(settings: Settings) -> tuple[str, str] | None:
    """Return what is wrong with the set-up of the hosted model and what to do; `None`: nothing is missing."""
    from engine.answering.hosted import hosted_address, hosted_generator

    base_url, model = hosted_address(settings, os.environ)
    try:
        hosted_generator(base_url, "", model)
    except EngineError as error:
        return error.message, error.hint
    return None


def explain_chunk(library: Library, trace: Trace, chunk: int) -> tuple[Explanation, tuple[Span, ...]]:
    """Return why a chunk stands where it does, and where the question's terms stand in its text."""
    from engine.pipeline import explain

    explanation = explain(library.with_settings(trace.settings), trace, chunk)
    return explanation, mark_terms(library, library.chunks[chunk].text, trace.terms)


def mark_terms(library: Library, text: str, terms: tuple[str, ...]) -> tuple[Span, ...]:
    """Return where words of `text` are analysed to one of `terms`."""
    from engine.text.analysis import find_terms

    return tuple(find_terms(text, terms, library.index.analyzer))


def read_document(library: Library, document: str, terms: tuple[str, ...]) -> tuple[Document, tuple[Span, ...]]:
    """Return a note and where the question's terms stand in it."""
    note = library.documents[document]
    return note, mark_terms(library, note.text, terms) if terms else ()


def note_links(library: Library, document: str) -> tuple[tuple[NoteLink, ...], tuple[NoteLink, ...]]:
    """Return where the links of a note lead, once a place, and the notes that link to it."""
    from engine.records import NoteLink

    graph, titles = library.links, library.documents
    found: dict[Destination, NoteLink] = {}
    for link in library.documents[document].links:
        if (place := graph.follow(document, link)) is not None:
            found.setdefault(place, NoteLink(link.label, place.document, titles[place.document].title, place.position))
    back = (
        NoteLink(mention.label, mention.document, titles[mention.document].title, mention.position)
        for mention in graph.incoming.get(document, ())
    )
    return tuple(found.values()), tuple(back)


@dataclass(frozen=True)
class Marked:
    """A label before and after it was marked."""

    path: Path
    """The file it is kept in."""
    before: Question | None
    """`None`: the question was not labelled."""
    after: Question
    """As it is kept now."""


Marking = Callable[[], Marked]
"""Sets a mark."""


def mark_evidence(roots: Roots, question: str, document: str, text: str, answer: str) -> Marked:
    """Keep a text of a note as evidence for a question, among the labels that the app keeps about the note's folder.

    Where the question has evidence there already, the text is another place that says the same.

    Args:
        roots: the folders of notes.
        question: as it was asked.
        document: the note.
        text: as it stands in the note.
        answer: a short right answer; empty: none.

    Raises:
        LabelsError: the labels cannot be read, or hold the question otherwise.
        OutputError: they cannot be written.
    """
    from engine.records import Evidence, Question

    folder, name = next(
        (folder, document.removeprefix(prefix))
        for folder, prefix in zip(roots.folders, roots.prefixes, strict=True)
        if document.startswith(prefix)
    )
    before = _kept(roots, folder, question)
    places = before.evidence[0].alternatives if before is not None and before.evidence else ()
    references = before.references if before is not None else ()
    rest = before.evidence[1:] if before is not None else ()
    first = Evidence(tuple(dict.fromkeys((*places, (name, text)))))
    said = tuple(dict.fromkeys((*references, answer))) if answer else references
    return _keep(folder, before, Question(question, (first, *rest), references=said))


def mark_unanswerable(roots: Roots, question: str) -> Marked:
    """Keep that the notes cannot answer a question; raise as `mark_evidence`."""
    from engine.records import Question

    return _keep(roots.first, _kept(roots, roots.first, question), Question(question, unanswerable=True))


def take_mark_back(marked: Marked) -> None:
    """Make the labels what they were before a mark; raise as `mark_evidence`."""
    from engine.evaluation.label_files import replace_question

    replace_question(marked.path, marked.after, marked.before)


def evidence_choices(passage: str, said: str, terms: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """Return the sentences of a passage, and the place of the likeliest evidence: what was answered, or asked of."""
    from engine.text.analysis import analyze
    from engine.text.sentences import split_sentences

    sentences = tuple(split_sentences(passage)) or (passage,)
    answered = [at for at, sentence in enumerate(sentences) if sentence.rstrip(". ") in said]
    shared = [len(set(terms).intersection(analyze(sentence))) for sentence in sentences]
    return sentences, answered[0] if answered else shared.index(max(shared))


def _kept(roots: Roots, folder: Path, question: str) -> Question | None:
    """Return the question as the app has kept it about a folder; raise where another file holds it."""
    from engine.evaluation.labels import find_questions, load_questions

    def known(path: Path | None) -> Question | None:
        labelled = load_questions(path) if path is not None and path.is_file() else ()
        return next((each for each in labelled if each.text == question), None)

    for other in roots.folders:
        own, kept = find_questions(other), paths.labels_file(other)
        for path in (own, kept if other != folder else None):
            if path is not None and known(path):
                raise LabelsError(f"{path} holds this question already.", "Change it there, in an editor.")
    return known(paths.labels_file(folder))


def _keep(folder: Path, before: Question | None, after: Question) -> Marked:
    from engine.evaluation.label_files import append_question, replace_question

    path = paths.labels_file(folder)
    if before is None:
        append_question(path, after)
    else:
        replace_question(path, before, after)
    return Marked(path, before, after)


@dataclass(frozen=True)
class Evaluation:
    """A measured library, as the Evaluate screen shows it."""

    library: Library
    """What was measured."""
    settings: Settings
    """With these settings."""
    questions: tuple[Question, ...]
    """On these labels."""
    report: EvaluationReport
    """The record that the command line prints."""
    recall: Panel
    """Recall by depth, a curve a retriever."""
    outcome: tuple[str, ...]
    """How the answers came out and where the others were lost, in sentences."""


def labelled_questions(folders: Folders) -> tuple[Question, ...]:
    """Return the questions of each folder's own file of labels, and those labelled in the app; empty: there are none.

    Raises:
        LabelsError: a file of labels cannot be read or is not as agreed.
    """
    from engine.evaluation.labels import find_questions, load_questions, within

    roots = Roots.of(folders)
    return tuple(
        within(prefix, question)
        for folder, prefix in zip(roots.folders, roots.prefixes, strict=True)
        for path in (find_questions(folder), paths.labels_file(folder))
        if path is not None and path.is_file()
        for question in load_questions(path)
    )


def evaluate_notes(
    library: Library, settings: Settings, before: Evaluation | None, report: Report, should_stop: ShouldStop
) -> Evaluation | None:
    """Measure every retriever and the quoted answers on a folder's labelled questions.

    Args:
        library: at stage `bm25` or later.
        settings: those in force.
        before: what was measured last; it is returned where nothing has changed since.
        report: told the progress.
        should_stop: asked before each question.

    Returns:
        `None`: the folder has no labelled questions.

    Raises:
        LabelsError: the labels cannot be read.
        Cancelled: `should_stop` returned true.
    """
    from engine.evaluation.report import evaluate
    from engine.evaluation.report_figures import recall_panel
    from engine.evaluation.report_tables import answer_lines

    questions = labelled_questions(library.roots)
    if not questions:
        return None
    same = before is not None and before.library is library
    if before is not None and same and (before.settings, before.questions) == (settings, questions):
        return before
    measured = evaluate(library.with_settings(settings), questions, report=report, should_stop=should_stop)
    outcome = tuple(line for line in answer_lines(measured) if line)
    return Evaluation(library, settings, questions, measured, recall_panel(measured.retrieval), outcome)


def save_evaluation(evaluation: Evaluation, path: Path) -> Path:
    """Write a report (.md, .csv, .json) or its picture (.svg, .png, .pdf), by the ending; return where it is.

    Raises:
        OutputError: the ending is another one, or the file cannot be written.
        MissingExtraError: a picture needs matplotlib.
    """
    from engine.evaluation.figures import ENDINGS as PICTURES
    from engine.evaluation.report_figures import report_figure
    from engine.evaluation.report_tables import save_report

    path = path.expanduser()
    if path.suffix.lower() in PICTURES:
        return report_figure(evaluation.report, paths.names(evaluation.library.roots.folders)).save(path)
    return save_report(evaluation.report, path)


def log_fault(error: Exception) -> None:
    """Write an error of ours, with its traceback, to the log file."""
    logging.getLogger("planet_tui").error("fault", exc_info=error)
