"""Run every example of docs/tour.md again; write its values into the page and the same as a notebook.

Run from the root: python docs/make_tour.py
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("tour.md")
NOTEBOOK = Path(__file__).with_name("tour.ipynb")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def statements(block: str) -> list[str]:
    """Return the statements of a block of `>>>` lines, what they print left out.

    >>> statements(">>> 1 + 1" + chr(10) + "2" + chr(10))
    ['1 + 1']
    """
    return [example.source.rstrip("\n") for example in doctest.DocTestParser().get_examples(block)]


def run(statement: str, names: dict[str, Any]) -> tuple[str, str | None]:
    """Run one statement; return what it prints, and its value as it is shown, `None` where there is none."""
    tree = ast.parse(statement)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        if isinstance(tree.body[-1], ast.Expr):
            value = eval(compile(ast.Expression(tree.body[-1].value), "<tour>", "eval"), names)  # noqa: S307
        else:
            value = exec(compile(tree, "<tour>", "exec"), names)  # noqa: S102
    return printed.getvalue(), None if value is None else repr(value)


def fill(page: str) -> str:
    """Return the page with what every statement prints below it."""
    names: dict[str, Any] = {}

    def filled(block: re.Match[str]) -> str:
        lines = []
        for statement in statements(block[1]):
            signs = (">>>", *["..."] * statement.count("\n"))
            lines += [f"{sign} {line}".rstrip() for sign, line in zip(signs, statement.split("\n"), strict=True)]
            printed, value = run(statement, names)
            lines += [line or "<BLANKLINE>" for line in (printed + (value or "")).splitlines()]
        return "\n".join(["```python", *lines, "```"])

    return BLOCK.sub(filled, page)


def cells(page: str) -> Iterator[dict[str, Any]]:
    """Yield a notebook's cells: prose, and code up to each statement that shows something, with what it shows."""
    names: dict[str, Any] = {}
    count = 0
    for at, part in enumerate(BLOCK.split(page)):
        if at % 2 == 0:
            if part.strip():
                yield {"cell_type": "markdown", "metadata": {}, "source": source(part.strip())}
            continue
        waiting: list[str] = []
        for statement in statements(part):
            waiting.append(statement)
            printed, value = run(statement, names)
            if printed or value:
                count += 1
                yield code("\n".join(waiting), count, printed, value)
                waiting = []
        if waiting:
            count += 1
            yield code("\n".join(waiting), count, "", None)


def code(text: str, count: int, printed: str, value: str | None) -> dict[str, Any]:
    """Return a code cell."""
    outputs: list[dict[str, Any]] = []
    if printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": source(printed)})
    if value is not None:
        data = {"text/plain": source(value)}
        outputs.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return {
        "cell_type": "code",
        "execution_count": count,
        "metadata": {},
        "outputs": outputs,
        "source": source(text),
    }


def source(text: str) -> list[str]:
    """Return lines as a notebook keeps them, each with its end."""
    return text.splitlines(keepends=True)


def notebook(page: str) -> str:
    """Return the page as a notebook, JSON of nbformat 4.5."""
    numbered = [{"id": f"tour-{at}", **cell} for at, cell in enumerate(cells(page))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": numbered, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    text = fill(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8")
    NOTEBOOK.write_text(notebook(text), encoding="utf-8")
