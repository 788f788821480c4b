"""The settings file as a file: read whole, replaced in one step, copied and set aside under names that are free."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any


def read(path: Path) -> tuple[str, dict[str, Any]]:
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


_TABLE_LINE = re.compile(r"""\s*\[\s*([\w-]+)\s*(?:\.[^\]]*)?\]""")
_KEY_LINE = re.compile(r"""\s*(?:([\w-]+)\s*\.\s*)?(?:"([^"\n]*)"|'([^'\n]*)'|([\w-]+))\s*=""")


def key_lines(text: str) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield ((table, key), line); a table's own line has an empty key. Good for a message, no parser."""
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _TABLE_LINE.match(line):
            table = match[1]
            yield (table, ""), number
        elif match := _KEY_LINE.match(line):
            yield (match[1] or table, match[2] or match[3] or match[4] or ""), number


# Strings come first, so that a `#` inside one is not taken for a comment.
_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|' r"'''.*?'''|" r'"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'|(?P<comment>#)", re.DOTALL
)


def has_comments(text: str) -> bool:
    """Return whether a TOML text holds a comment.

    >>> has_comments('a = "#1"'), has_comments("a = 1  # one")
    (False, True)
    """
    return any(match["comment"] for match in _STRING_OR_COMMENT.finditer(text))


def set_aside(path: Path) -> Path:
    """Rename a broken file to a free name beside it and return that; raise `OSError` where that cannot be."""
    aside = reserve(path, (f"broken-{number}" for number in count(1)))
    try:
        os.replace(path, aside)
    except OSError:
        aside.unlink()
        raise
    return aside


def reserve(path: Path, endings: Iterable[str]) -> Path:
    """Make an empty file beside `path` under the first of `NAME.ending` that is free, so that nobody else takes it."""
    for ending in endings:
        candidate = path.with_name(f"{path.name}.{ending}")
        with contextlib.suppress(FileExistsError):
            candidate.touch(mode=0o600, exist_ok=False)
            return candidate
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


def write_atomically(path: Path, text: str) -> None:
    """Write a text beside a file, synchronise it with the disk, and let it take the file's place."""
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


def real_path(path: Path) -> Path:
    """Follow symbolic links: settings kept in a folder of dotfiles stay there."""
    return Path(os.path.realpath(path))


def reason(error: OSError | ValueError | RecursionError) -> str:
    """Say why a file cannot be read or written."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply to be written again"
    if isinstance(error, UnicodeEncodeError):
        return "a name in them is not valid text"
    if isinstance(error, ValueError):
        return "it holds a number of too many digits to be written again"
    return error.strerror or str(error)
