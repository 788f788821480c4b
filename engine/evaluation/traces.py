"""Every stage of every question as JSON lines: one object a question, in the form of `Trace.to_dict`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.evaluation.answers import AnswerRow
from engine.records import Trace
from engine.writing import replacing


@contextmanager
def trace_file(path: Path | str) -> Iterator[Callable[[AnswerRow, Trace], None]]:
    """Yield what writes one line a question; the file takes its place when the block ends without an error.

    A line is the trace with `judged`: outcome, figures, and why it went wrong. It is written as soon as the question
    is answered, so that memory does not grow with their number. An address is written without its query; no key is
    part of a trace.

    Raises:
        OutputError: the file cannot be written.
    """
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:

        def write(row: AnswerRow, trace: Trace) -> None:
            why = row.diagnosis.text if row.diagnosis else None
            line = trace.to_dict() | {"judged": {"outcome": row.outcome, "figures": dict(row.figures), "why": why}}
            file.write(json.dumps(line, allow_nan=False) + "\n")

        yield write
