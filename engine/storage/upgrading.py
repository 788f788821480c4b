"""Files of older formats -> what a file of this format holds, where little work makes one of the other.

Each step leads from one format to the next, and only fills in what can be told from what is there. A file whose format
has no step is made again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from engine.storage.array_file import FORMAT, Array, ArrayFile, format_of, read_arrays
from engine.storage.columns import first_chunks

Step = Callable[[dict[str, Any], dict[str, Array]], None]
"""Changes what a file says about its arrays, and the arrays."""


def read_notes(path: Path) -> ArrayFile:
    """Map a file of notes, of this format or of one that can be made into it.

    Raises:
        StorageError: there is no such file, it is damaged, or of another format.
    """
    known = format_of(path) or FORMAT
    is_old = known < FORMAT and all(step in STEPS for step in range(known, FORMAT))
    about, arrays = read_arrays(path, (known if is_old else FORMAT,))
    for step in range(known, FORMAT) if is_old else ():
        STEPS[step](about, arrays)
    return ArrayFile(about, arrays)


def _several_folders(about: dict[str, Any], arrays: dict[str, Array]) -> None:
    """2 to 3: a folder became a list of folders with their excludes; what tells copies and first chunks is kept."""
    about["folders"] = [[about.pop("folder")]]
    arrays["sorted_digests"] = np.sort(arrays["digests"])
    arrays["firsts"] = first_chunks(arrays["places"][:, 0], len(arrays["ids.offsets"]) - 1)


STEPS: Mapping[int, Step] = {2: _several_folders}
"""The step from each format to the next, where there is one."""
