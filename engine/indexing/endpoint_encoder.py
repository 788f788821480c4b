"""Texts -> vectors by an OpenAI-compatible `/embeddings` endpoint, each text asked for once: vectors are kept on disk.

One file a model and address, of digests and vectors; it is written when vectors have come, also when the rest is
called off, and nothing of a text stands in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.endpoints import Endpoint
from engine.errors import EndpointError, OutputError
from engine.records import Progress, Report, ShouldStop
from engine.writing import replacing

BATCH = 64
"""Texts of one request."""
KEEP_EVERY = 20
"""Requests after which the vectors are put on disk."""


@dataclass(frozen=True, slots=True)
class EndpointEncoder:
    """An embedding model behind HTTP: a server on this machine (Ollama, llama.cpp, vLLM) or a hosted one."""

    endpoint: Endpoint
    """Where requests go."""
    model: str
    """The model's name there."""
    folder: Path | None = field(default=None)
    """Where vectors are kept; `None`: nowhere."""

    @property
    def name(self) -> str:
        """Model and address."""
        return f"{self.model} at {self.endpoint.shown_url}"

    def encode(
        self, texts: Sequence[str], *, report: Report | None = None, should_stop: ShouldStop | None = None
    ) -> NDArray[np.float32]:
        """Return a vector a text, (n_texts, n_dims); (0, 0) without texts.

        Raises:
            EndpointError: the endpoint cannot be reached, or its reply is not a vector a text.
            Cancelled: `should_stop` returned true.
        """
        digests = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        known = self._kept() if len(texts) > 1 else {}
        missing = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known}
        wanted = list(missing)
        try:
            for at in range(0, len(wanted), BATCH):
                if report is not None:
                    report(Progress("encoding", len(texts) - len(wanted) + at, len(texts)))
                batch = wanted[at : at + BATCH]
                # Servers refuse an empty text.
                known |= zip(batch, self._ask([missing[one] or " " for one in batch], should_stop), strict=True)
                if at // BATCH % KEEP_EVERY == KEEP_EVERY - 1:
                    self._keep(known)
        finally:
            if wanted and len(texts) > 1:
                self._keep(known)
        rows = [known[digest] for digest in digests]
        if len({len(row) for row in rows}) > 1:
            raise EndpointError(
                f"{self.name} makes vectors of different lengths.",
                "Was the model replaced by another of the same name? Clear the cache and index again.",
            )
        return np.array(rows, np.float32).reshape(len(rows), -1) if rows else np.zeros((0, 0), np.float32)

    def _ask(self, texts: list[str], should_stop: ShouldStop | None) -> list[NDArray[np.float32]]:
        reply = self.endpoint.post("/embeddings", {"model": self.model, "input": texts}, should_stop)
        vectors = _vectors(reply)
        if len(vectors) != len(texts):
            raise EndpointError(
                f"{self.name} answered {len(texts)} texts, but not with a vector each.",
                "Is it an embedding model? Check embedding_model and base_url.",
            )
        return vectors

    def _path(self) -> Path | None:
        name = hashlib.blake2b(f"{self.endpoint.shown_url}\0{self.model}".encode(), digest_size=12).hexdigest()
        return None if self.folder is None else self.folder / f"{name}.npz"

    def _kept(self) -> dict[bytes, NDArray[np.float32]]:
        """Return the vectors on disk by digest; none where the file is no such file."""
        path = self._path()
        if path is None:
            return {}
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                digests, vectors = kept["digests"], kept["vectors"]
        except Exception:  # whatever a damaged file makes of the reader: the vectors are asked for again
            return {}
        if digests.dtype != np.uint8 or vectors.dtype != np.float32 or digests.shape != (len(vectors), 16):
            return {}
        return dict(zip(map(bytes, digests), vectors, strict=True))

    def _keep(self, known: dict[bytes, NDArray[np.float32]]) -> None:
        """Put the vectors on disk; where that cannot be, they are asked for again the next time."""
        path = self._path()
        if path is None or not known or len({len(vector) for vector in known.values()}) > 1:
            return
        digests = np.frombuffer(b"".join(known), np.uint8).reshape(-1, 16)
        try:
            with replacing(path) as part, part.open("wb") as file:
                np.savez(file, digests=digests, vectors=np.array(list(known.values()), np.float32))
        except OutputError:
            pass


def _vectors(reply: Any) -> list[NDArray[np.float32]]:  # noqa: ANN401
    """Return the vectors of a reply in the order of the texts; none where it is not as agreed."""
    try:
        data = sorted(reply["data"], key=lambda item: item.get("index", 0))
        vectors = [np.asarray(item["embedding"], np.float32) for item in data]
    except (TypeError, KeyError, ValueError, AttributeError):
        return []
    good = all(vector.ndim == 1 and len(vector) and np.isfinite(vector).all() for vector in vectors)
    return vectors if good else []
