"""Hold the sentence splitter against others: `python docs/measure_sentences.py` prints the table of docs/text.md.

Needs the labelled collections (see `engine.evaluation.collections`) and `pip install pysbd syntok sentencex`, which
nothing else here needs. The splitters disagree with each other, so that a border counts where two of the three see it.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from engine.evaluation.collections import data_folder  # noqa: E402
from engine.evaluation.tables import Column, table  # noqa: E402
from engine.reading.markdown import parse_markdown  # noqa: E402
from engine.text.sentences import sentence_spans  # noqa: E402

PARAGRAPHS = 600
NOTES, OF_EACH = 60, 10
LEAST = 200
"""Characters of a paragraph of a note."""

OTHERS = ("pysbd", "sentencex", "syntok")

Splitter = Callable[[str], Sequence[str]]

# Markers behind a stop: [1], [citation needed], :116. Whose they are, the sentence's or the next, is no fault.
_MARKERS = re.compile(r"(?:\s?\[[^\[\]\n]{1,40}\])+(?::\d+(?:[–-]\d+)?)?|:\d+(?:[–-]\d+)?")


def main() -> None:
    """Print how the splitter agrees with each of the others, and they with each other."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("The labelled collections are not here; PLANET_TUI_DATA names their folder.")
    splitters = all_splitters()
    columns = ["text", "splitter", Column("borders", form=","), "precision", "recall"]
    rows = []
    for name, texts in (("SQuAD 1.1", squad(folder)), ("wiki-notes", notes(folder))):
        found = {splitter: [borders(text, split) for text in texts] for splitter, split in splitters.items()}
        for splitter, borders_of in found.items():
            right = seen = wanted = 0
            for at, mine in enumerate(borders_of):
                votes = Counter(end for other in OTHERS for end in found[other][at])
                agreed = {end for end, count in votes.items() if count >= 2}
                right, seen, wanted = right + len(mine & agreed), seen + len(mine), wanted + len(agreed)
            rows.append([name, splitter, wanted, right / seen, right / wanted])
    print(table("", columns, rows).to_markdown())  # noqa: T201


def all_splitters() -> Mapping[str, Splitter]:
    """Return the splitters by name."""
    try:
        import pysbd
        import sentencex
        import syntok.segmenter
    except ImportError as error:
        raise SystemExit(f"{error.name} is missing: pip install pysbd syntok sentencex") from None
    rules = pysbd.Segmenter(language="en", clean=False)

    def by_syntok(text: str) -> list[str]:
        paragraphs = syntok.segmenter.analyze(text)
        return ["".join(t.spacing + t.value for t in sentence) for sentences in paragraphs for sentence in sentences]

    return {
        "ours": lambda text: [text[start:end] for start, end in sentence_spans(text)],
        "pysbd": rules.segment,
        "sentencex": lambda text: list(sentencex.segment("en", text)),
        "syntok": by_syntok,
    }


def borders(text: str, split: Splitter) -> set[int]:
    """Return where sentences end, markers passed over, without the end of the text."""
    ends, at = set(), 0
    for sentence in split(text):
        words = sentence.strip()
        place = text.find(words, at)
        if words and place >= 0:
            at = place + len(words)
            marker = _MARKERS.match(text, at)
            ends.add(marker.end() if marker else at)
    return ends - {len(text.rstrip())}


def squad(folder: Path) -> list[str]:
    """Return paragraphs of the development half."""
    lines = (folder / "squad-v1.1-dev" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    return random.Random(1).sample([json.loads(line)["text"] for line in lines], PARAGRAPHS)


def notes(folder: Path) -> list[str]:
    """Return long paragraphs of articles kept as notes."""
    chosen = random.Random(1)
    texts: list[str] = []
    with tarfile.open(folder / "vaults" / "wiki-notes.tar.xz") as archive:
        for source in chosen.sample(list(sources(archive)), NOTES):
            document = parse_markdown(source, "note.md")
            blocks = [document.text[b.start : b.end] for b in document.blocks if b.kind == "paragraph"]
            long = [text for text in blocks if len(text) > LEAST and "\n" not in text]
            texts += chosen.sample(long, min(OF_EACH, len(long)))
    return texts


def sources(archive: tarfile.TarFile) -> Iterator[str]:
    """Yield the text of every note of an archive, in its order."""
    for member in archive:
        file = archive.extractfile(member) if member.name.endswith(".md") else None
        if file is not None:
            yield file.read().decode("utf-8", "replace")


if __name__ == "__main__":
    main()
