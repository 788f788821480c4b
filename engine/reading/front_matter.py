"""Front matter: the YAML between `---` lines, or the TOML between `+++` lines, that opens a note.

Turns the source into a mapping and reads from it what the rest of the engine uses: title, tags, aliases, date.
Whatever a person may have typed there ends in values or in a problem to show, never in an exception.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import yaml

from engine.reading.simple_yaml import read_simple_yaml

MAX_CHARACTERS = 200_000
"""Longer front matter is not parsed, so that no note holds up the others."""

_FENCED = re.compile(
    r"(?:---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)|\+\+\+[ \t]*\n(?P<toml>.*?)^\+\+\+)[ \t]*$\n?",
    re.MULTILINE | re.DOTALL,
)
_FIRST_KEY = re.compile(r"\s*(?:#.*\s*)*[\w\"'.-]+[ \t]*[:=]")
_ISO_DATE = re.compile(r"\s*(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})(?!\d)")
_LOADER: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class FrontMatter(NamedTuple):
    """What opens a note."""

    values: dict[str, Any]
    """As parsed; empty when there is none or it is broken."""
    end: int
    """Where the body starts in the source."""
    problem: str = ""
    """What is the matter with it, one line; empty: nothing."""


def read_front_matter(source: str) -> FrontMatter:
    r"""Split the front matter from `source`, whose lines end in `\n`.

    A block between two rules that holds prose and not keys is text: it stays in the body.

    >>> read_front_matter("---\ntitle: Venus\n---\nHot.")
    FrontMatter(values={'title': 'Venus'}, end=21, problem='')
    """
    if not source.startswith(("---", "+++")) or not (fenced := _FENCED.match(source)):
        return FrontMatter({}, 0)
    is_yaml = fenced["toml"] is None
    block, end = fenced["yaml"] if is_yaml else fenced["toml"], fenced.end()
    if len(block) > MAX_CHARACTERS:
        return FrontMatter({}, end, f"The front matter is longer than {MAX_CHARACTERS:,} characters; it was left out.")
    try:
        values = _parse_yaml(block) if is_yaml else tomllib.loads(block)
    except Exception as error:  # the constructors of PyYAML leak ValueError, IndexError, AttributeError and more
        if not _FIRST_KEY.match(block):
            return FrontMatter({}, 0)
        return FrontMatter({}, end, f"The front matter cannot be read and was left out: {_first_line(error)}")
    if isinstance(values, dict):
        return FrontMatter({str(key): value for key, value in values.items()}, end)
    if isinstance(values, str):
        return FrontMatter({}, 0)
    problem = "" if values is None else "The front matter does not consist of keys and values; it was left out."
    return FrontMatter({}, end, problem)


def unread_head(source: str, front: FrontMatter) -> str:
    r"""Return what opens `source` and looks like front matter without having been read as such; else nothing.

    >>> unread_head("---\naccess: [Ada]\n\nHot.", FrontMatter({}, 0))
    '---\naccess: [Ada]'
    """
    if front.values:
        return ""
    if front.end:
        return source[: front.end]
    source = source.lstrip()
    if not source.startswith(("---", "+++")):
        return ""
    fenced = _FENCED.match(source)
    return fenced[0] if fenced else source.split("\n\n", 1)[0]


def title_of(values: Mapping[str, Any]) -> str:
    """Return `title` in one line; empty when there is none.

    >>> title_of({"title": 1984})
    '1984'
    """
    return " ".join(_as_text(values.get("title")).split())


def tags_of(values: Mapping[str, Any]) -> list[str]:
    """Return `tags` and `tag`, a list or words divided by commas or spaces, without `#`.

    >>> tags_of({"tags": "planets, #orbit/inner"})
    ['planets', 'orbit/inner']
    """
    found: list[str] = []
    for name in ("tags", "tag"):
        value = values.get(name)
        found += re.split(r"[,\s]+", value) if isinstance(value, str) else list(_texts(value))
    return [tag for tag in (entry.lstrip("#").strip() for entry in found) if tag]


def aliases_of(values: Mapping[str, Any]) -> list[str]:
    """Return `aliases` and `alias`, each a list or one name.

    >>> aliases_of({"alias": "Evening star"})
    ['Evening star']
    """
    return [text for name in ("aliases", "alias") for entry in _texts(values.get(name)) if (text := entry.strip())]


def date_of(values: Mapping[str, Any]) -> str | None:
    """Return `updated`, else `date`, as an ISO date; `None` when neither holds one.

    >>> date_of({"date": "2024/5/1, evening"})
    '2024-05-01'
    """
    return next((date for name in ("updated", "date") if (date := _iso_date(values.get(name)))), None)


def _parse_yaml(block: str) -> Any:  # noqa: ANN401
    if "*" in block and "&" in block:
        # A few lines of aliases can stand for billions of values once something walks through them.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(block, Loader=_LOADER)):
            raise ValueError("YAML aliases are not supported")
    values = read_simple_yaml(block)
    return yaml.load(block, Loader=_LOADER) if values is None else values


def _first_line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error) or type(error).__name__
    where = f" (line {mark.line + 2})" if mark else ""
    return " ".join(str(problem).split())[:200] + where


def _as_text(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, bool) or not isinstance(value, str | int | float | datetime.date | datetime.time):
        return ""
    return str(value)


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401
    values = value if isinstance(value, list | tuple | set) else [value]
    return (text for entry in values if (text := _as_text(entry)))


def _iso_date(value: Any) -> str | None:  # noqa: ANN401
    if isinstance(value, datetime.date):
        return value.isoformat()[:10]
    if not (found := _ISO_DATE.match(_as_text(value))):
        return None
    try:
        return datetime.date(int(found[1]), int(found[2]), int(found[3])).isoformat()
    except ValueError:
        return None
