"""A folder of encyclopedia articles -> the ten articles as Markdown, and as documents.

The articles are not part of the project. They are looked for in the folder that is named, else in
`wikipedia-planets` of the labelled collections (`engine.evaluation.collections`): eight articles of 2022 as
Markdown, Pluto of 2018 as a page saved as text, the lead of Ceres. A folder with `mercury.md`, `venus.md` … or with
notes named by title, as `planet-tui corpus` writes them, serves as well, whatever revision they are: `check_labels`
names the spans that it no longer holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from engine.errors import FolderError
from engine.evaluation.collections import data_folder
from engine.evaluation.solar_system.rendered import BACK_MATTER, rendered_to_markdown
from engine.reading.folder import decode
from engine.reading.markdown import parse_markdown
from engine.records import Document

TITLES = {
    "ceres.md": "Ceres (dwarf planet)",
    "jupiter.md": "Jupiter",
    "mars.md": "Mars",
    "mercury.md": "Mercury (planet)",
    "moon.md": "Moon",
    "neptune.md": "Neptune",
    "pluto.md": "Pluto",
    "saturn.md": "Saturn",
    "uranus.md": "Uranus",
    "venus.md": "Venus",
}
"""The articles: document id and title."""

FOLDER = "wikipedia-planets"
_PLACES = ("", "full-2022-md", "lead-only", "rendered-text-2018")

_BACK_MATTER = re.compile(rf"^##? +(?:{'|'.join(BACK_MATTER)}) *$", re.MULTILINE)
_PAGE_NUMBER = re.compile(r"(?<=[.,”\"]):\u200a\d+(?:[–-]\d+)?\u200a ?")
# The conversion that made the files has joined paragraphs: a full stop touches the capital that follows.
_LOST_BREAK = re.compile(r"(?:(?<=[a-z0-9%)\]”\"])|(?<=[A-Z]{2}))([.?!][\"”]?)(?=[\"“]?[A-Z](?:[a-z’' ]|\d))")


def load_articles(folder: Path | None = None) -> dict[str, Document]:
    """Read the ten articles; the documents' lines count in what `article_sources` returns.

    Args:
        folder: where they are; `None`: with the labelled collections.

    Raises:
        FolderError: an article is missing.
    """
    return {name: parse_markdown(source, name) for name, source in article_sources(folder).items()}


def article_sources(folder: Path | None = None) -> dict[str, str]:
    """Return the Markdown of the ten articles by document id, without what follows the text; raise as above."""
    folder = folder or _default_folder()
    return {name: _source(folder, name, title) for name, title in TITLES.items()}


def write_articles(target: Path, folder: Path | None = None) -> tuple[Path, ...]:
    """Write the articles as a folder of notes that can be opened, searched and evaluated; raise as above."""
    sources = article_sources(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, source in sources.items():
        (target / name).write_text(source, encoding="utf-8")
    return tuple(target / name for name in sources)


def _default_folder() -> Path:
    data = data_folder()
    if data is None:
        raise FolderError(
            "The articles on the Solar System are not on this machine.",
            f"PLANET_TUI_DATA names the folder that holds {FOLDER}; or name a folder with the articles.",
        )
    return data / FOLDER


def _source(folder: Path, name: str, title: str) -> str:
    path = next(filter(Path.is_file, _candidates(folder, name, title)), None)
    if path is None:
        raise FolderError(
            f"{folder} holds no article on {title}.", f"It is looked for as {name}, {title}.md and {title}.txt."
        )
    text, _ = decode(path.read_bytes())
    if text is None:
        raise FolderError(f"{path} is no text.", "Put the article there as Markdown.")
    return rendered_to_markdown(text, title) if path.suffix == ".txt" else _tidy(text)


def _candidates(folder: Path, name: str, title: str) -> Iterator[Path]:
    for place in _PLACES:
        for file in (name, f"{title}.md", f"{title}.txt"):
            yield folder / place / file


def _tidy(markdown: str) -> str:
    """Cut what follows the article's text, drop page numbers of footnotes, and part what are two paragraphs."""
    end = _BACK_MATTER.search(markdown)
    text = markdown[: end.start()] if end else markdown
    return _LOST_BREAK.sub(r"\1\n\n", _PAGE_NUMBER.sub(" ", text)).rstrip() + "\n"
