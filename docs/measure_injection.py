"""Count the paragraphs of Markdown folders that are flagged as instructions to a model: `FOLDER …` -> a table."""

import sys
from pathlib import Path

from engine.answering.injection import instruction_in


def main(folders: list[str]) -> None:
    """Print a row a folder, then what was found."""
    found: list[str] = []
    print("| folder | files | MB | paragraphs flagged |\n|---|---|---|---|")  # noqa: T201
    for folder in folders:
        files = characters = flagged = 0
        for path in Path(folder).rglob("*.md"):
            text = path.read_text(encoding="utf-8", errors="replace")
            files, characters = files + 1, characters + len(text)
            hits = [hit for hit in map(instruction_in, text.split("\n\n")) if hit]
            flagged += len(hits)
            found += [f"{path.name}: {hit}" for hit in hits]
        print(f"| {Path(folder).name} | {files:,} | {characters / 1e6:.1f} | {flagged} |")  # noqa: T201
    print(*found, sep="\n")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
