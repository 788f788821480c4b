"""What a person says of an answer -> labelled questions, kept among those of the folder, and taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import LabelsError
from engine.roots import Roots
from planet_tui import paths

if TYPE_CHECKING:
    from engine.records import Question


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
