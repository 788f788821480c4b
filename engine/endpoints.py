"""The one HTTP client: JSON to an OpenAI-compatible endpoint and back, with retries, and stopped within 100 ms.

A request runs on an event loop of its own inside the calling thread, beside a watcher that asks `should_stop`;
cancelling the loop's task closes the connection at once. No message, log line or representation holds the key.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import Any, NamedTuple, TypeVar

import httpx

from engine.errors import Cancelled, EndpointError
from engine.records import ShouldStop

RETRY_ON = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
LONGEST_WAIT = 30.0
"""Seconds of one pause between two tries, whatever the server asks for."""
MOST_BYTES = 8 * 1024 * 1024
"""A reply larger than this is refused."""
POLL = 0.05
"""Seconds between two looks at `should_stop`."""
SHORTEST_SECRET = 8
"""Characters; shorter keys are placeholders such as `ollama`, words that an answer may hold."""

T = TypeVar("T")


class _Reply(NamedTuple):
    status: int
    body: bytes
    retry_after: float | None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go and how patiently."""

    base_url: str = field(repr=False)
    """Such as `http://localhost:11434/v1`; a query stays behind the path, a user name and password are sent apart."""
    api_key: str = field(default="", repr=False)
    """Sent as a bearer token; empty: none."""
    timeout: float = 60.0
    """Seconds to wait for a connection and between two parts of a reply."""
    retries: int = 3
    """Most further tries after a busy or failing server."""
    backoff: float = 0.5
    """Seconds of the first pause; each one after is twice as long, unless the server names its own."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """How to pause between two tries."""

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
        if not self.api_key.isascii() or not self.api_key.isprintable():
            raise EndpointError("The key holds characters that a header cannot carry.", "Check PLANET_TUI_API_KEY.")
        address = self._address()
        url = address.copy_with(userinfo=b"", path=address.path.rstrip("/") + path, fragment=None)
        if should_stop is not None and should_stop():
            raise Cancelled
        return self._read(_run(_watched(self._exchange(url, json.dumps(body).encode()), should_stop)))

    def scrub(self, text: str) -> str:
        """Return what a server sent without the secrets it may have echoed."""
        address = self._address()
        for secret in (self.api_key, address.password, *address.params.values()):
            if len(secret) >= SHORTEST_SECRET:
                text = text.replace(secret, "…")
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
                timeout=self.timeout, headers=headers, auth=auth, trust_env=not _is_this_machine(address.host)
            )
        except (httpx.InvalidURL, ValueError, ImportError, OSError):
            raise EndpointError(
                "The proxy or certificates that the environment names cannot be used.",
                "Check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.",
            ) from None

    async def _exchange(self, url: httpx.URL, body: bytes) -> _Reply:
        """Send until the server is neither busy nor failing, or the tries are used up."""
        async with self._client() as client:
            for attempt in range(self.retries + 1):
                reply = await self._send(client, url, body)
                if reply.status not in RETRY_ON or attempt == self.retries:
                    break
                pause = self.backoff * 2**attempt if reply.retry_after is None else reply.retry_after
                await self.sleep(min(LONGEST_WAIT, pause))
        return reply

    async def _send(self, client: httpx.AsyncClient, url: httpx.URL, body: bytes) -> _Reply:
        received = bytearray()
        try:
            async with client.stream("POST", url, content=body) as response:
                async for part in response.aiter_bytes():
                    received += part
                    if len(received) > MOST_BYTES:
                        raise EndpointError(
                            f"{self.shown_url} sent more than {MOST_BYTES // 2**20} MB.", "Is it a chat endpoint?"
                        )
                pause = retry_after(response.headers.get("Retry-After", ""))
                return _Reply(response.status_code, bytes(received), pause)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._failure(error) from None

    def _failure(self, error: Exception) -> EndpointError:
        if isinstance(error, httpx.TimeoutException):
            return EndpointError(
                f"{self.shown_url} did not answer within {self.timeout:g} seconds.",
                "Raise the timeout in the settings, or try a smaller model.",
            )
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


async def _watched(work: Coroutine[Any, Any, T], should_stop: ShouldStop | None) -> T:
    """Await `work`; cancel it and raise `Cancelled` once `should_stop` returns true."""
    task = asyncio.ensure_future(work)
    while not task.done():
        await asyncio.wait({task}, timeout=POLL)
        if should_stop is not None and not task.done() and should_stop():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            raise Cancelled
    return task.result()


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a loop of its own. Unlike `asyncio.run` it does not wait for a name lookup that hangs."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _is_this_machine(host: str) -> bool:
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


def retry_after(header: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> float | None:
    """Return the seconds a `Retry-After` header asks to wait, at least 0; `None` when it says nothing.

    >>> retry_after("2"), retry_after("soon")
    (2.0, None)
    """
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - now()).total_seconds())
