"""What the Explore screen says of its state: why a list is empty, why there is no answer, how ready the library is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planet_tui import paths
from planet_tui.session import Session

if TYPE_CHECKING:
    from engine.records import Question, Trace


LISTS = {
    "bm25": "BM25: passages with the words of the question; a rare word counts more, a long passage less.",
    "lsa": "LSA: passages about the same, in other words too; learnt from words that stand together.",
    "fused": "Both lists in one. Its best passages become the sources of the answer.",
}
"""What each list is, said until there is something in it."""


def why_nothing(session: Session, question: str, trace: Trace | None, *, failed: bool) -> str:
    """Say why there is no answer; `failed`: the folder could not be read, or reading was stopped."""
    library = session.library
    if trace is not None:
        return "Nothing matches."
    if failed and library is None:
        return "Nothing to search."
    if library is not None and not library.documents:
        return (
            f"No notes in {paths.shown_all(session.roots.folders)}. planet-tui reads .md, .markdown, .mdx, .txt and "
            ".rst files; hidden folders and what .gitignore excludes are left out."
        )
    if question.strip():
        return "The answer comes as soon as the words are counted."
    return "Type a question. The lists follow while you type; enter takes you to the answer."


def why_empty(ranking: str, trace: Trace | None, *, building: bool) -> str:
    """Say why a list is empty."""
    if trace is None:
        return LISTS[ranking]
    if ranking == "lsa" and not trace.complete:
        return "LSA is being fitted; it joins when it is ready." if building else "LSA is not ready."
    if trace.filters and not trace.n_allowed:
        return f"No passage meets {' '.join(trace.filters)}."
    if trace.filters and not trace.terms:
        return "Only filters: the fused list shows what meets them."
    if not trace.terms:
        return "Only stopwords: nothing to search for."
    return "LSA does not know these words." if ranking == "lsa" else "No note holds these words."


def evidence_in(trace: Trace | None, labels: tuple[Question, ...]) -> frozenset[int]:
    """Return the passages of a trace that hold a text labelled as evidence for its question."""
    label = next((label for label in labels if trace is not None and label.text == trace.question), None)
    if trace is None or label is None:
        return frozenset()
    places = [(note, " ".join(text.split())) for piece in label.evidence for note, text in piece.alternatives]
    return frozenset(
        chunk.id
        for chunk in trace.chunks.values()
        for note, text in places
        if note == chunk.document and text in " ".join(chunk.text.split())
    )


def facts(session: Session) -> tuple[str, ...]:
    """Say how much there is and how ready it is, from most to least important."""
    library = session.library
    if library is None:
        return ()
    said = [_count(len(library.documents), "note") + (" so far" if library.pending else "")]
    if library.notices:
        said.append(f"{_count(len(library.notices), 'notice')} (w)")
    if library.stage != "documents":
        lsa = "✓" if library.stage == "lsa" else "…"
        said += [session.settings.generator, _count(len(library.chunks), "chunk"), "BM25 ✓", f"LSA {lsa}"]
    return tuple(said)


def _count(number: int, noun: str) -> str:
    """Count in words.

    >>> _count(1, "note"), _count(1200, "note")
    ('1 note', '1,200 notes')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
