"""Text -> how many tokens it is: words and marks, or a real tokenizer's count where one is set up."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from engine.errors import MissingExtraError, SettingsError, how_to_install
from engine.text.scripts import UNSPACED

TokenCounter = Callable[[str], int]
"""Counts the tokens of a text; a real tokenizer's count may take the place of `count_tokens`."""

_TOKEN = re.compile(rf"[^\W{UNSPACED}]+|[^\w\s]|[{UNSPACED}]")


def count_tokens(text: str) -> int:
    """Return the number of words and punctuation marks; of a script without spaces, of characters.

    >>> count_tokens("Mars has two moons."), count_tokens("火星")
    (5, 2)
    """
    return len(_TOKEN.findall(text))


def token_counter(tokenizer: str) -> TokenCounter:
    """Return what counts tokens: `count_tokens`, or the tokenizer in a file.

    Args:
        tokenizer: path of a `tokenizer.json` as it comes with a model; empty: words and marks.

    Raises:
        SettingsError: the file cannot be used.
        MissingExtraError: the package that reads it is not installed.
    """
    if not tokenizer:
        return count_tokens
    try:
        path = Path(tokenizer).expanduser()
        changed = path.stat().st_mtime_ns
        if not path.is_file():
            raise IsADirectoryError(None, "it is not a file")
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SettingsError(f"tokenizer = {tokenizer!r}: {reason}", _HINT) from None
    return _load(path, changed)


_HINT = "Name the tokenizer.json of your model, or leave the setting empty to count words and marks."


@lru_cache(maxsize=2)
def _load(path: Path, changed: int) -> TokenCounter:
    """Read a tokenizer; `changed`: the file's time, so that a new file is read anew."""
    try:
        tokenizers = import_module("tokenizers")
    except ImportError:
        raise MissingExtraError(
            "tokenizer is set, but the package that reads it is not installed",
            f"Install it: {how_to_install('tokenizers')}; or leave the setting empty.",
        ) from None
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises a bare Exception
        raise SettingsError(f"tokenizer = {str(path)!r} is no tokenizer: {error}", _HINT) from None
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(text: str) -> int:
        # A lone surrogate is no text to it; one mark more or less.
        clean = text.encode("utf-8", "replace").decode("utf-8")
        return len(tokenizer.encode(clean, add_special_tokens=False).ids)

    return count
