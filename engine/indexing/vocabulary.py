"""Terms in sorted order -> their ids, straight from bytes: opened without reading them, a prefix is one slice."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

STEP = 16
"""One term in so many is kept as an object where many are looked up."""
REMEMBERED = 200_000
"""Terms whose places are kept: the words of the next note are mostly those of the last ones."""


class Vocabulary(Mapping[str, int]):
    """Term to term id; ids follow the order of the terms' UTF-8 bytes, which is that of their code points.

    Attributes:
        bytes: every term, one after the other.
        offsets: (n_terms + 1,) int64, where each term starts in `bytes`.

    >>> words = Vocabulary.of(["moon", "mars", "moons"])
    >>> words["moon"], words.get("pluto"), words.prefixed("moo")
    (1, None, range(1, 3))
    """

    def __init__(self, terms: bytes | memoryview, offsets: NDArray[np.int64]) -> None:
        """Take the terms as they are stored."""
        self.bytes = memoryview(terms)
        self.offsets = offsets
        self._known: dict[str, int] = {}
        self._positions: dict[bytes, int] = {}

    @classmethod
    def of(cls, terms: Iterable[str]) -> Vocabulary:
        """Sort distinct terms."""
        names = sorted(terms)
        joined = "".join(names)
        if not joined.isascii():
            encoded = [name.encode("utf-8", "surrogatepass") for name in names]
            return cls(b"".join(encoded), _offsets(map(len, encoded), len(names)))
        return cls(joined.encode(), _offsets(map(len, names), len(names)))

    def __getitem__(self, term: str) -> int:
        """Return the id of a term; raise `KeyError`."""
        at = self._known.get(term)
        if at is None:
            at = self.position(term.encode("utf-8", "surrogatepass"))
            if at == len(self) or self.name(at) != term:
                raise KeyError(term)
            self._known[term] = at
        return at

    def __iter__(self) -> Iterator[str]:
        """Yield the terms in order."""
        terms, offsets = bytes(self.bytes), self.offsets.tolist()
        return (
            terms[start:end].decode("utf-8", "surrogatepass") for start, end in zip(offsets, offsets[1:], strict=False)
        )

    def __len__(self) -> int:
        """Return how many terms there are."""
        return len(self.offsets) - 1

    def name(self, at: int) -> str:
        """Return the term of an id."""
        return str(self.bytes[self.offsets[at] : self.offsets[at + 1]], "utf-8", "surrogatepass")

    def prefixed(self, prefix: str) -> range:
        """Return the ids of the terms that start with a prefix."""
        start = prefix.encode("utf-8", "surrogatepass")
        return range(self.position(start), self.position(start + b"\xff"))  # no UTF-8 holds 0xff

    def items_as_bytes(self) -> list[bytes]:
        """Return the terms in order as UTF-8."""
        terms, offsets = bytes(self.bytes), self.offsets.tolist()
        return [terms[start:end] for start, end in zip(offsets, offsets[1:], strict=False)]

    def positions(self, terms: Iterable[bytes]) -> NDArray[np.int64]:
        """Return how many terms come before each of those given; what was looked up is remembered.

        >>> Vocabulary.of(["mars", "moon"]).positions([b"earth", b"moon", b"venus"]).tolist()
        [0, 1, 2]
        """
        if len(self._positions) > REMEMBERED:
            self._positions.clear()
        found, marks, size = self._positions, self._marks, len(self)

        def find(term: bytes) -> int:
            at = found.get(term)
            if at is None:
                block = bisect_left(marks, term)
                low = block * STEP - STEP if block else 0
                at = found[term] = self.position(term, low, min(block * STEP, size))
            return at

        return np.fromiter(map(find, terms), np.int64)

    def rows(self, terms: Sequence[bytes], positions: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return the id of each term given as UTF-8, none of them empty; -1: it is not here.

        >>> Vocabulary.of(["mars", "moon"]).rows([b"moon", b"venus"]).tolist()
        [1, -1]
        """
        rows = self.positions(terms) if positions is None else positions.copy()
        ours, size = self.bytes, len(self)
        spans = zip(terms, self.offsets[rows].tolist(), self.offsets[np.minimum(rows + 1, size)].tolist(), strict=True)
        rows[[start == end or ours[start:end] != term for term, start, end in spans]] = -1
        return rows

    @cached_property
    def _marks(self) -> list[bytes]:
        starts, ends = self.offsets[:-1:STEP].tolist(), self.offsets[1::STEP].tolist()
        return [bytes(self.bytes[start:end]) for start, end in zip(starts, ends, strict=True)]

    def position(self, term: bytes, low: int = 0, high: int | None = None) -> int:
        """Return how many terms come before one given as UTF-8, known to be at least `low` and at most `high`."""
        high = len(self) if high is None else high
        offsets, terms = self.offsets, self.bytes
        while low < high:
            middle = (low + high) // 2
            if bytes(terms[offsets[middle] : offsets[middle + 1]]) < term:
                low = middle + 1
            else:
                high = middle
        return low


def _offsets(sizes: Iterable[int], n: int) -> NDArray[np.int64]:
    return np.fromiter(accumulate(sizes, initial=0), np.int64, n + 1)
