"""Every option of the engine: its meaning, range and default, in one place.

`Settings` is a frozen record; `Settings.replace` checks what it is given. The app's settings file, the
command line's options and the docs are all made from `describe()`, so that an option is written down once.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from engine.errors import SettingsError

Rebuild = Literal["nothing", "index", "folder"]
"""What a change of a setting makes stale: nothing, the chunks and their index, or the reading of the folder."""

LANGUAGES = (
    "arabic", "catalan", "chinese", "czech", "danish", "dutch", "english", "finnish", "french", "german", "greek",
    "hindi", "hungarian", "indonesian", "italian", "japanese", "korean", "norwegian", "persian", "polish",
    "portuguese", "romanian", "russian", "spanish", "swedish", "thai", "turkish",
)  # fmt: skip
"""Languages that are told from each other."""

STEMMING = (
    "none", "arabic", "armenian", "basque", "catalan", "czech", "danish", "dutch", "english", "esperanto",
    "estonian", "finnish", "french", "german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian",
    "lithuanian", "nepali", "norwegian", "persian", "polish", "porter", "portuguese", "romanian", "russian",
    "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
)  # fmt: skip
"""No stemming, and Snowball's stemmers."""


LONGEST_SHOWN = 60
"""Characters of a bad value that a message repeats."""


@dataclass(frozen=True, slots=True)
class Option:
    """One setting as a person meets it."""

    name: str
    """The field's name in `Settings`."""
    group: str
    """The table it stands under in the settings file."""
    help: str
    """What it does, one sentence, no final stop."""
    default: Any
    """The value it has when nobody says otherwise."""
    low: float | None = None
    """Least allowed value of a number."""
    high: float | None = None
    """Greatest allowed value of a number."""
    choices: tuple[str, ...] = ()
    """Allowed values of a text; empty: any."""
    rebuild: Rebuild = "nothing"
    """What a change makes stale."""

    @property
    def range(self) -> str:
        """The allowed values in words, such as `0 to 1` or `one of a, b`; empty when anything goes."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        return "" if self.low is None else f"{self.low:g} to {self.high:g}"

    def check(self, value: Any) -> Any:  # noqa: ANN401
        """Return `value` in the default's type, or raise `SettingsError` that names the option and its range."""
        kind = type(self.default)
        if kind is tuple and isinstance(value, list):
            value = tuple(value)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value) if abs(value) < 1e300 else math.inf
        if type(value) is not kind or (kind is tuple and not all(isinstance(each, str) for each in value)):
            wanted = _WANTED[kind]
            raise SettingsError(f"{self.name} = {shown(value)}: it takes {wanted}", self._hint())
        inside = self.low is None or self.high is None or self.low <= value <= self.high
        if not inside or (self.choices and value not in self.choices):
            raise SettingsError(f"{self.name} = {shown(value)} is out of range", self._hint())
        return value

    def read(self, text: str) -> Any:  # noqa: ANN401
        """Return the value that a typed text means, not yet checked: text that means none stays text.

        >>> Option("k1", "retrieval", "Saturation", 1.5, 0, 10).read("2")
        2.0
        """
        kind = type(self.default)
        if kind is bool:
            return {"true": True, "false": False}.get(text.strip().lower(), text)
        try:
            return kind(text) if kind in (int, float) else text
        except ValueError:
            return text

    def _hint(self) -> str:
        allowed = f"{self.range}; " if self.range else ""
        return f"{self.help} ({allowed}default {self.default!r})."


_WANTED = {bool: "true or false", int: "a whole number", float: "a number", str: "text", tuple: "a list of texts"}


def shown(value: Any) -> str:  # noqa: ANN401
    """Return a value for a message, however long it is.

    >>> shown(7), shown(1 << 20_000), len(shown("x" * 1000))
    ('7', 'a number of 20001 bits', 60)
    """
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # such a number within a list, or lists within lists
        return f"a {type(value).__name__}"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def _option(
    default: Any,  # noqa: ANN401
    group: str,
    help: str,  # noqa: A002
    low: float | None = None,
    high: float | None = None,
    *,
    choices: tuple[str, ...] = (),
    rebuild: Rebuild = "nothing",
) -> Any:  # noqa: ANN401
    metadata = {
        "group": group,
        "help": help,
        "low": low,
        "high": high,
        "choices": choices,
        "rebuild": rebuild,
    }
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All options of the engine. Build with `Settings()` and change with `replace`.

    >>> Settings().replace(k1=1.2).k1
    1.2
    >>> Settings().replace(k1=-1)
    Traceback (most recent call last):
    ...
    engine.errors.SettingsError: k1 = -1.0 is out of range
    """

    max_file_mb: float = _option(
        10.0, "reading", "Files larger than this many megabytes are skipped", 0.001, 1000, rebuild="folder"
    )
    html: bool = _option(
        False, "reading", "Read .html files too, without menus and boilerplate (extra html)", rebuild="folder"
    )
    pdf: bool = _option(False, "reading", "Read the text of .pdf files too, page by page (extra pdf)", rebuild="folder")
    language: str = _option(
        "auto",
        "text",
        "Language of the notes; auto tells it from their words",
        choices=("auto", *LANGUAGES),
        rebuild="index",
    )
    stemming: str = _option(
        "auto",
        "text",
        "Snowball stemmer applied to every term; auto takes the one of the language",
        choices=("none", "auto", *STEMMING[1:]),
        rebuild="index",
    )
    stopwords: str = _option(
        "auto",
        "text",
        "Words left out of the index: those of the language, of English, or none",
        choices=("auto", "english", "none"),
        rebuild="index",
    )
    identifiers: bool = _option(
        False,
        "text",
        "Index names such as snake_case, C++ and node.js whole and camelCase in parts, too",
        rebuild="index",
    )
    chunker: str = _option(
        "sentences",
        "chunking",
        "How notes are cut",
        choices=("sentences", "structure", "semantic", "sections", "windows"),
        rebuild="index",
    )
    max_words: int = _option(60, "chunking", "Longest chunk in words", 5, 5000, rebuild="index")
    overlap_words: int = _option(0, "chunking", "Words a chunk shares with the one before it", 0, 4999, rebuild="index")
    headers: bool = _option(True, "chunking", "Index each chunk with its note's title and section", rebuild="index")
    context_lines: str = _option(
        "",
        "chunking",
        "Folder of lines about the chunks, written by `planet-tui context`; chunks are indexed with them",
        rebuild="index",
    )
    k1: float = _option(1.5, "retrieval", "BM25: how slowly repeated words stop counting", 0, 10)
    b: float = _option(0.75, "retrieval", "BM25: how much long chunks are held back", 0, 1)
    dimensions: int = _option(
        0, "retrieval", "LSA dimensions; 0 chooses by the size of the collection", 0, 2000, rebuild="index"
    )
    encoder: str = _option(
        "lsa",
        "retrieval",
        "What makes the vectors of the dense list",
        choices=("lsa", "endpoint", "local"),
        rebuild="index",
    )
    embedding_model: str = _option(
        "", "retrieval", "Name of the embedding model at base_url, for encoder = endpoint", rebuild="index"
    )
    embedding_path: str = _option(
        "", "retrieval", "Folder of a model2vec embedding model, for encoder = local", rebuild="index"
    )
    lists: int = _option(
        -1,
        "retrieval",
        "IVF lists that the vectors stand in; 0 compares every vector, -1 does that up to 50,000 chunks",
        -1,
        100_000,
    )
    probes: int = _option(3, "retrieval", "IVF lists scanned for a question, where `lists` is above 0", 1, 100_000)
    depth: int = _option(100, "retrieval", "Length of each list before fusion", 1, 10000)
    results: int = _option(10, "retrieval", "Results shown in each list", 1, 1000)
    fusion: str = _option(
        "adaptive",
        "retrieval",
        "How the lists become one: by scores and weights that suit the question, or by ranks alone",
        choices=("adaptive", "rrf"),
    )
    rrf_c: float = _option(60.0, "retrieval", "Fusion constant c in 1/(c + rank)", 0, 10000)
    bm25_weight: float = _option(1.0, "retrieval", "Weight of BM25's list in the fusion", 0, 100)
    lsa_weight: float = _option(1.0, "retrieval", "Weight of the dense list in the fusion", 0, 100)
    near_weight: float = _option(
        1.0,
        "retrieval",
        "Weight of words close together, of headers and of the rest of the note in the adaptive fusion",
        0,
        100,
    )
    tuned_on: int = _option(
        0,
        "retrieval",
        "Labelled questions that k1, b and the weights were tuned on, as `evaluate --tune --save` notes it; 0: none",
        0,
        1_000_000_000,
    )
    routing: str = _option(
        "none", "retrieval", "Search all notes, or those with the best leading sections", choices=("none", "leads")
    )
    routed_documents: int = _option(10, "retrieval", "Notes searched when leads choose them", 1, 10000)
    sources: int = _option(5, "prompt", "Most sources in the prompt", 1, 100)
    budget: int = _option(2000, "prompt", "Tokens of the whole prompt", 100, 1_000_000)
    template: str = _option(
        "chat", "prompt", "How the prompt is worded: for chat models or for base models", choices=("chat", "passages")
    )
    strategy: str = _option(
        "prefix", "prompt", "Which passages that fit are taken, and in what order", choices=("prefix", "edges")
    )
    prefer_newer: bool = _option(False, "prompt", "Put the newest of several versions of a note first")
    tokenizer: str = _option("", "prompt", "Path of a tokenizer.json that counts tokens; empty: words and marks")
    generator: str = _option("extractive", "answer", "What writes the answer", choices=("extractive", "hosted"))
    reader: str = _option(
        "features",
        "answer",
        "What the extractive generator judges sentences by",
        choices=("features", "coverage"),
    )
    threshold: float = _option(
        0.5, "answer", "Least probability (or coverage, where reader = coverage) of an extractive answer", 0, 1
    )
    base_url: str = _option("", "hosted", "Address of a chat-completions endpoint, such as http://localhost:11434/v1")
    model: str = _option("", "hosted", "Name of the hosted model")
    timeout: float = _option(60.0, "hosted", "Seconds to wait for a hosted reply", 1, 3600)
    time_limit: float = _option(
        600.0, "hosted", "Seconds after which a hosted reply that still goes on is given up", 1, 86400
    )

    def __post_init__(self) -> None:
        """Check every value; raise `SettingsError`."""
        for option in describe():
            object.__setattr__(self, option.name, option.check(getattr(self, option.name)))
        if self.overlap_words >= self.max_words:
            raise SettingsError(
                f"overlap_words = {self.overlap_words} is not below max_words = {self.max_words}",
                "An overlap must leave room for new words in every chunk.",
            )
        if "@" in self.base_url.split("?")[0].removeprefix("http://").removeprefix("https://").split("/")[0]:
            raise SettingsError(
                "base_url holds a user name or a password",
                "Secrets do not belong into settings: put the key into the environment as PLANET_TUI_API_KEY.",
            )

    def replace(self, **changes: Any) -> Settings:  # noqa: ANN401
        """Return a checked copy with `changes`; raise `SettingsError` for unknown names and bad values."""
        unknown = sorted(set(changes) - {option.name for option in describe()})
        if unknown:
            raise SettingsError(f"Unknown setting: {', '.join(unknown)}", "`planet-tui settings show` lists them.")
        return dataclasses.replace(self, **changes)

    def stale_after(self, other: Settings) -> Rebuild:
        """Say what has to be made again when these settings become `other`."""
        order: tuple[Rebuild, ...] = ("nothing", "index", "folder")
        changed = [o.rebuild for o in describe() if getattr(self, o.name) != getattr(other, o.name)]
        return max(changed, key=order.index, default="nothing")

    def to_dict(self) -> dict[str, Any]:
        """Return every option by name, in the order of the class."""
        return {option.name: getattr(self, option.name) for option in describe()}

    def to_public_dict(self) -> dict[str, Any]:
        """Return `to_dict` for eyes other than the user's own: the address without its query, which may hold a key.

        >>> Settings(base_url="https://host/v1?key=abc").to_public_dict()["base_url"]
        'https://host/v1'
        """
        return self.to_dict() | {"base_url": re.split("[?#]", self.base_url)[0]}


def describe() -> tuple[Option, ...]:
    """Return every option with its meaning, range and default, in the order of the class."""
    return _OPTIONS


def _read_options() -> tuple[Option, ...]:
    def option(spec: dataclasses.Field[Any]) -> Option:
        metadata: Mapping[str, Any] = spec.metadata
        return Option(name=spec.name, default=spec.default, **metadata)

    return tuple(option(spec) for spec in dataclasses.fields(Settings))


_OPTIONS = _read_options()
