"""Labelled collections on disk -> texts, questions and which texts are relevant to each.

A collection is a folder of one of these forms, or a SQuAD file (`collection_formats` reads each part):

texts       corpus.jsonl {id, title, text} (BEIR's `_id` too), or TREC documents: *.trec, *.sgml, docs/*
questions   queries.jsonl {id, text}, or TREC topics: topics* or *.topics
judgements  qrels.tsv, qrels/*.tsv, qrels* or *.qrels: question, text, grade, or TREC's four columns
together    qa.jsonl {question, doc}, beside the texts
SQuAD       *.json, version 1.1 or 2.0: the paragraphs are the texts

The collections are not part of the project: they lie in the folder that PLANET_TUI_DATA names, or in `shared/data`
beside the checkout.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.errors import LabelsError
from engine.evaluation.collection_formats import (
    Judgement,
    Text,
    read_jsonl,
    read_qrels,
    read_squad,
    read_texts,
    read_topics,
    read_trec_documents,
)
from engine.records import Notice

HINT = (
    "A collection is a folder with corpus.jsonl, queries.jsonl and qrels.tsv, or a SQuAD file; see docs/evaluation.md."
)

SPLITS = ("test.tsv", "dev.tsv", "train.tsv")
"""Which of several files of judgements is read: the first of these that is there."""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question and the texts that answer it."""

    text: str
    """The question."""
    gains: Mapping[int, float]
    """The gain of each relevant text, by its place in the collection; never empty."""
    id: str = ""
    """Its name in the collection."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Texts and judged questions."""

    name: str
    """The folder's name."""
    texts: tuple[str, ...]
    """Title, line break, text; a text's id is its place here."""
    questions: tuple[JudgedQuestion, ...]
    """Those with at least one relevant text."""
    sources: tuple[Text, ...] = ()
    """The texts with their names and titles, at the same places; then those that are judged and not there, empty."""
    notices: tuple[Notice, ...] = ()
    """Judgements of questions that are not asked, which do not count, and of texts that are not there, which do."""


def data_folder() -> Path | None:
    """Return where the collections lie; `None` when they are not on this machine."""
    beside = Path(__file__).parents[2].parent / "shared" / "data"
    folder = Path(os.environ.get("PLANET_TUI_DATA", beside))
    return folder if folder.is_dir() else None


def read_collection(path: Path) -> Collection:
    """Read a collection from its folder or file; a text judged worthless (grade 0 or less) is not relevant.

    Raises:
        LabelsError: nothing there is a collection, a file cannot be read, a line is not as agreed, or no
            judgement is of a question and a text that are there; the message names the file and the line.
    """
    try:
        texts, questions, judgements = _parts(path)
    except OSError as error:
        raise LabelsError(f"{error.filename or path} cannot be read: {error.strerror or error}.", HINT) from None
    place_of = _places(texts)
    gains: dict[str, dict[int, float]] = {name: {} for name in _places(questions)}
    unknown = [judgement for judgement in judgements if judgement.question not in gains]
    if unknown and len(unknown) == len(judgements):
        raise LabelsError(f"{unknown[0].where}: there is no question {unknown[0].question!r} in the collection.", HINT)
    relevant = [judgement for judgement in judgements if judgement.question in gains and judgement.grade > 0]
    lost = [judgement for judgement in relevant if judgement.text not in place_of]
    if lost and len(lost) == len(relevant):
        raise LabelsError(f"{lost[0].where}: there is no text {lost[0].text!r} in the collection.", HINT)
    # A text that is judged and not there is one that nobody can find: it counts as missed, as in a run.
    absent = [Text(name, "", "") for name in dict.fromkeys(judgement.text for judgement in lost)]
    place_of.update({text.id: len(texts) + at for at, text in enumerate(absent)})
    for judgement in relevant:
        gains[judgement.question][place_of[judgement.text]] = judgement.grade
    judged = tuple(JudgedQuestion(question.text, gains[question.id], question.id) for question in questions)
    return Collection(
        name=path.resolve().name,
        texts=tuple(f"{text.title}\n{text.text}" for text in texts),
        questions=tuple(question for question in judged if question.gains),
        sources=(*texts, *absent),
        notices=(*_told(unknown, "questions that are not asked"), *_told(lost, "texts that are not there")),
    )


def _told(judgements: Sequence[Judgement], what: str) -> tuple[Notice, ...]:
    """Say how many judgements are of what is not in the collection."""
    return (Notice(judgements[0].where, f"{len(judgements):,} judgements of {what}"),) if judgements else ()


def _parts(path: Path) -> tuple[list[Text], list[Text], list[Judgement]]:
    """Return texts, questions and judgements."""
    if path.is_file():
        return read_squad(path)
    if not path.is_dir():
        raise LabelsError(f"{path} is not there.", HINT)
    corpus, queries, qa = path / "corpus.jsonl", path / "queries.jsonl", path / "qa.jsonl"
    if qa.is_file() and corpus.is_file() and not queries.is_file():
        return list(read_texts(corpus)), *_questions_and_answers(qa)
    documents = list(read_texts(corpus)) if corpus.is_file() else list(_trec_documents(path))
    if documents:
        topics = list(read_texts(queries)) if queries.is_file() else list(read_topics(_one(path, "topics")))
        return documents, topics, list(read_qrels(_qrels(path)))
    if (path / "questions.jsonl").is_file():
        hint = f"Measure those notes: planet-tui evaluate FOLDER --questions {path / 'questions.jsonl'}"
        raise LabelsError(f"{path} holds questions about a folder of notes, and no texts.", hint)
    files = sorted(path.glob("*.json"))
    if len(files) == 1:
        return read_squad(files[0])
    several = f"{path} holds several JSON files; name one: {', '.join(file.name for file in files[:4])}."
    raise LabelsError(several if files else f"{path} holds no collection.", HINT)


def _places(texts: Sequence[Text]) -> dict[str, int]:
    """Return the place of each text by its name."""
    places: dict[str, int] = {}
    for place, text in enumerate(texts):
        if places.setdefault(text.id, place) != place:
            raise LabelsError(f"{text.id!r} is the name of two texts or questions of the collection.", HINT)
    return places


def _questions_and_answers(path: Path) -> tuple[list[Text], list[Judgement]]:
    """Return the questions of a qa.jsonl that have an answer, and the text in which it stands."""
    questions, judgements = [], []
    for where, entry in read_jsonl(path, "question", "doc"):
        if entry.get("answerable", True):
            name = str(entry.get("id", where))
            questions.append(Text(name, "", entry["question"]))
            judgements.append(Judgement(name, str(entry["doc"]), 1.0, where))
    return questions, judgements


def _trec_documents(path: Path) -> Iterator[Text]:
    files = [*path.glob("*.trec"), *path.glob("*.sgml"), *(path / "docs").glob("*")]
    for file in sorted(file for file in files if file.is_file()):
        yield from read_trec_documents(file)


def _qrels(path: Path) -> Path:
    if (path / "qrels.tsv").is_file():
        return path / "qrels.tsv"
    split = next((path / "qrels" / name for name in SPLITS if (path / "qrels" / name).is_file()), None)
    return split or next(iter(sorted((path / "qrels").glob("*.tsv"))), None) or _one(path, "qrels")


def _one(path: Path, kind: str) -> Path:
    """Return the file of this kind, `KIND*` or `*.KIND`."""
    files = sorted(file for file in (*path.glob(f"{kind}*"), *path.glob(f"*.{kind}")) if file.is_file())
    if len(files) == 1:
        return files[0]
    fault = "no file" if not files else "several files"
    raise LabelsError(f"{path} holds {fault} of {kind}.", HINT)
