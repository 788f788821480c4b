"""The engine's errors: each says what went wrong, where, and what to do.

EngineError
├── FolderError      the notes folder is missing, not a folder, or cannot be read
├── SettingsError    a setting is unknown, of the wrong type or out of range
├── QuestionError    a question holds nothing to search for
├── LabelsError      a file of labelled questions cannot be used
├── OutputError      a report or a picture cannot be written
├── MissingExtraError  an optional package is not installed
├── SchemaError      a schema of fields to extract cannot be used
├── StorageError     an index on disk cannot be written, or not be used
├── EndpointError    a hosted model cannot be reached or does not answer as agreed
├── KeyringError     the system's keyring cannot be used
└── Cancelled        the caller asked a long job to stop
"""

from __future__ import annotations

import sys


class EngineError(Exception):
    """Root of the tree: a message for a person and a hint what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        """Store `message` (what and where, one line) and `hint` (what to do, one line or empty)."""
        super().__init__(message)
        self.message = message
        self.hint = hint


class FolderError(EngineError):
    """The notes folder is missing, is a file, or cannot be read."""


class SettingsError(EngineError):
    """A setting is unknown, of the wrong type or out of its range."""


class QuestionError(EngineError):
    """A question is empty."""


class LabelsError(EngineError):
    """A file of labelled questions is missing, malformed, or its spans no longer stand in the notes."""


class OutputError(EngineError):
    """A file that was asked for cannot be written, or not in the form its ending names."""


class MissingExtraError(EngineError):
    """Something that was asked for needs an optional package that is not installed."""


class SchemaError(EngineError):
    """A schema of fields to extract is missing, malformed, or asks for what fields cannot say."""


class StorageError(EngineError):
    """A stored index is missing, damaged or of another format, or cannot be written."""


class EndpointError(EngineError):
    """A hosted model is not set up, cannot be reached, or does not answer as agreed."""


class KeyringError(EngineError):
    """The system's keyring is locked or missing."""


class Cancelled(EngineError):
    """The caller's `should_stop` returned true."""

    def __init__(self) -> None:
        """Take nothing: there is nothing to explain."""
        super().__init__("Stopped.")


def how_to_install(*packages: str) -> str:
    """Return the command that installs packages for the Python that runs, from a checkout as well as elsewhere."""
    from shlex import quote  # not before the first frame

    return f"{quote(sys.executable)} -m pip install {' '.join(packages)}"
