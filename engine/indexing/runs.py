"""Bytes of texts -> runs, and a number for each distinct one, without a Python loop over them.

A *run* is a stretch of bytes that no separator breaks: letters, digits, everything beyond ASCII, and the marks that
may stand inside a word (`'`, `.`, `,`, `_`) where they do. Chinese and Japanese characters are cut further, into the
overlapping pairs that are their terms, wherever nothing beside them can have a say in it.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from engine.indexing.distinct import grouped

_ALPHANUMERIC = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_LOWERED = bytes(
    byte if byte >= 128 or byte in b"'.,_" else ord(chr(byte).lower()) if byte in _ALPHANUMERIC else 0
    for byte in range(256)
)
_APART, _MARK, _UNDERSCORE, _SOLID, _LEAD = range(5)


def _kind(byte: int) -> int:
    if 0xE3 <= byte <= 0xE9:
        return _LEAD  # the first of the three bytes of a character, Chinese and Japanese ones among them
    if byte >= 128 or byte in _ALPHANUMERIC:
        return _SOLID
    return _UNDERSCORE if byte == ord("_") else _MARK if byte in b"'.," else _APART


_KINDS = bytes(map(_kind, range(256)))
_NAME_KINDS = bytes(_SOLID if byte in b"'.,_-+#" else _kind(byte) for byte in range(256))
_PAIRED = ("\u3005\u3007", "\u3041\u3096", "\u30a1\u30fa", "\u30fc\u30fe", "\u3400\u4dbf", "\u4e00\u9fff")
"""First and last of the characters of three bytes that analysis cuts into pairs and leaves as they are otherwise."""
_PAIR = re.compile(f"[{''.join(map('-'.join, _PAIRED))}]{{1,2}}")
_NEIGHBOURS = "，．；：？！（）［］｛｝％／＝＋－～、。・《》「」『』【】〔〕〈〉“”…—\u3000"
"""Punctuation of three bytes that parts them as any separator does."""


def _code(character: str) -> int:
    return int.from_bytes(character.encode(), "big")


_PAIRED_EDGES = np.array([_code(end) + at for ends in _PAIRED for at, end in enumerate(ends)], np.uint32)
_NEIGHBOUR_CODES = np.array(sorted(map(_code, _NEIGHBOURS)), np.uint32)
_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(8)] + [2**64 - 1], np.uint64)
"""Masks that keep the first n bytes of a load."""
ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_LONG = 64
"""Bytes of a run from which on Python hashes it: rounds over ever fewer runs do not pay."""


def find_runs(text: bytes, *, names: bool = False) -> tuple[bytes, NDArray[np.int64], NDArray[np.int64]]:
    """Return the text with ASCII in lower case and separators as NUL, and start and length of each run in it.

    With `names`, for an analyzer that knows them, runs are cut where no name goes on: the text stays as it is, and
    the signs of names are parts of runs wherever they stand.

    >>> lowered, starts, lengths = find_runs(b"Mars's 2.5 km.")
    >>> [lowered[start : start + length] for start, length in zip(starts, lengths)]
    [b"mars's", b'2.5', b'km']
    """
    kinds = np.frombuffer(text.translate(_NAME_KINDS if names else _KINDS), np.uint8)
    inside = np.zeros(len(kinds) + 2, np.bool_)  # a separator before and after
    np.greater_equal(kinds, _SOLID, out=inside[1:-1])
    marks = np.flatnonzero((kinds == _MARK) | (kinds == _UNDERSCORE))
    # A contraction ends before letters, digits and underscores: an underscore stays with the run before it.
    held = inside[marks] & (inside[marks + 2] | (kinds[marks] == _UNDERSCORE))
    inside[marks[held] + 1] = True
    pairs, sizes = _find_pairs(text, np.flatnonzero(kinds == _LEAD))
    if len(pairs):
        for at in range(1, 4):
            inside[pairs + at] = inside[pairs + sizes - 3 + at] = False
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    if len(pairs):
        starts, lengths = np.append(starts, pairs), np.append(lengths, sizes)
        order = np.argsort(starts)
        starts, lengths = starts[order], lengths[order]
    return text if names else text.translate(_LOWERED), starts, lengths


def _find_pairs(text: bytes, leads: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return start and length of each pair of characters in the stretches that can be cut; one alone is a pair, too.

    A stretch can be cut between ASCII, separators and punctuation: what it is part of then has the terms of its
    pairs and of what is left. Beside other characters (marks, half-width kana) it stays whole, for the analyzer.
    """
    if not len(leads):
        return leads, leads
    padded = bytes(3) + text + bytes(4)
    loads: NDArray[np.uint32] = np.ndarray((len(text) + 4,), ">u4", padded, strides=(1,))

    def codes_at(places: NDArray[np.int64]) -> NDArray[np.uint32]:
        return loads[places + 3].astype(np.uint32) >> np.uint32(8)

    found: NDArray[np.int64] = leads[np.searchsorted(_PAIRED_EDGES, codes_at(leads), side="right") % 2 == 1]
    goes_on = np.append(np.diff(found) == 3, False)[: len(found)]
    is_first = np.append(True, ~goes_on)[: len(found)]
    before, after = codes_at(found[is_first] - 3), codes_at(found[~goes_on] + 3)
    free = (before & np.uint32(0xFF) < 128) | np.isin(before, _NEIGHBOUR_CODES)
    free &= (after >> np.uint32(16) < 128) | np.isin(after, _NEIGHBOUR_CODES)
    is_pair = free[np.cumsum(is_first) - 1] & (goes_on | is_first)
    return found[is_pair], np.where(goes_on[is_pair], 6, 3)


def is_word(run: bytes) -> bool:
    """Return whether a run is one word as it stands: ASCII small letters and digits, or a pair of characters.

    >>> is_word(b"mars"), is_word("金星".encode()), is_word(b"it's")
    (True, True, False)
    """
    if run.isalnum():
        return run == run.lower()
    return len(run) in (3, 6) and _PAIR.fullmatch(run.decode("utf-8", "surrogatepass")) is not None


def hash_runs(buffer: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return a 64-bit hash of each run; up to 8 bytes it is the bytes themselves.

    Two longer runs are taken for one with a probability of 2^-64: once in 10^7 collections of a million runs.
    """
    loads: NDArray[np.uint64] = np.ndarray((len(buffer) + 1,), "<u8", buffer + bytes(8), strides=(1,))
    hashes = loads[starts] & _FIRST_BYTES[np.minimum(lengths, 8)]
    longer = np.flatnonzero(lengths > 8)
    for offset in range(8, _LONG, 8):
        if not len(longer):
            return hashes
        left = lengths[longer] - offset
        mixed = hashes[longer] * ODD
        mixed ^= mixed >> _SHIFT
        mixed += loads[starts[longer] + offset] & _FIRST_BYTES[np.minimum(left, 8)]
        hashes[longer] = mixed * ODD
        longer = longer[left > 8]
    hashes[longer] = python_hashes(buffer, starts[longer], lengths[longer])
    return hashes


def python_hashes(buffer: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return Python's hash of each run, for those that are few or long."""
    spans = zip(starts.tolist(), lengths.tolist(), strict=True)
    return np.array([hash(buffer[at : at + length]) % 2**64 for at, length in spans], np.uint64)


def whole_texts(ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return starts and lengths of texts that are one run each."""
    starts = np.roll(ends, 1)
    starts[:1] = 0
    return starts, ends - 1 - starts


def distinct_hashes(
    hashes: NDArray[np.uint64], slots: NDArray[np.uint64], n_slots: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first position of each distinct hash, and for each hash which of those it equals.

    Scattering positions into a table is several times faster than sorting; the few hashes that share a slot with
    another are sorted.
    """
    table = np.empty(n_slots, np.int32)
    table[slots[::-1]] = np.arange(len(hashes) - 1, -1, -1, dtype=np.int32)
    owner = table[slots]
    lost = np.flatnonzero(hashes[owner] != hashes)
    if len(lost):
        _, first, place = grouped(hashes[lost])
        owner[lost] = lost[first][place]
    is_owner = np.zeros(len(hashes), np.bool_)
    is_owner[owner] = True
    return np.flatnonzero(is_owner), (np.cumsum(is_owner) - 1)[owner]
