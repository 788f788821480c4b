"""Texts -> vectors by a static embedding model in a folder on this machine (extra `embeddings`).

A model2vec model is a table of token vectors and a tokenizer; a text's vector is the mean of its tokens'. It reads
thousands of texts a second without a graphics card, and nothing is downloaded.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import Cancelled, MissingExtraError, SettingsError, how_to_install
from engine.records import Progress, Report, ShouldStop

BATCH = 1024
"""Texts encoded between two looks at a request to stop."""


class LocalEncoder:
    """A model2vec model on disk."""

    def __init__(self, folder: Path | str) -> None:
        """Load the model.

        Args:
            folder: holds `model.safetensors`, `tokenizer.json` and `config.json`.

        Raises:
            MissingExtraError: the extra `embeddings` is not installed.
            SettingsError: the folder holds no such model.
        """
        self._folder = Path(os.path.expanduser(folder))
        self._model = _load(self._folder)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self._folder.name

    def encode(
        self, texts: Sequence[str], *, report: Report | None = None, should_stop: ShouldStop | None = None
    ) -> NDArray[np.float32]:
        """Return a vector a text, (n_texts, n_dims); zeros for a text of which no token is known.

        Raises:
            Cancelled: `should_stop` returned true.
        """
        parts = [np.zeros((0, self._model.dim), np.float32)]
        for at in range(0, len(texts), BATCH):
            if should_stop is not None and should_stop():
                raise Cancelled
            if report is not None:
                report(Progress("encoding", at, len(texts)))
            # A lone surrogate is no text that a tokenizer takes.
            batch = [text.encode("utf-8", "replace").decode() for text in texts[at : at + BATCH]]
            parts.append(np.asarray(self._model.encode(batch, max_length=None, use_multiprocessing=False), np.float32))
        return np.concatenate(parts)


def _load(folder: Path) -> Any:  # noqa: ANN401
    if not (folder / "model.safetensors").is_file() or not (folder / "tokenizer.json").is_file():
        raise SettingsError(
            f"{folder} holds no embedding model",
            "embedding_path names the folder of a model2vec model: model.safetensors, tokenizer.json, config.json.",
        )
    try:
        from model2vec import StaticModel
    except ImportError:
        raise MissingExtraError(
            "A local embedding model needs model2vec, which is not installed.",
            f"Install it: {how_to_install('model2vec')}",
        ) from None
    try:
        return StaticModel.from_pretrained(folder, force_download=False)
    except Exception as error:  # three libraries read the files, each with errors of its own
        raise SettingsError(
            f"The embedding model in {folder} cannot be read: {type(error).__name__}", "Download it again."
        ) from None
