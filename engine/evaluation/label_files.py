"""Labelled questions -> TOML, one at a time: a set of them grows out of use."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import tomli_w

from engine.errors import LabelsError, OutputError
from engine.evaluation.labels import load_questions
from engine.records import Evidence, Question
from engine.writing import replacing


def append_question(path: Path, question: Question) -> None:
    """Write a question to the end of a file of labels; what stands in it, comments too, stays as it is.

    The file and its folder are made when they are not there. The question is added in one piece, so that two programs
    may append to the same file; when that fails the file is as it was.

    Raises:
        LabelsError: the file holds something else than labels, the question is already in it, or the question is not
            one: no text, or neither evidence nor unanswerable.
        OutputError: the file cannot be written.
    """
    if not question.text.strip() or bool(question.evidence) == question.unanswerable:
        raise LabelsError("A question needs a text, and either evidence or the mark that it is unanswerable.")
    block = to_toml(question).encode("utf-8", "replace")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_bytes() if path.exists() else b""
        if before.strip() and any(known.text == question.text for known in load_questions(path)):
            raise LabelsError(f"{path} already holds “{question.text}”.", "Add the span to it in an editor.")
        _append(path, (b"" if not before else b"\n" if before.endswith(b"\n") else b"\n\n") + block)
    except OSError as error:
        raise _unwritable(path, error) from None


def replace_question(path: Path, before: Question, after: Question | None) -> None:
    """Put a question in the place of another in a file of labels, or take it out; the rest stays as it is.

    Args:
        path: the file.
        before: as `append_question` wrote it, nobody having edited it since.
        after: what stands there then; `None`: nothing.

    Raises:
        LabelsError: the file does not hold it like that.
        OutputError: the file cannot be written.
    """
    try:
        source = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise _unwritable(path, error) from None
    old = to_toml(before).encode("utf-8", "replace")
    at = _block_at(source, old)
    if at is None:
        raise LabelsError(f"{path} holds “{before.text}” otherwise than it was marked.", "Change it in an editor.")
    new = b"" if after is None else to_toml(after).encode("utf-8", "replace")
    rest = source[at + len(old) :]
    whole = source[:at] + (new + rest if new else rest.removeprefix(b"\n"))
    try:
        with replacing(path) as part:
            part.write_bytes(whole)
        if not whole.strip():
            path.unlink()
    except OSError as error:
        raise _unwritable(path, error) from None


def to_toml(question: Question) -> str:
    r"""Return a question as it stands in a file of labels.

    >>> print(to_toml(Question("How hot?", (Evidence((("venus.md", "464 °C"),)),), references=("464 °C",))), end="")
    [[question]]
    text = "How hot?"
    reference = ["464 °C"]
    <BLANKLINE>
    [[question.evidence]]
    spans = [{ document = "venus.md", text = "464 °C" }]
    """
    lines = ["[[question]]", f"text = {_quoted(question.text)}"]
    if question.unanswerable:
        lines.append("unanswerable = true")
    if question.references:
        lines.append(f"reference = {_list(map(_quoted, question.references))}")
    if question.gains:
        lines.append(f"gains = {_list(f'{gain!r}' for gain in question.gains)}")
    return "\n".join([*lines, *map(_evidence, question.evidence), ""])


def _evidence(evidence: Evidence) -> str:
    spans = [
        f"{{ document = {_quoted(document)}, text = {_quoted(text)} }}" for document, text in evidence.alternatives
    ]
    inline = _list(spans) if len(spans) == 1 else "[\n" + "".join(f"    {span},\n" for span in spans) + "]"
    return f"\n[[question.evidence]]\nspans = {inline}"


def _quoted(text: str) -> str:
    """Return a text as a TOML string on one line; a lone surrogate, which TOML cannot hold, becomes U+FFFD."""
    whole = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return tomli_w.dumps({"x": whole}).removeprefix("x = ").rstrip("\n")


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _block_at(source: bytes, block: bytes) -> int | None:
    """Return where a question's lines stand as a whole: from the start of a line to an empty line or the end."""
    at = source.find(block)
    while at >= 0:
        rest = source[at + len(block) :]
        if (at == 0 or source[at - 1 : at] == b"\n") and (not rest or rest.startswith(b"\n[[question]]")):
            return at
        at = source.find(block, at + 1)
    return None


def _unwritable(path: Path, error: OSError) -> OutputError:
    return OutputError(f"{path} cannot be written: {error.strerror or error}.", "Name another file for labels.")


def _append(path: Path, block: bytes) -> None:
    """Add bytes to the end of a file and wait until they are on the disk; take back what was only half written."""
    with path.open("ab") as file:
        size = file.tell()
        try:
            file.write(block)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            os.truncate(path, size)
            raise
