"""The folder as a tree: folders fold, a filter narrows, tens of thousands of notes are no matter."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual.binding import Binding, BindingType

from planet_tui.plain import one_line
from planet_tui.widgets.lines import LinesView
from planet_tui.widgets.wrapping import fit

OPEN_AT_MOST = 200
"""Folders start unfolded while the whole tree has no more notes than this."""


class Row(NamedTuple):
    """A folder or a note on one line."""

    path: str
    """Folder path with a final `/`, or the note's id."""
    depth: int
    name: str
    notes: int
    """Notes below a folder; 0 for a note."""


class NotesTree(LinesView):
    """Rows of folders and notes; the items are folder paths (ending in `/`) and document ids."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l,right", "fold(False)", "Unfold", show=False),
        Binding("h,left", "fold(True)", "Fold", show=False),
    ]

    def __init__(self, *, id: str) -> None:  # noqa: A002
        """Start before anything is read."""
        super().__init__(id=id, classes="pane")
        self.border_title = "7 Notes"
        self._titles: dict[str, str] = {}
        self._folded: set[str] = set()
        self._filter = ""
        self._note = "Reading the folder …"
        self._used: frozenset[str] = frozenset()

    def show(self, titles: Mapping[str, str], note: str = "") -> None:
        """Show notes by their ids; `note` stands there when there are none."""
        new = dict(titles)
        if len(new) > OPEN_AT_MOST and not self._titles:
            self._folded = {
                path for folder in {note[: note.rfind("/") + 1] for note in new} for path in _folders(folder)
            }
        self._titles, self._note = new, note
        self.border_subtitle = f"{len(new):,}" if new else ""
        self.lay_out_again(keep_scroll=True)

    def mark_used(self, documents: frozenset[str]) -> None:
        """Mark the notes that the prompt draws on."""
        if documents != self._used:
            self._used = documents
            self.refresh()

    def filter(self, words: str) -> None:
        """Show only notes whose path or title holds every word."""
        self._filter = words.casefold().strip()
        self.border_subtitle = Text(f"filtered: {one_line(words)}" if self._filter else f"{len(self._titles):,}")
        self.lay_out_again()

    def go_to_first_note(self) -> None:
        """Put the cursor on the first note in sight, past the folders."""
        self.cursor = next((item for item in self.items if not str(item).endswith("/")), None)

    def reveal(self, document: str) -> None:
        """Put the cursor on a note, unfolding what hides it."""
        hidden = self._folded.intersection(_folders(document))
        if hidden:
            self._folded -= hidden
            self.lay_out_again(keep_scroll=True)
        self.cursor = document

    def action_fold(self, fold: bool) -> None:
        """Fold or unfold the folder under the cursor, or the one that holds the note."""
        item = self.cursor
        if not isinstance(item, str):
            return
        if fold and (not item.endswith("/") or item in self._folded):
            above = _folders(item.rstrip("/"))
            item = above[-1] if above else item
            self.cursor = item
        if item.endswith("/"):
            (self._folded.add if fold else self._folded.discard)(item)
            self.lay_out_again(keep_scroll=True)

    def action_open(self) -> None:
        """Open the note, or fold and unfold the folder."""
        if isinstance(self.cursor, str) and self.cursor.endswith("/"):
            self.action_fold(self.cursor not in self._folded)
        else:
            super().action_open()

    def lay_out(self, width: int) -> Sequence[Row]:
        """List the rows that are not folded away or filtered out."""
        wanted = self._titles
        if self._filter:
            words = self._filter.split()
            wanted = {
                note: title
                for note, title in wanted.items()
                if all(word in f"{note} {title}".casefold() for word in words)
            }
        if not wanted:
            return [Row("", 0, self._note or "No note matches the filter.", -1)]
        return _rows(wanted, set() if self._filter else self._folded)

    def draw(self, line: Row, width: int) -> Text:
        """Draw a folder with its count, or a note by its title."""
        if line.notes < 0:
            return Text(fit(line.name, width), self.style("dim"), no_wrap=True, end="")
        indent = "  " * line.depth
        if not line.notes:
            used = line.path in self._used
            name, style = f"{indent}{'●' if used else ' '} {one_line(line.name)}", "accent" if used else ""
            return Text(fit(name, width), self.style(style) if style else "", no_wrap=True, end="")
        sign = "▸" if line.path in self._folded and not self._filter else "▾"
        count = f" {line.notes}"
        return Text.assemble(
            (fit(f"{indent}{sign} {one_line(line.name)}", width - len(count)), self.style("strong")),
            (count, self.style("dim")), no_wrap=True, end="",
        )  # fmt: skip

    def item_of(self, line: Row) -> Hashable | None:
        """Return the row's path."""
        return line.path or None


def _folders(document: str) -> list[str]:
    """Return the folders above a note, outermost first, each with a final `/`.

    >>> _folders("a/b/c.md")
    ['a/', 'a/b/']
    """
    parts = document.split("/")[:-1]
    return ["/".join(parts[: depth + 1]) + "/" for depth in range(len(parts))]


def _rows(titles: Mapping[str, str], folded: set[str]) -> list[Row]:
    """Turn ids into rows: folders before notes on every level, folded ones without what they hold.

    Notes are grouped by folder in one pass, so that only folders, and notes that are seen, cost more.
    """
    notes: dict[str, list[str]] = {}
    for note in titles:
        notes.setdefault(note[: note.rfind("/") + 1], []).append(note)
    counts: dict[str, int] = {}
    children: dict[str, set[str]] = {}
    for folder, inside in notes.items():
        above = ["", *_folders(folder)]
        for parent, child in zip(above, above[1:], strict=False):
            children.setdefault(parent, set()).add(child)
        for path in above:
            counts[path] = counts.get(path, 0) + len(inside)
    rows: list[Row] = []
    coming = [("", -1, False)]  # a stack, not recursion: folders may stand thousands deep in each other
    while coming:
        folder, depth, opened = coming.pop()
        if opened:
            rows.extend(Row(note, depth + 1, titles[note], 0) for note in sorted(notes.get(folder, ())))
            continue
        if folder:
            name = folder[folder.rfind("/", 0, -1) + 1 : -1]
            rows.append(Row(folder, depth, name, counts[folder]))
        if folder not in folded:
            coming.append((folder, depth, True))
            coming += ((child, depth + 1, False) for child in sorted(children.get(folder, ()), reverse=True))
    return rows
