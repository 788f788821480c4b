"""Titles -> revisions and rendered articles, through the API of a MediaWiki such as Wikipedia's.

One request at a time with a pause between two, a user agent that names the program, `maxlag`, and patience where
the server asks for it: what https://www.mediawiki.org/wiki/API:Etiquette wants of a guest.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx

from engine.endpoints import LONGEST_WAIT, RETRY_ON, is_this_machine
from engine.errors import EndpointError
from engine.waiting import retry_after

MOST_TITLES = 50
"""Titles in one request; the API takes no more of a guest."""
_BUSY = frozenset(("maxlag", "ratelimited", "readonly", "internal_api_error_DBQueryError"))
"""Errors under status 200 that pass."""
_NO_TITLE = re.compile(r"[\[\]{}<>|\x00-\x1f\x7f]")


class Page(NamedTuple):
    """What a wiki says of a title."""

    title: str
    """The page's own title, after redirects."""
    page: int
    """Its number in the wiki."""
    revision: int
    """The newest revision's number."""
    date: str
    """ISO date of that revision."""
    is_list_of_meanings: bool
    """Whether it only lists pages that could be meant."""


class Site(NamedTuple):
    """Whose articles these are, and under what licence."""

    script: str
    """Address of the wiki's `index.php`."""
    language: str
    """Language code, such as `en`."""
    license: str
    """The licence's name."""
    license_url: str
    """Where it is written down; empty: the wiki does not say."""

    def source(self, title: str, revision: int) -> str:
        """Return the address of one revision of an article."""
        return str(httpx.URL(self.script, params={"title": title.replace(" ", "_"), "oldid": str(revision)}))


@dataclass(frozen=True, slots=True)
class Wiki:
    """The API of one wiki."""

    api: str
    """Such as `https://en.wikipedia.org/w/api.php`."""
    agent: str
    """What names the program to the server."""
    pause: float = 1.0
    """Seconds between two requests."""
    retries: int = 4
    """Most further tries when the server is busy."""
    timeout: float = 60.0
    """Seconds to wait for a part of a reply."""
    sleep: Callable[[float], object] = field(default_factory=lambda: time.sleep, repr=False)
    """How to pause."""

    def site(self) -> Site:
        """Ask for the wiki's language and licence.

        Raises:
            EndpointError: as every other request.
        """
        said = self._ask(action="query", meta="siteinfo", siprop="general|rightsinfo").get("query", {})
        general, rights = said.get("general", {}), said.get("rightsinfo", {})
        script = httpx.URL(self.api).join(f"{general.get('server', '')}{general.get('script', 'index.php')}")
        return Site(str(script), general.get("lang", ""), rights.get("text", ""), rights.get("url", ""))

    def pages(self, titles: Sequence[str]) -> dict[str, Page | str]:
        """Look up titles, through redirects.

        Returns:
            By title as given: the page, or the reason in words why there is none.
        """
        found: dict[str, Page | str] = {
            title: "it holds a character that no title may hold" if title.strip() else "it is empty"
            for title in titles
            if _NO_TITLE.search(title) or not title.strip()
        }
        asked = [title for title in dict.fromkeys(titles) if title not in found]
        for at in range(0, len(asked), MOST_TITLES):
            found |= self._look_up(asked[at : at + MOST_TITLES])
        return found

    def article(self, revision: int) -> str | None:
        """Return the HTML of one revision; `None`: the wiki has no such revision any more."""
        said = self._ask(action="parse", oldid=str(revision), prop="text", disableeditsection="1", disabletoc="1")
        if said.get("error", {}).get("code") in ("nosuchrevid", "missingtitle", "permissiondenied"):
            return None
        text = said.get("parse", {}).get("text")
        if isinstance(text, str):
            return text
        raise self._unlike_a_wiki()

    def _look_up(self, titles: Sequence[str]) -> dict[str, Page | str]:
        said = self._ask(
            action="query", titles="|".join(titles), redirects="1", prop="revisions|pageprops",
            rvprop="ids|timestamp", ppprop="disambiguation",
        ).get("query", {})  # fmt: skip
        leads = {step["from"]: step["to"] for way in ("normalized", "redirects") for step in said.get(way, ())}
        pages = {page.get("title", ""): _page(page) for page in said.get("pages", ())}
        found = {}
        for title in titles:
            target, steps = title, 0
            while target in leads and steps <= len(leads):
                target, steps = leads[target], steps + 1
            found[title] = pages.get(target, "the wiki says nothing of it")
        return found

    def _ask(self, **parameters: str) -> Mapping[str, Any]:
        parameters |= {"format": "json", "formatversion": "2", "maxlag": "5"}
        for attempt in range(self.retries + 1):
            reply = self._get(parameters)
            said = _json(reply)
            code = said.get("error", {}).get("code") if said else None
            if reply.status_code not in RETRY_ON and code not in _BUSY:
                break
            asked = retry_after(reply.headers.get("Retry-After", ""))
            if attempt < self.retries:
                self.sleep(min(LONGEST_WAIT, 2.0**attempt if asked is None else asked))
        if code in _BUSY or not reply.is_success:
            raise EndpointError(
                f"{self.api} answered {reply.status_code}{f' ({code})' if code else ''}.",
                "Try again later; what has been fetched is kept." if reply.status_code != 404 else _HINT,
            )
        if said is None:
            raise self._unlike_a_wiki()
        return said

    def _get(self, parameters: Mapping[str, str]) -> httpx.Response:
        self.sleep(self.pause)
        try:
            url = httpx.URL(self.api)
            return httpx.get(
                url,
                params=parameters,
                headers={"User-Agent": self.agent},
                timeout=self.timeout,
                follow_redirects=True,
                trust_env=not is_this_machine(url.host),
            )
        except httpx.TimeoutException:
            raise EndpointError(f"{self.api} did not answer in {self.timeout:g} seconds.", "Try again later.") from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            raise EndpointError(f"{self.api} cannot be reached: {error}.", _HINT) from None

    def _unlike_a_wiki(self) -> EndpointError:
        return EndpointError(f"{self.api} does not answer as the API of a MediaWiki.", _HINT)


_HINT = "Check --api: for the English Wikipedia it is https://en.wikipedia.org/w/api.php."


def _page(said: Mapping[str, Any]) -> Page | str:
    if said.get("invalid"):
        return said.get("invalidreason") or "it is no valid title"
    revisions = said.get("revisions")
    if said.get("missing") or not revisions:
        return "the wiki has no such page"
    newest = revisions[0]
    return Page(
        said["title"],
        said["pageid"],
        newest["revid"],
        newest["timestamp"][:10],
        "disambiguation" in said.get("pageprops", {}),
    )


def _json(reply: httpx.Response) -> Mapping[str, Any] | None:
    try:
        said = reply.json()
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None
