"""Truncated singular value decomposition of a sparse matrix, exact or randomised, that can be stopped.

Exact: ARPACK through `scipy.sparse.linalg.svds`, LAPACK where the matrix is small. Randomised: subspace iteration
(Halko, Martinsson and Tropp, "Finding structure with randomness", 2011) with dynamic shifts (Feng, Yu, Xie and Tang,
"Algorithm 1043: Faster randomized SVD with dynamic shifts", 2024), in float32 on two threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
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
OVERSAMPLING = 16
ITERATIONS = 5
SAMPLED_FROM, SAMPLE = 50_000, 8
"""Rows from which on one in so many starts the iterations: with all of them twice as many would be needed."""
ITERATIONS_OF_SAMPLE, ITERATIONS_IN_ALL = 6, 8
THREADS = 2
COLUMNS = 40
"""Columns of a basis that a sparse product is made for at a time, at most; in between a request to stop is seen."""
BLOCK = 16_384
"""Rows in one piece of work."""
NOISE = 1e-6
"""Share of the largest eigenvalue below which one that was summed in float32 is noise."""
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

    The basis W of the columns' space is drawn to the large values by W <- orth((X'X - a I) W): the shift a, as large
    as it may be, makes small values fall faster. Where rows are many, a sample of them draws it most of the way. At the
    end Y = X'X W and G = W'Y, so that Y G^(-1/2) is X'Q, with Q the orthonormal basis of X W: its decomposition is that
    of X. Nothing as tall as X is ever made but a few columns.

    The same seed gives the same result on the same machine.
    """
    watch = watch or Watch()
    matrix = matrix.astype(np.float32, copy=False)
    wide = min(rank + OVERSAMPLING, *matrix.shape)
    basis = np.random.default_rng(seed).standard_normal((matrix.shape[1], wide), dtype=np.float32)
    with _threads(watch) as each:
        steps = range(ITERATIONS)
        if matrix.shape[0] >= SAMPLED_FROM:
            of_sample, steps = range(ITERATIONS_OF_SAMPLE), range(ITERATIONS_OF_SAMPLE, ITERATIONS_IN_ALL)
            _, basis = _drawn(matrix[::SAMPLE], basis, of_sample, each, watch)
        basis, image = _drawn(matrix, basis, steps, each, watch)
        _turn(image, _whitening(*_eigen(basis, image, each)), each)
        values, vectors = _eigen(image, image, each)
        singular = np.sqrt(values[:rank])
        _turn(image, _whitening(values, vectors), each)
    return _finish(singular.astype(np.float32), image[:, :rank], 2e-3)


def _drawn(
    matrix: csr_array, basis: NDArray[np.float32], steps: range, each: Each, watch: Watch
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the basis before the last step, orthonormal, and X'X times it; `basis` is used up."""
    values, vectors = _eigen(basis, basis, each)
    shift = np.float32(0)
    for step in steps:
        watch.step(step, steps.stop)
        _turn(basis, _whitening(values, vectors), each)
        image = _gram_product(matrix, basis, each)
        if step != steps[-1]:
            image -= shift * basis
            values, vectors = _eigen(image, image, each)
            least = np.sqrt(values[-1]) if values[-1] > 2 * NOISE * values[0] else 0
            shift = np.float32(max(shift, (shift + least) / 2))
            basis = image
    return basis, image


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


def in_blocks(n_rows: int, work: Callable[[slice], object], watch: Watch | None = None) -> None:
    """Do some work for each block of rows, on two threads where there are several; raise `Cancelled`."""
    blocks = _blocks(n_rows)
    if len(blocks) == 1:
        work(blocks[0])
        return
    with _threads(watch or Watch()) as each:
        each(work, blocks)


def _gram_product(matrix: csr_array, basis: NDArray[np.float32], each: Each) -> NDArray[np.float32]:
    """Return X'X times a basis, a few columns at a time; SciPy releases the interpreter, so they run side by side."""
    back, image = matrix.T, np.empty_like(basis)

    def multiply(columns: slice) -> None:
        image[:, columns] = back @ (matrix @ np.ascontiguousarray(basis[:, columns]))

    n_columns = basis.shape[1]
    pieces = THREADS * -(-n_columns // (THREADS * COLUMNS))
    edges = np.linspace(0, n_columns, pieces + 1).astype(int).tolist()
    each(multiply, [slice(low, high) for low, high in pairwise(edges) if low < high])
    return image


def _turn(basis: NDArray[np.float32], turn: NDArray[np.float64], each: Each) -> None:
    """Put basis times turn in the basis' place: another copy would double the memory."""
    narrow = turn.astype(np.float32)

    def multiply(rows: slice) -> None:
        basis[rows] = basis[rows] @ narrow

    each(multiply, _blocks(len(basis)))


def _eigen(
    left: NDArray[np.float32], right: NDArray[np.float32], each: Each
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return eigenvalues, descending, and eigenvectors of the small symmetric matrix left' right.

    It is summed in float32: an eigenvalue that is noise is held at the edge of it.
    """
    products = each(lambda rows: np.asarray(left[rows].T @ right[rows], np.float64), _blocks(len(left)))
    gram: NDArray[np.float64] = np.sum(products, axis=0)
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    return np.maximum(values, max(values[-1] * NOISE, 1e-30))[::-1], vectors[:, ::-1]


def _whitening(values: NDArray[np.float64], vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what makes columns orthonormal whose products with each other have these eigenvalues and -vectors."""
    whitening: NDArray[np.float64] = vectors / np.sqrt(values)
    return whitening


def _blocks(n_rows: int) -> list[slice]:
    return [slice(low, low + BLOCK) for low in range(0, n_rows, BLOCK)]


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
