"""The settings file: TOML -> settings and notices, and changed settings -> TOML.

The file belongs to the person: unknown keys stay, a bad value stays until they change it, a broken file is set
aside, a file with comments or of another version is copied beside before the app first rewrites it. Only what changed
is written, into the file as it is at that moment, so that two running apps overwrite each other key by key and not
file by file.
"""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any

import tomli_w

from engine import settings as engine_settings
from engine.errors import EngineError, SettingsError
from engine.notices import Notice
from engine.roots import Roots
from engine.settings import Option, Settings
from planet_tui import paths, settings_file
from planet_tui.settings_folders import TABLES, FolderSettings, read_tables
from planet_tui.settings_versions import KEY, VERSION, Migrated, migrate

THEMES = ("dark", "light")

APP_OPTIONS = (
    Option("theme", "app", "Colours of the app", "dark", choices=THEMES),
    Option("last_folders", "app", "The folders opened last; opened again when none is named", ()),
)
"""What the app itself remembers; the engine's options are `engine.settings.describe()`."""

_SECRETS = re.compile(r"(?i)api_?key|token$|secret|password")


class SettingsFileError(EngineError):
    """The settings file cannot be read or written; the settings in force stay in force."""


@dataclass(frozen=True, slots=True)
class AppSettings:
    """Everything that is remembered between two runs."""

    theme: str = "dark"
    """Colours of the app: `dark` or `light`."""
    last_folders: tuple[str, ...] = ()
    """Absolute paths of the folders opened last; none: none yet."""
    engine: Settings = field(default_factory=Settings)
    """The engine's options."""
    folders: FolderSettings = field(default_factory=FolderSettings)
    """What the person wrote about folders."""

    @property
    def start(self) -> Roots:
        """The folders to open when none is named: the last ones, else the bundled notes."""
        return self.folders.with_excludes(Roots.of(self.last_folders or (paths.sample_notes(),)))

    def replace(self, **changes: Any) -> AppSettings:  # noqa: ANN401
        """Return a checked copy with `changes` to any option, the app's or the engine's.

        Raises:
            SettingsError: a name is unknown or a value is out of its range.

        >>> AppSettings().replace(theme="light", k1=1.2).engine.k1
        1.2
        """
        own = {option.name: option.check(changes.pop(option.name)) for option in APP_OPTIONS if option.name in changes}
        return dataclasses.replace(self, **own, engine=self.engine.replace(**changes))

    def to_dict(self) -> dict[str, Any]:
        """Return every option by name, in the order of `describe`."""
        return {option.name: getattr(self, option.name) for option in APP_OPTIONS} | self.engine.to_dict()


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a settings file holds."""

    settings: AppSettings
    """The values in force: the file's where they are good, the defaults elsewhere."""
    notices: tuple[Notice, ...] = ()
    """What in the file is not in force, and why."""


def describe() -> tuple[Option, ...]:
    """Return every option of the file, the app's first."""
    return APP_OPTIONS + engine_settings.describe()


def load(path: Path) -> Loaded:
    """Read the settings file; what is wrong with it becomes notices, never an error.

    A missing file means the defaults. A file that is not TOML is renamed to `settings.toml.broken-1` (or the next
    free number), so that it can be mended while the app goes on. A file of an older version is read as one of this.
    """
    path = settings_file.real_path(path)
    try:
        source = settings_file.read(path)
    except FileNotFoundError:
        return Loaded(AppSettings())
    except OSError as error:
        problem = f"it cannot be read ({settings_file.reason(error)}); the defaults are used"
        return Loaded(AppSettings(), (_notice(path, problem),))
    except ValueError as error:
        problem = str(error)
    else:
        return _interpret(path, *source)
    try:
        return Loaded(AppSettings(), (_set_aside(path, problem),))
    except OSError:
        return Loaded(AppSettings(), (_notice(path, f"{problem}; the defaults are used"),))


def save(path: Path, before: AppSettings, after: AppSettings) -> tuple[Notice, ...]:
    """Write the options in which `after` differs from `before`; leave all others as the file has them.

    The new file is written beside the old one and takes its place in one step, so that a crash or a full disk
    leaves the old one whole. A symbolic link stays one; the file it leads to is replaced. A file of an older version
    becomes one of this; one of a newer version stays one.

    Args:
        path: the settings file; it and its folder are made when they are missing.
        before: the settings as they were loaded or last saved.
        after: the settings as they should be.

    Returns:
        What happened beside the writing: a copy made, a broken file set aside.

    Raises:
        SettingsFileError: the file cannot be read or written; nothing in it is lost.
    """
    old, new = before.to_dict(), after.to_dict()
    changed = [(option, new[option.name]) for option in describe() if new[option.name] != old[option.name]]
    if not changed:
        return ()
    try:
        return _rewrite(settings_file.real_path(path), changed)
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsFileError(
            f"The settings could not be saved to {path}: {settings_file.reason(error)}.",
            "They hold until you quit, and nothing in the file was lost.",
        ) from error


def _rewrite(path: Path, changed: list[tuple[Option, Any]]) -> tuple[Notice, ...]:
    path.parent.mkdir(parents=True, exist_ok=True)
    notices: tuple[Notice, ...] = ()
    text, found = "", migrate({KEY: VERSION})
    try:
        text, tables = settings_file.read(path)
        found = migrate(tables)
    except FileNotFoundError:
        pass
    except ValueError as error:
        notices = (_set_aside(path, str(error)),)
    tables = found.tables
    clashes = any(not isinstance(tables.get(option.group, {}), dict) for option, _ in changed)
    if (ending := _copy_ending(path, found)) or clashes or settings_file.has_comments(text):
        name = ending or "before-app"
        copy = settings_file.reserve(path, chain([name], (f"{name}-{number}" for number in count(2))))
        shutil.copy2(path, copy)
        notices = (_notice(path, f"the app is about to rewrite it; your file was copied to {copy.name}"),)
    for option, value in changed:
        if not isinstance(tables.setdefault(option.group, {}), dict):
            tables[option.group] = {}
        tables[option.group][option.name] = value
    settings_file.write_atomically(path, tomli_w.dumps({KEY: found.said, **tables}))
    return notices


def _copy_ending(path: Path, found: Migrated) -> str:
    """Return how the copy of a file of another version is named; empty: none is needed, or there is one."""
    ending = f"version-{found.version}"
    if found.version > VERSION:
        return "" if path.with_name(f"{path.name}.{ending}").exists() else ending
    return ending if found.changed else ""


def _interpret(path: Path, text: str, tables: Mapping[str, Any]) -> Loaded:
    """Take the good values; say of every other key why it is not used."""
    lines = dict(settings_file.key_lines(text))
    settings, notices = AppSettings(), []

    def note(group: str, key: str, problem: str) -> None:
        line = lines.get((group, key))
        notices.append(_notice(path, f"line {line}: {problem}" if line else problem))

    found = migrate(tables)
    if found.problem:
        note("", KEY, found.problem)
    for option in describe():
        table = found.tables.get(option.group, {})
        if isinstance(table, dict) and option.name in table:
            try:
                settings = settings.replace(**{option.name: table[option.name]})
            except SettingsError as error:
                default = list(option.default) if isinstance(option.default, tuple) else option.default
                note(option.group, option.name, f"{error.message}. {error.hint} The default, {default!r}, is used.")
    _check_names(found.tables, note)
    folders = read_tables(found.tables, note)
    return Loaded(dataclasses.replace(settings, folders=folders), tuple(notices))


def _check_names(tables: Mapping[str, Any], note: Callable[[str, str, str], None]) -> None:
    """Say which tables and keys are not known."""
    options = {(option.group, option.name) for option in describe()}
    groups = {option.group for option in describe()}
    for group, table in tables.items():
        if not isinstance(table, dict):
            known = group in groups or group in TABLES
            note("", group, f"{group} is a table: write it as [{group}]" if known else _unknown(group))
        elif group in groups:
            for key in table:
                if (group, key) not in options:
                    note(group, key, _unknown(key))
        elif group not in TABLES:
            note(group, "", f"[{group}] is not a table of this program; it is left as it is")


def _unknown(key: str) -> str:
    """Say why a key is not used. Its value is not repeated: it could be a secret."""
    if _SECRETS.search(key):
        return f"{key} is not read from this file; put the key into the environment as PLANET_TUI_API_KEY"
    home = next((f"; it belongs under [{option.group}]" for option in describe() if option.name == key), "")
    return f"{key} is not a setting here{home}; it is left as it is"


def _set_aside(path: Path, problem: str) -> Notice:
    """Rename a broken file and say so; raise `OSError` where that cannot be."""
    aside = settings_file.set_aside(path)
    return _notice(path, f"{problem}; it was set aside as {aside.name} and the defaults are used")


def _notice(path: Path, problem: str) -> Notice:
    return Notice(str(path), problem)
