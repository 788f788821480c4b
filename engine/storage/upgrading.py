"""Files of older formats -> what a file of this format holds, where little work makes one of the other.

Each step leads from one format to the next and tells what is new from what is there, without reading a note. A file
from whose format no steps lead to this one is made again.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from engine.storage.array_file import FORMAT, Array, ArrayFile, format_of, read_arrays
from engine.storage.columns import first_chunks
from engine.storage.documents import START, to_record
from engine.storage.strings import Blobs

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
    """2 to 3: a folder became a list of folders with their excludes; the order of copies and first chunks are kept."""
    about["folders"] = [[about.pop("folder")]]
    arrays["sorted_digests"] = np.sort(arrays["digests"])
    arrays["firsts"] = first_chunks(arrays["places"][:, 0], len(arrays["ids.offsets"]) - 1)


def _deflated_numbers(about: dict[str, Any], arrays: dict[str, Array]) -> None:
    """3 to 4: the numbers of a record were its own, and only its words deflated."""
    records = Blobs(arrays["records.bytes"], arrays["records.offsets"])
    deflated = Blobs.of(map(_deflated, records))
    arrays["records.bytes"], arrays["records.offsets"] = deflated.bytes, deflated.offsets


def _deflated(record: bytes) -> bytes:
    code, blocks, lines = START.unpack_from(record)
    numbers = np.frombuffer(record, code.decode(), 4 * blocks + 2 * lines, START.size)
    words = zlib.decompress(record[START.size + numbers.nbytes :])
    borders = np.cumsum([blocks, blocks, 2 * blocks, lines])
    starts, ends, kinds, offsets, rows = np.split(numbers.astype(np.int64), borders)
    steps = [np.diff(rising, prepend=0) for rising in (starts, offsets, rows)]
    return to_record(blocks, lines, np.concatenate((steps[0], ends - starts, kinds, *steps[1:])).tolist(), words)


STEPS: Mapping[int, Step] = {2: _several_folders, 3: _deflated_numbers}
"""The step from each format to the next, where there is one."""
