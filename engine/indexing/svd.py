"""Truncated singular value decomposition of a sparse matrix, exact or randomised, that can be stopped.

Exact: ARPACK through `scipy.sparse.linalg.svds`. Randomised: subspace iteration (Halko, Martinsson and Tropp,
"Finding structure with randomness", 2011) in float32, the products on two threads by row halves.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import Cancelled
from engine.records import Progress, Report, ShouldStop

if TYPE_CHECKING:
    from scipy.sparse import csr_array

OVERSAMPLING = 10
ITERATIONS = 5
THREADS = 2


def exact_svd(
    matrix: csr_array, rank: int, report: Report | None = None, should_stop: ShouldStop | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the `rank` largest singular values and right singular vectors, in float64.

    Args:
        matrix: (n_rows, n_columns).
        rank: at most min(n_rows, n_columns).
        report: called with the number of products so far; their total is not known.
        should_stop: asked at every product.

    Returns:
        (rank,) singular values, descending, and (n_columns, rank) vectors, each with its largest entry positive.

    Raises:
        Cancelled: `should_stop` returned true.
    """
    if rank >= min(matrix.shape):
        _, values, transposed = np.linalg.svd(matrix.toarray(), full_matrices=False)
        return values[:rank], _signed(transposed[:rank].T)

    from scipy.sparse.linalg import LinearOperator, svds

    def watched(product: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def run(vector: Any) -> Any:  # noqa: ANN401
            nonlocal done
            done += 1
            _look(done, 0, report, should_stop)
            return product(vector)

        return run

    done = 0
    transpose = matrix.T.tocsr()
    operator = LinearOperator(
        matrix.shape,
        matvec=watched(matrix.__matmul__),
        rmatvec=watched(transpose.__matmul__),
        matmat=watched(matrix.__matmul__),
        rmatmat=watched(transpose.__matmul__),
        dtype=matrix.dtype,
    )
    start = np.random.default_rng(0).uniform(-1, 1, min(matrix.shape))
    _, values, transposed = svds(operator, k=rank, v0=start, solver="arpack")
    order = np.argsort(-values)
    return values[order], _signed(transposed[order].T)


def randomized_svd(
    matrix: csr_array,
    rank: int,
    seed: int = 0,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return about the `rank` largest singular values and right singular vectors, in float32; see `exact_svd`.

    The same seed gives the same result on the same machine.
    """
    wide = min(rank + OVERSAMPLING, *matrix.shape)
    narrow = matrix.astype(np.float32)
    transpose = narrow.T.tocsr()
    steps = 2 * ITERATIONS + 2
    block = np.random.default_rng(seed).standard_normal((matrix.shape[1], wide), dtype=np.float32)
    with ThreadPoolExecutor(THREADS) as pool:
        for step in range(steps):
            _look(step, steps, report, should_stop)
            block = _multiply(narrow if step % 2 == 0 else transpose, _orthonormal(block), pool)
    # The last product is B' = X'Q, so that X is about Q B and the decomposition of the small B is enough.
    values, vectors = np.linalg.eigh(_gram(block))
    order = np.argsort(-values)[:rank]
    singular = np.sqrt(np.maximum(values[order], 0))
    right = block @ (vectors[:, order] / np.maximum(singular, 1e-12)).astype(np.float32)
    return singular, _signed(right)


def _multiply(matrix: csr_array, block: NDArray[np.float32], pool: ThreadPoolExecutor) -> NDArray[np.float32]:
    """Return matrix @ block; SciPy releases the interpreter during a product, so that halves run side by side."""
    edges = np.linspace(0, matrix.shape[0], THREADS + 1, dtype=np.int64)
    halves = [matrix[low:high] for low, high in zip(edges[:-1], edges[1:], strict=True)]
    return np.concatenate(list(pool.map(lambda half: half @ block, halves)))


def _orthonormal(block: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return an orthonormal basis of the columns, through the eigenvectors of their small Gram matrix."""
    values, vectors = np.linalg.eigh(_gram(block))
    scale = 1 / np.sqrt(np.maximum(values, values[-1] * 1e-10))
    return block @ (vectors * scale).astype(np.float32)


def _gram(block: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.asarray(block.T @ block, np.float64)


def _signed(vectors: NDArray[Any]) -> NDArray[Any]:
    """Make each column's largest entry positive: a sign is arbitrary, and now it is the same every time."""
    if not vectors.size:
        return vectors
    peaks = vectors[np.argmax(np.abs(vectors), axis=0), np.arange(vectors.shape[1])]
    return vectors * np.where(peaks < 0, -1, 1).astype(vectors.dtype)


def _look(done: int, total: int, report: Report | None, should_stop: ShouldStop | None) -> None:
    if should_stop is not None and should_stop():
        raise Cancelled
    if report is not None:
        report(Progress("LSA", done, total))
