"""Chunks with the same text -> one of them in a list, with the number of copies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import blake2b
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from engine.indexing.distinct import grouped
from engine.indexing.top_k import Ids
from engine.indexing.weave import Weave
from engine.records import Hit, Ranking
from engine.text.normalizing import normalize_text

Digests = NDArray[np.uint64]

_SHAPES = tuple(
    (shape, typed)
    for shapes, typed in (("‘’", "'"), ("“”„", '"'), ("–—−", "-"), ("\u200b\u00ad\ufeff", ""))
    for shape in shapes
)
"""Characters that typesetting chooses, and what is typed for them."""
_UNSEEN = b"` \t\n\r\v\f\x1c\x1d\x1e\x1f"
"""Of ASCII: code marks, and what `str.split` takes for white space."""

USUAL = 0.9
"""Share of the chunks that are no copies, in notes without many."""
SAMPLE = 512
"""Chunks by which that share is told."""


class Duplicates:
    """Which chunks have the same normalised text: such copies are all indexed, and shown once.

    Copies may differ in their headers, and so in their scores. The copy shown is the best one of the first list
    that holds any of them; the other lists of the same question show that copy too, at its own place.

    Nothing is made before it is asked for: how many copies a chunk of a list has is told by two looks into the
    sorted digests.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        """Group texts that are equal after normalisation, white space aside."""
        self._take(np.fromiter(map(text_digest, texts), np.uint64), None)

    @classmethod
    def of_digests(cls, digests: Digests, rising: Digests | None = None) -> Duplicates:
        """Group chunks by the digests of their texts, (n_chunks,); `rising`: the same, sorted."""
        duplicates = cls.__new__(cls)
        duplicates._take(digests, rising)
        return duplicates

    def _take(self, digests: Digests, rising: Digests | None) -> None:
        self._digests, self._rising = digests, np.sort(digests) if rising is None else rising

    @property
    def digests(self) -> Digests:
        """(n_chunks,) equal for copies."""
        return self._digests

    def __len__(self) -> int:
        """Return how many chunks there are."""
        return len(self._digests)

    def digests_of(self, chunks: Ids) -> Digests:
        """Return the digests of some chunks, (len(chunks),)."""
        return self._digests[chunks]

    def counts(self, digests: Digests) -> NDArray[np.int64]:
        """Return how many chunks have each of these digests, (len(digests),)."""
        found: NDArray[np.int64] = self._rising.searchsorted(digests, "right") - self._rising.searchsorted(digests)
        return found

    @property
    def first(self) -> NDArray[np.int64]:
        """(n_chunks,) the lowest id of each chunk's group."""
        return self._groups[0]

    @property
    def copies(self) -> NDArray[np.int64]:
        """(n_chunks,) how many chunks its group has."""
        return self._groups[1]

    @cached_property
    def _groups(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        _, first, group = grouped(self.digests)
        return first[group], np.bincount(group)[group]

    @cached_property
    def _room(self) -> int:
        """How many times as deep a list is asked for; where copies are common, it would nearly always be made again."""
        sample = np.linspace(0, len(self) - 1, min(SAMPLE, len(self))).astype(np.int64)
        groups = np.sum(1 / self.counts(self.digests_of(sample)))
        return 4 if groups < USUAL * len(sample) else 1

    def collapse(self, ranking: Ranking, depth: int, shown: dict[int, int] | None = None) -> Ranking:
        """Keep one copy of each group, and the best `depth` of those.

        Args:
            ranking: the list.
            depth: how many places to keep.
            shown: the copy to keep by digest, as chosen in earlier lists; this list's own choices are added.
        """
        if not ranking.hits:
            return ranking
        shown = {} if shown is None else shown
        digests = self.digests_of(np.array(ranking.ids))
        kept = (
            (at, hit)
            for at, (hit, digest) in enumerate(zip(ranking.hits, digests.tolist(), strict=True))
            if shown.setdefault(digest, hit.chunk) == hit.chunk
        )
        places = list(islice(kept, depth))
        copies = self.counts(digests[[at for at, _ in places]]).tolist()
        rows = (
            (rank, hit.chunk, hit.score, n) for rank, ((_, hit), n) in enumerate(zip(places, copies, strict=True), 1)
        )
        return Ranking(ranking.name, tuple(map(Hit._make, rows)))

    def search(self, search: Callable[[int], Ranking], depth: int, shown: dict[int, int] | None = None) -> Ranking:
        """Return a list of `depth` places after collapsing, searching deeper while copies take up room."""
        fetched = depth * self._room
        while True:
            ranking = search(fetched)
            collapsed = self.collapse(ranking, depth, shown)
            if len(collapsed.hits) == depth or len(ranking.hits) < fetched:
                return collapsed
            fetched *= 4


class WovenDuplicates(Duplicates):
    """Copies among the chunks of a base that are not gone and those beside it."""

    def __init__(self, base: Duplicates, beside: Duplicates, weave: Weave) -> None:
        """Take both; `weave` says how they make one list."""
        self._base, self._beside, self._weave = base, beside, weave

    @cached_property
    def _gone(self) -> Duplicates:
        return Duplicates.of_digests(self._base.digests_of(self._weave.gone))

    @property
    def digests(self) -> Digests:
        """(n_chunks,) equal for copies."""
        return self._weave.stacked_arrays(self._base.digests, self._beside.digests)

    def __len__(self) -> int:
        """Return how many chunks there are."""
        return len(self._weave)

    def digests_of(self, chunks: Ids) -> Digests:
        """Return the digests of some chunks, (len(chunks),)."""
        is_base, rows = self._weave.find_all(chunks)
        found = np.empty(len(rows), np.uint64)
        found[is_base] = self._base.digests_of(rows[is_base])
        found[~is_base] = self._beside.digests_of(rows[~is_base])
        return found

    def counts(self, digests: Digests) -> NDArray[np.int64]:
        """Return how many chunks have each of these digests, (len(digests),)."""
        return self._base.counts(digests) - self._gone.counts(digests) + self._beside.counts(digests)


def text_digest(text: str) -> int:
    r"""Return 64 bits that copies of a text share.

    Case, accents, white space, code marks and the shapes of quotes and dashes do not matter. Other marks do: `-5` is
    not `5`, and `a == b` not `a != b`.

    >>> text_digest("Mars’s “moons”  –\ntwo") == text_digest("mars's \"moons\" - two")
    True
    """
    if text.isascii():
        return _digest(text.encode().lower().translate(None, _UNSEEN))
    folded = "".join(normalize_text(text).split()).replace("`", "")
    for shape, typed in _SHAPES:  # several times faster than `translate`
        folded = folded.replace(shape, typed)
    return _digest(folded.encode("utf-8", "surrogatepass"))


def _digest(folded: bytes) -> int:
    return int.from_bytes(blake2b(folded, digest_size=8).digest(), "little")
