"""The command palette: every command by name with its key, every note by title."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from planet_tui.plain import one_line
from planet_tui.screens.explore import PANES, ExploreScreen

MOST_NOTES = 20
"""Notes offered for one search: the palette is for going, not for reading lists."""

COMMANDS = (
    ("Ask", "ask", "Go to the question line (/)"),
    ("Read the folder again", "reread", "Notes that changed are read anew (ctrl+r)"),
    ("Switch the generator", "generator", "Quote from the notes, or ask the hosted model (ctrl+g)"),
    ("Test the hosted model", "check_model", "Ask it for a word, to see whether it is there"),
    ("Settings", "settings", "Every option with its meaning and range, changed at once (F3)"),
    ("Evaluate", "evaluate", "Measure the labelled questions of this folder (F4)"),
    ("Mark evidence", "mark", "The selected passage answers the question (m)"),
    ("Mark as unanswerable", "unanswerable", "The notes cannot answer the question (M)"),
    ("Take the last mark back", "unmark", "What was marked since the app was opened (u)"),
    ("Show or hide the notes", "notes", "The tree on the left (n)"),
    ("Filter the notes", "filter", "By words in path or title (f)"),
    ("Copy", "copy", "The answer, the chunk or the prompt (y)"),
    ("Zoom", "zoom", "The focused pane over the whole window (z)"),
    ("Notices", "notices", "Files that were skipped or read with a reservation (w)"),
    ("Stop indexing", "back", "What is read so far can be asked (esc)"),
)

SWITCHES = (
    ("Switch the template", "template", "Word the prompt for chat models, or for base models"),
    ("Switch the strategy", "strategy", "Passages in rank order, or the best at both ends of the prompt"),
    ("Switch the fusion", "fusion", "Weigh the lists anew for each question, or by ranks alone"),
    ("Switch the reader", "reader", "Judge sentences by the words they cover, or by features, with a probability"),
    ("Switch the routing", "routing", "Search all notes, or those with the best leading sections"),
)
"""Settings of a few choices: name of the command, the setting, what it does."""


class Palette(CommandPalette):
    """The palette, which does not page through a list that is not drawn yet (Textual 8.2.8 fails there)."""

    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList).size.height:
            super()._action_command_list(action)


class ExploreCommands(Provider):
    """Commands of the Explore screen, and its notes."""

    async def discover(self) -> Hits:
        """Offer every command before anything is typed."""
        for name, run, help_text in self._commands():
            yield DiscoveryHit(name, run, help=help_text)

    async def search(self, query: str) -> Hits:
        """Offer commands, then notes, whose name matches."""
        matcher = self.matcher(query)
        for name, run, help_text in self._commands():
            if (score := matcher.match(name)) > 0:
                yield Hit(score, matcher.highlight(name), run, help=help_text)
        screen = self.screen
        library = screen.session.library if isinstance(screen, ExploreScreen) else None
        if library is None or not isinstance(screen, ExploreScreen):
            return
        words = query.casefold().split()
        found = 0
        for note, name in library.documents.titles.items():
            if all(word in f"{name} {note}".casefold() for word in words):
                title, path = one_line(name), one_line(note)
                yield Hit(0.3, Content(title), partial(screen.read_note, note), text=title, help=_unmarked(path))
                found += 1
                if found == MOST_NOTES:
                    return

    def _commands(self) -> list[tuple[str, Callable[[], Any], str]]:
        screen = self.screen
        if not isinstance(screen, ExploreScreen):
            return []
        commands: list[tuple[str, Callable[[], Any], str]] = [
            (name, getattr(screen, f"action_{action}"), text) for name, action, text in COMMANDS
        ]
        commands += [(name, partial(screen.action_switch, setting), text) for name, setting, text in SWITCHES]
        for number, (pane, name) in enumerate(PANES, 1):
            commands.append((f"Go to {name}", partial(screen.action_pane, pane), f"Key {number}"))
        return commands


def _unmarked(text: str) -> str:
    """Return a text that cannot be read as markup: the palette takes its help texts for it, and escaping has gaps.

    >>> _unmarked("[/].md")
    '［/].md'
    """
    return text.replace("[", "［")
