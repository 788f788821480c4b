"""Say where sources disagree: `FOLDER QUESTIONS [N]` -> the questions whose sources do, of N taken at random.

QUESTIONS is a file of labels (`questions.toml`) or of lines of JSON with a `question`. The list is that of BM25, so
that a large folder needs no LSA.
"""

import json
import random
import sys
import tomllib
from pathlib import Path

from engine.library import Library
from engine.pipeline import ask


def questions(file: Path) -> list[str]:
    """Return the questions of a file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".toml":
        return [question["text"] for question in tomllib.loads(text)["question"]]
    return [json.loads(line)["question"] for line in text.splitlines()]


def main(folder: str, file: str, most: str = "2000") -> None:
    """Print every conflict with its sentences, then how many questions have one."""
    asked = questions(Path(file))
    random.Random(7).shuffle(asked)
    library = next(stage for stage in Library.stages(folder) if stage.stage == "bm25")
    traces = [ask(library, question) for question in asked[: int(most)]]
    for trace in traces:
        for conflict in trace.conflicts:
            print(f"{trace.question}\n  {conflict}", *conflict.sentences, sep="\n    ")  # noqa: T201
    print(f"{sum(bool(trace.conflicts) for trace in traces)} of {len(traces)} questions")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
