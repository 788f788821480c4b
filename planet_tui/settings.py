"""The settings file: TOML -> settings and notices, and changed settings -> TOML.

The file belongs to the person: unknown keys stay, a bad value stays until they change it, a broken file is set
aside, a file with comments is copied beside before the app first rewrites it. Only what changed is written, into
the file as it is at that moment, so that two running apps overwrite each other key by key and not file by file.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any

import tomli_w

from engine import settings as engine_settings
from engine.errors import EngineError, SettingsError
from engine.records import Notice
from engine.settings import Option, Settings
from planet_tui import paths

THEMES = ("dark", "light")

APP_OPTIONS = (
    Option("theme", "app", "Colours of the app", "dark", choices=THEMES),
    Option("last_folder", "app", "The folder opened last; opened again when none is named", ""),
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
    last_folder: str = ""
    """Absolute path of the folder opened last; empty: none yet."""
    engine: Settings = field(default_factory=Settings)
    """The engine's options."""

    @property
    def start_folder(self) -> Path:
        """The folder to open when none is named: the last one, else the bundled notes."""
        return Path(self.last_folder) if self.last_folder else paths.sample_notes()

    def replace(self, **changes: Any) -> AppSettings:  # noqa: ANN401
        """Return a checked copy with `changes` to any option, the app's or the engine's.

        Raises:
            SettingsError: a name is unknown or a value is out of its range.

        >>> AppSettings().replace(theme="light", k1=1.2).engine.k1
        1.2
        """
        own = {option.name: option.check(changes.pop(option.name)) for option in APP_OPTIONS if option.name in changes}
        values = {"theme": self.theme, "last_folder": self.last_folder} | own
        return AppSettings(**values, engine=self.engine.replace(**changes))

    def to_dict(self) -> dict[str, Any]:
        """Return every option by name, in the order of `describe`."""
        return {"theme": self.theme, "last_folder": self.last_folder} | self.engine.to_dict()


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
    free number), so that it can be mended while the app goes on.
    """
    path = _real(path)
    try:
        source = _read(path)
    except FileNotFoundError:
        return Loaded(AppSettings())
    except OSError as error:
        return Loaded(AppSettings(), (_notice(path, f"it cannot be read ({_reason(error)}); the defaults are used"),))
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
    leaves the old one whole. A symbolic link stays one; the file it leads to is replaced.

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
        return _rewrite(_real(path), changed)
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsFileError(
            f"The settings could not be saved to {path}: {_reason(error)}.",
            "They hold until you quit, and nothing in the file was lost.",
        ) from error


def _rewrite(path: Path, changed: list[tuple[Option, Any]]) -> tuple[Notice, ...]:
    path.parent.mkdir(parents=True, exist_ok=True)
    notices: tuple[Notice, ...] = ()
    text, tables = "", dict[str, Any]()
    try:
        text, tables = _read(path)
    except FileNotFoundError:
        pass
    except ValueError as error:
        notices = (_set_aside(path, str(error)),)
    clashes = any(not isinstance(tables.get(option.group, {}), dict) for option, _ in changed)
    if clashes or _has_comments(text):
        copy = _reserve(path, chain(["before-app"], (f"before-app-{number}" for number in count(2))))
        shutil.copy2(path, copy)
        notices = (_notice(path, f"the app is about to rewrite it; your file was copied to {copy.name}"),)
    for option, value in changed:
        if not isinstance(tables.setdefault(option.group, {}), dict):
            tables[option.group] = {}
        tables[option.group][option.name] = value
    _write_atomically(path, tomli_w.dumps(tables))
    return notices


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the file's text and its tables; raise `OSError`, or `ValueError` that says what is wrong where."""
    if path.exists() and not path.is_file():  # a pipe or a device would be waited for
        raise OSError(errno.EINVAL, "it is not a file")
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f"it is not UTF-8 (at line {line})") from None
    try:
        return text, tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python reads no decimal number of more than 4,300 digits
        raise ValueError("it holds a number of too many digits") from None


def _interpret(path: Path, text: str, tables: Mapping[str, Any]) -> Loaded:
    """Take the good values; say of every other key why it is not used."""
    lines = dict(_key_lines(text))
    options = {(option.group, option.name): option for option in describe()}
    groups = {option.group for option in describe()}
    settings, notices = AppSettings(), []

    def note(group: str, key: str, problem: str) -> None:
        line = lines.get((group, key))
        notices.append(_notice(path, f"line {line}: {problem}" if line else problem))

    for (group, name), option in options.items():
        table = tables.get(group, {})
        if isinstance(table, dict) and name in table:
            try:
                settings = settings.replace(**{name: table[name]})
            except SettingsError as error:
                note(group, name, f"{error.message}. {error.hint} The default, {option.default!r}, is used.")
    for group, table in tables.items():
        if not isinstance(table, dict):
            note("", group, f"{group} is a table: write it as [{group}]" if group in groups else _unknown(group))
            continue
        if group not in groups:
            note(group, "", f"[{group}] is not a table of this program; it is left as it is")
            continue
        for key in table:
            if (group, key) not in options:
                note(group, key, _unknown(key))
    return Loaded(settings, tuple(notices))


def _unknown(key: str) -> str:
    """Say why a key is not used. Its value is not repeated: it could be a secret."""
    if _SECRETS.search(key):
        return f"{key} is not read from this file; put the key into the environment as PLANET_TUI_API_KEY"
    home = next((f"; it belongs under [{option.group}]" for option in describe() if option.name == key), "")
    return f"{key} is not a setting here{home}; it is left as it is"


_TABLE_LINE = re.compile(r"\s*\[\s*([\w-]+)\s*\]")
_KEY_LINE = re.compile(r"""\s*(?:([\w-]+)\s*\.\s*)?["']?([\w-]+)["']?\s*=""")


def _key_lines(text: str) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield ((table, key), line); a table's own line has an empty key. Good for a message, no parser."""
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _TABLE_LINE.match(line):
            table = match[1]
            yield (table, ""), number
        elif match := _KEY_LINE.match(line):
            yield (match[1] or table, match[2]), number


# Strings come first, so that a `#` inside one is not taken for a comment.
_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|' r"'''.*?'''|" r'"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'|(?P<comment>#)", re.DOTALL
)


def _has_comments(text: str) -> bool:
    """Return whether a TOML text holds a comment.

    >>> _has_comments('a = "#1"'), _has_comments("a = 1  # one")
    (False, True)
    """
    return any(match["comment"] for match in _STRING_OR_COMMENT.finditer(text))


def _set_aside(path: Path, problem: str) -> Notice:
    """Rename a broken file to a free name beside it and say so; raise `OSError` where that cannot be."""
    aside = _reserve(path, (f"broken-{number}" for number in count(1)))
    try:
        os.replace(path, aside)
    except OSError:
        aside.unlink()
        raise
    return _notice(path, f"{problem}; it was set aside as {aside.name} and the defaults are used")


def _reserve(path: Path, endings: Iterable[str]) -> Path:
    """Make an empty file beside `path` under the first of `NAME.ending` that is free, so that nobody else takes it."""
    for ending in endings:
        candidate = path.with_name(f"{path.name}.{ending}")
        with contextlib.suppress(FileExistsError):
            candidate.touch(mode=0o600, exist_ok=False)
            return candidate
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


def _write_atomically(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(path, name)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _notice(path: Path, problem: str) -> Notice:
    return Notice(str(path), problem)


def _real(path: Path) -> Path:
    """Follow symbolic links: settings kept in a folder of dotfiles stay there."""
    return Path(os.path.realpath(path))


def _reason(error: OSError | ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply to be written again"
    if isinstance(error, UnicodeEncodeError):
        return "a name in them is not valid text"
    if isinstance(error, ValueError):
        return "it holds a number of too many digits to be written again"
    return error.strerror or str(error)
