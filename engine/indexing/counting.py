"""Texts -> how often each term stands in each of them, without a Python loop over words.

A *run* is a stretch of bytes that no separator breaks: letters, digits, everything beyond ASCII, and the marks
that may stand inside a word (`'`, `.`, `,`, `_`) where they do. The analyzer finds in a text the terms that it finds
in the text's runs, one after the other; so each distinct run is analysed once, and every place where it stands
again costs a few array operations:

1. `bytes.translate` lowers ASCII and blanks separators; a mask of run bytes gives starts and lengths;
2. a run is hashed by unaligned loads of 8 bytes; a run of up to 8 bytes is its own hash;
3. a table of slots turns hashes into run numbers; a run that it does not know is analysed and given a number;
4. runs become terms, and equal (text, term) pairs are added up by a sparse matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.text.analysis import Analyzer, analyze

Analyze = Callable[[str], list[str]]

BLOCK = 4 * 2**20
"""Bytes counted at once: small enough to stay near the processor, large enough for array operations to pay."""

_INSIDE = b"'.,_"
_ALPHANUMERIC = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_LOWERED = bytes(
    byte if byte >= 128 or byte in _INSIDE else ord(chr(byte).lower()) if byte in _ALPHANUMERIC else 0
    for byte in range(256)
)
_SOLID = np.array([byte >= 128 or byte in _ALPHANUMERIC for byte in range(256)])
_MARK = np.isin(np.arange(256), list(_INSIDE))
_NAMES = np.array([byte >= 128 or byte in _ALPHANUMERIC or byte in b"'.,_-+#" for byte in range(256)])
_FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(8)] + [2**64 - 1], np.uint64)
"""Masks that keep the first n bytes of a load."""
_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_LONG = 64
"""Bytes of a run from which on Python hashes it: rounds over ever fewer runs do not pay."""
_NONE, _SEVERAL = -1, -2


class Counts(NamedTuple):
    """Term counts of some texts, as a compressed sparse row matrix."""

    indptr: NDArray[np.int64]
    """(n_texts + 1,) where each text's entries start."""
    terms: NDArray[np.int32]
    """(n_entries,) term ids, rising within a text."""
    counts: NDArray[np.unsignedinteger]
    """(n_entries,) how often, in as few bytes as the highest needs."""


class TermCounter:
    """Counts terms, block after block, under one numbering.

    Attributes:
        terms: term to term id, in order of first appearance.
    """

    def __init__(self, analyzer: Analyze = analyze, *, slot_bits: int = 21) -> None:
        """Start with no terms.

        Args:
            analyzer: text to terms; one that is not of this package sees whole texts.
            slot_bits: the table of runs has 2^slot_bits slots; a run whose slot is taken costs a little more.
        """
        self.terms: dict[str, int] = {}
        self._analyzer = analyzer
        self._by_runs = analyzer is analyze or isinstance(analyzer, Analyzer)
        self._names = isinstance(analyzer, Analyzer) and analyzer.identifiers
        self._shift = np.uint64(64 - slot_bits)
        self._slots = np.full(1 << slot_bits, -1, np.int32)
        self._hashes = np.zeros(1 << 16, np.uint64)
        self._numbers: dict[int, int] = {}
        self._single: list[int] = []
        self._several: dict[int, list[int]] = {}

    def count(self, texts: Sequence[str]) -> Counts:
        """Return the counts of a block of texts; `blocks` cuts many texts into blocks."""
        from scipy.sparse import csr_array

        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)) + 1)
        joined = b"\n".join(encoded)
        if self._by_runs:
            buffer, starts, lengths = find_runs(joined, names=self._names)
            hashes = hash_runs(buffer, starts, lengths)
        else:
            buffer, starts, lengths = joined, *_whole(ends)
            hashes = _python_hashes(buffer, starts, lengths)
        runs = self._numbers_of(buffer, starts, lengths, hashes)
        terms, rows = self._terms_of(runs, np.diff(np.searchsorted(starts, ends), prepend=0))
        shape = (len(encoded), len(self.terms))
        matrix = csr_array((np.ones(len(terms), np.int32), (rows, terms)), shape=shape)
        matrix.sum_duplicates()
        return Counts(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), narrow(matrix.data))

    def _numbers_of(
        self, buffer: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64], hashes: NDArray[np.uint64]
    ) -> NDArray[np.int32]:
        """Return the number of each run `buffer[start : start + length]`; new ones are analysed."""
        slots = (hashes * _ODD) >> self._shift
        numbers: NDArray[np.int32] = self._slots[slots]
        unknown = np.flatnonzero((self._hashes[numbers] != hashes) | (numbers < 0))
        if len(unknown):
            first, inverse = _distinct(hashes[unknown], slots[unknown], len(self._slots))
            at = unknown[first]
            found = self._look_up(buffer, hashes[at], starts[at].tolist(), lengths[at].tolist())
            free = self._slots[slots[at]] < 0
            self._slots[slots[at][free]] = found[free]
            numbers[unknown] = found[inverse]
        return numbers

    def _look_up(
        self, buffer: bytes, hashes: NDArray[np.uint64], starts: Sequence[int], lengths: Sequence[int]
    ) -> NDArray[np.int32]:
        numbers, known = self._numbers, len(self._numbers)
        found = np.fromiter((numbers.setdefault(key, len(numbers)) for key in hashes.tolist()), np.int32, len(hashes))
        for at in np.flatnonzero(found >= known).tolist():
            run = buffer[starts[at] : starts[at] + lengths[at]].decode("utf-8", "surrogatepass")
            ids = [self.terms.setdefault(term, len(self.terms)) for term in self._analyzer(run)]
            self._single.append(ids[0] if len(ids) == 1 else _SEVERAL if ids else _NONE)
            if len(ids) > 1:
                self._several[len(self._single) - 1] = ids
        if len(self._single) > len(self._hashes):
            self._hashes = np.resize(self._hashes, 2 * len(self._single))
        self._hashes[found] = hashes
        return found

    def _terms_of(
        self, runs: NDArray[np.int32], per_text: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the terms of runs and the text of each; `per_text` says how many runs each text has."""
        rows = np.repeat(np.arange(len(per_text), dtype=np.int32), per_text)
        terms = np.array(self._single, np.int32)[runs]
        one, several = terms >= 0, np.flatnonzero(terms == _SEVERAL)
        if not len(several):
            return terms[one], rows[one]
        lists = [self._several[run] for run in runs[several].tolist()]
        more = np.fromiter(chain.from_iterable(lists), np.int32)
        more_rows = np.repeat(rows[several], np.fromiter(map(len, lists), np.int64, len(lists)))
        return np.concatenate((terms[one], more)), np.concatenate((rows[one], more_rows))


def narrow(counts: NDArray[np.integer]) -> NDArray[np.unsignedinteger]:
    """Return counts in as few bytes as the highest of them needs: nearly always one.

    >>> narrow(np.array([1, 255])).dtype, narrow(np.array([256])).dtype
    (dtype('uint8'), dtype('uint16'))
    """
    return counts.astype(np.min_scalar_type(counts.max(initial=0)), copy=False)


def blocks(texts: Iterable[str], size: int = BLOCK) -> Iterator[list[str]]:
    """Yield the texts in lists of about `size` characters.

    >>> list(blocks(["one", "two", "three"], size=6))
    [['one', 'two'], ['three']]
    """
    block: list[str] = []
    length = 0
    for text in texts:
        block.append(text)
        length += len(text)
        if length >= size:
            yield block
            block, length = [], 0
    if block:
        yield block


def find_runs(text: bytes, *, names: bool = False) -> tuple[bytes, NDArray[np.int64], NDArray[np.int64]]:
    """Return the text with ASCII in lower case and separators as NUL, and start and length of each run in it.

    With `names`, for an analyzer that knows them, runs are cut where no name goes on: the text stays as it is, and
    the signs of names are parts of runs wherever they stand.

    >>> lowered, starts, lengths = find_runs(b"Mars's 2.5 km.")
    >>> [lowered[start : start + length] for start, length in zip(starts, lengths)]
    [b"mars's", b'2.5', b'km']
    """
    lowered = text if names else text.translate(_LOWERED)
    codes = np.frombuffer(lowered, np.uint8)
    inside = np.zeros(len(codes) + 2, np.bool_)  # a separator before and after
    inside[1:-1] = (_NAMES if names else _SOLID)[codes]
    marks = np.flatnonzero(_MARK[codes])
    # A contraction ends before letters, digits and underscores: an underscore stays with the run before it.
    held = inside[marks] & (inside[marks + 2] | (codes[marks] == ord("_")))
    inside[marks[held] + 1] = True
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts = edges[::2]
    return lowered, starts, edges[1::2] - starts


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
        mixed = hashes[longer] * _ODD
        mixed ^= mixed >> _SHIFT
        mixed += loads[starts[longer] + offset] & _FIRST_BYTES[np.minimum(left, 8)]
        hashes[longer] = mixed * _ODD
        longer = longer[left > 8]
    hashes[longer] = _python_hashes(buffer, starts[longer], lengths[longer])
    return hashes


def _python_hashes(buffer: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.uint64]:
    spans = zip(starts.tolist(), lengths.tolist(), strict=True)
    return np.array([hash(buffer[at : at + length]) % 2**64 for at, length in spans], np.uint64)


def _whole(ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return starts and lengths of texts that are one run each."""
    starts = np.roll(ends, 1)
    starts[:1] = 0
    return starts, ends - 1 - starts


def _distinct(
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
        _, first, inverse = np.unique(hashes[lost], return_index=True, return_inverse=True)
        owner[lost] = lost[first][inverse]
    is_owner = np.zeros(len(hashes), np.bool_)
    is_owner[owner] = True
    return np.flatnonzero(is_owner), (np.cumsum(is_owner) - 1)[owner]
