"""Time the masks of constrained decoding: `FOLDER` of Markdown -> milliseconds a step, with 100,000 tokens."""

import re
import sys
from collections import Counter
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from engine.answering.token_masks import TokenMasks

SCHEMA = [("vendor", "text", True), ("total", "number", True), ("date", "date", False), ("lines", "list", False)]


def vocabulary(folder: str, size: int = 100_000) -> list[str]:
    """Return characters and the commonest runs of letters, digits or marks, with a space before them as they come."""
    counts: Counter[str] = Counter()
    for path in sorted(Path(folder).rglob("*.md"))[:300]:
        counts.update(
            re.findall(r" ?[^\W\d_]+| ?\d{1,3}| ?[^\w\s]+", path.read_text(encoding="utf-8", errors="replace"))
        )
    return list(dict.fromkeys([*map(chr, range(32, 127)), *(token for token, _ in counts.most_common(size))]))[:size]


def main(folder: str) -> None:
    """Print what building, new masks and remembered masks cost."""
    tokens = vocabulary(folder)
    start = perf_counter()
    masks = TokenMasks(SCHEMA, tokens)
    print(f"{len(tokens):,} tokens, built in {perf_counter() - start:.2f} s")  # noqa: T201
    fresh, again = [], []
    for seed in range(20):
        choose, state = np.random.default_rng(seed), masks.start
        for _ in range(60):
            start = perf_counter()
            known = state in masks._kept
            allowed = np.flatnonzero(masks.mask(state))
            (again if known else fresh).append(perf_counter() - start)
            if not len(allowed):
                break
            state = masks.advance(state, int(choose.choice(allowed)))
    for name, seconds in (("new", fresh), ("remembered", again)):
        milliseconds = [1000 * second for second in seconds]
        print(f"{name}: {len(seconds)} masks, median {median(milliseconds):.2f} ms, most {max(milliseconds):.1f} ms")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
