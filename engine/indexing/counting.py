"""Texts -> how often each term stands in each of them, without a Python loop over words.

The analyzer finds in a text the terms that it finds in the text's runs (`runs.py`), one after the other; so each
distinct run is analysed once, and every place where it stands again costs a few array operations:

1. `bytes.translate` lowers ASCII and blanks separators; a mask of run bytes gives starts and lengths;
2. a run is hashed by unaligned loads of 8 bytes; a run of up to 8 bytes is its own hash;
3. a table of slots turns hashes into run numbers; a run that it does not know is analysed and given a number;
4. runs become terms; (text, term) pairs, a number each, are sorted and equal ones counted.

Steps 1, 2 and 4 know nothing of other blocks: `count_blocks` takes them on two threads beside step 3.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, compress, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.indexing.runs import ODD, distinct_hashes, find_runs, hash_runs, is_word, python_hashes, whole_texts
from engine.text.analysis import Analyzer, analyze

Analyze = Callable[[str], list[str]]

SLOT_BITS = 21
"""A table of 2^21 slots serves a collection; less text needs fewer."""
BLOCK = 4 * 2**20
"""Bytes counted at once: small enough to stay near the processor, large enough for array operations to pay."""
THREADS = 2
"""Blocks that are worked on at a time."""

_NONE = -1
"""In place of a term: the run has none. Below it, -2 - n stands for the n-th run that has several."""
_TERM = np.uint64(2**32 - 1)
_TEXT = np.uint64(32)
"""Bits that a text's number is shifted by, above those of the term."""


class Counts(NamedTuple):
    """Term counts of some texts, as a compressed sparse row matrix."""

    indptr: NDArray[np.int64]
    """(n_texts + 1,) where each text's entries start."""
    terms: NDArray[np.int32]
    """(n_entries,) term ids, rising within a text."""
    counts: NDArray[np.unsignedinteger]
    """(n_entries,) how often, in as few bytes as the highest needs."""


class _Runs(NamedTuple):
    """The runs of a block of texts."""

    buffer: bytes
    """What they are slices of."""
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    per_text: NDArray[np.int64]
    """(n_texts,) how many runs each text has."""


class TermCounter:
    """Counts terms, block after block, under one numbering.

    Attributes:
        terms: term to term id, in order of first appearance.
    """

    def __init__(self, analyzer: Analyze = analyze, *, slot_bits: int = SLOT_BITS) -> None:
        """Start with no terms.

        Args:
            analyzer: text to terms; one that is not of this package sees whole texts.
            slot_bits: the table of runs has 2^slot_bits slots; a run whose slot is taken costs a little more.
        """
        self.terms: dict[str, int] = {}
        self._analyzer = analyzer
        self._of_package = Analyzer() if analyzer is analyze else analyzer if isinstance(analyzer, Analyzer) else None
        self._shift = np.uint64(64 - slot_bits)
        self._slots = np.full(1 << slot_bits, -1, np.int32)
        self._numbers: dict[int, int] = {}
        room = 1 << min(16, slot_bits)
        self._hashes = np.zeros(room, np.uint64)  # by run number, and so is the next
        self._found = np.zeros(room, np.int32)
        self._n_several = 0
        self._more = np.zeros(room, np.int32)  # the terms of runs that have several, one run after the other
        self._more_at = np.zeros(room, np.int64)  # where each of these runs starts, and the next

    def count(self, texts: Sequence[str]) -> Counts:
        """Return the counts of a block of texts; `blocks` cuts many texts into blocks."""
        runs = self._runs_of(texts)
        return self._counted(self._found_in(runs), runs.per_text)

    def count_blocks(self, blocks: Iterable[Sequence[str]]) -> list[Counts]:
        """Return what `count` returns for each block; where there are several, on two threads beside this one."""
        blocks = iter(blocks)
        first = list(islice(blocks, 2))
        if len(first) < 2:
            return [self.count(block) for block in first]
        with ThreadPoolExecutor(THREADS) as pool:
            waiting: deque[Future[_Runs]] = deque()
            counted: list[Future[Counts]] = []

            def number_next() -> None:
                runs = waiting.popleft().result()
                counted.append(pool.submit(self._counted, self._found_in(runs), runs.per_text))

            for block in chain(first, blocks):
                waiting.append(pool.submit(self._runs_of, block))
                if len(waiting) > THREADS:
                    number_next()
            while waiting:
                number_next()
            return [each.result() for each in counted]

    def _runs_of(self, texts: Sequence[str]) -> _Runs:
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)) + 1)
        joined = b"\n".join(encoded)
        if self._of_package is not None:
            buffer, starts, lengths = find_runs(joined, names=self._of_package.identifiers)
            hashes = hash_runs(buffer, starts, lengths)
        else:
            buffer, starts, lengths = joined, *whole_texts(ends)
            hashes = python_hashes(buffer, starts, lengths)
        return _Runs(buffer, starts, lengths, hashes, np.diff(np.searchsorted(starts, ends), prepend=0))

    def _found_in(self, runs: _Runs) -> NDArray[np.int32]:
        """Return what each run stands for; new ones are analysed."""
        slots = (runs.hashes * ODD) >> self._shift
        numbers: NDArray[np.int32] = self._slots[slots]
        unknown = np.flatnonzero((self._hashes[numbers] != runs.hashes) | (numbers < 0))
        if len(unknown):
            first, inverse = distinct_hashes(runs.hashes[unknown], slots[unknown], len(self._slots))
            at = unknown[first]
            found = self._look_up(runs.buffer, runs.hashes[at], runs.starts[at], runs.lengths[at])
            free = self._slots[slots[at]] < 0
            self._slots[slots[at][free]] = found[free]
            numbers[unknown] = found[inverse]
        return self._found[numbers]

    def _look_up(
        self, buffer: bytes, hashes: NDArray[np.uint64], starts: NDArray[np.int64], lengths: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Return the numbers of distinct runs that are in no slot."""
        numbers, known = self._numbers, len(self._numbers)
        found = np.fromiter((numbers.setdefault(key, len(numbers)) for key in hashes.tolist()), np.int32, len(hashes))
        new = np.flatnonzero(found >= known)
        self._hashes, self._found = _with_room(self._hashes, len(numbers)), _with_room(self._found, len(numbers))
        self._hashes[found] = hashes
        spans = zip(starts[new].tolist(), (starts + lengths)[new].tolist(), strict=True)
        self._found[found[new]] = self._analysed([buffer[start:end] for start, end in spans])
        return found

    def _analysed(self, runs: Sequence[bytes]) -> NDArray[np.int32]:
        """Return what each run stands for: its term, or where the list of its terms is."""
        found = np.full(len(runs), _NONE, np.int32)
        number = self.terms.setdefault
        package = self._of_package
        words = [package is not None and is_word(run) for run in runs]
        if package is not None and any(words):
            stems = package.of_words([run.decode() for run in compress(runs, words)])
            terms = (_NONE if stem is None else number(stem, len(self.terms)) for stem in stems)
            found[np.flatnonzero(words)] = np.fromiter(terms, np.int32)
        several: list[list[int]] = []
        for at in np.flatnonzero(~np.array(words, np.bool_)).tolist():
            ids = [number(t, len(self.terms)) for t in self._analyzer(runs[at].decode("utf-8", "surrogatepass"))]
            if len(ids) > 1:
                found[at] = _NONE - 1 - self._n_several - len(several)
                several.append(ids)
            elif ids:
                found[at] = ids[0]
        self._keep(several)
        return found

    def _keep(self, several: Sequence[Sequence[int]]) -> None:
        """Keep the terms of runs that have several."""
        first, last = self._n_several, self._n_several + len(several)
        self._more_at = _with_room(self._more_at, last + 1)
        start = self._more_at[first]
        self._more_at[first + 1 : last + 1] = start + np.cumsum(np.fromiter(map(len, several), np.int64))
        end = self._more_at[last]
        self._more = _with_room(self._more, end)
        self._more[start:end] = np.fromiter(chain.from_iterable(several), np.int32)
        self._n_several = last

    def _counted(self, found: NDArray[np.int32], per_text: NDArray[np.int64]) -> Counts:
        """Return how often each term stands in each text; `per_text` says how many runs it has."""
        texts = np.repeat(np.arange(len(per_text), dtype=np.uint64) << _TEXT, per_text)
        one, several = np.flatnonzero(found >= 0), np.flatnonzero(found < _NONE)
        pairs = texts.take(one) | found.take(one).astype(np.uint64)
        if len(several):
            at = _NONE - 1 - found[several]
            starts, sizes = self._more_at[at], self._more_at[at + 1] - self._more_at[at]
            places = np.repeat(starts + sizes - np.cumsum(sizes), sizes) + np.arange(sizes.sum())
            pairs = np.append(pairs, np.repeat(texts[several], sizes) | self._more[places].astype(np.uint64))
        pairs.sort()
        is_first = np.ones(len(pairs), np.bool_)
        np.not_equal(pairs[1:], pairs[:-1], out=is_first[1:])
        first = np.flatnonzero(is_first)
        pairs, counts = pairs[first], np.diff(first, append=len(pairs))
        indptr = np.searchsorted(pairs, np.arange(len(per_text) + 1, dtype=np.uint64) << _TEXT)
        return Counts(indptr, (pairs & _TERM).astype(np.int32), narrow(counts))


def _with_room(values: NDArray[Any], size: int) -> NDArray[Any]:
    """Return values as they are, or with room for twice as many as are needed."""
    return values if size <= len(values) else np.resize(values, 2 * size)


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
