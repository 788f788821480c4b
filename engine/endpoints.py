"""The one HTTP client: JSON to an OpenAI-compatible endpoint and back, with retries, and stopped within 100 ms.

A request runs on an event loop of its own inside the calling thread, beside a watcher that asks `should_stop`;
cancelling the loop's task closes the connection at once.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit, urlunsplit

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


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go and how patiently."""

    base_url: str
    """Such as `http://localhost:11434/v1`."""
    api_key: str = ""
    """Sent as a bearer token; empty: none. Never part of an error or a representation."""
    timeout: float = 60.0
    """Seconds to wait for a connection and between two parts of a reply."""
    retries: int = 3
    """Most further tries after a busy or failing server."""
    backoff: float = 0.5
    """Seconds of the first pause; each one after is twice as long."""

    def __repr__(self) -> str:
        """Leave the key out."""
        return f"Endpoint({self.shown_url!r})"

    @property
    def shown_url(self) -> str:
        """The address without user name, password and query: fit for a message."""
        parts = urlsplit(self.base_url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    def post(self, path: str, body: Mapping[str, Any], should_stop: ShouldStop | None = None) -> Any:  # noqa: ANN401
        """Send JSON and return the JSON of the reply. Call it from a thread without an event loop.

        Raises:
            EndpointError: the address is not one, nobody answers there, or the reply is not as agreed.
            Cancelled: `should_stop` returned true.
        """
        if urlsplit(self.base_url).scheme not in ("http", "https") or not urlsplit(self.base_url).hostname:
            raise EndpointError(
                f"{self.shown_url!r} is not the address of an endpoint.",
                "Set base_url to one that starts with http:// or https://, such as http://localhost:11434/v1.",
            )
        return asyncio.run(self._post_watched(path, body, should_stop))

    async def _post_watched(self, path: str, body: Mapping[str, Any], should_stop: ShouldStop | None) -> Any:  # noqa: ANN401
        request = asyncio.create_task(self._post(path, body))
        while not request.done():
            await asyncio.wait({request}, timeout=POLL)
            if should_stop is not None and should_stop() and not request.done():
                request.cancel()
                await asyncio.wait({request})
                raise Cancelled
        return request.result()

    async def _post(self, path: str, body: Mapping[str, Any]) -> Any:  # noqa: ANN401
        if not self.api_key.isascii() or not self.api_key.isprintable():
            raise EndpointError("The key holds characters that a header cannot carry.", "Check PLANET_TUI_API_KEY.")
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        url = self.base_url.rstrip("/") + path
        async with httpx.AsyncClient(timeout=self.timeout, headers=headers, trust_env=not self._local) as client:
            for attempt in range(self.retries + 1):
                try:
                    status, reply, after = await self._send(client, url, body)
                except httpx.HTTPError as error:
                    raise self._unreachable(error) from None
                except httpx.InvalidURL:
                    raise EndpointError(f"{self.shown_url!r} is not an address.", "Check base_url.") from None
                if status not in RETRY_ON or attempt == self.retries:
                    break
                await asyncio.sleep(min(LONGEST_WAIT, after if after is not None else self.backoff * 2**attempt))
        return self._read(status, reply)

    async def _send(
        self, client: httpx.AsyncClient, url: str, body: Mapping[str, Any]
    ) -> tuple[int, bytes, float | None]:
        """Return status, body and the pause the server asks for."""
        async with client.stream("POST", url, json=body) as response:
            reply = bytearray()
            async for part in response.aiter_bytes():
                reply += part
                if len(reply) > MOST_BYTES:
                    raise EndpointError(
                        f"{self.shown_url} sent more than {MOST_BYTES // 2**20} MB.", "Is this a chat endpoint?"
                    )
            return response.status_code, bytes(reply), retry_after(response.headers.get("Retry-After", ""))

    def _read(self, status: int, reply: bytes) -> Any:  # noqa: ANN401
        """Return the JSON of a good reply; raise the error that explains a bad one."""
        if 200 <= status < 300:
            try:
                return json.loads(reply)
            except (ValueError, RecursionError):
                raise EndpointError(
                    f"{self.shown_url} answered, but not in JSON.", "Check base_url: it usually ends in /v1."
                ) from None
        raise EndpointError(f"{self.shown_url} answered {status}{self._said(reply)}", _HINTS.get(status, _hint(status)))

    def _said(self, reply: bytes) -> str:
        """Return what the server says is wrong, one line, without the key it may have echoed."""
        try:
            error = json.loads(reply)["error"]
            said = error["message"] if isinstance(error, dict) else error
        except (ValueError, RecursionError, KeyError, TypeError):
            return "."
        return f": {self._scrub(' '.join(str(said).split())[:200])}"

    def _scrub(self, text: str) -> str:
        return text.replace(self.api_key, "…") if self.api_key else text

    def _unreachable(self, error: httpx.HTTPError) -> EndpointError:
        if isinstance(error, httpx.TimeoutException):
            return EndpointError(
                f"{self.shown_url} did not answer within {self.timeout:g} seconds.",
                "Raise the timeout in the settings, or try a smaller model.",
            )
        if isinstance(error, (httpx.RemoteProtocolError, httpx.ReadError)):
            return EndpointError(f"{self.shown_url} broke off in the middle of its reply.", "Try again.")
        return EndpointError(f"{self.shown_url} cannot be reached.", "Is the server running, and is base_url right?")

    @property
    def _local(self) -> bool:
        """Whether the address is this machine, where no proxy belongs in between."""
        return urlsplit(self.base_url).hostname in ("localhost", "127.0.0.1", "::1")


_HINTS = {
    401: "The key was not accepted: set PLANET_TUI_API_KEY in the environment.",
    403: "The key may not use this: check PLANET_TUI_API_KEY and the model.",
    404: "No such endpoint or model: check base_url (it usually ends in /v1) and the model's name.",
    429: "Too many requests: wait a little, then ask again.",
}


def _hint(status: int) -> str:
    if 300 <= status < 400:
        return "It redirects elsewhere: set base_url to the final address."
    return "The server failed; try again later." if status >= 500 else "Check the model's name and base_url."


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
    except ValueError:
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - now()).total_seconds())
