import asyncio
import logging
import socket
import traceback
from datetime import UTC, datetime, timedelta
from threading import Event, current_thread

import pytest

from engine import waiting
from engine.endpoints import LONGEST_WAIT, MOST_BYTES, Endpoint
from engine.errors import Cancelled, EndpointError
from engine.event_stream import EventStream
from engine.waiting import retry_after

KEY = "sk-a-very-secret-key"
NOWHERE = "http://planets.invalid/v1"


def post(url, **options):
    return Endpoint(url, **{"retries": 0, "timeout": 10.0, **options}).post("/chat/completions", {"model": "m"})


def failure(url, **options):
    with pytest.raises(EndpointError) as caught:
        post(url, **options)
    return caught.value


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


# --- what is sent


def test_json_goes_out_and_comes_back(endpoint):
    endpoint.play(body={"said": "h€llo"})
    assert post(endpoint.url, api_key=KEY) == {"said": "h€llo"}
    (received,) = endpoint.received
    assert received.path == "/v1/chat/completions"
    assert received.body == {"model": "m"}
    assert received.headers["Authorization"] == f"Bearer {KEY}"
    assert received.headers["Content-Type"] == "application/json"


def test_without_a_key_no_authorization_is_sent(endpoint):
    endpoint.play()
    with pytest.raises(EndpointError):  # `null` is no reply
        post(endpoint.url)
    assert "Authorization" not in endpoint.received[0].headers


def test_user_name_and_password_of_the_address_are_sent_as_basic_authorization(endpoint):
    endpoint.play(body={})
    post(endpoint.url.replace("//", "//user:pass@"))
    assert endpoint.received[0].headers["Authorization"] == "Basic dXNlcjpwYXNz"  # base64 of user:pass


@pytest.mark.parametrize(
    ("suffix", "path"),
    [
        ("/", "/v1/chat/completions"),
        ("?api-version=2", "/v1/chat/completions?api-version=2"),
        ("#here", "/v1/chat/completions"),
        ("  ", "/v1/chat/completions"),
    ],
)
def test_the_path_is_put_behind_the_address_and_before_its_query(endpoint, suffix, path):
    endpoint.play(body={})
    post(endpoint.url + suffix)
    assert endpoint.received[0].path == path


def test_a_lone_surrogate_does_not_break_a_request(endpoint):
    endpoint.play(body={})
    Endpoint(endpoint.url).post("/embeddings", {"input": "a\udc80b"})
    assert endpoint.received[0].body == {"input": "a\udc80b"}


def test_no_proxy_stands_between_the_program_and_this_machine(endpoint, monkeypatch, closed_port):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port}")
    endpoint.play(body={})
    assert post(endpoint.url) == {}
    assert post(endpoint.url.replace("127.0.0.1", "localhost")) == {}


def test_other_addresses_go_through_the_proxy_of_the_environment(endpoint, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, endpoint.url.removesuffix("/v1"))
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    endpoint.play(body={})
    post(NOWHERE)
    assert endpoint.received[0].path == f"{NOWHERE}/chat/completions"


def test_a_proxy_that_cannot_be_used_is_named_without_its_address(monkeypatch):
    for name in ("ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "nonsense://user:password@proxy.example")
    error = failure(NOWHERE)
    assert error.message == "The proxy or certificates that the environment names cannot be used."
    assert "ALL_PROXY" in error.hint


# --- what may go wrong


@pytest.mark.parametrize(
    "url",
    ["localhost:11434/v1", "ftp://host/v1", "http://", "http://[::1", "http://host:port/v1", "", "/v1", "ht tp://a"],
)
def test_what_is_no_address_is_named(url):
    error = failure(url)
    assert error.message == f"{url!r} is not the address of an endpoint."
    assert "http://localhost:11434/v1" in error.hint


def test_a_key_that_no_header_can_carry_is_refused_unseen():
    error = failure(NOWHERE, api_key="sécret\nkey")
    assert error.message == "The key holds characters that a header cannot carry."


def test_nobody_there(closed_port):
    error = failure(f"http://127.0.0.1:{closed_port}/v1")
    assert error.message == f"http://127.0.0.1:{closed_port}/v1 cannot be reached."
    assert error.hint == "Is the server running? Check base_url."


def test_a_server_that_says_nothing_is_waited_for_no_longer_than_the_timeout(endpoint):
    endpoint.play_silence()
    error = failure(endpoint.url, timeout=0.05)
    assert error.message == f"{endpoint.url} did not answer within 0.05 seconds."
    assert "timeout" in error.hint


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
    ],
    ids=["nothing", "another protocol", "cut body", "cut chunk", "broken compression"],
)
def test_a_reply_that_breaks_off_or_is_no_http(endpoint, sent):
    endpoint.play_raw(sent)
    assert failure(endpoint.url).message == f"{endpoint.url} broke off its reply, or does not speak HTTP."


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (400, "model"),
        (401, "PLANET_TUI_API_KEY"),
        (403, "PLANET_TUI_API_KEY"),
        (404, "model"),
        (422, "model"),
        (429, "Too many requests"),
        (500, "later"),
        (503, "later"),
        (302, "redirects"),
        (308, "redirects"),
    ],
)
def test_each_status_has_its_hint_and_the_words_of_the_server(endpoint, status, hint):
    endpoint.play(status, {"error": {"message": "so\nit  is"}}, Location="/elsewhere")
    error = failure(endpoint.url)
    assert error.message == f"{endpoint.url} answered {status}: so it is"
    assert hint in error.hint
    assert len(endpoint.received) == 1


@pytest.mark.parametrize("body", [b"<html>", b"", b"[]", {"error": None}, {"error": {}}, {"detail": "x"}])
def test_a_bad_status_without_words_is_told_all_the_same(endpoint, body):
    endpoint.play(404, body)
    assert failure(endpoint.url).message == f"{endpoint.url} answered 404."


def test_an_error_under_a_good_status_is_an_error(endpoint):
    endpoint.play(200, {"error": "model not loaded"})
    assert failure(endpoint.url).message == f"{endpoint.url} answered 200: model not loaded"


@pytest.mark.parametrize("body", [b"<html>", b"", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_a_reply_that_is_not_json(endpoint, body):
    endpoint.play(200, body)
    error = failure(endpoint.url)
    assert error.message == f"{endpoint.url} answered, but not in JSON."
    assert "/v1" in error.hint


def test_a_reply_without_end_is_refused(endpoint):
    endpoint.play(200, b" " * (MOST_BYTES + 1))
    assert failure(endpoint.url).message == f"{endpoint.url} sent more than 8 MB."


# --- trying again


class Pauses:
    """Notes pauses instead of making them."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again_after_ever_longer_pauses(endpoint, status):
    pauses = Pauses()
    for _ in range(3):
        endpoint.play(status)
    endpoint.play(200, {"done": True})
    assert post(endpoint.url, retries=3, sleep=pauses) == {"done": True}
    assert pauses.seconds == [0.5, 1.0, 2.0]
    assert len({str(received.body) for received in endpoint.received}) == 1


def test_tries_are_bounded(endpoint):
    endpoint.play(503)
    assert failure(endpoint.url, retries=2, sleep=Pauses()).message == f"{endpoint.url} answered 503."
    assert len(endpoint.received) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 302])
def test_what_will_not_change_is_not_tried_again(endpoint, status):
    endpoint.play(status)
    failure(endpoint.url, retries=3, sleep=Pauses())
    assert len(endpoint.received) == 1


@pytest.mark.parametrize(
    ("header", "pause"),
    [("7", 7.0), ("0", 0.0), ("-3", 0.0), ("30", LONGEST_WAIT), ("?", 0.5)],
)
def test_the_pause_is_the_one_the_server_asks_for(endpoint, header, pause):
    pauses = Pauses()
    endpoint.play(429, Retry_After=header)
    endpoint.play(200, {})
    post(endpoint.url, retries=1, sleep=pauses)
    assert pauses.seconds == [pause]


def test_a_server_that_asks_to_wait_very_long_is_not_asked_again(endpoint):
    pauses = Pauses()
    endpoint.play(429, Retry_After="3600")
    error = failure(endpoint.url, retries=3, sleep=pauses)
    assert error.message == f"{endpoint.url} answered 429 and asks to wait 3,600 s."
    assert (len(endpoint.received), pauses.seconds) == (1, [])


def test_waits_are_reported_in_words_and_their_end_too(endpoint):
    said = []
    endpoint.play(429, Retry_After="12")
    endpoint.play(503)
    endpoint.play(200, {})
    post(endpoint.url, retries=3, sleep=Pauses(), report=said.append)
    assert said == [
        "The server asks to wait 12 s", "",
        "The server answered 503: trying again in 1 s", "",
    ]  # fmt: skip


def test_retry_after_may_be_a_date():
    now = datetime(2024, 5, 1, 12, 0, tzinfo=UTC)
    assert retry_after("Wed, 01 May 2024 12:00:09 GMT", lambda: now) == 9.0
    assert retry_after("Wed, 01 May 2024 12:00:09 GMT", lambda: now + timedelta(hours=1)) == 0.0


@pytest.mark.parametrize("header", ["", "soon", "Wed, 99 Foo 2024", "Wed, 01 May 2024 12:00:09 +999999999999999"])
def test_a_senseless_retry_after_says_nothing(header):
    assert retry_after(header) is None


# --- the whole request takes only so long


def test_a_reply_that_drips_byte_by_byte_ends_at_the_limit(endpoint):
    endpoint.play_drip(b" ")
    error = failure(endpoint.url, limit=0.2)
    assert error.message == f"{endpoint.url} was not done after 0.2 seconds."
    assert "time_limit" in error.hint


def test_comments_that_keep_a_stream_alive_do_not_keep_it_for_ever(endpoint):
    endpoint.play_drip(b": still here\n\n", Content_Type="text/event-stream")
    with pytest.raises(EndpointError, match=r"not done after 0\.2 seconds"):
        Endpoint(endpoint.url, limit=0.2).stream("/x", {}, lambda event: False)


def test_the_limit_covers_the_pauses_too(endpoint):
    async def for_ever(seconds: float) -> None:
        await asyncio.Event().wait()

    endpoint.play(503)
    assert "not done" in failure(endpoint.url, limit=0.2, retries=1, sleep=for_ever).message


# --- streams


def stream(url, *, last="end", should_stop=None, **options):
    """Return the events of a stream and what `stream` returned; the event `last` is the last."""
    events = []

    def take(event: object) -> bool:
        events.append(event)
        return event == last

    client = Endpoint(url, **{"retries": 0, "timeout": 10.0, **options})
    return events, client.stream("/x", {"stream": True}, take, should_stop)


def test_events_are_handed_on_in_the_calling_thread_as_they_arrive(endpoint):
    seen, gate = [], Event()

    def take(event: object) -> bool:
        seen.append((event, current_thread()))
        gate.set()
        return False

    endpoint.play_stream('data: "one"\n\n', gate, 'data: "two"\n\ndata: [DONE]\n\n')
    assert Endpoint(endpoint.url).stream("/x", {}, take) is None
    assert seen == [("one", current_thread()), ("two", current_thread())]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_do_not_depend_on_how_the_bytes_are_cut(size):
    sent = 'id: 1\r\ndata: "Mä€"\r\n\r\n: comment\n\nevent: x\ndata: [1,\ndata:2]\n\ndata: [DONE]\n\n'.encode()
    parser = EventStream()
    events = [event for at in range(0, len(sent), size) for event in parser.feed(sent[at : at + size])]
    assert events == [("", '"Mä€"'), ("x", "[1,\n2]"), ("", "[DONE]")]


def test_what_stands_behind_the_last_event_is_not_waited_for(endpoint):
    endpoint.play_stream('data: "one"\n\ndata: [DONE]\n\n', endpoint.closing)
    endpoint.play_stream('data: "one"\n\ndata: "end"\n\n', endpoint.closing)
    assert stream(endpoint.url) == (["one"], None)
    assert stream(endpoint.url) == (["one", "end"], None)


def test_a_server_that_does_not_stream_answers_in_one_piece(endpoint):
    endpoint.play(200, b'{\n"said":\n"hello"\n}')
    assert stream(endpoint.url) == ([], {"said": "hello"})


@pytest.mark.parametrize("framing", ["chunked", "until it hangs up"])
def test_a_stream_that_is_cut_is_an_error(endpoint, framing):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    body = b'data: "one"\n\n'
    if framing == "chunked":
        head, body = head + b"Transfer-Encoding: chunked\r\n", b"%x\r\n%s\r\n" % (len(body), body)
    endpoint.play_raw(head + b"\r\n" + body)
    with pytest.raises(EndpointError) as caught:
        stream(endpoint.url)
    assert caught.value.message == f"{endpoint.url} broke off in the middle of its reply."


def test_a_stream_that_falls_silent_is_waited_for_no_longer_than_the_timeout(endpoint):
    endpoint.play_stream('data: "one"\n\n', endpoint.closing)
    with pytest.raises(EndpointError, match=r"fell silent in the middle of its reply for 0\.1 seconds"):
        stream(endpoint.url, timeout=0.1)


@pytest.mark.parametrize("line", ["{broken", "\ufffd", "[" * 100_000])
def test_a_part_that_is_not_json_is_an_error(endpoint, line):
    endpoint.play_stream(f'data: "one"\n\ndata: {line}\n\ndata: [DONE]\n\n')
    with pytest.raises(EndpointError, match="a part of its reply that is not JSON"):
        stream(endpoint.url)


@pytest.mark.parametrize(
    "event",
    ['data: {"error": {"message": "out of memory"}}', 'event: error\ndata: {"message": "out of memory"}'],
)
def test_an_error_in_a_stream_is_told_in_the_words_of_the_server(endpoint, event):
    endpoint.play_stream(f'data: "one"\n\n{event}\n\n')
    with pytest.raises(EndpointError) as caught:
        stream(endpoint.url)
    assert caught.value.message == f"{endpoint.url} broke off its reply: out of memory"


def test_an_empty_stream_and_other_text_are_not_json(endpoint):
    for sent in ("", "\n\n", "hello\n\n"):
        endpoint.play_stream(sent)
        with pytest.raises(EndpointError, match="not in JSON"):
            stream(endpoint.url)


def test_a_refused_stream_has_the_words_of_the_server(endpoint):
    endpoint.play(401, {"error": {"message": "bad key"}})
    with pytest.raises(EndpointError, match="401: bad key"):
        stream(endpoint.url)


def test_a_stream_without_end_is_refused(endpoint):
    endpoint.play_drip(b'data: "x"\n\n' * 10_000, Content_Type="text/event-stream")
    with pytest.raises(EndpointError, match="more than 8 MB"):
        stream(endpoint.url)


def test_a_line_without_end_is_refused(endpoint):
    endpoint.play_drip(b"data: " + b"x" * 100_000, Content_Type="text/event-stream")
    with pytest.raises(EndpointError, match="more than 8 MB"):
        stream(endpoint.url)


def test_a_running_stream_stops_at_once_and_hangs_up(endpoint):
    taken = Event()

    def take(event: object) -> bool:
        taken.set()
        return False

    endpoint.play_stream('data: "one"\n\n', endpoint.closing)
    with pytest.raises(Cancelled):
        Endpoint(endpoint.url, timeout=3600).stream("/x", {}, take, taken.is_set)


def test_a_taker_that_fails_ends_the_stream(endpoint):
    endpoint.play_stream('data: "one"\n\n', endpoint.closing)
    with pytest.raises(ZeroDivisionError):
        Endpoint(endpoint.url).stream("/x", {}, lambda event: 1 / 0)


# --- stopping


def test_a_request_that_is_to_stop_before_it_starts_is_not_sent(endpoint):
    with pytest.raises(Cancelled):
        Endpoint(endpoint.url).post("/x", {}, lambda: True)
    assert endpoint.received == []


def test_a_request_that_waits_for_its_reply_stops(endpoint):
    endpoint.play_silence()
    with pytest.raises(Cancelled):
        Endpoint(endpoint.url, timeout=3600).post("/x", {}, lambda: bool(endpoint.received))


def test_a_pause_between_two_tries_stops(endpoint):
    pausing = Event()

    async def for_ever(seconds: float) -> None:
        pausing.set()
        await asyncio.Event().wait()

    endpoint.play(503)
    with pytest.raises(Cancelled):
        Endpoint(endpoint.url, sleep=for_ever).post("/x", {}, pausing.is_set)
    assert len(endpoint.received) == 1


def test_a_name_lookup_that_hangs_does_not_hold_up_the_stop(monkeypatch):
    looking, let_go, ended = Event(), Event(), Event()

    def hanging_lookup(*_: object, **__: object) -> list[object]:
        looking.set()
        let_go.wait(timeout=20)
        ended.set()
        raise socket.gaierror

    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", hanging_lookup)
    with pytest.raises(Cancelled):
        Endpoint(NOWHERE).post("/x", {}, looking.is_set)
    still_looking = not ended.is_set()
    let_go.set()
    assert still_looking
    assert ended.wait(timeout=20)


def test_should_stop_is_asked_several_times_in_100_ms():
    assert waiting.POLL <= 0.05


def test_a_watcher_that_fails_ends_the_request(endpoint):
    endpoint.play_silence()

    def broken() -> bool:
        if endpoint.received:
            raise RuntimeError("broken")
        return False

    with pytest.raises(RuntimeError, match="broken"):
        Endpoint(endpoint.url).post("/x", {}, broken)


# --- secrets


def with_secret(url: str, how: str) -> Endpoint:
    if how == "password":
        return Endpoint(url.replace("//", f"//user:{KEY}@"), retries=0)
    return Endpoint(f"{url}?key={KEY}", retries=0) if how == "query" else Endpoint(url, KEY, retries=0)


@pytest.mark.parametrize("how", ["header", "password", "query"])
@pytest.mark.parametrize("what", ["refused", "echoed", "cut at the key", "not json", "broken off", "nobody", "no url"])
def test_no_secret_is_in_any_error_or_representation(endpoint, closed_port, how, what):
    url = {"nobody": f"http://127.0.0.1:{closed_port}/v1", "no url": "nonsense://host/v1"}.get(what, endpoint.url)
    plays = {
        "refused": lambda: endpoint.play(401),
        "echoed": lambda: endpoint.play(401, {"error": {"message": f"Incorrect key: {KEY}."}}),
        "cut at the key": lambda: endpoint.play(401, {"error": "x" * 190 + KEY}),
        "not json": lambda: endpoint.play(200, KEY.encode()),
        "broken off": lambda: endpoint.play_raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"),
    }
    plays.get(what, lambda: None)()
    client = with_secret(url, how)
    with pytest.raises(EndpointError) as caught:
        client.post("/x", {})
    told = "".join(traceback.format_exception(caught.value)) + caught.value.hint + repr(client) + client.shown_url
    assert KEY[:8] not in told


@pytest.mark.parametrize("how", ["header", "password"])
def test_no_key_is_in_a_log_even_of_every_detail(endpoint, caplog, how):
    caplog.set_level(logging.DEBUG)
    endpoint.play(200, {})
    with_secret(endpoint.url, how).post("/x", {})
    assert "/v1/x" in caplog.text
    assert KEY not in caplog.text


def test_a_short_key_is_a_placeholder_and_stays_in_what_the_server_says(endpoint):
    endpoint.play(404, {"error": "ollama: no such model"})
    assert failure(endpoint.url, api_key="ollama").message.endswith("ollama: no such model")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://user:pa@ss@host/v1?key=k#x", "https://host/v1"),
        ("https://user:p/w?d@host/v1", "https://host/v1"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
    ],
)
def test_the_shown_address_has_no_user_password_or_query(url, shown):
    assert Endpoint(url).shown_url == shown


def test_a_growing_text_never_shows_the_start_of_a_secret():
    client = Endpoint("http://host/v1", KEY)
    text = f"The key is {KEY}, s."
    shown = [client.scrub(text[:n], growing=True) for n in range(len(text) + 1)]
    assert shown[-1] == client.scrub(text) == "The key is …, s."
    assert not any(KEY[:2] in said for said in shown)
    assert all(later.startswith(sooner) for sooner, later in zip(shown, shown[1:], strict=False))


def test_a_byte_order_mark_may_open_a_stream():
    (event,) = EventStream().feed(b"\xef\xbb\xbfdata: one\r\n\r\n")
    assert event.data == "one"
