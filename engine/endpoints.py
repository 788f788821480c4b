"""The one HTTP client: JSON to an OpenAI-compatible endpoint and back, with retries, and stopped within 100 ms.

A request runs on an event loop of its own inside the calling thread, beside a watcher that asks `should_stop`;
cancelling the loop's task closes the connection at once. No message, log line or representation holds the key.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, NamedTuple

import httpx

from engine.errors import Cancelled, EndpointError
from engine.event_stream import Event, EventStream
from engine.records import ShouldStop
from engine.waiting import retry_after, run_watched

RETRY_ON = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
LONGEST_WAIT = 30.0
"""Seconds of one pause between two tries; a server that asks for more is not asked again."""
MOST_BYTES = 8 * 1024 * 1024
"""A reply larger than this is refused."""
SHORTEST_SECRET = 8
"""Characters; shorter keys are placeholders such as `ollama`, words that an answer may hold."""

OnEvent = Callable[[Any], bool]
"""Takes the JSON of one event of a stream; returns whether it was the last."""


class _Reply(NamedTuple):
    status: int
    body: bytes
    retry_after: float | None
    streamed: bool


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go and how patiently."""

    base_url: str = field(repr=False)
    """Such as `http://localhost:11434/v1`; a query stays behind the path, a user name and password are sent apart."""
    api_key: str = field(default="", repr=False)
    """Sent as a bearer token; empty: none."""
    timeout: float = 60.0
    """Seconds to wait for a connection and between two parts of a reply."""
    limit: float = 600.0
    """Seconds of the whole request, its further tries and the pauses between them included."""
    retries: int = 3
    """Most further tries after a busy or failing server."""
    backoff: float = 0.5
    """Seconds of the first pause; each one after is twice as long, unless the server names its own."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """How to pause between two tries."""
    report: Callable[[str], None] | None = field(default=None, repr=False)
    """Told in words what a request waits for, and an empty text when the wait is over."""

    @property
    def shown_url(self) -> str:
        """The address without user name, password and query: fit for a message."""
        return re.split("[?#]", re.sub("//.*@", "//", self.base_url.strip()))[0]

    def post(self, path: str, body: Mapping[str, Any], should_stop: ShouldStop | None = None) -> Any:  # noqa: ANN401
        """Send JSON and return the JSON of the reply. Call it from a thread without an event loop.

        Args:
            path: appended to the address, such as `/chat/completions`.
            body: what to send.
            should_stop: asked every 50 ms.

        Raises:
            EndpointError: the address or the key is not one, nobody answers there, or the reply is not as agreed.
            Cancelled: `should_stop` returned true.
        """
        return self._read(self._request(path, body, should_stop))

    def stream(
        self, path: str, body: Mapping[str, Any], on_event: OnEvent, should_stop: ShouldStop | None = None
    ) -> Any:  # noqa: ANN401
        """Send JSON and hand on each event of the reply as it arrives, in the calling thread.

        Args:
            path: appended to the address.
            body: what to send; it asks for a stream.
            on_event: takes the JSON of each event; returns whether it was the last. `[DONE]` is the last, too.
            should_stop: asked every 50 ms.

        Returns:
            `None`; of a server that does not stream, the JSON of its one reply.

        Raises:
            EndpointError: as `post`; or the stream ended before its last event.
            Cancelled: `should_stop` returned true.
        """
        reply = self._request(path, body, should_stop, on_event)
        return None if reply.streamed else self._read(reply)

    def _request(
        self, path: str, body: Mapping[str, Any], should_stop: ShouldStop | None, on_event: OnEvent | None = None
    ) -> _Reply:
        if not self.api_key.isascii() or not self.api_key.isprintable():
            raise EndpointError("The key holds characters that a header cannot carry.", "Check PLANET_TUI_API_KEY.")
        address = self._address()
        url = address.copy_with(userinfo=b"", path=address.path.rstrip("/") + path, fragment=None)
        if should_stop is not None and should_stop():
            raise Cancelled
        return run_watched(self._exchange(url, json.dumps(body).encode(), on_event), should_stop)

    def scrub(self, text: str, *, growing: bool = False) -> str:
        """Return what a server sent without the secrets it may have echoed.

        Args:
            text: what came so far.
            growing: whether more will come: an end that may turn out to be the start of a secret is held back.
        """
        address = self._address()
        for secret in (self.api_key, address.password, *address.params.values()):
            if len(secret) >= SHORTEST_SECRET:
                text = text.replace(secret, "…")
                if growing:
                    text = text[: len(text) - _overlap(text, secret)]
        return text

    def _address(self) -> httpx.URL:
        try:
            url = httpx.URL(self.base_url.strip())
        except httpx.InvalidURL:
            url = httpx.URL()
        if url.scheme in ("http", "https") and url.host:
            return url
        raise EndpointError(
            f"{self.shown_url!r} is not the address of an endpoint.",
            "Set base_url to one that starts with http:// or https://, such as http://localhost:11434/v1.",
        )

    def _client(self) -> httpx.AsyncClient:
        address = self._address()
        headers = {"Content-Type": "application/json"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        auth = (address.username, address.password) if address.userinfo and not self.api_key else None
        try:
            return httpx.AsyncClient(
                timeout=self.timeout, headers=headers, auth=auth, trust_env=not is_this_machine(address.host)
            )
        except (httpx.InvalidURL, ValueError, ImportError, OSError):
            raise EndpointError(
                "The proxy or certificates that the environment names cannot be used.",
                "Check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.",
            ) from None

    async def _exchange(self, url: httpx.URL, body: bytes, on_event: OnEvent | None) -> _Reply:
        """Send until the server is neither busy nor failing, or the tries or the time are used up."""
        try:
            async with asyncio.timeout(self.limit), self._client() as client:
                for attempt in range(self.retries + 1):
                    reply = await self._send(client, url, body, on_event)
                    if reply.status not in RETRY_ON or attempt == self.retries:
                        break
                    await self._pause(reply, attempt)
            return reply
        except TimeoutError:
            raise EndpointError(
                f"{self.shown_url} was not done after {self.limit:g} seconds.",
                "Raise time_limit in the settings, or try a smaller model.",
            ) from None

    async def _pause(self, reply: _Reply, attempt: int) -> None:
        asked = reply.retry_after
        pause = self.backoff * 2**attempt if asked is None else asked
        if pause > LONGEST_WAIT:
            raise EndpointError(
                f"{self.shown_url} answered {reply.status} and asks to wait {pause:,.0f} s.", "Ask again after that."
            )
        report = self.report or (lambda said: None)
        report(
            f"The server answered {reply.status}: trying again in {pause:g} s"
            if asked is None
            else f"The server asks to wait {pause:.0f} s"
        )
        await self.sleep(pause)
        report("")

    async def _send(self, client: httpx.AsyncClient, url: httpx.URL, body: bytes, on_event: OnEvent | None) -> _Reply:
        received, events, streamed = bytearray(), EventStream(), False
        try:
            async with client.stream("POST", url, content=body) as response:
                pause = retry_after(response.headers.get("Retry-After", ""))
                async for part in response.aiter_bytes():
                    received += part
                    if len(received) > MOST_BYTES:
                        raise EndpointError(
                            f"{self.shown_url} sent more than {MOST_BYTES // 2**20} MB.", "Is it a chat endpoint?"
                        )
                    if on_event is not None and response.is_success:
                        for event in events.feed(part):
                            streamed = True
                            if self._is_last(event, on_event):
                                return _Reply(response.status_code, b"", None, True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._failure(error, streamed) from None
        if streamed:
            raise self._cut()
        return _Reply(response.status_code, bytes(received), pause, False)

    def _is_last(self, event: Event, on_event: OnEvent) -> bool:
        """Hand an event of a stream on; return whether it was the last."""
        if event.data.strip() == "[DONE]":
            return True
        try:
            read = json.loads(event.data)
        except (ValueError, RecursionError):
            raise EndpointError(
                f"{self.shown_url} sent a part of its reply that is not JSON.", "Try again; check base_url."
            ) from None
        said = self._said({"error": read} if event.name == "error" and isinstance(read, dict) else read)
        if said:
            raise EndpointError(f"{self.shown_url} broke off its reply: {said}", "Try again, or another model.")
        return on_event(read)

    def _cut(self) -> EndpointError:
        return EndpointError(
            f"{self.shown_url} broke off in the middle of its reply.", "Try again; the server or the way to it failed."
        )

    def _failure(self, error: Exception, streamed: bool) -> EndpointError:
        if isinstance(error, httpx.TimeoutException):
            said = "fell silent in the middle of its reply for" if streamed else "did not answer within"
            return EndpointError(
                f"{self.shown_url} {said} {self.timeout:g} seconds.",
                "Raise the timeout in the settings, or try a smaller model.",
            )
        if streamed:
            return self._cut()
        if isinstance(error, httpx.ConnectError | httpx.ProxyError | httpx.InvalidURL):
            return EndpointError(f"{self.shown_url} cannot be reached.", "Is the server running? Check base_url.")
        return EndpointError(
            f"{self.shown_url} broke off its reply, or does not speak HTTP.",
            "Try again; if it happens again, check base_url.",
        )

    def _read(self, reply: _Reply) -> Any:  # noqa: ANN401
        """Return the JSON of a good reply; raise the error that explains a bad one."""
        try:
            read = json.loads(reply.body)
        except (ValueError, RecursionError):
            read = None
        good = 200 <= reply.status < 300
        said = self._said(read)
        if good and read is None:
            raise EndpointError(
                f"{self.shown_url} answered, but not in JSON.", "Check base_url: it usually ends in /v1."
            )
        if good and not said:
            return read
        raise EndpointError(
            f"{self.shown_url} answered {reply.status}{said and ': '}{said or '.'}", _hint(reply.status)
        )

    def _said(self, read: Any) -> str:  # noqa: ANN401
        """Return what the server says is wrong, one line; some say it under status 200. Empty: nothing."""
        error = read.get("error") if isinstance(read, dict) else None
        said = error.get("message") if isinstance(error, dict) else error
        return self.scrub(" ".join(str(said).split()))[:200] if said else ""


def _overlap(text: str, secret: str) -> int:
    """Return how many characters at the end of a text are the start of a secret.

    >>> _overlap("the key is sk-a", "sk-abcdefg")
    4
    """
    return next((n for n in range(min(len(text), len(secret) - 1), 0, -1) if text.endswith(secret[:n])), 0)


def is_this_machine(host: str) -> bool:
    """Return whether a host is this machine, where no proxy belongs in between."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


_HINTS = {
    401: "The key was not accepted: set PLANET_TUI_API_KEY in the environment.",
    403: "The key may not use this: check PLANET_TUI_API_KEY and the model.",
    404: "No such endpoint or model: check base_url (it usually ends in /v1) and the model's name.",
    429: "Too many requests: wait a little, then ask again.",
}


def _hint(status: int) -> str:
    if 300 <= status < 400:
        return "It redirects elsewhere: set base_url to the final address."
    other = "The server failed; try again later." if status >= 500 else "Check the model's name and base_url."
    return _HINTS.get(status, other)
