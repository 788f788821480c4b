"""Where the app keeps things: the user's own folders on each system, or one folder named by PLANET_TUI_HOME."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import platformdirs

from engine.errors import SettingsError

HOME_VARIABLE = "PLANET_TUI_HOME"
"""Environment variable: a folder to keep everything in, for portable use."""

_APP = "planet-tui"


def config_file() -> Path:
    """Return where the settings are; the file need not exist."""
    return (_home() or platformdirs.user_config_path(_APP, appauthor=False)) / "settings.toml"


def data_folder() -> Path:
    """Return where things that a person made are kept, such as labelled questions."""
    return _home("data") or platformdirs.user_data_path(_APP, appauthor=False)


def state_folder() -> Path:
    """Return where the history and the log are kept."""
    return _home("state") or platformdirs.user_state_path(_APP, appauthor=False)


def cache_folder() -> Path:
    """Return where things that can be made again are kept."""
    return _home("cache") or platformdirs.user_cache_path(_APP, appauthor=False)


def log_file() -> Path:
    """Return where unexpected errors are written down."""
    return state_folder() / "planet-tui.log"


def history_file() -> Path:
    """Return where the questions asked before are kept."""
    return state_folder() / "history.txt"


def labels_file(folder: Path) -> Path:
    """Return where the app keeps the questions that a person labels about a folder; the file need not exist."""
    whole = str(folder.resolve())
    from hashlib import sha256  # not before the first frame

    digest = sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return data_folder() / "labels" / f"{folder.resolve().name or 'root'}-{digest}.toml"


def sample_notes() -> Path:
    """Return the bundled planet notes: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).parent
    installed = package / "sample_docs"
    return installed if installed.is_dir() else package.parent / "sample_docs"


def expanded(name: str) -> Path:
    """Return a path with `~` and `~user` written out; those of a user that nobody knows stay as they are."""
    return Path(os.path.expanduser(name))


def is_folder(path: Path) -> bool:
    """Return whether a path leads to a folder; a path that no system takes does not."""
    try:
        return path.is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def exists(path: Path) -> bool:
    """Return whether something is there; nothing is at a path that no system takes."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def shown(folder: Path) -> str:
    """Return a folder as a person would write it: `~` for the home folder, a name for the bundled notes."""
    if is_folder(folder) and folder.resolve() == sample_notes().resolve():
        return "sample notes"
    home = expanded("~")
    return f"~/{folder.relative_to(home).as_posix()}" if folder != home and folder.is_relative_to(home) else str(folder)


def shown_all(folders: Iterable[Path]) -> str:
    """Return several folders in a row as `shown` writes each."""
    return ", ".join(map(shown, folders))


def names(folders: Iterable[Path]) -> str:
    """Return what folders are called, in a row."""
    return " and ".join(folder.resolve().name for folder in folders)


def _home(kind: str = "") -> Path | None:
    root = os.environ.get(HOME_VARIABLE)
    if not root:
        return None
    home = expanded(root)
    if str(home).startswith("~"):
        raise SettingsError(
            f"{HOME_VARIABLE} = {root!r}: there is no such user", "Set it to a folder, such as /home/me/planet-tui."
        )
    return home / kind
