"""Sequences and mappings of which each item is made when it is first asked for.

A ranked list is 100 deep, and ten of it are looked at: the text of the others is not read, and their tokens are not
counted, until somebody wants them. To a reader they are like a tuple and a dict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")


class DeferredSequence(Sequence[V]):
    """A sequence of known length.

    >>> squares = DeferredSequence(4, lambda at: at * at)
    >>> squares[2], squares[-1], squares[:2], len(squares), squares == (0, 1, 4, 9)
    (4, 9, (0, 1), 4, True)
    """

    def __init__(self, length: int, make: Callable[[int], V]) -> None:
        """Take how long it is, and what makes the item at a place, from 0; it is called once a place."""
        self._length = length
        self._make = make
        self._made: dict[int, V] = {}

    def __len__(self) -> int:
        """Return the length."""
        return self._length

    @overload
    def __getitem__(self, at: int) -> V: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[V, ...]: ...
    def __getitem__(self, at: int | slice) -> V | tuple[V, ...]:
        """Return an item, made now unless it was before; of a slice, a tuple."""
        if isinstance(at, slice):
            return tuple(self[each] for each in range(*at.indices(self._length)))
        place = range(self._length)[at]
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]

    def __eq__(self, other: object) -> bool:
        """Compare with a tuple or another one, item by item."""
        return tuple(self) == tuple(other) if isinstance(other, (tuple, DeferredSequence)) else NotImplemented

    def __hash__(self) -> int:
        """Return the hash of the tuple that it is like."""
        return hash(tuple(self))

    def __repr__(self) -> str:
        """Show the items."""
        return repr(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and store it as a tuple."""
        return tuple, (tuple(self),)


class DeferredMapping(Mapping[K, V]):
    """A mapping of known keys.

    >>> squares = DeferredMapping([3, 1], lambda key: key * key)
    >>> squares[3], list(squares), 2 in squares, squares == {1: 1, 3: 9}
    (9, [3, 1], False, True)
    """

    def __init__(self, keys: Iterable[K], make: Callable[[K], V]) -> None:
        """Take the keys in order, and what makes the value of one; it is called once a key."""
        self._keys = dict.fromkeys(keys)
        self._make = make
        self._made: dict[K, V] = {}

    def __getitem__(self, key: K) -> V:
        """Return a value, made now unless it was before; raise `KeyError` for a key that is not there."""
        if key not in self._made:
            if key not in self._keys:
                raise KeyError(key)
            self._made[key] = self._make(key)
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        """Return whether a key is there, without making its value."""
        return key in self._keys

    def __iter__(self) -> Iterator[K]:
        """Go through the keys in order."""
        return iter(self._keys)

    def __len__(self) -> int:
        """Return how many keys there are."""
        return len(self._keys)

    def __repr__(self) -> str:
        """Show keys and values."""
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and store it as a dict."""
        return dict, (dict(self),)
