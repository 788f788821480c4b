"""Named arrays and a few words about them <-> one file, opened by mapping it into memory.

    magic (8 bytes) · length and CRC-32 of the header (4 + 4) · header as JSON · arrays, each at a multiple of 64

The header says where each array stands and what its CRC-32 is. A file is written under another name, synchronised
and renamed: whoever opens it finds the old one or the new one, whole. Nothing in it is ever executed.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import tempfile
import time
import zlib
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import Cancelled, StorageError
from engine.records import ShouldStop

FORMAT = 4
"""Raised whenever what the files hold changes; a file of another format is made again."""

ABANDONED = 3600
"""Seconds after which an unfinished file belongs to nobody any more."""

_MAGIC = b"planet"
_PREFIX = struct.Struct("<8sII")
_ALIGNED = 64
_BUFFER = 2**20

Array = NDArray[Any]


class ArrayFile(NamedTuple):
    """What a file holds."""

    about: dict[str, Any]
    """What was said about the arrays when they were written."""
    arrays: dict[str, Array]
    """By name; views into the mapped file, not to be written to."""


def write_arrays(path: Path, about: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a file, whole or not at all, and synchronise it with the disk.

    Args:
        path: where; its folder is made when it is missing.
        about: anything that JSON can hold.
        arrays: one-dimensional or more, of numbers.

    Raises:
        StorageError: the system refuses.
    """
    entries, at = {}, 0
    stored = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    for name, array in stored.items():
        entries[name] = [array.dtype.str, list(array.shape), at, zlib.crc32(_bytes(array))]
        at += -(-array.nbytes // _ALIGNED) * _ALIGNED
    header = json.dumps({"about": dict(about), "arrays": entries, "size": at}).encode()
    header += b" " * (-(_PREFIX.size + len(header)) % _ALIGNED)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, _PREFIX.pack(_magic(FORMAT), len(header), zlib.crc32(header)) + header, stored.values())
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror or error}") from None


def _write(path: Path, start: bytes, arrays: Iterable[Array]) -> None:
    _remove_abandoned(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with open(handle, "wb", _BUFFER) as file:
            file.write(start)
            for array in arrays:
                file.write(_bytes(array))
                file.write(bytes(-array.nbytes % _ALIGNED))
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    _synchronise(path.parent)


def _remove_abandoned(path: Path) -> None:
    """Remove what writers left behind that were killed; one that still writes keeps its file for an hour."""
    start = f".{path.name}."
    for name in os.listdir(path.parent):
        if not (name.startswith(start) and name.endswith(".tmp")):
            continue
        file = path.parent / name
        with suppress(OSError):
            if file.stat().st_mtime < time.time() - ABANDONED:
                file.unlink()


def read_arrays(path: Path, formats: Container[int] = (FORMAT,)) -> ArrayFile:
    """Map a file. The header is checked, the arrays are not: see `is_sound`.

    Args:
        path: the file.
        formats: those that it may have.

    Raises:
        StorageError: there is no such file, it is cut short, of another format, or no file of this kind.
    """
    try:
        with open(path, "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # ValueError: the file is empty
        raise StorageError(f"{path} cannot be opened: {error}") from None
    header, start = _header(mapped, path, formats)
    try:
        arrays = {
            name: np.frombuffer(mapped, kind, prod(shape), start + at).reshape(shape)
            for name, (kind, shape, at, _) in header["arrays"].items()
        }
        return ArrayFile(header["about"], arrays)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StorageError(f"{path} is damaged: {error}") from None


def format_of(path: Path) -> int | None:
    """Return the format of a file; `None`: it is no file of this kind."""
    with suppress(OSError, struct.error), open(path, "rb") as file:
        magic, _, _ = _PREFIX.unpack(file.read(_PREFIX.size))
        if magic.startswith(_MAGIC):
            return int.from_bytes(magic[len(_MAGIC) :], "little")
    return None


def is_sound(path: Path, should_stop: ShouldStop | None = None) -> bool:
    """Return whether every array of a file is what was written: reads the whole file, a block at a time.

    Raises:
        Cancelled: `should_stop`, asked before each block, returned true.
    """
    try:
        with open(path, "rb") as file:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                header, start = _header(mapped, path, (FORMAT,))
            return all(
                _checksum(file, start + at, np.dtype(kind).itemsize * prod(shape), should_stop) == checksum
                for kind, shape, at, checksum in header["arrays"].values()
            )
    except (OSError, ValueError, KeyError, TypeError, StorageError):
        return False


def _checksum(file: BinaryIO, start: int, size: int, should_stop: ShouldStop | None) -> int:
    """Return the CRC-32 of a part of a file; mapped, all of it would count as this process's memory."""
    file.seek(start)
    checksum = 0
    for at in range(0, size, _BUFFER):
        if should_stop is not None and should_stop():
            raise Cancelled
        checksum = zlib.crc32(file.read(min(_BUFFER, size - at)), checksum)
    return checksum


def _header(mapped: mmap.mmap, path: Path, formats: Container[int]) -> tuple[dict[str, Any], int]:
    """Return the header and where the arrays start."""
    if len(mapped) < _PREFIX.size:
        raise StorageError(f"{path} is cut short.")
    magic, length, checksum = _PREFIX.unpack_from(mapped)
    if not magic.startswith(_MAGIC) or int.from_bytes(magic[len(_MAGIC) :], "little") not in formats:
        raise StorageError(f"{path} is of another format.")
    start = _PREFIX.size + length
    header = mapped[_PREFIX.size : start]
    if len(header) != length or zlib.crc32(header) != checksum:
        raise StorageError(f"{path} is damaged.")
    read: dict[str, Any] = json.loads(header)
    if start + read["size"] != len(mapped):
        raise StorageError(f"{path} is cut short.")
    return read, start


def _magic(version: int) -> bytes:
    return _MAGIC + version.to_bytes(2, "little")


def _bytes(array: Array) -> memoryview:
    """Return an array's bytes; an empty array has none."""
    return array.reshape(-1).view(np.uint8).data if array.size else memoryview(b"")


def _synchronise(folder: Path) -> None:
    """Make the renaming last, where the system can."""
    with suppress(OSError, AttributeError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
