"""A real server on loopback that plays what an endpoint may do."""

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, NamedTuple

import pytest

Play = Callable[[BaseHTTPRequestHandler], None]


class Received(NamedTuple):
    path: str
    headers: dict[str, str]
    body: Any


class Endpoint:
    """Plays its `plays` one request after the other, the last one again and again."""

    def __init__(self) -> None:
        self.plays: list[Play] = []
        self.received: list[Received] = []
        self.closing = Event()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.received.append(Received(self.path, dict(self.headers), body))
                endpoint.plays[min(len(endpoint.received), len(endpoint.plays)) - 1](self)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None:
                """A client that went away is what some tests are about."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def play(self, status: int = 200, body: object = None, **headers: str) -> None:
        """Answer with a status and a body: bytes as they are, anything else as JSON."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()

        def play(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.send_header("Content-Length", str(len(content)))
            handler.end_headers()
            handler.wfile.write(content)

        self.plays.append(play)

    def play_chat(self, text: object) -> None:
        self.play(body={"choices": [{"message": {"role": "assistant", "content": text}}]})

    def play_raw(self, content: bytes) -> None:
        """Send bytes instead of a response, and hang up."""
        self.plays.append(lambda handler: handler.wfile.write(content) and None)

    def play_stream(self, *parts: str | Event) -> None:
        """Send events as they are, waiting for each `Event` among them, and hang up."""

        def play(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.send_header("Content-Type", "text/event-stream")
            handler.end_headers()
            for part in parts:
                if isinstance(part, Event):
                    part.wait()
                else:
                    handler.wfile.write(part.encode())
                    handler.wfile.flush()

        self.plays.append(play)

    def play_chat_stream(self, *texts: str, finish: str = "stop") -> None:
        """Send a chat completion text by text."""
        events = [{"choices": [{"delta": {"content": text}, "finish_reason": None}]} for text in texts]
        events.append({"choices": [{"delta": {}, "finish_reason": finish}]})
        self.play_stream(*(f"data: {json.dumps(event)}\n\n" for event in events), "data: [DONE]\n\n")

    def play_drip(self, content: bytes, **headers: str) -> None:
        """Send the same bytes again and again until the test is over."""

        def play(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            for name, value in headers.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.end_headers()
            while not self.closing.wait(0.005):
                handler.wfile.write(content)

        self.plays.append(play)

    def play_silence(self) -> None:
        """Say nothing until the test is over."""
        self.plays.append(lambda handler: self.closing.wait() and None)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    yield server
    server.close()
