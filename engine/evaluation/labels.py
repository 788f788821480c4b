"""Labelled questions from TOML or JSON lines, and which chunks they make relevant.

A label is a text span in a document, so that the same labels judge every chunker: a chunk is relevant to a piece
of evidence when its range holds one of the piece's alternative spans whole.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import LabelsError
from engine.evaluation.collection_formats import read_jsonl
from engine.evaluation.stale_labels import describe_missing, describe_stale
from engine.records import Chunk, Document, Evidence, Notice, Question, Span
from engine.settings import shown

T = TypeVar("T")

FILE_NAME = "questions.toml"
"""Read from the folder when no other file is named."""

VERSION = 1
"""Of the form of a file of labels; one that says a later `version` at its top is neither read nor written to."""

HINT = (
    "A question is a [[question]] with a text, and below it either unanswerable = true or [[question.evidence]] "
    'with spans = [{ document = "note.md", text = "words of the note" }].'
)

LARGEST_GAIN = 1e6
"""More than any scale of judgements; sums of gains stay finite."""

_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*question[ \t]*\]\]", re.MULTILINE)


def find_questions(folder: Path) -> Path | None:
    """Return the folder's file of labelled questions, if it has one."""
    path = folder / FILE_NAME
    return path if path.is_file() else None


def load_questions(path: Path) -> tuple[Question, ...]:
    """Read labelled questions from TOML, or from JSON lines {question, doc, answers: [{text}]} (`*.jsonl`).

    Raises:
        LabelsError: the file cannot be read, is not TOML, or a question is not as agreed; the message names the
            file, the line, and what is wrong there.
    """
    try:
        if path.suffix == ".jsonl":
            return tuple(_answered(entry, f"{path}: {where}") for where, entry in read_jsonl(path, "question", "doc"))
        source = path.read_text(encoding="utf-8-sig")
        data = tomllib.loads(source)
    except OSError as error:
        raise LabelsError(
            f"{path} cannot be read: {error.strerror or error}.", "Name a file with --questions."
        ) from None
    except (ValueError, RecursionError) as error:  # also a number of more digits than Python reads
        raise LabelsError(f"{path} is not TOML: {error}.", HINT) from None
    version = data.pop("version", VERSION)
    if type(version) is not int or version > VERSION:
        raise LabelsError(
            f"{path}: version = {shown(version)}: this planet-tui reads labels of version {VERSION}.",
            "Read it with the planet-tui that wrote it.",
        )
    _only(data, {"question"}, str(path))
    entries = data.get("question")
    if not isinstance(entries, list) or not entries:
        raise LabelsError(f"{path} holds no [[question]].", HINT)
    places = _places(source, len(entries))
    return tuple(_question(entry, f"{path}, {place}") for entry, place in zip(entries, places, strict=True))


def within(prefix: str, question: Question) -> Question:
    """Return a question about the notes of a folder as one about them in a library where their ids have a prefix.

    >>> within("wiki/", Question("Who?", (Evidence((("io.md", "Galileo"),)),))).evidence[0].alternatives
    (('wiki/io.md', 'Galileo'),)
    """
    if not prefix:
        return question
    evidence = (
        replace(piece, alternatives=tuple((prefix + document, text) for document, text in piece.alternatives))
        for piece in question.evidence
    )
    return replace(question, evidence=tuple(evidence))


def subfolder_of(questions: Sequence[Question], ids: Collection[str]) -> str:
    """Return the folder, with a final `/`, that labels count from where that is one within the library; else nothing.

    None of the notes they name is there as they name it, and most are below that one folder.

    >>> subfolder_of([Question("Who?", (Evidence((("io.md", "Galileo"),)),))], ["wiki/io.md", "wiki/mars.md"])
    'wiki/'
    """
    named = {name for question in questions for piece in question.evidence for name, _ in piece.alternatives}
    if not named or any(name in ids for name in named):
        return ""
    found = Counter(
        id[: start + 1]
        for id in ids  # noqa: A001
        for start in (at for at, sign in enumerate(id) if sign == "/")
        if id[start + 1 :] in named
    )
    [(prefix, most), *rest] = found.most_common(2) or [("", 0)]
    return prefix if 2 * most > len(named) and all(number < most for _, number in rest) else ""


def check_labels(questions: Sequence[Question], documents: Mapping[str, Document]) -> tuple[Notice, ...]:
    """Return a notice for every labelled span that no longer stands in its document, with what comes closest."""
    return tuple(
        Notice(name, f"“{question.text}”: {problem}")
        for question in questions
        for evidence in question.evidence
        for name, text in evidence.alternatives
        if (problem := _problem(name, text, documents))
    )


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


def _problem(name: str, text: str, documents: Mapping[str, Document]) -> str:
    if name not in documents:
        return describe_missing(name, documents)
    return "" if find_span(documents[name].text, text) else describe_stale(documents[name], text)


def _answered(entry: dict[str, Any], where: str) -> Question:
    """Return a question whose answers stand word for word in one document; any of them will do."""
    text, document = _typed(entry, "question", str, where), _typed(entry, "doc", str, where)
    answers = _typed(entry, "answers", list, where, default=[])
    found = tuple(dict.fromkeys(a["text"] for a in answers if isinstance(a, dict) and str(a.get("text", "")).strip()))
    if not entry.get("answerable", True):
        return Question(text, unanswerable=True)
    if not text.strip() or not found:
        raise LabelsError(f"{where}: the question has no text or no answers.", "Or say that it is not answerable.")
    return Question(text, (Evidence(tuple((document, answer) for answer in found)),), references=found)


def _places(source: str, n_questions: int) -> list[str]:
    """Say where each question starts: by line, or by number where the headers cannot be told from other text."""
    lines = [source.count("\n", 0, header.start()) + 1 for header in _HEADER.finditer(source)]
    if len(lines) == n_questions:
        return [f"line {line}" for line in lines]
    return [f"question {number}" for number in range(1, n_questions + 1)]


def _question(entry: Any, where: str) -> Question:  # noqa: ANN401
    if not isinstance(entry, dict):
        raise LabelsError(f"{where}: a question is a table.", HINT)
    _only(entry, {"text", "reference", "unanswerable", "evidence", "gains"}, where)
    text = _typed(entry, "text", str, where)
    if not text.strip():
        raise LabelsError(f"{where}: the question has no text.", HINT)
    where = f"{where} (“{text}”)"
    unanswerable = _typed(entry, "unanswerable", bool, where, default=False)
    evidence = tuple(_evidence(item, where) for item in _typed(entry, "evidence", list, where, default=[]))
    if bool(evidence) == unanswerable:
        fault = "it is marked unanswerable but has evidence" if unanswerable else "it has no evidence"
        raise LabelsError(f"{where}: {fault}.", "Give it [[question.evidence]], or mark it unanswerable = true.")
    references = tuple(_typed(entry, "reference", list, where, default=[]))
    if not all(isinstance(reference, str) and reference.strip() for reference in references):
        raise LabelsError(f"{where}: reference is a list of texts.", HINT)
    gains = tuple(_typed(entry, "gains", list, where, default=[]))
    if gains and (len(gains) != len(evidence) or not all(map(_is_gain, gains))):
        raise LabelsError(f"{where}: gains is a list of positive numbers, one a piece of evidence.", HINT)
    return Question(text, evidence, unanswerable, references, tuple(float(gain) for gain in gains))


def _is_gain(value: Any) -> bool:  # noqa: ANN401
    return type(value) in (int, float) and 0 < value <= LARGEST_GAIN


def _evidence(item: Any, where: str) -> Evidence:  # noqa: ANN401
    if not isinstance(item, dict):
        raise LabelsError(f"{where}: a piece of evidence is a table.", HINT)
    _only(item, {"spans"}, where)
    spans = _typed(item, "spans", list, where)
    if not spans:
        raise LabelsError(f"{where}: a piece of evidence has no spans.", HINT)
    return Evidence(tuple(_span(span, where) for span in spans))


def _span(span: Any, where: str) -> tuple[str, str]:  # noqa: ANN401
    if not isinstance(span, dict):
        raise LabelsError(f"{where}: a span is a table of document and text.", HINT)
    _only(span, {"document", "text"}, where)
    document, text = _typed(span, "document", str, where), _typed(span, "text", str, where)
    if not text.strip():
        raise LabelsError(f"{where}: a span has no text.", HINT)
    return document, text


def _typed(table: dict[str, Any], key: str, kind: type[T], where: str, default: T | None = None) -> T:
    value = table.get(key, default)
    if value is None:
        raise LabelsError(f"{where}: {key} is missing.", HINT)
    if not isinstance(value, kind):
        raise LabelsError(f"{where}: {key} = {shown(value)} is of the wrong kind.", HINT)
    return value


def _only(table: dict[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise LabelsError(f"{where}: unknown key {unknown[0]!r}.", f"Known here: {', '.join(sorted(known))}.")
