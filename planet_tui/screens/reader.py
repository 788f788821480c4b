"""Read one note: the selected passage and the question's words marked, headings and links to go by."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from engine.records import Document, NoteLink, Section, Span
from engine.roots import Roots
from planet_tui import jobs
from planet_tui.messages import DocumentRead, LinksFound
from planet_tui.plain import one_line
from planet_tui.widgets.document_view import DocumentView

if TYPE_CHECKING:
    from engine.library import Library


class ReaderScreen(Screen[None]):
    """One note over the whole terminal."""

    CSS_PATH = "reader.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (90, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", "Back", id="reader.back"),
        Binding("right_square_bracket,n", "heading(1)", "Heading", key_display="n p", id="reader.next_heading"),
        Binding("left_square_bracket,p", "heading(-1)", "Previous heading", show=False, id="reader.previous_heading"),
        Binding("o", "outline", "Outline", id="reader.outline"),
        Binding("l", "links", "Links", id="reader.links"),
        Binding("m", "passage", "Passage", id="reader.passage"),
        Binding("e", "edit", "Edit", id="reader.edit"),
        Binding("question_mark,f1", "app.help", "Help", key_display="?", id="reader.help"),
    ]

    def __init__(
        self,
        roots: Roots,
        document: Document,
        terms: tuple[Span, ...],
        passage: Span | None,
        library: Library | None = None,
        words: tuple[str, ...] = (),
    ) -> None:
        """Take the note and what to show of it.

        Args:
            roots: where the notes are.
            document: the note.
            terms: where the question's words stand in it.
            passage: what to mark and scroll to.
            library: where its links lead; `None`: nowhere.
            words: the question's terms, to be marked in the notes that are gone to from here.
        """
        super().__init__()
        self._library, self._words = library, words
        self._links: list[NoteLink | None] = []
        self._roots, self._document = roots, document
        self._terms, self._passage = terms, passage
        self._headings = [section for section in document.sections if section.heading]

    def compose(self) -> ComposeResult:
        """Lay out title, outline, text and keys."""
        yield Static(id="reader-title")
        with Horizontal():
            yield OptionList(id="outline")
            yield OptionList(id="links")
            yield DocumentView(id="document")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Fill in the note."""
        document = self._document
        facts = [one_line(document.id), *(document.date and [document.date] or []), *(f"#{t}" for t in document.tags)]
        self.query_one("#reader-title", Static).update(
            Content.assemble((one_line(document.title), "bold $primary"), "  ", (one_line("  ".join(facts)), "dim"))
        )
        outline = self.query_one("#outline", OptionList)
        outline.add_options([Option(Content("  " * (s.level - 1) + one_line(s.heading))) for s in self._headings])
        if not self._headings:
            outline.display = False
        elif self._passage is not None:
            outline.highlighted = self._heading_of(self._passage.start)
        view = self.query_one(DocumentView)
        view.show(document, self._terms, self._passage)
        view.focus()
        if (library := self._library) is not None:
            self._work("links", lambda: LinksFound(*jobs.note_links(library, document.id)))

    @on(OptionList.OptionSelected, "#outline")
    def _jump_to_option(self, event: OptionList.OptionSelected) -> None:
        self._jump(self._headings[event.option_index])
        self.query_one(DocumentView).focus()

    @on(LinksFound)
    def _links_found(self, message: LinksFound) -> None:
        """List where the links lead, then what leads here."""
        options = self.query_one("#links", OptionList)
        for heading, links in (("Links", message.links), ("Linked from", message.back_links)):
            options.add_option(Option(Content.styled(f"{heading} ({len(links)})", "dim"), disabled=True))
            options.add_options([Option(_named(link)) for link in links])
            self._links += [None, *links]

    @on(OptionList.OptionSelected, "#links")
    def _follow(self, event: OptionList.OptionSelected) -> None:
        link, library = self._links[event.option_index], self._library
        if link is None or library is None:
            return
        self.action_links()
        if link.document == self._document.id:
            self.query_one(DocumentView).jump(link.position, top=0)
            return
        place = Span(link.position, link.position)
        read = partial(jobs.read_document, library, link.document, self._words)
        self._work("reading", lambda: DocumentRead(0, *read(), place))

    @on(DocumentRead)
    def _document_read(self, message: DocumentRead) -> None:
        note = message.document, message.terms, message.passage
        self.app.push_screen(ReaderScreen(self._roots, *note, self._library, self._words))

    def _work(self, group: str, job: Callable[[], Message]) -> None:
        """Run a job in a thread and post the message it returns."""
        self.run_worker(
            lambda: self.post_message(job()),
            group=group,
            description=group,
            thread=True,
            exclusive=True,
            exit_on_error=False,
        )

    def action_links(self) -> None:
        """Show where the links lead and what leads here, and go into the list, or come back out of it."""
        links = self.query_one("#links", OptionList)
        self.remove_class("-outline")
        if links.has_focus:
            self.remove_class("-links")
            self.query_one(DocumentView).focus()
        elif any(self._links):
            self.add_class("-links")
            links.highlighted = links.highlighted or next(at for at, link in enumerate(self._links) if link)
            links.focus()
        else:
            self.notify("No link leads from here to a note, and none leads here.", markup=False)

    def action_heading(self, step: int) -> None:
        """Go to the next or previous heading."""
        here = self.query_one(DocumentView).place
        beyond = [s for s in self._headings if (s.start > here if step > 0 else s.start < here)]
        if beyond:
            self._jump(beyond[0 if step > 0 else -1])
        else:
            self.notify(f"No heading {'after' if step > 0 else 'before'} this one.", timeout=2, markup=False)

    def action_outline(self) -> None:
        """Show the outline and go into it, or come back out of it."""
        outline = self.query_one("#outline", OptionList)
        self.remove_class("-links")
        if outline.has_focus:
            self.remove_class("-outline")
            self.query_one(DocumentView).focus()
        elif self._headings:
            outline.highlighted = self._heading_of(self.query_one(DocumentView).place)
            self.add_class("-outline")
            outline.focus()

    def _heading_of(self, offset: int) -> int:
        """Return which heading a character of the text stands under."""
        return max(0, sum(section.start <= offset for section in self._headings) - 1)

    def action_passage(self) -> None:
        """Go back to the marked passage."""
        if self._passage is not None:
            self.query_one(DocumentView).jump(self._passage.start)

    def action_edit(self) -> None:
        """Open the note in $VISUAL or $EDITOR, at the line on screen where the editor can."""
        variables = (os.environ.get(name, "").strip() for name in ("VISUAL", "EDITOR"))
        command = next(filter(None, variables), "")
        if not command:
            self.notify("Set EDITOR to the command of your editor.", title="No editor", markup=False)
            return
        line = self._document.line_at(self.query_one(DocumentView).top_offset)
        path = self._roots.path_of(self._document.id).absolute()  # a name that starts with "-" is no option
        try:
            with self.app.suspend(), _left_to_child(signal.SIGINT):
                subprocess.run(_editor_command(command, path, line), check=False)
        except (OSError, ValueError) as error:
            self.notify(str(error), title="The editor did not start", severity="error", markup=False)

    def _jump(self, section: Section) -> None:
        self.query_one(DocumentView).jump(section.start, top=0)
        self.query_one("#outline", OptionList).highlighted = self._headings.index(section)


@contextmanager
def _left_to_child(number: signal.Signals) -> Iterator[None]:
    """Do nothing on a signal, such as ctrl+c: the terminal sends it to the program in front and to this one."""
    before = signal.signal(number, lambda *_: None)  # unlike SIG_IGN, this is not inherited
    try:
        yield
    finally:
        signal.signal(number, before)


def _named(link: NoteLink) -> Content:
    """What a link is called in the list: the note, and the label where that says something else."""
    title, label = one_line(link.title), one_line(link.label)
    return Content.assemble(title, ("" if label in ("", title) else f"  {label}", "dim"))


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
