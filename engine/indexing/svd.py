"""Truncated singular value decomposition of a sparse matrix, exact or randomised, that can be stopped.

Exact: ARPACK through `scipy.sparse.linalg.svds`, LAPACK where the matrix is small. Randomised: subspace iteration
(Halko, Martinsson and Tropp, "Finding structure with randomness", 2011) in float32 on two threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.errors import Cancelled
from engine.records import Progress, Report, ShouldStop

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SMALL, LARGE = 250_000, 25_000_000
"""Cells up to which a matrix is decomposed whole: always, and when every dimension is asked for."""
OVERSAMPLING = 10
ITERATIONS = 5
THREADS = 2
BLOCK = 250_000
"""Stored weights in one piece of work; between pieces a request to stop is seen."""
REPORT_EVERY = 0.1
"""Seconds between two progress reports."""

Floats = TypeVar("Floats", np.float64, np.float32)
T = TypeVar("T")
U = TypeVar("U")


class Watch:
    """Sees a request to stop at every step and reports progress now and then."""

    def __init__(self, report: Report | None = None, should_stop: ShouldStop | None = None) -> None:
        """Take what to call; `None`: nobody watches."""
        self._report, self._should_stop, self._due = report, should_stop, 0.0

    def check(self) -> None:
        """Raise `Cancelled` when `should_stop` returns true."""
        if self._should_stop is not None and self._should_stop():
            raise Cancelled

    def step(self, done: int, total: int) -> None:
        """Check, and report when the last report is `REPORT_EVERY` old; a `total` of 0 is not known."""
        self.check()
        if self._report is not None and monotonic() >= self._due:
            self._due = monotonic() + REPORT_EVERY
            self._report(Progress("LSA", done, total))


def exact_svd(
    matrix: csr_array, rank: int, watch: Watch | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the largest singular values and right singular vectors, in float64.

    Args:
        matrix: (n_rows, n_columns).
        rank: at least 1; clamped to the rank of the matrix, as far as numbers tell.
        watch: steps once a product; their total is not known.

    Returns:
        (rank,) singular values, descending, and (n_columns, rank) vectors, each with its largest entry positive.

    Raises:
        Cancelled: the watch saw a request to stop.
    """
    rows, columns = matrix.shape
    if rows * columns <= (LARGE if rank >= min(rows, columns) else SMALL):
        _, values, transposed = np.linalg.svd(matrix.toarray(), full_matrices=False)
        return _finish(values[:rank], transposed[:rank].T, 1e-12)

    from scipy.sparse.linalg import LinearOperator, svds

    watch = watch or Watch()
    done = 0

    def watched(factor: csr_array) -> Callable[[Any], Any]:
        def multiply(vector: Any) -> Any:  # noqa: ANN401
            nonlocal done
            watch.step(done, 0)
            done += 1
            return factor @ vector

        return multiply

    forward, back = watched(matrix), watched(matrix.T.tocsr())
    operator = LinearOperator(matrix.shape, matvec=forward, rmatvec=back, matmat=forward, rmatmat=back, dtype=float)
    # ARPACK's own start is random; a fixed one gives the same result every time.
    start = np.random.default_rng(0).uniform(-1, 1, min(rows, columns))
    _, values, transposed = svds(operator, k=min(rank, rows - 1, columns - 1), v0=start, solver="arpack")
    # It works on X'X, where what is below the square root of the precision is noise.
    return _finish(values, transposed.T, 1e-7)


def randomized_svd(
    matrix: csr_array, rank: int, seed: int = 0, watch: Watch | None = None
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return about the largest singular values and right singular vectors, in float32; otherwise as `exact_svd`.

    The same seed gives the same result on the same machine.
    """
    watch = watch or Watch()
    matrix = matrix.astype(np.float32)
    factors = _row_blocks(matrix), _row_blocks(matrix.T.tocsr())
    wide = min(rank + OVERSAMPLING, *matrix.shape)
    basis = np.random.default_rng(seed).standard_normal((matrix.shape[1], wide), dtype=np.float32)
    steps = 2 * (ITERATIONS + 1)
    with _threads(watch) as each:
        for step in range(steps):
            watch.step(step, steps)
            # Halfway through an iteration the columns lie apart well enough in float32; at the end Q is needed.
            if step % 2 == 0 or step == steps - 1:
                _make_orthonormal(basis, each)
            basis = _product(factors[step % 2], basis, each)
        # The last product is X'Q with Q orthonormal and X about Q Q'X: its decomposition is that of X.
        values, vectors = _eigen(basis, each)
    singular = np.sqrt(values[:rank])
    right = basis @ (vectors[:, :rank] / singular).astype(np.float32)
    return _finish(singular.astype(np.float32), right, 2e-3)


def multiply(matrix: csr_array, dense: NDArray[np.float32], watch: Watch | None = None) -> NDArray[np.float32]:
    """Return matrix times dense, (n_rows, n_dims) float32, on two threads; raise `Cancelled`."""
    with _threads(watch or Watch()) as each:
        return _product(_row_blocks(matrix), dense, each)


Each = Callable[[Callable[[Any], Any], Sequence[Any]], list[Any]]
"""Maps a function over pieces of work, on threads."""


@contextmanager
def _threads(watch: Watch) -> Iterator[Each]:
    """Lend a function that maps over pieces of work on threads and looks before each for a request to stop."""
    with ThreadPoolExecutor(THREADS) as pool:

        def each(function: Callable[[T], U], pieces: Sequence[T]) -> list[U]:
            def checked(piece: T) -> U:
                watch.check()
                return function(piece)

            return list(pool.map(checked, pieces))

        yield each


def _product(blocks: Sequence[csr_array], basis: NDArray[np.float32], each: Each) -> NDArray[np.float32]:
    """Return the product of stacked blocks with a basis; SciPy releases the interpreter, so they run side by side."""
    edges = np.cumsum([0, *(block.shape[0] for block in blocks)]).tolist()
    product = np.empty((edges[-1], basis.shape[1]), np.float32)

    def multiply(at: int) -> None:
        product[edges[at] : edges[at + 1]] = blocks[at] @ basis

    each(multiply, range(len(blocks)))
    return product


def _make_orthonormal(basis: NDArray[np.float32], each: Each) -> None:
    """Put an orthonormal basis of the columns in their place: another copy would double the memory."""
    values, vectors = _eigen(basis, each)
    turn = (vectors / np.sqrt(values)).astype(np.float32)

    def orthonormalize(rows: NDArray[np.float32]) -> None:
        rows[:] = rows @ turn

    each(orthonormalize, _slices(basis))


def _eigen(basis: NDArray[np.float32], each: Each) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return eigenvalues, descending, and eigenvectors of the small matrix basis' basis.

    It is summed in float32, where an eigenvalue below a millionth of the largest is noise: it is held at that.
    """
    gram = sum(each(lambda rows: np.asarray(rows.T @ rows, np.float64), _slices(basis)))
    values, vectors = np.linalg.eigh(gram)
    return np.maximum(values, max(values[-1] * 1e-6, 1e-30))[::-1], vectors[:, ::-1]


def _slices(basis: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    return [basis[low : low + 16_384] for low in range(0, len(basis), 16_384)]


def _row_blocks(matrix: csr_array) -> list[csr_array]:
    """Cut a matrix into blocks of rows of about `BLOCK` stored weights."""
    cuts = np.searchsorted(matrix.indptr, np.arange(BLOCK, matrix.nnz, BLOCK))
    edges = np.unique(np.concatenate(([0], cuts, [matrix.shape[0]])))
    return [matrix[low:high] for low, high in zip(edges[:-1], edges[1:], strict=True)]


def _finish(
    values: NDArray[Floats], vectors: NDArray[Floats], tolerance: float
) -> tuple[NDArray[Floats], NDArray[Floats]]:
    """Order by falling value, drop values that are noise, and make each column's largest entry positive.

    The sign of a singular vector is arbitrary; now it is the same every time.
    """
    order = np.argsort(-values)
    order = order[values[order] > tolerance * values[order[0]]]
    values, vectors = values[order], vectors[:, order]
    peaks = vectors[np.argmax(np.abs(vectors), axis=0), np.arange(vectors.shape[1])]
    return values, vectors * np.sign(peaks)
