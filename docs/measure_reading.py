"""Measure how fast notes are parsed: `python docs/measure_reading.py FOLDER[:NOTES] …`.

Without folders, those of the table in docs/reading.md, unpacked below PLANET_TUI_VAULTS.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path

from engine.reading.folder import decode, walk_folder
from engine.reading.markdown import parse_markdown
from engine.reading.source import MARKDOWN_ENDINGS

FOLDERS = ("rust-book", "docs-20k:2000", "wiki-notes:40", "zh-oi-wiki")
ROUNDS = 3


def measure(folder: Path, notes: int | None) -> tuple[float, float]:
    """Return megabytes and the seconds of processor time that the best round took."""
    files = [file for file in walk_folder(folder)[0][:notes] if file.id.lower().endswith(MARKDOWN_ENDINGS)]
    contents = [(file.id, Path(file.path).read_bytes()) for file in files]
    sources = [(note, decode(content)[0] or "") for note, content in contents]
    best = float("inf")
    gc.disable()
    for _ in range(ROUNDS):
        start = time.process_time()
        for note, source in sources:
            parse_markdown(source, note)
        best = min(best, time.process_time() - start)
    gc.enable()
    return sum(len(content) for _, content in contents) / 1e6, best


def main() -> None:
    """Print a row for each folder."""
    home = Path(os.environ.get("PLANET_TUI_VAULTS", "."))
    for word in sys.argv[1:] or FOLDERS:
        name, _, notes = word.partition(":")
        megabytes, seconds = measure(home / name, int(notes) if notes else None)
        print(f"| {name} | {megabytes:.1f} | {megabytes / seconds:.0f} |")  # noqa: T201


if __name__ == "__main__":
    main()
