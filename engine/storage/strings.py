"""Many texts as one array of bytes and where each starts: read one by one, without making the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import overload

import numpy as np
from numpy.typing import NDArray


class Blobs(Sequence[bytes]):
    """Byte strings, one after the other.

    Attributes:
        bytes: (n_bytes,) uint8.
        offsets: (n + 1,) int64, where each starts.

    >>> Blobs.of([b"one", b"", b"two"])[2]
    b'two'
    """

    def __init__(self, bytes: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:  # noqa: A002
        """Take the arrays as they are stored."""
        self.bytes, self.offsets = bytes, offsets

    @classmethod
    def of(cls, items: Iterable[bytes]) -> Blobs:
        """Store byte strings."""
        items = list(items)
        offsets = np.fromiter(accumulate(map(len, items), initial=0), np.int64, len(items) + 1)
        return cls(np.frombuffer(b"".join(items), np.uint8), offsets)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, at: int) -> bytes: ...
    @overload
    def __getitem__(self, at: slice) -> list[bytes]: ...
    def __getitem__(self, at: int | slice) -> bytes | list[bytes]:
        """Return one, or those of a slice."""
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if not 0 <= at < len(self):
            raise IndexError(at)
        return self.bytes[self.offsets[at] : self.offsets[at + 1]].tobytes()

    def __iter__(self) -> Iterator[bytes]:
        """Yield them in order."""
        whole, offsets = self.bytes.tobytes(), self.offsets.tolist()
        return (whole[start:end] for start, end in zip(offsets, offsets[1:], strict=False))

    def equals(self, other: Blobs) -> bool:
        """Return whether both hold the same byte strings in the same order."""
        pairs = (self.offsets, other.offsets), (self.bytes, other.bytes)
        return self is other or all(np.array_equal(one, another) for one, another in pairs)

    def take(self, rows: NDArray[np.int64]) -> Blobs:
        """Return those at `rows`, in that order."""
        sizes = np.diff(self.offsets)[rows]
        offsets = np.append(0, np.cumsum(sizes))
        # Neighbours are copied together: after a change of few, that is nearly everything at once.
        breaks = np.flatnonzero(np.diff(rows) != 1) + 1
        runs = zip(np.append(0, breaks).tolist(), np.append(breaks, len(rows)).tolist(), strict=True)
        starts, ends = self.offsets[:-1], self.offsets[1:]
        pieces = [self.bytes[starts[rows[a]] : ends[rows[b - 1]]] for a, b in runs if a < b]
        return Blobs(np.concatenate([np.zeros(0, np.uint8), *pieces]), offsets)

    @staticmethod
    def joined(parts: Sequence[Blobs]) -> Blobs:
        """Return all of several, one part after the other."""
        sizes = [np.diff(part.offsets) for part in parts]
        offsets = np.append(0, np.cumsum(np.concatenate([np.zeros(0, np.int64), *sizes])))
        return Blobs(np.concatenate([np.zeros(0, np.uint8), *(part.bytes for part in parts)]), offsets)


def to_blobs(texts: Iterable[str]) -> Blobs:
    """Store texts, lone surrogates too.

    >>> [text_of(blob) for blob in to_blobs(["Mars", "金星"])]
    ['Mars', '金星']
    """
    return Blobs.of(text.encode("utf-8", "surrogatepass") for text in texts)


def text_of(blob: bytes) -> str:
    """Return the text that `to_blobs` stored."""
    return blob.decode("utf-8", "surrogatepass")
