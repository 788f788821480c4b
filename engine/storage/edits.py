"""What changed since a base was written <-> one small file beside it.

The file names the base that it belongs to; beside another base it is passed over, and the next look at the folder
finds again what it said. It is written whole at each change, since it is small: once it is not, base and changes
become one (`Layers.is_large`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import StorageError
from engine.indexing.weave import Weave
from engine.records import Notice
from engine.storage.array_file import Array, read_arrays, write_arrays
from engine.storage.columns import Columns
from engine.storage.files import Files
from engine.storage.layers import Layers
from engine.storage.strings import Blobs

if TYPE_CHECKING:
    from engine.storage.snapshot import Snapshot

Rows = NDArray[np.floating[Any]]


def save_edits(path: Path, snapshot: Snapshot, vectors: Rows | None = None, space: str = "") -> None:
    """Write down what changed since the snapshot's base was written.

    Args:
        path: where.
        snapshot: the folder now.
        vectors: (n_beside, n_dims) of the chunks that stand beside the base; `None`: there is no space.
        space: names the space that they are in.

    Raises:
        StorageError: the system refuses.
    """
    layers, (changed, gone) = snapshot.layers, snapshot.files.since(snapshot.files_of_base)
    about = {
        "generation": snapshot.generation,
        "space": space,
        "notices": [[notice.path, notice.problem] for notice in snapshot.notices],
    }
    arrays: dict[str, Array] = {
        "gone": layers.documents.gone,
        "before": layers.documents.before,
        "files.bytes": changed.ids.bytes,
        "files.offsets": changed.ids.offsets,
        "files.numbers": changed.numbers,
        "files.gone.bytes": gone.bytes,
        "files.gone.offsets": gone.offsets,
        **layers.beside.to_arrays(),
        **({} if vectors is None else {"vectors": vectors}),
    }
    write_arrays(path, about, arrays)


def load_edits(path: Path, base: Snapshot, space: str = "") -> tuple[Snapshot, Rows | None]:
    """Return a folder as it was after the changes since its base was written, and the vectors of what came.

    Args:
        path: what `save_edits` wrote.
        base: the base, as it was opened.
        space: names the space that the vectors must be in; in another one they are worth nothing.

    Raises:
        StorageError: there is no such file, it is damaged, or it belongs to another base.
    """
    about, arrays = read_arrays(path)
    if about.get("generation") != base.generation:
        raise StorageError(f"{path} belongs to another index.")
    try:
        weave = Weave(len(base.layers.base.ids), arrays["gone"], arrays["before"])
        layers = Layers(base.layers.base, Columns.from_arrays(arrays), weave)
        changed = Files(Blobs(arrays["files.bytes"], arrays["files.offsets"]), arrays["files.numbers"])
        gone = Blobs(arrays["files.gone.bytes"], arrays["files.gone.offsets"])
        files = base.files.after(changed, gone)
        notices = tuple(Notice(*each) for each in about["notices"])
        vectors = arrays.get("vectors") if about["space"] == space else None
    except (KeyError, TypeError) as error:
        raise StorageError(f"{path} is damaged: {error}") from None
    return replace(base, layers=layers, files=files, notices=notices, base_files=base.files), vectors
