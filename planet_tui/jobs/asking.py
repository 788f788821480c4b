"""A library and a question -> a trace; what of it is looked at -> explanations, notes, links, marked terms."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.errors import EngineError, MissingExtraError, SettingsError
from engine.settings import Settings

if TYPE_CHECKING:
    from engine.library import Library
    from engine.reading.links import Destination
    from engine.records import Document, Explanation, NoteLink, ShouldStop, Span, Trace


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
