"""Bytes of a `text/event-stream` as they arrive -> its events (WHATWG HTML, "Server-sent events")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Event(NamedTuple):
    """One event."""

    name: str
    """Its `event:` field; empty: none."""
    data: str
    """Its `data:` lines, joined by line feeds."""


class EventStream:
    """Collects bytes, however they are cut, and yields an event at each blank line. Lines end in LF or CRLF.

    What is no event stream, such as one JSON object, holds no `data:` line and yields nothing.
    """

    def __init__(self) -> None:
        """Start with nothing received."""
        self._line = bytearray()
        self._name = ""
        self._data: list[str] = []

    def feed(self, part: bytes) -> Iterator[Event]:
        r"""Yield the events that a part completes.

        >>> stream = EventStream()
        >>> list(stream.feed(b"data: on")), list(stream.feed(b"e\n\ndata: two\n\n"))
        ([], [Event(name='', data='one'), Event(name='', data='two')])
        """
        first, *others = part.split(b"\n")
        self._line += first
        for following in others:
            line, self._line = self._line, bytearray(following)
            if event := self._take(line.removesuffix(b"\r").decode("utf-8", "replace")):
                yield event

    def _take(self, line: str) -> Event | None:
        name, _, value = line.removeprefix("\ufeff").partition(":")  # a byte order mark may open the stream
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._name = value
        elif not line and self._data:
            event = Event(self._name, "\n".join(self._data))
            self._name, self._data = "", []
            return event
        return None
