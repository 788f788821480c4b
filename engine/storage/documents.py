"""Documents <-> compressed records: a library holds tens of thousands of notes and unpacks those that are looked at.

A record is deflated: the blocks and the line map, numbers of one width, rising ones by what each is more than the one
before, and the rest as JSON: sections, links, front matter. The text stands apart. What YAML and TOML know and JSON
does not (dates, times, keys that are no texts) is tagged.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import struct
import zlib
from abc import abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import accumulate, chain
from operator import add, sub
from typing import Any, NamedTuple, get_args

from engine.indexing.vocabulary import Vocabulary
from engine.records import Block, BlockKind, Document, Link, Notice, Section
from engine.storage.strings import Blobs, text_of

KEPT = 256
"""Documents kept unpacked."""

_LEVEL = 1
"""Of compression: a third of the size for a tenth of the time of the highest."""
_ROWS: dict[str, Any] = {"sections": Section, "links": Link, "notices": Notice}
_APART = ("id", "text", "blocks", "line_offsets", "line_numbers")
_FIELDS = tuple(field.name for field in dataclasses.fields(Document) if field.name not in _APART)
_KINDS: tuple[BlockKind, ...] = get_args(BlockKind)
_NUMBER_OF_KIND = {kind: number for number, kind in enumerate(_KINDS)}
START = struct.Struct("=cII")
"""How a record begins: the width of its numbers, how many blocks and lines it has."""
_TAG = "$"
_MOMENTS: dict[str, Any] = {"date": datetime.date, "datetime": datetime.datetime, "time": datetime.time}


def pack(document: Document) -> bytes:
    """Return a document's record; its id and text are kept apart."""
    words = {name: getattr(document, name) for name in _FIELDS}
    words["front_matter"] = _tagged(words["front_matter"])
    kinds, starts, ends, levels = zip(*document.blocks, strict=True) if document.blocks else ((), (), (), ())
    kind_numbers = map(_NUMBER_OF_KIND.__getitem__, kinds)
    lengths, lines = map(sub, ends, starts), (document.line_offsets, document.line_numbers)
    numbers = [*_steps(starts), *lengths, *levels, *kind_numbers, *chain.from_iterable(map(_steps, lines))]
    inside = json.dumps(words, separators=(",", ":")).encode()
    return to_record(len(document.blocks), len(document.line_offsets), numbers, inside)


def to_record(n_blocks: int, n_lines: int, numbers: Sequence[int], words: bytes) -> bytes:
    """Return a record of its numbers, as `pack` orders them, and its words as JSON."""
    narrow = _narrow(numbers)
    start = START.pack(narrow.typecode.encode(), n_blocks, n_lines)
    return start + zlib.compress(narrow.tobytes() + words, _LEVEL)


def unpack(id: str, text: str, packed: bytes) -> Document:  # noqa: A002
    """Return the document of a record."""
    code, n_blocks, n_lines = START.unpack_from(packed)
    inflated, numbers = zlib.decompress(packed[START.size :]), array(code.decode())
    at = numbers.itemsize * (4 * n_blocks + 2 * n_lines)
    numbers.frombytes(inflated[:at])
    steps, lengths, levels, kinds = (numbers[n * n_blocks : (n + 1) * n_blocks] for n in range(4))
    offsets, lines = numbers[4 * n_blocks : 4 * n_blocks + n_lines], numbers[4 * n_blocks + n_lines :]
    starts = array("i", accumulate(steps))
    words: dict[str, Any] = json.loads(inflated[at:])
    for name, row in _ROWS.items():
        words[name] = tuple(row(*values) for values in words[name])
    words["front_matter"] = _untagged(words["front_matter"])
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in words.items()}
    return Document(
        id=id,
        text=text,
        blocks=tuple(map(Block, map(_KINDS.__getitem__, kinds), starts, map(add, starts, lengths), levels)),
        line_offsets=array("i", accumulate(offsets)),
        line_numbers=array("i", accumulate(lines)),
        **values,
    )


def _narrow(numbers: Sequence[int]) -> array[int]:
    """Return numbers in two bytes each where they fit, as those of most notes do, else in four."""
    try:
        return array("h", numbers)
    except OverflowError:
        return array("i", numbers)


def _steps(numbers: Sequence[int]) -> Iterable[int]:
    """Return the first number and what each other one is more than the one before."""
    return chain(numbers[:1], map(sub, numbers[1:], numbers))


class StoredFacts(NamedTuple):
    """What lists and filters know of a document without unpacking it: `engine.records.Facts`."""

    title: str
    date: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]


def pack_facts(document: Document) -> bytes:
    """Return what lists and filters need."""
    return json.dumps([document.title, document.date, document.tags, document.aliases]).encode()


class Documents(Mapping[str, Document]):
    """Documents by id, in the order of their ids; unpacked when they are asked for."""

    @property
    @abstractmethod
    def facts(self) -> Mapping[str, StoredFacts]:
        """Title, date, tags and aliases of every document by id, without unpacking any."""

    @abstractmethod
    def facts_of(self, id: str) -> StoredFacts:  # noqa: A002
        """Return title, date, tags and aliases of one; raise `KeyError`."""

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Every document's title by id."""
        return {id: facts.title for id, facts in self.facts.items()}  # noqa: A001


class StoredDocuments(Documents):
    """Those of one set of columns."""

    def __init__(self, ids: Vocabulary, facts: Blobs, texts: Blobs, records: Blobs) -> None:
        """Take the columns."""
        self.ids, self.texts, self._facts = ids, texts, facts
        # What is remembered must not hold on to this object: whoever drops it, drops its columns at once.
        self.at = lru_cache(KEPT)(partial(_unpacked, ids, texts, records))
        """Returns the document of a row."""
        self.facts_at = lru_cache(KEPT)(partial(_facts_of, facts))
        """Title, date, tags and aliases of the document of a row."""

    def __getitem__(self, id: str) -> Document:  # noqa: A002
        """Return a document; raise `KeyError`."""
        return self.at(self.ids[id])

    def __iter__(self) -> Iterator[str]:
        """Yield the ids in order."""
        return iter(self.ids)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.ids)

    def __contains__(self, id: object) -> bool:  # noqa: A002
        """Return whether there is a document of this id, without unpacking it."""
        return isinstance(id, str) and id in self.ids

    @cached_property
    def facts(self) -> Mapping[str, StoredFacts]:
        """Title, date, tags and aliases of every document by id, without unpacking any."""
        return dict(zip(self.ids, map(_facts, json.loads(b"[" + b",".join(self._facts) + b"]")), strict=True))

    def facts_of(self, id: str) -> StoredFacts:  # noqa: A002
        """Return title, date, tags and aliases of one; raise `KeyError`."""
        return self.facts_at(self.ids[id])


def _facts_of(facts: Blobs, row: int) -> StoredFacts:
    return _facts(json.loads(facts[row]))


def _unpacked(ids: Vocabulary, texts: Blobs, records: Blobs, row: int) -> Document:
    return unpack(ids.name(row), text_of(texts[row]), records[row])


def _facts(read: list[Any]) -> StoredFacts:
    title, date, tags, aliases = read
    return StoredFacts(title, date, tuple(tags), tuple(aliases))


def _tagged(value: Any) -> Any:  # noqa: ANN401
    """Return a value that JSON can hold, from which `_untagged` makes the same one again."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        if all(isinstance(key, str) and not key.startswith(_TAG) for key in value):
            return {key: _tagged(item) for key, item in value.items()}
        return {_TAG + "map": [[_tagged(key), _tagged(item)] for key, item in value.items()]}
    if isinstance(value, list | tuple):
        return list(map(_tagged, value))
    if isinstance(value, set | frozenset):
        return {_TAG + "set": [_tagged(item) for item in value]}
    if isinstance(value, bytes):
        return {_TAG + "bytes": list(value)}
    for name, kind in _MOMENTS.items():
        if type(value) is kind:
            return {_TAG + name: value.isoformat()}
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _untagged(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, list):
        return list(map(_untagged, value))
    if not isinstance(value, dict):
        return value
    first: tuple[str, Any] = next(iter(value.items()), ("", None))
    tag, inside = first
    if not tag.startswith(_TAG):
        return {key: _untagged(item) for key, item in value.items()}
    if tag == _TAG + "map":
        return {_hashable(_untagged(key)): _untagged(item) for key, item in inside}
    if tag == _TAG + "set":
        return set(map(_untagged, inside))
    return bytes(inside) if tag == _TAG + "bytes" else _MOMENTS[tag.removeprefix(_TAG)].fromisoformat(inside)


def _hashable(key: Any) -> Any:  # noqa: ANN401
    return tuple(key) if isinstance(key, list) else key
