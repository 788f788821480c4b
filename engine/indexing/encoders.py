"""Dense retrieval with vectors that somebody else's model makes: a protocol, and the retriever over it.

LSA learns its space from the notes; a sentence-embedding model brings one. Both are searched alike
(`engine/indexing/dense.py`). A model reads a few hundred tokens of a text: what is longer is counted, not cut in
silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import EndpointError
from engine.indexing.dense import DenseRetriever
from engine.keys import api_key
from engine.records import Report, ShouldStop
from engine.settings import Settings

MAX_TOKENS = 512
"""Words and marks of a text that are encoded; models read 256 to 512 tokens."""

_TOKEN = re.compile(r"\w+|[^\w\s]")


class Encoder(Protocol):
    """Anything that makes vectors of texts."""

    @property
    def name(self) -> str:
        """What makes them, for a person."""
        ...

    def encode(
        self, texts: Sequence[str], *, report: Report | None = None, should_stop: ShouldStop | None = None
    ) -> NDArray[np.float32]:
        """Return a vector a text, (n_texts, n_dims).

        Raises:
            EngineError: it cannot.
            Cancelled: `should_stop` returned true.
        """
        ...


class Embeddings(DenseRetriever):
    """Chunks and questions as an encoder's vectors, made unit; the score is the cosine.

    Attributes:
        encoder: what makes the vectors.
        embeddings: (n_chunks, n_dims) float32.
        n_cut: how many chunks are longer than the encoder reads.
    """

    reads_text = True

    def __init__(
        self,
        encoder: Encoder,
        texts: Sequence[str],
        *,
        max_tokens: int = MAX_TOKENS,
        report: Report | None = None,
        should_stop: ShouldStop | None = None,
    ) -> None:
        """Encode a collection; raise as the encoder does.

        Args:
            encoder: makes the vectors.
            texts: one a chunk, in the order of their ids.
            max_tokens: words and marks of a text that the encoder is given.
            report: told the progress.
            should_stop: asked between batches.
        """
        cut = [first_tokens(text, max_tokens) for text in texts]
        self.encoder = encoder
        self.n_cut = sum(len(short) < len(text) for short, text in zip(cut, texts, strict=True))
        self.embeddings = _unit(encoder.encode(cut, report=report, should_stop=should_stop))
        self._max_tokens = max_tokens
        self._embed: Callable[[str], NDArray[np.float64]] = lru_cache(maxsize=64)(self._embed_anew)

    def embed(self, query: str | Sequence[str]) -> NDArray[np.float64]:
        """Return a query as a unit vector (n_dims,); the last ones are remembered. Terms are read as a text."""
        return self._embed(query if isinstance(query, str) else " ".join(query))

    def _embed_anew(self, query: str) -> NDArray[np.float64]:
        if not query.strip() or not len(self.embeddings):
            return np.zeros(self.embeddings.shape[1])
        vector = _unit(self.encoder.encode([first_tokens(query, self._max_tokens)]))[0]
        if vector.shape != self.embeddings.shape[1:]:
            return np.zeros(self.embeddings.shape[1])
        return np.asarray(vector, np.float64)


def encoder_for(settings: Settings, environ: Mapping[str, str], folder: Path | None = None) -> Encoder | None:
    """Return the encoder that the settings name; `None`: LSA, which needs none.

    Args:
        settings: `encoder`, `embedding_model`, `embedding_path`, `base_url`, `timeout`.
        environ: where the key is, and LLM_BASE_URL.
        folder: where vectors of an endpoint are kept; `None`: nowhere.

    Raises:
        EndpointError: no model or no address is named.
        SettingsError: the folder of the local model holds none.
        MissingExtraError: the extra `embeddings` is not installed.
    """
    if settings.encoder == "local":
        from engine.indexing.local_encoder import LocalEncoder

        return LocalEncoder(settings.embedding_path)
    if settings.encoder != "endpoint":
        return None
    from engine.endpoints import Endpoint
    from engine.indexing.endpoint_encoder import EndpointEncoder

    address = settings.base_url or environ.get("LLM_BASE_URL", "")
    if not address or not settings.embedding_model:
        raise EndpointError(
            "No embedding endpoint is set up.",
            "Set base_url and embedding_model in the settings, or encoder to lsa.",
        )
    return EndpointEncoder(Endpoint(address, api_key(environ), settings.timeout), settings.embedding_model, folder)


def first_tokens(text: str, most: int) -> str:
    """Return a text up to its last token of the first `most`; words and marks are tokens.

    >>> first_tokens("Mars, the red planet", 3), first_tokens("Mars", 3)
    ('Mars, the', 'Mars')
    """
    if len(text) <= most:
        return text
    ends = [match.end() for match, _ in zip(_TOKEN.finditer(text), range(most + 1), strict=False)]
    return text if len(ends) <= most else text[: ends[most - 1]]


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(norms > 0, norms, 1)).astype(np.float32)
