"""What a person should know about a file: the one record that an interface needs before its first frame."""

from __future__ import annotations

from typing import NamedTuple


class Notice(NamedTuple):
    """Something a person should know about one file, or about the folder; never fatal."""

    path: str
    """Path relative to the folder, with `/`; empty: the folder itself."""
    problem: str
    """What is the matter and what was done about it, one line."""
