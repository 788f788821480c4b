"""A folder of notes -> for each size a place with that many of them, their chunks and questions about them."""

import json
import random
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from engine.chunking.windows import fixed_windows
from engine.reading.folder import read_note, walk_folder
from engine.records import Document

WINDOW = 85
"""Words of a chunk."""
QUESTIONS = 200


@dataclass(frozen=True)
class Place:
    """Where the input of the measurements of one size is, and where they may write."""

    path: Path

    @property
    def notes(self):
        """The folder of notes."""
        return self.path / "notes"

    @property
    def cache(self):
        """Where planet-tui keeps the index of `notes`."""
        return self.path / "cache"

    def peer(self, name, *, fresh=False):
        """Return a folder for a peer's files; empty when `fresh`."""
        folder = self.path / name
        if fresh:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def read(self, name):
        """Return what stands under a name: `chunks`, `queries`, `facts`."""
        return json.loads((self.path / f"{name}.json").read_text(encoding="utf-8"))

    def write(self, name, value):
        """Put something under a name."""
        (self.path / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")


def make_place(source, path, n_files):
    """Copy `n_files` notes of a folder, evenly spread over it (0: all), and cut them; nothing where that was done."""
    place = Place(path)
    if (path / "facts.json").exists():
        return place
    shutil.rmtree(path, ignore_errors=True)
    files, _ = walk_folder(source)
    n_files = min(n_files or len(files), len(files))
    chosen = [files[at * len(files) // n_files] for at in range(n_files)]
    for file in chosen:
        copy = place.notes / file.id
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file.path, copy)
    documents = [note for file in chosen if isinstance(note := read_note(file), Document)]
    chunks = [d.text[start:end] for d in documents for start, end in fixed_windows(d, WINDOW)]
    place.write("chunks", [chunk.encode("utf-8", "replace").decode() for chunk in chunks])
    place.write("queries", headings(documents))
    size = sum(file.size for file in chosen)
    place.write("facts", {"files": len(chosen), "bytes": size, "chunks": len(chunks)})
    return place


def headings(documents):
    """Return headings of 2 to 8 words, as questions: drawn with a fixed seed, none twice."""
    found = {re.sub(r"[^\w]+", " ", section.heading).strip() for d in documents for section in d.sections}
    fitting = sorted(heading for heading in found if 2 <= len(heading.split()) <= 8)
    return random.Random(0).sample(fitting, min(QUESTIONS, len(fitting)))
