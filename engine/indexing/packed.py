"""Rows of real numbers <-> whole numbers of one byte, and a scale for each row.

    row = scale · steps,    steps = round(127 · row / max |row|)

This is symmetric scalar quantisation, as in Jegou, Douze and Schmid, "Product quantization for nearest neighbor
search", 2011, with one number a part. What is packed *is* the row from then on: nothing is kept beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]
Index = slice | NDArray[np.integer[Any]] | NDArray[np.bool_]

BLOCK = 2_048
"""Rows widened at a time: as floats they stay in the processor's cache."""
MOST = 127
NOTHING = 1e-30
"""The largest number of a row that is taken for one of zeros."""


class Packed:
    """Rows in a byte a number.

    Attributes:
        steps: (n_rows, n_dims) int8, -127 to 127.
        scales: (n_rows,) float32; 0 for a row of zeros.

    >>> rows = Packed.unit(np.array([[3.0, 4.0]]))
    >>> rows.steps.tolist(), rows.products(np.array([0.6, 0.8])).round(3).tolist()
    ([[95, 127]], [1.0])
    """

    def __init__(self, steps: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
        """Take the arrays as they are stored."""
        self.steps, self.scales = steps, scales

    @classmethod
    def of(cls, rows: FloatArray) -> Packed:
        """Pack rows of any length: each number within 1 / 254 of the largest of its row."""
        peaks = np.abs(rows).max(axis=1, initial=0)
        factors = np.divide(MOST, peaks, out=np.zeros_like(peaks), where=peaks > NOTHING)
        return cls(np.rint(rows * factors[:, None]).astype(np.int8), (peaks / MOST).astype(np.float32))

    @classmethod
    def unit(cls, rows: FloatArray) -> Packed:
        """Pack the directions of rows; what comes back has length 1, or is 0."""
        steps = cls.of(rows).steps
        wide = steps.astype(np.float32)
        lengths = np.sqrt(np.vecdot(wide, wide))
        return cls(steps, np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0))

    @property
    def shape(self) -> tuple[int, ...]:
        """(n_rows, n_dims)."""
        return self.steps.shape

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.steps)

    def __getitem__(self, at: Index) -> Packed:
        """Return some rows, still packed; those of a slice are not copied."""
        return Packed(self.steps[at], self.scales[at])

    def widened(self) -> NDArray[np.float32]:
        """Return the rows, (n_rows, n_dims) float32."""
        rows = self.steps.astype(np.float32)
        rows *= self.scales[:, None]
        return rows

    def products(self, query: FloatArray) -> NDArray[np.float32]:
        """Return the dot product of each row with a query, (n_rows,); each depends on its row alone."""
        query = query.astype(np.float32, copy=False)
        products = np.empty(len(self), np.float32)
        for low in range(0, len(self), BLOCK):
            wide = self.steps[low : low + BLOCK].astype(np.float32)
            np.vecdot(wide, query, out=products[low : low + BLOCK])
        products *= self.scales
        return products


Rows = FloatArray | Packed
"""Vectors, one a row, in floating-point numbers or packed."""


def widen(rows: Rows) -> FloatArray:
    """Return rows in floating-point numbers; those that are so already are not copied."""
    return rows.widened() if isinstance(rows, Packed) else rows


def joined(rows: Rows, more: FloatArray) -> Rows:
    """Return rows and more unit rows after them, in the form of the first."""
    if isinstance(rows, Packed):
        new = Packed.unit(more)
        return Packed(np.concatenate((rows.steps, new.steps)), np.concatenate((rows.scales, new.scales)))
    return np.concatenate((rows, more.astype(rows.dtype, copy=False)))


def to_arrays(name: str, rows: Rows) -> dict[str, NDArray[Any]]:
    """Return the arrays that rows are made of, under a name."""
    return {name: rows.steps, f"{name}.scales": rows.scales} if isinstance(rows, Packed) else {name: rows}


def from_arrays(name: str, arrays: Mapping[str, NDArray[Any]]) -> Rows:
    """Take back what `to_arrays` gave; raise `KeyError` when it is missing."""
    scales = arrays.get(f"{name}.scales")
    return arrays[name] if scales is None else Packed(arrays[name], scales)
