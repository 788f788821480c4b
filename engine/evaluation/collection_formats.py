"""The files of test collections: JSON lines as BEIR has them, TREC topics, documents and judgements, SQuAD."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from engine.errors import LabelsError

_BLOCK = re.compile(r"<(DOC|top)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_DOCNO = re.compile(r"<DOCNO>\s*(.*?)\s*</DOCNO>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:Topic:)?([^<]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Text:
    """A text or a question of a collection."""

    id: str
    """Its name there."""
    title: str
    """Its title; empty: none."""
    text: str
    """Its words."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How well a text answers a question."""

    question: str
    """The question's name."""
    text: str
    """The text's name."""
    grade: float
    """0 or less: not at all; higher is better."""
    where: str
    """File and line, for a message."""


def read_jsonl(path: Path, *keys: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a file of JSON lines, each with where it stands; empty lines are passed over.

    Raises:
        LabelsError: a line is no JSON object, or lacks one of the keys.
    """
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for number, line in enumerate(file, 1):
            where = f"{path.name}, line {number}"
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise LabelsError(f"{where}: it is not JSON: {error}.", "One JSON object a line.") from None
            missing = [key for key in keys if not isinstance(entry, dict) or key not in entry]
            if missing or not isinstance(entry, dict):
                raise LabelsError(f"{where}: it has no {', '.join(missing)}.", "One JSON object a line.")
            yield where, entry


def read_texts(path: Path) -> Iterator[Text]:
    """Yield texts or questions from JSON lines {id or _id, title if there is one, text}; raise as `read_jsonl`."""
    for where, entry in read_jsonl(path, "text"):
        name = entry.get("_id", entry.get("id"))
        if name is None:
            raise LabelsError(f"{where}: it has no id.", "An object has `id` or `_id`, and `text`.")
        yield Text(str(name), str(entry.get("title") or ""), str(entry["text"] or ""))


def read_qrels(path: Path) -> Iterator[Judgement]:
    """Yield judgements: question, text, grade (tab-separated), or TREC's question, iteration, text, grade.

    A first line whose grade is no number is a header.

    Raises:
        LabelsError: a line has other columns.
    """
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        for number, line in enumerate(file, 1):
            cells = line.rstrip("\r\n").split("\t") if line.count("\t") > 1 else line.split()
            if not any(cells):
                continue
            where = f"{path.name}, line {number}"
            grade = _number(cells[-1])
            if len(cells) not in (3, 4) or (grade is None and number > 1):
                columns = "question, text and grade, or question, iteration, text and grade"
                raise LabelsError(f"{where}: a judgement is {columns}.", "Separate them by tabs.")
            if grade is not None:
                yield Judgement(cells[0], cells[-2], grade, where)


def read_topics(path: Path) -> Iterator[Text]:
    """Yield TREC topics: `<top>` blocks with `<num>` and `<title>`, or lines of id, tab, question.

    Raises:
        LabelsError: a topic lacks its number or its title.
    """
    source = path.read_text(encoding="utf-8", errors="replace")
    blocks = [block[2] for block in _BLOCK.finditer(source) if block[1].lower() == "top"]
    for at, block in enumerate(blocks, 1):
        number, title = _NUMBER.search(block), _TITLE.search(block)
        if number is None or title is None:
            raise LabelsError(f"{path.name}, topic {at}: it has no <num> or no <title>.", "See a TREC topic file.")
        yield Text(number[1], "", _words(title[1]))
    if not blocks:
        yield from _topic_lines(path.name, source)


def read_trec_documents(path: Path) -> Iterator[Text]:
    """Yield TREC documents: `<DOC>` blocks with a `<DOCNO>`; what stands between other tags is text.

    Raises:
        LabelsError: a document has no DOCNO.
    """
    source = path.read_text(encoding="utf-8", errors="replace")
    blocks = (block[2] for block in _BLOCK.finditer(source) if block[1].lower() == "doc")
    for at, block in enumerate(blocks, 1):
        name = _DOCNO.search(block)
        if name is None:
            raise LabelsError(f"{path.name}, document {at}: it has no <DOCNO>.", "See a TREC document file.")
        title = _TITLE.search(block)
        body = _DOCNO.sub(" ", block) if title is None else _DOCNO.sub(" ", block).replace(title[0], " ", 1)
        yield Text(name[1], _words(title[1]) if title else "", _words(body))


def read_squad(path: Path) -> tuple[list[Text], list[Text], list[Judgement]]:
    """Return the paragraphs of a SQuAD file (1.1 or 2.0), its questions that have an answer, and where it stands.

    Raises:
        LabelsError: it is no such file.
    """
    texts: list[Text] = []
    questions: list[Text] = []
    judgements: list[Judgement] = []
    try:
        for article in json.loads(path.read_text(encoding="utf-8-sig", errors="replace"))["data"]:
            for paragraph in article["paragraphs"]:
                name = f"{article['title']}#{len(texts)}"
                texts.append(Text(name, article["title"].replace("_", " "), paragraph["context"]))
                asked = [qa for qa in paragraph["qas"] if not qa.get("is_impossible")]
                questions += [Text(str(qa["id"]), "", qa["question"]) for qa in asked]
                judgements += [Judgement(str(qa["id"]), name, 1.0, path.name) for qa in asked]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise LabelsError(
            f"{path.name} is not in SQuAD's form: {type(error).__name__}: {error}.",
            "It is JSON with data, paragraphs, context, qas, question and id.",
        ) from None
    return texts, questions, judgements


def _topic_lines(name: str, source: str) -> Iterator[Text]:
    for number, line in enumerate(source.splitlines(), 1):
        topic, _, words = line.partition("\t")
        if not line.strip():
            continue
        if not words.strip():
            raise LabelsError(f"{name}, line {number}: a topic is an id, a tab and a question.", "Or use <top> blocks.")
        yield Text(topic.strip(), "", words.strip())


def _words(markup: str) -> str:
    return " ".join(html.unescape(_TAG.sub(" ", markup)).split())


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if isfinite(value) else None
