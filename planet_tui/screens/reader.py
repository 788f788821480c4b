"""Read one note: the selected passage and the question's words marked, headings to jump between."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from engine.records import Document, Section, Span
from planet_tui.plain import one_line
from planet_tui.widgets.document_view import DocumentView


class ReaderScreen(Screen[None]):
    """One note over the whole terminal."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (90, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", "Back", id="reader.back"),
        Binding("right_square_bracket,n", "heading(1)", "Next heading", key_display="n", id="reader.next_heading"),
        Binding("left_square_bracket,p", "heading(-1)", "Previous", key_display="p", id="reader.previous_heading"),
        Binding("o", "outline", "Outline", id="reader.outline"),
        Binding("m", "passage", "To the passage", id="reader.passage"),
        Binding("e", "edit", "Edit", id="reader.edit"),
        Binding("question_mark,f1", "app.help", "Help", key_display="?", id="reader.help"),
    ]

    def __init__(self, folder: Path, document: Document, terms: tuple[Span, ...], passage: Span | None) -> None:
        """Take the note, where the question's words stand, and the passage to scroll to."""
        super().__init__()
        self._folder, self._document = folder, document
        self._terms, self._passage = terms, passage
        self._headings = [section for section in document.sections if section.heading]

    def compose(self) -> ComposeResult:
        """Lay out title, outline, text and keys."""
        yield Static(id="reader-title")
        with Horizontal():
            yield OptionList(id="outline")
            yield DocumentView(id="document")
        yield Footer()

    def on_mount(self) -> None:
        """Fill in the note."""
        document = self._document
        facts = [one_line(document.id), *(document.date and [document.date] or []), *(f"#{t}" for t in document.tags)]
        self.query_one("#reader-title", Static).update(
            Content.assemble((one_line(document.title), "bold $primary"), "  ", (one_line("  ".join(facts)), "dim"))
        )
        outline = self.query_one("#outline", OptionList)
        outline.add_options([Option(Content("  " * (s.level - 1) + one_line(s.heading))) for s in self._headings])
        outline.display = bool(self._headings)
        view = self.query_one(DocumentView)
        view.show(document, self._terms, self._passage)
        view.focus()

    @on(OptionList.OptionSelected, "#outline")
    def _jump_to_option(self, event: OptionList.OptionSelected) -> None:
        self._jump(self._headings[event.option_index])
        self.query_one(DocumentView).focus()

    def action_heading(self, step: int) -> None:
        """Go to the next or previous heading."""
        here = self.query_one(DocumentView).top_offset
        starts = [section.start for section in self._headings]
        after = [s for s in starts if s > here] if step > 0 else [s for s in starts if s < here]
        if after:
            at = starts.index(after[0] if step > 0 else after[-1])
            self._jump(self._headings[at])

    def action_outline(self) -> None:
        """Show the outline and go into it, or come back out of it."""
        outline = self.query_one("#outline", OptionList)
        if outline.has_focus:
            self.remove_class("-outline")
            self.query_one(DocumentView).focus()
        elif self._headings:
            here = self.query_one(DocumentView).top_offset
            outline.highlighted = max(0, sum(section.start <= here for section in self._headings) - 1)
            self.add_class("-outline")
            outline.focus()

    def action_passage(self) -> None:
        """Go back to the marked passage."""
        if self._passage is not None:
            self.query_one(DocumentView).jump(self._passage.start)

    def action_edit(self) -> None:
        """Open the note in $VISUAL or $EDITOR, at the line on screen where the editor can."""
        command = os.environ.get("VISUAL") or os.environ.get("EDITOR")
        if not command:
            self.notify("Set EDITOR to the command of your editor.", title="No editor", markup=False)
            return
        line = self._document.line_at(self.query_one(DocumentView).top_offset)
        path = (self._folder / self._document.id).absolute()  # a name that starts with "-" is no option
        try:
            with self.app.suspend():
                subprocess.run(_editor_command(command, path, line), check=False)
        except (OSError, ValueError) as error:
            self.notify(str(error), title="The editor did not start", severity="error", markup=False)

    def _jump(self, section: Section) -> None:
        self.query_one(DocumentView).jump(section.start, top=0)
        self.query_one("#outline", OptionList).highlighted = self._headings.index(section)


def _editor_command(command: str, path: Path, line: int) -> list[str]:
    """Return the words of a command that opens `path` at `line` where the editor is known to take one.

    >>> _editor_command("vim -p", Path("a.md"), 7)
    ['vim', '-p', '+7', 'a.md']
    """
    words = shlex.split(command)
    name = Path(words[0]).name if words else ""
    if name in {"vi", "vim", "nvim", "nano", "emacs", "emacsclient", "kak", "micro", "joe"}:
        return [*words, f"+{line}", str(path)]
    if name in {"code", "codium", "code-insiders"}:
        return [*words, "--wait", "--goto", f"{path}:{line}"]
    if name in {"hx", "subl", "zed"}:
        return [*words, f"{path}:{line}"]
    return [*words, str(path)]
