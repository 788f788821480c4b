"""Notes that people wrote: every word of every chunk stands on the source line that the map gives for it.

A few hundred kilobytes of each folder are read straight out of its archive; the whole of them held when it was tried.
"""

import os
import re
import tarfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from engine.chunking.sentences import sentence_chunks
from engine.reading.folder import decode
from engine.reading.markdown import parse_markdown
from engine.reading.source import MARKDOWN_ENDINGS, clean_source

VAULTS = Path(os.environ.get("PLANET_TUI_DATA", Path(__file__).parents[4] / "shared" / "data")) / "vaults"
NAMES = ("rust-book", "30s-code", "ja-js-primer", "zh-knowledge-garden", "zh-oi-wiki", "tldr", "wiki-notes", "docs-20k")
BYTES_READ, BYTES_TRIED = 4_000_000, 300_000
STEP = 7

_WORD = re.compile(r"[A-Za-z0-9\u00c0-\u024f\u0370-\u04ff]+|[^\W\d_]")
"""Runs of letters; signs of scripts without spaces one by one, since markup may stand between any two."""
_MARKUP = re.compile(r"[\\*`~_]|<[^<>]*>|%%|\]\([^()]*(?:\([^()]*\)[^()]*)*\)|\]\[[^\]]*\]|[\[\]]")


def sample(archive: Path) -> Iterator[tuple[str, str]]:
    """Yield every seventh note from the beginning of an archive."""
    read = tried = number = 0
    with tarfile.open(archive, "r|xz") as tar:
        for member in tar:
            if not (member.isfile() and member.name.lower().endswith(MARKDOWN_ENDINGS)):
                continue
            read, number = read + member.size, number + 1
            if read > BYTES_READ or tried > BYTES_TRIED:
                return
            if number % STEP == 0:
                file = tar.extractfile(member)
                text, _ = decode(file.read() if file else b"")
                tried += member.size
                yield member.name, text or ""


@pytest.mark.parametrize("name", NAMES)
def test_the_words_of_every_chunk_stand_on_their_source_lines(name: str) -> None:
    archive = VAULTS / f"{name}.tar.xz"
    if not archive.is_file():
        pytest.skip("PLANET_TUI_DATA names no folder with vaults")
    words = 0
    for path, text in sample(archive):
        note, lines = parse_markdown(text, path), clean_source(text).split("\n")
        for start, end in sentence_chunks(note, 60):
            for word in _WORD.finditer(note.text, start, end):
                line = lines[note.line_at(word.start()) - 1]
                words += 1
                assert word[0] in line or word[0] in _MARKUP.sub("", unescape(line)), (path, word[0], line[:200])
    assert words > 5_000
