"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import OutputError


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """Yield a path to write to, with the same ending; what stands there at the end takes the place of `path`.

    When the block raises, `path` stays as it was. A path that is no file, such as `/dev/stdout`, is written as it is.

    Raises:
        OutputError: the file cannot be written.
    """
    given = Path(os.path.expanduser(path))
    try:
        target = given.resolve()
        direct = target.exists() and not target.is_file()
        part = target if direct else target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
        target.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise _failure(given, error) from None
    try:
        yield part
        if not direct:
            part.replace(target)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _failure(given, error) from None
    finally:
        if not direct:
            part.unlink(missing_ok=True)


def write_whole(path: Path | str, text: str) -> Path:
    """Write a text as UTF-8, whole or not at all, and return the path; raise as `replacing` does."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors="surrogatepass", newline="\n")
    return Path(path)


def _failure(path: Path, error: Exception) -> OutputError:
    return OutputError(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}.", "Name another file.")
