"""Terms in sorted order -> their ids, straight from bytes: opened without reading them, a prefix is one slice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray


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

    def position(self, term: bytes) -> int:
        """Return how many terms come before one given as UTF-8."""
        low, high = 0, len(self)
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
