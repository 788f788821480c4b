"""Labelled questions from TOML, and which chunks they make relevant.

A label is a text span in a document, so that the same labels judge every chunker: a chunk is relevant to a piece
of evidence when its range holds one of the piece's alternative spans whole.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import LabelsError
from engine.records import Chunk, Document, Evidence, Notice, Question, Span

T = TypeVar("T")

FILE_NAME = "questions.toml"
"""Read from the folder when no other file is named."""

HINT = "docs/evaluation.md shows the format."


def find_questions(folder: Path) -> Path | None:
    """Return the folder's file of labelled questions, if it has one."""
    path = folder / FILE_NAME
    return path if path.is_file() else None


def load_questions(path: Path) -> tuple[Question, ...]:
    """Read labelled questions.

    Raises:
        LabelsError: the file cannot be read, is not TOML, or a question is not as agreed; the message names the
            file and the question.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise LabelsError(
            f"{path} cannot be read: {error.strerror or error}.", "Name a file with --questions."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LabelsError(f"{path} is not TOML: {error}.", HINT) from None
    entries = data.get("question")
    if not isinstance(entries, list) or not entries:
        raise LabelsError(f"{path} holds no [[question]].", HINT)
    return tuple(_question(entry, f"{path}, question {number}") for number, entry in enumerate(entries, 1))


def check_labels(questions: Sequence[Question], documents: Mapping[str, Document]) -> tuple[Notice, ...]:
    """Return a notice for every labelled span that no longer stands in its document."""
    notices = []
    for question in questions:
        for evidence in question.evidence:
            for document, text in evidence.alternatives:
                if document not in documents:
                    notices.append(Notice(document, f"“{question.text}” names this note, but it is not there"))
                elif not find_span(documents[document].text, text):
                    notices.append(Notice(document, f"“{question.text}”: the note no longer holds “{text}”"))
    return tuple(notices)


def relevant_chunks(
    question: Question, chunks: Sequence[Chunk], documents: Mapping[str, Document]
) -> list[frozenset[int]]:
    """Return, for each piece of evidence, the ids of the chunks whose range holds an alternative whole."""
    return [
        frozenset(
            chunk
            for document, text in evidence.alternatives
            if document in documents
            for span in find_span(documents[document].text, text)
            for chunk in _chunks_around(document, span, chunks)
        )
        for evidence in question.evidence
    ]


def find_span(text: str, wanted: str) -> list[Span]:
    """Return every place where `wanted` stands in `text`; runs of white space are equal to each other.

    >>> find_span("one  two, one two", "one two")
    [Span(start=0, end=8), Span(start=10, end=17)]
    """
    words = wanted.split()
    if not words:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    return [Span(*match.span()) for match in pattern.finditer(text)]


def _chunks_around(document: str, span: Span, chunks: Sequence[Chunk]) -> Iterator[int]:
    """Yield the ids of a document's chunks that hold a span; chunks are ordered by (document, start)."""
    at = bisect_right(chunks, (document, span.start), key=lambda chunk: (chunk.document, chunk.start))
    while at > 0 and chunks[at - 1].document == document:
        at -= 1
        if chunks[at].end >= span.end:
            yield chunks[at].id


def _question(entry: Any, where: str) -> Question:  # noqa: ANN401
    if not isinstance(entry, dict):
        raise LabelsError(f"{where} is not a table.", HINT)
    _only(entry, {"text", "reference", "unanswerable", "evidence", "gains"}, where)
    text = _typed(entry, "text", str, where)
    if not text.strip():
        raise LabelsError(f"{where} has no text.", HINT)
    where = f"{where} (“{text}”)"
    unanswerable = _typed(entry, "unanswerable", bool, where, default=False)
    evidence = tuple(_evidence(item, where) for item in _typed(entry, "evidence", list, where, default=[]))
    if bool(evidence) == unanswerable:
        fault = "is marked unanswerable but has evidence" if unanswerable else "has no evidence"
        raise LabelsError(f"{where} {fault}.", "Give it [[question.evidence]], or mark it unanswerable = true.")
    references = tuple(_typed(entry, "reference", list, where, default=[]))
    gains = tuple(_typed(entry, "gains", list, where, default=[]))
    if not all(isinstance(reference, str) for reference in references):
        raise LabelsError(f"{where}: reference is a list of texts.", HINT)
    if gains and (len(gains) != len(evidence) or not all(isinstance(gain, int | float) for gain in gains)):
        raise LabelsError(f"{where}: gains is a list of numbers, one a piece of evidence.", HINT)
    return Question(text, evidence, unanswerable, references, tuple(float(gain) for gain in gains))


def _evidence(item: Any, where: str) -> Evidence:  # noqa: ANN401
    spans = _typed(item, "spans", list, where) if isinstance(item, dict) else []
    _only(item if isinstance(item, dict) else {}, {"spans"}, where)
    if not spans:
        raise LabelsError(f"{where}: a piece of evidence has no spans.", HINT)
    alternatives = []
    for span in spans:
        if not isinstance(span, dict):
            raise LabelsError(f"{where}: a span is a table of document and text.", HINT)
        _only(span, {"document", "text"}, where)
        alternatives.append((_typed(span, "document", str, where), _typed(span, "text", str, where)))
    return Evidence(tuple(alternatives))


def _typed(table: dict[str, Any], key: str, kind: type[T], where: str, default: T | None = None) -> T:
    value = table.get(key, default)
    if value is None:
        raise LabelsError(f"{where} has no {key}.", HINT)
    if not isinstance(value, kind):
        raise LabelsError(f"{where}: {key} = {value!r} is of the wrong kind.", HINT)
    return value


def _only(table: dict[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise LabelsError(f"{where}: unknown key {unknown[0]!r}.", f"Known here: {', '.join(sorted(known))}.")
