"""Token vectors of a whole document -> one vector a chunk: each chunk is read with the rest of its document in view.

Günther et al., "Late chunking: contextual chunk embeddings using long-context embedding models", 2024. It needs an
encoder that gives a vector for every token; those that give one for a text cannot do it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.records import Span


class TokenEncoder(Protocol):
    """Encodes a text token by token."""

    def encode_tokens(self, text: str) -> tuple[NDArray[np.float32], Sequence[Span]]:
        """Return (n_tokens, n_dims) vectors, and the range of `text` that each token stands for, both in order."""
        ...


def late_chunk_vectors(text: str, spans: Sequence[Span], encoder: TokenEncoder) -> NDArray[np.float32]:
    """Return the vector of each range: the mean over the tokens that share a character with it.

    The text is encoded once, whole. An encoder that reads less than the whole text gives no vectors for the rest;
    ranges without a token are rows of zeros.

    Args:
        text: the document's.
        spans: ranges of it, in any order; they may overlap.
        encoder: gives the tokens' vectors.

    Returns:
        (n_spans, n_dims) float32, not normalised.

    Raises:
        ValueError: the encoder gives more or fewer ranges than vectors.
    """
    vectors, tokens = encoder.encode_tokens(text)
    if vectors.ndim != 2 or len(vectors) != len(tokens):
        raise ValueError(f"{len(tokens)} ranges for vectors of shape {vectors.shape}")
    places = np.array(tokens, np.int64).reshape(-1, 2)
    wanted = np.array(spans, np.int64).reshape(-1, 2)
    first = np.searchsorted(places[:, 1], wanted[:, 0], side="right")
    last = np.maximum(np.searchsorted(places[:, 0], wanted[:, 1], side="left"), first)
    sums = np.zeros((len(vectors) + 1, vectors.shape[1]))
    np.cumsum(vectors, axis=0, out=sums[1:])
    means: NDArray[np.float32] = ((sums[last] - sums[first]) / np.maximum(last - first, 1)[:, None]).astype(np.float32)
    return means
