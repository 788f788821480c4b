"""A wiki on loopback that answers as MediaWiki's API does."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit


class WikiServer:
    """Holds pages with revisions; `troubles` are played before it answers again."""

    def __init__(self) -> None:
        self.revisions: dict[int, tuple[str, str]] = {}  # number -> title, HTML
        self.redirects: dict[str, str] = {}
        self.disambiguations: set[str] = set()
        self.troubles: list[Callable[[BaseHTTPRequestHandler], None]] = []
        self.asked: list[dict[str, str]] = []
        self.agents: set[str] = set()
        wiki = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
                wiki.asked.append(asked)
                wiki.agents.add(self.headers["User-Agent"])
                if wiki.troubles:
                    wiki.troubles.pop(0)(self)
                else:
                    send(self, wiki.answer(asked))

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/w/api.php"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def trouble(self, status: int, body: Any = None, **headers: str) -> None:
        self.troubles.append(lambda handler: send(handler, body, status, **headers))

    def requests(self, action: str) -> int:
        return sum(asked["action"] == action for asked in self.asked)

    def answer(self, asked: dict[str, str]) -> Any:
        assert (asked["format"], asked["formatversion"]) == ("json", "2")
        if asked["action"] == "parse":
            title, html = self.revisions.get(int(asked["oldid"]), ("", ""))
            if not title:
                return {"error": {"code": "nosuchrevid", "info": f"There is no revision with ID {asked['oldid']}."}}
            return {"parse": {"title": title, "revid": int(asked["oldid"]), "text": html}}
        if asked.get("meta") == "siteinfo":
            rights = {"url": "https://creativecommons.org/licenses/by-sa/4.0/", "text": "CC BY-SA 4.0"}
            general = {"server": "//wiki.example.org", "script": "/w/index.php", "lang": "en"}
            return {"query": {"general": general, "rightsinfo": rights}}
        return {"query": self._look_up(asked["titles"].split("|"))}

    def _look_up(self, titles: list[str]) -> dict[str, Any]:
        normalized, redirects, pages = [], [], {}
        for title in titles:
            capital = title[:1].upper() + title[1:]
            if capital != title:
                normalized.append({"fromencoded": False, "from": title, "to": capital})
            if capital in self.redirects:
                redirects.append({"from": capital, "to": self.redirects[capital]})
                capital = self.redirects[capital]
            found = [number for number, (name, _) in self.revisions.items() if name == capital]
            page: dict[str, Any] = {"ns": 0, "title": capital}
            if found:
                revision = {"revid": max(found), "parentid": 0, "timestamp": "2024-05-01T12:00:00Z"}
                page |= {"pageid": 7, "revisions": [revision]}
            else:
                page |= {"missing": True}
            if capital in self.disambiguations:
                page["pageprops"] = {"disambiguation": ""}
            pages[capital] = page
        return {"normalized": normalized, "redirects": redirects, "pages": list(pages.values())}


def send(handler: BaseHTTPRequestHandler, body: Any, status: int = 200, **headers: str) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)
