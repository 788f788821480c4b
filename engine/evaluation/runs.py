"""Rankings and judgements as TREC files, so that any other tool can measure the same run.

A run has `question Q0 text rank score tag` a line; judgements (qrels) have `question 0 text gain`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from engine.evaluation.retrieval import Judged, OnRankings
from engine.records import Chunk, Ranking
from engine.writing import replacing

QRELS = "qrels.txt"
"""The file of judgements beside the runs."""


@contextmanager
def run_files(folder: Path | str, names: Sequence[str], name_of: Callable[[int], str]) -> Iterator[OnRankings]:
    """Yield what writes each question into `NAME.run`, one file a retriever, and its judgements into `qrels.txt`.

    The files take their places when the block ends without an error. Scores fall strictly even where ours tie, in
    the single precision that other tools read them in, so that every tool sees the same order.

    Args:
        folder: where the files go; made when it is not there.
        names: the retrievers.
        name_of: returns a chunk's name, see `chunk_name`.

    Raises:
        OutputError: a file cannot be written.
    """
    with ExitStack() as stack:

        def opened(name: str) -> TextIO:
            part = stack.enter_context(replacing(Path(folder) / name))
            return stack.enter_context(part.open("w", encoding="utf-8", newline="\n"))

        runs = {name: opened(f"{name}.run") for name in names}
        qrels = opened(QRELS)

        def write(question: Judged, rankings: Mapping[str, Ranking]) -> None:
            for name, file in runs.items():
                file.writelines(run_lines(question.id, rankings[name], name_of))
            for chunk, gain in sorted(question.gain_of.items()):
                qrels.write(f"{word(question.id)} 0 {name_of(chunk)} {gain:g}\n")

        yield write


def run_lines(question: str, ranking: Ranking, name_of: Callable[[int], str]) -> Iterator[str]:
    r"""Yield the lines of one question's ranking.

    >>> from engine.records import Hit
    >>> list(run_lines("q 1", Ranking("bm25", (Hit(1, 7, 2.5), Hit(2, 8, 2.5))), "d{}".format))
    ['q%201 Q0 d7 1 2.5 bm25\n', 'q%201 Q0 d8 2 2.49999976 bm25\n']
    """
    name = word(question)
    scores = _falling(np.array([hit.score for hit in ranking.hits], np.float32)).tolist()
    for hit, score in zip(ranking.hits, scores, strict=True):
        yield f"{name} Q0 {name_of(hit.chunk)} {hit.rank} {score:.9g} {ranking.name}\n"


def _falling(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return scores of which each is less than the one before, by as little as single precision allows."""
    for at in np.flatnonzero(scores[1:] >= scores[:-1]) + 1:
        while at < len(scores) and scores[at] >= scores[at - 1]:
            scores[at] = np.nextafter(scores[at - 1], np.float32(-np.inf))
            at += 1
    return scores


def chunk_name(chunk: Chunk) -> str:
    """Return the name of a chunk of notes: its document and range.

    >>> chunk_name(Chunk(3, "my note.md", 0, 9, ""))
    'my%20note.md:0-9'
    """
    return f"{word(chunk.document)}:{chunk.start}-{chunk.end}"


def word(name: str) -> str:
    """Return a name without white space, which separates the columns; `%` is escaped too, so that names stay apart.

    >>> word("Super Bowl 50%")
    'Super%20Bowl%2050%25'
    """
    return re.sub(r"[\s%]", lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()), name) or "%"
