"""A file that a disk has not kept as it was written."""

from __future__ import annotations

from pathlib import Path


def damage(file: Path) -> None:
    """Flip a bit in every eighth byte of the last 1,000, so that some stand in an array and not between two."""
    content = bytearray(file.read_bytes())
    for at in range(max(0, len(content) - 1_000), len(content), 8):
        content[at] ^= 1
    file.write_bytes(content)
