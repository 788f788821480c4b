"""Write docs/api.md: every public name of `engine`, from its docstring. Run from the root: python docs/make_api.py."""

from __future__ import annotations

import doctest
import importlib
import inspect
from pathlib import Path
from typing import Any

import engine

PAGE = Path(__file__).with_name("api.md")
INTRODUCTION = """\
# Public names

`import engine` and every name below is there; each is loaded when it is first used, and `import engine` alone brings no
NumPy. `Library.open` and `ask` are the doors of the app and the command line; the rest are their parts. What arguments
mean in full, and which errors come, is in the docstrings (`help(engine.BM25)`). Examples run in the file that is
named; every one is a test. The page is made by `python docs/make_api.py`."""
MOST_DEFAULTS = 4
"""Arguments with a default that are written out."""
GROUPS = {
    "A folder and a question": ("engine.library", "engine.pipeline", "engine.roots"),
    "Records and settings": ("engine.records", "engine.settings"),
    "Reading": ("engine.reading",),
    "Text": ("engine.text",),
    "Chunking": ("engine.chunking",),
    "Indexing and ranking": ("engine.indexing", "engine.ranking"),
    "Prompts and answers": ("engine.answering",),
    "Models": ("engine.modelling",),
    "Evaluation": ("engine.evaluation",),
}


def make_page() -> str:
    """Return the page."""
    homes = {name: module for module, names in engine._HOME.items() for name in names.split()}  # noqa: SLF001
    parts = [INTRODUCTION]
    for title, packages in GROUPS.items():
        names = [name for name, home in homes.items() if home.startswith(packages)]
        parts += [f"## {title}", *(describe(name, homes[name]) for name in names)]
    return "\n\n".join(parts) + "\n"


def describe(name: str, module: str) -> str:
    """Return a name's signature, first paragraph, example and file."""
    value, home = getattr(engine, name), importlib.import_module(module)
    text = inspect.getdoc(value) if callable(value) else home.__doc__
    summary = " ".join((text or "").split("\n\n")[0].split())
    lines = [line for example in examples(text or "") for line in example]
    path = getattr(value, "__module__", module).replace(".", "/") + ".py"
    parts = [f"### {name}", f"`{signature(name, value)}` in `{path}`", summary]
    return "\n\n".join([*parts, "\n".join(["```python", *lines, "```"])] if lines else parts)


def examples(text: str) -> list[list[str]]:
    """Return the lines of each example of a docstring, with what it prints."""
    found = doctest.DocTestParser().get_examples(text)
    return [
        [
            *(f"{sign} {line}" for sign, line in zip((">>>", *["..."] * 99), each.source.splitlines(), strict=False)),
            *each.want.splitlines(),
        ]
        for each in found
    ]


def signature(name: str, value: Any) -> str:  # noqa: ANN401
    """Return how it is called, without types; of many defaults the first ones.

    >>> signature("dcg", engine.dcg)
    'dcg(gains, k=None)'
    """
    if not callable(value):
        return name
    opened = getattr(value, "open", None)
    parameters = list(inspect.signature(opened or value).parameters.values())
    parts = [parameter.name + default(parameter) for parameter in parameters]
    starred = [at for at, parameter in enumerate(parameters) if parameter.kind is parameter.KEYWORD_ONLY]
    if starred:
        parts.insert(starred[0], "*")
    rest = [at for at, part in enumerate(parts) if "=" in part][MOST_DEFAULTS:]
    parts = [*parts[: rest[0]], "…"] if rest else parts
    return f"{name}{'.open' if opened else ''}({', '.join(parts)})"


def default(parameter: inspect.Parameter) -> str:
    """Return the default of a parameter as it is written, ` …` where that says nothing."""
    if parameter.default is parameter.empty:
        return ""
    value = parameter.default
    return f"={value!r}" if isinstance(value, str | int | float | tuple | None) else "=…"


if __name__ == "__main__":
    PAGE.write_text(make_page(), encoding="utf-8")
