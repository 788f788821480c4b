"""The key of a hosted model: from the environment, else from the system's keyring. It is kept nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from engine.errors import KeyringError, MissingExtraError, how_to_install

VARIABLES = ("PLANET_TUI_API_KEY", "LLM_API_KEY")
"""Looked for in this order."""
SERVICE, ENTRY = "planet-tui", "api-key"
"""Under which names the keyring keeps the key."""


def api_key(environ: Mapping[str, str]) -> str:
    """Return the key: `PLANET_TUI_API_KEY`, else `LLM_API_KEY`, else the keyring's, else nothing.

    >>> api_key({"PLANET_TUI_API_KEY": " ", "LLM_API_KEY": "k"})
    'k'
    """
    return key_from_environment(environ) or key_from_keyring()


def where_key_is(environ: Mapping[str, str]) -> str:
    """Say where the key comes from, never what it is; empty: there is none.

    >>> where_key_is({"LLM_API_KEY": "k"})
    'LLM_API_KEY'
    """
    named = next((name for name in VARIABLES if environ.get(name, "").strip()), "")
    return named or ("the system's keyring" if key_from_keyring() else "")


def key_from_environment(environ: Mapping[str, str]) -> str:
    """Return the first of `VARIABLES` that is set and not blank, else nothing."""
    return next((key for name in VARIABLES if (key := environ.get(name, "").strip())), "")


def key_from_keyring() -> str:
    """Return the key that `store_key` kept; nothing when there is none, or no keyring can be used."""
    try:
        kept = import_module("keyring").get_password(SERVICE, ENTRY)
    except Exception:  # not installed, locked, no desktop: each backend has its own errors
        return ""
    return kept.strip() if isinstance(kept, str) else ""


def store_key(key: str) -> None:
    """Keep the key in the system's keyring; an empty key removes the one there.

    Raises:
        MissingExtraError: the package is not installed.
        KeyringError: the keyring cannot be used; the message never holds the key.
    """
    keyring = _keyring()
    try:
        if key.strip():
            keyring.set_password(SERVICE, ENTRY, key.strip())
        elif keyring.get_password(SERVICE, ENTRY) is not None:
            keyring.delete_password(SERVICE, ENTRY)
    except Exception as error:
        raise KeyringError(
            f"The system's keyring cannot be used ({type(error).__name__}).", "Put the key into PLANET_TUI_API_KEY."
        ) from None


def _keyring() -> Any:  # noqa: ANN401
    try:
        return import_module("keyring")
    except ImportError:
        raise MissingExtraError(
            "The package that reaches the system's keyring is not installed.",
            f"Install it: {how_to_install('keyring')}; or put the key into PLANET_TUI_API_KEY.",
        ) from None
