"""Count copies and near copies among the chunks of a folder: `python docs/measure_copies.py FOLDER QUESTION…`.

Prints the figures of docs/prompting.md: how many texts are left by each way of telling them apart, how many of those
share most of their runs of four words with another, and how many of the ten best places such near copies take.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from engine.library import Library  # noqa: E402
from engine.pipeline import find  # noqa: E402
from engine.ranking.search import text_digest  # noqa: E402
from engine.text.analysis import normalize_text  # noqa: E402

RUN = 4
"""Words of a run."""
COMMON = 30
"""A run that more chunks hold tells nothing about copies, and is left out."""
SHARED = 0.8
"""Share of the runs of two chunks together that both hold, from which on they are near copies (Jaccard)."""
BEST = 10


def main() -> None:
    """Print the counts."""
    library = Library.open(sys.argv[1])
    texts = [chunk.text for chunk in library.chunks]
    digests = [text_digest(text) for text in texts]
    bare = {re.sub(r"\W+", " ", normalize_text(text)).strip() for text in texts}
    print(f"{len(texts)} chunks, {len(set(digests))} texts, {len(bare)} without any mark")  # noqa: T201
    firsts = list({digest: place for place, digest in reversed(list(enumerate(digests)))}.values())
    near = near_copies([texts[place] for place in firsts])
    names = {firsts[place]: {firsts[other] for other in others} for place, others in near.items()}
    print(f"{len(names)} near copies")  # noqa: T201
    taken = places = 0
    for question in sys.argv[2:]:
        ids = find(library, question).rankings["fused"].ids[:BEST]
        places += len(ids)
        taken += sum(not names.get(chunk, set()).isdisjoint(ids[:rank]) for rank, chunk in enumerate(ids))
    print(f"{taken} of {places} places among the {BEST} best go to a near copy of a better one")  # noqa: T201


def near_copies(texts: Sequence[str]) -> dict[int, set[int]]:
    """Return, by its place, which others each text shares most of its runs of words with."""
    runs = [runs_of(text) for text in texts]
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, held in enumerate(runs):
        for run in held:
            holders[run].append(place)
    shared = Counter(pair for places in holders.values() if len(places) <= COMMON for pair in combinations(places, 2))
    near: dict[int, set[int]] = defaultdict(set)
    for (one, other), both in shared.items():
        if both / (len(runs[one]) + len(runs[other]) - both) >= SHARED:
            near[one].add(other)
            near[other].add(one)
    return near


def runs_of(text: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of four words of a text; a shorter text is one run."""
    words = normalize_text(text).split()
    return frozenset(tuple(words[at : at + RUN]) for at in range(max(1, len(words) - RUN + 1)))


if __name__ == "__main__":
    main()
