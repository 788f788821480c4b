"""The terminal app: theme, the first screen, the keys that work everywhere."""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.screen import Screen
from textual.theme import Theme

from engine.errors import EngineError
from engine.notices import Notice
from engine.roots import Folders, Roots
from planet_tui import paths
from planet_tui.plain import one_line, plain
from planet_tui.screens.explore import ExploreScreen
from planet_tui.session import History, Session
from planet_tui.settings import AppSettings, Loaded, load, save

DARK = Theme(
    name="planet-dark",
    primary="#82aaff",
    secondary="#c3a6ff",
    accent="#7fd7c4",
    warning="#ffcb6b",
    error="#ff7b8a",
    success="#a5d66f",
    foreground="#d6dcec",
    background="#11141c",
    surface="#1b2030",
    panel="#1b2030",
    boost="#2a3350",
    dark=True,
    variables={
        "border-blurred": "#333c55",
        "cursor-background": "#2b3a66",
        "passage-background": "#222b45",
        "text-muted": "#8b95ad",
        "footer-key-foreground": "#ffcb6b",
    },
)
LIGHT = Theme(
    name="planet-light",
    primary="#1f4fbf",
    secondary="#6b3fa0",
    accent="#0b6e62",
    warning="#8a5a00",
    error="#b3202c",
    success="#2f6f1b",
    foreground="#1d2433",
    background="#fbfbf8",
    surface="#eef0ec",
    panel="#e6e9e4",
    boost="#d5def2",
    dark=False,
    variables={
        "border-blurred": "#c3c8cf",
        "cursor-background": "#cbd9f8",
        "passage-background": "#e4ebfa",
        "text-muted": "#5d6575",
        "footer-key-foreground": "#8a5a00",
    },
)
SWITCH_INTERVAL = 0.001
"""Seconds that a job may compute before the interface gets its turn; Python's default, 0.005, is felt while typing."""
REST = 2.0
"""Seconds without a key or a click after which garbage is collected: that takes as long as drawing the screen."""
LOOK = 1.0
"""Seconds after which the app looks whether its terminal is still there."""
THEMES = {"dark": DARK.name, "light": LIGHT.name}


def _explore_commands() -> type[Provider]:
    from planet_tui.commands import ExploreCommands

    return ExploreCommands


class PlanetApp(App[None]):
    """Ask a folder of notes."""

    TITLE = "planet-tui"
    CSS_PATH = ["styles/app.tcss", "screens/explore.tcss"]
    COMMANDS: ClassVar[set[Any]] = App.COMMANDS | {_explore_commands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "command_palette", "Commands", show=False, priority=True, id="app.palette"),
        Binding("ctrl+t", "toggle_theme", "Dark or light", show=False, id="app.theme"),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True, id="app.quit"),
    ]

    def __init__(
        self,
        folder: Folders,
        loaded: Loaded,
        *,
        settings_path: Path | None = None,
        history: Path | None = None,
        cache: Path | None = None,
        live: bool = False,
        question: str = "",
    ) -> None:
        """Take what to open and with what.

        Args:
            folder: the notes, in one folder or several.
            loaded: the settings in force and what is odd about their file.
            settings_path: where changed settings are written; `None`: nowhere.
            history: the file of questions asked before; `None`: in memory only.
            cache: where indexes are kept; `None`: nowhere.
            live: whether changes in the folder are followed.
            question: what stands in the question line at the start.
        """
        super().__init__()
        self._settings_path = settings_path
        self._notices = loaded.notices
        self.settings: AppSettings = loaded.settings
        self.session = Session(roots=Roots.of(folder), settings=self.settings.engine, cache=cache, live=live)
        self._history = History(history)
        self._question = question
        self._in_use, self._is_tidy = True, False
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        if self.settings.theme == "dark":
            # Before anything is drawn: setting the theme as usual would read every style sheet a second time.
            self.set_reactive(PlanetApp.theme, DARK.name)
            self.stylesheet.set_variables(self.get_css_variables())
        else:
            self.theme = LIGHT.name

    def get_default_screen(self) -> Screen[None]:
        """Start on the Explore screen: no empty frame before it."""
        return ExploreScreen(self.session, self._history, self._save_setting, self._question)

    def on_mount(self) -> None:
        """Show the frame first."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Collect garbage from now on, say what is odd about settings and folders, and remember the folders."""
        gc.freeze()
        gc.enable()
        self.set_interval(REST, self._tidy)
        if not self.is_headless:
            self.set_interval(LOOK, self._leave_without_terminal)
        self._tell(self._notices)
        folders = self.session.roots.folders
        there = [folder for folder in folders if paths.is_folder(folder)]
        if there and there != [paths.sample_notes()]:
            self._save(last_folders=[os.path.realpath(folder) for folder in folders])
        for folder in folders if there else ():
            if folder not in there:
                message = f"{paths.shown(folder)} is missing; of its notes only those are shown that were read before."
                self.notify(one_line(message), title="Folder", severity="warning", timeout=12, markup=False)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer what works on every screen."""
        yield SystemCommand("Dark or light", "Switch the theme (ctrl+t)", self.action_toggle_theme)
        yield SystemCommand("Help", "Every key and sign (?)", self.action_help)
        yield SystemCommand("Quit", "Leave planet-tui (q)", self.action_quit)

    def action_command_palette(self) -> None:
        """Show every command and note by name."""
        from planet_tui.commands import Palette

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def _tidy(self) -> None:
        """Collect garbage, once a rest."""
        if self._in_use:
            self._in_use, self._is_tidy = False, False
        elif not self._is_tidy:
            self._is_tidy = True
            gc.collect()

    def _leave_without_terminal(self) -> None:
        """End when the terminal is gone: Textual would read from it without a pause for ever."""
        if sys.__stdin__ is None or not sys.__stdin__.isatty():
            logging.getLogger("planet_tui").warning("the terminal is gone")
            self.exit(return_code=1)

    async def on_event(self, event: events.Event) -> None:
        """Take the control characters out of what is pasted, wherever it goes: lines would draw and obey them."""
        if isinstance(event, (events.Key, events.MouseEvent)):
            self._in_use = True
        if isinstance(event, events.Paste):
            event.text = plain(event.text.replace("\r\n", "\n").replace("\r", "\n"))
        await super().on_event(event)

    def action_help(self) -> None:
        """Show every key and sign."""
        from planet_tui.screens.help import HelpScreen

        self.push_screen(HelpScreen())

    def action_toggle_theme(self) -> None:
        """Switch between dark and light, and keep the choice."""
        chosen = "light" if self.theme == DARK.name else "dark"
        self.theme = THEMES[chosen]
        self._save(theme=chosen)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy through the terminal, and through the system's clipboard where pyperclip is installed."""
        text = plain(text)
        super().copy_to_clipboard(text)
        try:
            import_module("pyperclip").copy(text)
        except Exception:  # not installed, or no clipboard on this machine: the terminal has it
            return

    def _save_setting(self, name: str, value: Any) -> None:  # noqa: ANN401
        if name == "theme":
            self.theme = THEMES[value]
        self._save(**{name: value})

    def _save(self, **changes: Any) -> None:  # noqa: ANN401
        """Change settings and write what changed; what cannot be written holds until the end."""
        before, self.settings = self.settings, self.settings.replace(**changes)
        if self._settings_path is None:
            return
        try:
            self._tell(save(self._settings_path, before, self.settings))
        except EngineError as error:
            self.notify(f"{error.message} {error.hint}", title="Not saved", severity="warning", markup=False)

    def _tell(self, notices: tuple[Notice, ...]) -> None:
        for notice in notices:
            self.notify(
                one_line(f"{notice.path}: {notice.problem}"),
                title="Settings",
                severity="warning",
                timeout=12,
                markup=False,
            )


def run(roots: Roots | None) -> int:
    """Open the app on folders; `None`: those opened last, else the bundled notes. Return the exit status."""
    path = paths.config_file()
    loaded = load(path)
    _log_to(paths.log_file())
    put_keys_first()
    chosen = loaded.settings.start if roots is None else loaded.settings.folders.with_excludes(roots)
    history, cache = paths.history_file(), paths.cache_folder()
    app = PlanetApp(chosen, loaded, settings_path=path, history=history, cache=cache, live=True)
    app.run()
    return app.return_code or 0


def put_keys_first() -> None:
    """Have this process answer keys before anything else: jobs hand over soon, and old garbage waits for a rest."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, 1_000_000)  # the oldest are looked through in `PlanetApp._tidy`


def _log_to(path: Path) -> None:
    """Send the log to a file: nothing may write to the terminal while the app draws on it."""
    handler: logging.Handler
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(path, delay=True, encoding="utf-8")
    except OSError:
        handler = logging.NullHandler()
    logging.getLogger("planet_tui").addHandler(handler)
    logging.getLogger("planet_tui").propagate = False
