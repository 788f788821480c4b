"""Every key and every sign on one page."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from planet_tui.widgets.flow import Flow, FlowView

KEYS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("Everywhere", (
        ("/", "ask: go to the question line"),
        ("tab  shift+tab", "next and previous pane"),
        ("esc", "back; stop indexing or the hosted model"),
        ("F3", "settings: every option with its meaning, range and default"),
        ("F4", "evaluate: the labelled questions of this folder, measured"),
        ("ctrl+p", "command palette: every command by name, every note by title"),
        ("ctrl+g", "answer by quoting (extractive) or by the hosted model"),
        ("ctrl+r", "read the folder again"),
        ("ctrl+t", "dark or light"),
        ("?  F1", "this page"),
        ("q  ctrl+q", "quit"),
    )),
    ("Question", (
        ("enter", "ask; the lists follow while you type"),
        ("up  down", "earlier and later questions"),
        ("esc", "to the results"),
    )),
    ("In a question", (
        ('"iron oxide"', "only passages that hold these words in a row"),
        ('-word  -"a phrase"', "no passage that holds it"),
        ("path:journal/", "only notes with this in their path; * stands for anything but /"),
        ("tag:planet", "only notes with this tag or one below it"),
        ('title:"red planet"', "only notes with these words in title or alias"),
        ("-path: -tag: -title:", "all but those"),
    )),
    ("Lists and panes", (
        ("j  k", "down and up"),
        ("g  G", "first and last"),
        ("space  b", "a page down and up"),
        ("enter", "read the note at the passage"),
        ("1 … 7", "go to Answer, Fused, BM25, LSA, Chunk, Prompt, Notes"),
        ("n", "show or hide the notes"),
        ("f", "filter the notes"),
        ("h  l", "fold and unfold a folder of notes"),
        ("m  M", "mark the passage as evidence for the question; mark that the notes cannot answer it"),
        ("u", "take the last mark back"),
        ("y", "copy the answer, the chunk, or the prompt"),
        ("z", "the pane over the whole window, and back"),
    )),
    ("Evaluating", (
        ("1 … 4", "go to Figures, Questions, Recall, Thresholds"),
        ("enter", "open the question in Explore; put the threshold into force"),
        ("s", "questions in another order: disagreement, went wrong, as labelled"),
        ("r", "measure again, where notes, labels or settings have changed"),
        ("x", "write the report or its picture into a file"),
        ("esc  q  F4", "stop measuring; back"),
    )),
    ("Reading a note", (
        ("n  p", "next and previous heading"),
        ("o", "outline"),
        ("l", "links of this note and the notes that link to it; enter goes there, esc comes back"),
        ("m", "back to the marked passage"),
        ("e", "open in $EDITOR at this line"),
        ("esc  q", "back"),
    )),
)  # fmt: skip

SIGNS = (
    ("✓", "supported: the cited sources hold at least 75 % of the sentence's words and every number in it"),
    ("✗", "not supported; the line below says why"),
    ("○", "no answer: nothing in the notes covers the question well enough"),
    ("▲2  ▼3  =  new", "places gained or lost against the list named in the title; new: not in that list"),
    ("1 … 5", "in colour beside a result: its number as a source in the prompt"),
    ("██▎", "the score, from the first result that is not shown (empty) to the best (full)"),
    ("×3", "so many chunks with the same text, shown once"),
    ("★", "a passage that is marked as evidence for the question"),
    ("●", "a note that the prompt draws on"),
    ("┃  ▸", "in a note: beside the marked passage; beside the heading gone to"),
)


class HelpView(FlowView):
    """The page."""

    def compose_flow(self, flow: Flow) -> None:
        """Draw the tables of keys and signs."""
        for title, rows in (KEYS[0], ("Signs", SIGNS), *KEYS[1:]):
            flow.heading(title, self.style("heading"))
            self._table(flow, rows)
        flow.heading("What happens to a question", self.style("heading"))
        flow.paragraph(
            "Its words are looked up in the index (BM25 counts them, LSA compares meaning by co-occurrence), the two "
            "lists are fused, the best passages go into the prompt as numbered sources, an answer is taken from them, "
            "and every sentence is checked against what it cites. Nothing leaves this machine unless you set up a "
            "hosted model."
        )

    def _table(self, flow: Flow, rows: tuple[tuple[str, str], ...]) -> None:
        width = 22
        for keys, meaning in rows:
            flow.paragraph(meaning, lead=(f"  {keys:<{width}}", self.style("accent")))


class HelpScreen(ModalScreen[None]):
    """The page over the screen below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "dismiss", "Close", show=False, id="help.close"),
    ]
    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen HelpView { width: 84; max-width: 100%; height: 90%; border: round $primary; padding: 0 2;
                          background: $surface; }
    """

    def compose(self) -> ComposeResult:
        """Show the page."""
        view = HelpView(id="help")
        view.border_title = "Keys and signs"
        view.border_subtitle = "esc closes"
        yield view
