"""A measured result as a table: one record, and its forms as text, Markdown, CSV and JSON.

An experiment or an evaluation makes the record once; the command line, the app and the docs draw the same one.
"""

from __future__ import annotations

import csv
import io
import json
import textwrap
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Value = str | int | float | None
"""What a cell holds; `None`: not measured, or it does not apply."""

NOTHING = "–"
"""How `None` is written for a person; in CSV the cell is empty, in JSON it is null."""

NOTE_WIDTH = 100
"""Characters of a line of a note on a terminal."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    """Its key in JSON and CSV, such as `recall@5`."""
    label: str = ""
    """How it is headed for a person; empty: as the name."""
    form: str = ""
    """Format of its numbers for a person, such as `.1%` or `,`; empty: three decimals for what is no whole number."""

    @property
    def heading(self) -> str:
        """What stands above it for a person."""
        return self.label or self.name

    def show(self, value: Value) -> str:
        """Return a cell for a person.

        >>> Column("share", form=".1%").show(0.25), Column("share").show(0.25), Column("lists").show(None)
        ('25.0%', '0.250', '–')
        """
        if value is None:
            return NOTHING
        if isinstance(value, str):
            return " ".join(value.split())
        return format(value, self.form or (".3f" if isinstance(value, float) else ""))


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns."""

    title: str
    """What was measured on what, one line; empty: it goes without."""
    columns: tuple[Column, ...]
    """From left to right; names differ."""
    rows: tuple[tuple[Value, ...], ...]
    """From top to bottom; each as long as `columns`."""
    note: str = ""
    """What a reader must know to read it right; empty: nothing."""

    def to_dict(self) -> dict[str, Any]:
        """Return title, column names, rows by name and note, ready for JSON; numbers are not rounded."""
        names = [column.name for column in self.columns]
        rows = [dict(zip(names, row, strict=True)) for row in self.rows]
        return {"title": self.title, "columns": names, "rows": rows, "note": self.note}

    def to_text(self) -> str:
        """Return lines for a terminal, columns aligned by the width of their characters on the screen."""
        headings, rows = self._cells(str)
        widths = [max(map(width, column)) for column in zip(headings, *rows, strict=True)]
        sides = self._numeric()
        lines = [
            "  ".join(pad(cell, wide, right) for cell, wide, right in zip(row, widths, sides, strict=True)).rstrip()
            for row in (headings, *rows)
        ]
        return _parts([self.title, "\n".join(lines), textwrap.fill(self.note, NOTE_WIDTH)])

    def to_markdown(self, level: int = 2) -> str:
        """Return a Markdown table, its title a heading of this level."""
        headings, rows = self._cells(escape_markdown)
        rule = ["---:" if right else "---" for right in self._numeric()]
        lines = [f"| {' | '.join(row)} |" for row in (headings, rule, *rows)]
        title = f"{'#' * level} {escape_markdown(self.title)}" if self.title else ""
        return _parts([title, "\n".join(lines), escape_markdown(self.note)])

    def to_csv(self) -> str:
        """Return comma-separated values (RFC 4180) under the columns' names; numbers are not rounded."""
        file = io.StringIO(newline="")
        writer = csv.writer(file)
        writer.writerow(column.name for column in self.columns)
        writer.writerows(self.rows)
        return file.getvalue()

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def _cells(self, escape: Callable[[str], str]) -> tuple[list[str], list[list[str]]]:
        headings = [escape(column.heading) for column in self.columns]
        rows = [
            [escape(column.show(value)) for column, value in zip(self.columns, row, strict=True)] for row in self.rows
        ]
        return headings, rows

    def _numeric(self) -> list[bool]:
        """Say of each column whether it holds numbers, which stand to the right."""
        kinds = [{type(row[at]) for row in self.rows} - {type(None)} for at in range(len(self.columns))]
        return [bool(kind) and str not in kind for kind in kinds]


def table(title: str, columns: Sequence[Column | str], rows: Sequence[Sequence[Value]], note: str = "") -> Table:
    """Return a table; a column may be given by its name alone.

    Raises:
        ValueError: a row is not as long as the columns, or two columns have one name.

    >>> print(table("Moons", ["planet", "moons"], [["Mars", 2], ["Neptune", 16]]).to_text())
    Moons
    <BLANKLINE>
    planet   moons
    Mars         2
    Neptune     16
    """
    named = tuple(Column(column) if isinstance(column, str) else column for column in columns)
    if len({column.name for column in named}) < len(named):
        raise ValueError("two columns have one name")
    if any(len(row) != len(named) for row in rows):
        raise ValueError(f"a row is not {len(named)} cells long")
    return Table(title, named, tuple(map(tuple, rows)), note)


def from_records(title: str, records: Sequence[Mapping[str, Value]], note: str = "") -> Table:
    """Return a table with one row a record; its columns are the keys, in the order in which they first come."""
    names = list(dict.fromkeys(name for record in records for name in record))
    return table(title, names, [[record.get(name) for name in names] for record in records], note)


def width(text: str) -> int:
    """Return how many cells a text takes on a terminal.

    >>> width("Mars"), width("火星"), width("e" + chr(0x301))
    (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def pad(text: str, wide: int, right: bool) -> str:
    """Fill a text up to a width with blanks before it (`right`) or behind it.

    >>> pad("火星", 6, right=True)
    '  火星'
    """
    blanks = " " * (wide - width(text))
    return blanks + text if right else text + blanks


def escape_markdown(text: str) -> str:
    r"""Return a text that stays what it is inside a Markdown table.

    >>> escape_markdown("a|b <c>")
    'a\\|b &lt;c>'
    """
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _parts(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part)
