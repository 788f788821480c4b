"""Prompt -> the answer of a hosted model, text by text as it arrives, in the formats that most servers speak.

A prompt for a chat goes to `/chat/completions`; one that is to be continued, to `/completions`, where it ends at the
template's stop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

from engine.answering.abstention import is_abstention
from engine.answering.templates import TEMPLATES
from engine.endpoints import Endpoint
from engine.errors import EndpointError
from engine.keys import api_key
from engine.records import Answer, Prompt, ShouldStop
from engine.settings import Settings

OnText = Callable[[str], None]
"""Takes the answer as far as it has come; each call's text starts with that of the call before."""

REPORT_EVERY = 0.05
"""Seconds between two calls of `on_text`."""
THINKING, THOUGHT = "<think>", "</think>"
"""What many open models put around their thinking, where the server does not keep it apart."""
_THOUGHT_LINE = re.compile(rf"^\s*{THOUGHT}\s*$", re.MULTILINE)

MOST_TOKENS = 512
"""Of a continuation: some servers stop at 16 unless they are told."""


class HostedGenerator:
    """A model behind an OpenAI-compatible endpoint, at temperature 0."""

    def __init__(
        self, endpoint: Endpoint, model: str, should_stop: ShouldStop | None = None, on_text: OnText | None = None
    ) -> None:
        """Take the endpoint, the model's name, who may stop a request and who watches the text grow."""
        self._endpoint, self._model, self._should_stop, self._on_text = endpoint, model, should_stop, on_text

    def __call__(self, prompt: Prompt) -> str:
        """Return the answer's text."""
        return self.answer(prompt).text

    def answer(self, prompt: Prompt) -> Answer:
        """Send the prompt's text exactly as it is shown, and return the reply.

        Raises:
            EndpointError: see `Endpoint.stream`; or the reply holds no text.
            Cancelled: `should_stop` returned true.
        """
        growing = _Growing(prompt.stop, self._endpoint, self._on_text)
        whole = self._endpoint.stream(*_request(prompt, self._model), growing.take, self._should_stop)
        if whole is not None:
            growing.text = _content(whole)
        text = growing.read()
        if not text:
            raise EndpointError(f"{self._model} sent an empty reply.", "Try again, or another model.")
        abstained = is_abstention(text)
        return Answer(text, self._model, abstained, "The model says so." if abstained else "")


class _Growing:
    """A reply that grows event by event."""

    def __init__(self, stop: tuple[str, ...], endpoint: Endpoint, on_text: OnText | None) -> None:
        self.text = ""
        self._stop, self._endpoint, self._on_text = stop, endpoint, on_text
        self._shown = -REPORT_EVERY

    def take(self, event: object) -> bool:
        """Take the next part; return whether it was the last."""
        match event:
            case {"choices": []}:  # figures of the use, which some send on their own
                return False
            case {"choices": [dict() as choice, *_]}:
                self.text += _delta(choice)
            case _:
                raise _no_completion()
        if self._on_text is not None and monotonic() - self._shown >= REPORT_EVERY:
            self._shown = monotonic()
            self._on_text(self.read(growing=True))
        return bool(choice.get("finish_reason")) or self._is_stopped()

    def read(self, *, growing: bool = False) -> str:
        """Return the text so far, without secrets; not every server honours `stop`, so it is honoured here."""
        text = self._endpoint.scrub(self._cut(spoken(self.text, growing=growing)), growing=growing)
        return text if growing else text.strip()

    def _is_stopped(self) -> bool:
        text = spoken(self.text, growing=True)
        return any(stop in text for stop in self._stop)

    def _cut(self, text: str) -> str:
        return text[: min((at for stop in self._stop if (at := text.find(stop)) >= 0), default=len(text))]


def spoken(text: str, *, growing: bool = False) -> str:
    r"""Return what of a reply is said to the reader: what a model thinks before, between its tags, is no answer.

    Characters that came in two halves are put together; a half alone becomes U+FFFD.

    Args:
        text: what came so far.
        growing: whether more may come: an end that may turn out to be something else is held back.

    >>> spoken("<think>Moons?</think>\n\nTwo."), spoken("<think>Moo", growing=True), spoken("Moons?\n</think>\nTwo.")
    ('Two.', '', 'Two.')
    """
    text = text.lstrip()
    if growing:
        text = text.removesuffix(text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else "")
    if text.startswith(THINKING):
        text = text.partition(THOUGHT)[2]
    elif growing and THINKING.startswith(text):
        text = ""
    elif not growing and (end := _THOUGHT_LINE.search(text)):  # the tag that opens it stood in the model's prompt
        text = text[end.end() :]
    return text.lstrip().encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def hosted_generator(
    base_url: str,
    api_key: str,
    model: str,
    *,
    timeout: float = 60.0,
    time_limit: float = 600.0,
    should_stop: ShouldStop | None = None,
    retries: int = 3,
    report: Callable[[str], None] | None = None,
    on_text: OnText | None = None,
) -> HostedGenerator:
    """Return a generator that asks a hosted model.

    Args:
        base_url: such as `http://localhost:11434/v1`.
        api_key: sent as a bearer token; empty: none.
        model: the model's name at that endpoint.
        timeout: seconds to wait for a connection and between two parts of a reply.
        time_limit: seconds of the whole request.
        should_stop: asked every 50 ms while a request runs.
        retries: most further tries after a busy or failing server.
        report: told in words what a request waits for; an empty text when the wait is over.
        on_text: takes the answer as far as it has come, at most twenty times a second. What it got is never
            taken back, but the answer may hold more.

    Raises:
        EndpointError: the address or the model is missing.

    >>> generator = hosted_generator("http://localhost:11434/v1", api_key="", model="llama3.2")
    >>> callable(generator)
    True
    """
    if not base_url or not model:
        missing = " and ".join(name for name, value in (("base_url", base_url), ("model", model)) if not value)
        raise EndpointError(
            f"No hosted model is set up: {missing} missing.",
            "Set base_url and model under [hosted] in the settings file (`planet-tui settings path` says where), "
            "or LLM_BASE_URL and LLM_MODEL.",
        )
    endpoint = Endpoint(base_url, api_key, timeout, time_limit, retries, report=report)
    return HostedGenerator(endpoint, model, should_stop, on_text)


def check_hosted(settings: Settings, environ: Mapping[str, str], should_stop: ShouldStop | None = None) -> str:
    """Ask the hosted model for one word, the way it will be asked for answers; return its reply.

    Raises:
        EndpointError: it is not set up, cannot be reached, or does not answer as agreed.
        Cancelled: `should_stop` returned true.
    """
    generator = hosted_generator(
        *hosted_settings(settings, environ),
        timeout=settings.timeout,
        time_limit=settings.time_limit,
        should_stop=should_stop,
        retries=0,
    )
    stop = TEMPLATES[settings.template].stop
    return generator(Prompt("", "The word for yes is" if stop else "Reply with the word OK.", (), (), 0, 0, stop=stop))


def hosted_settings(settings: Settings, environ: Mapping[str, str]) -> tuple[str, str, str]:
    """Return (base_url, api_key, model): the settings', else the environment's; the key as `engine.keys` finds it.

    >>> hosted_settings(Settings(model="tiny"), {"LLM_BASE_URL": "http://localhost/v1", "LLM_API_KEY": "k"})
    ('http://localhost/v1', 'k', 'tiny')
    """
    base_url, model = hosted_address(settings, environ)
    return base_url, api_key(environ), model


def hosted_address(settings: Settings, environ: Mapping[str, str]) -> tuple[str, str]:
    """Return (base_url, model): what is needed to know whether a model is set up.

    >>> hosted_address(Settings(model="tiny"), {"LLM_BASE_URL": "http://localhost/v1", "LLM_MODEL": "big"})
    ('http://localhost/v1', 'tiny')
    """
    return settings.base_url or environ.get("LLM_BASE_URL", ""), settings.model or environ.get("LLM_MODEL", "")


def _request(prompt: Prompt, model: str) -> tuple[str, dict[str, Any]]:
    """Return the path and the body that ask for an answer to a prompt."""
    body = {"model": model, "temperature": 0, "stream": True}
    if not prompt.stop:
        return "/chat/completions", body | {"messages": [{"role": "user", "content": prompt.text}]}
    stopped = {"stop": list(prompt.stop), "max_tokens": MOST_TOKENS}
    return "/completions", body | {"prompt": prompt.text} | stopped


def _delta(choice: object) -> str:
    """Return the text of one event's choice; `null` and a role alone are no text."""
    match choice:
        case {"delta": {"content": str() as text}} | {"text": str() as text}:
            return text
        case {"delta": dict() | None} | {"text": None}:
            return ""
    raise _no_completion()


def _content(reply: object) -> str:
    """Return the text of a whole completion's first choice; `null`, which some send for no text, is empty."""
    match reply:
        case {"choices": [{"message": {"content": (str() | None) as text}}, *_]}:
            return text or ""
        case {"choices": [{"text": (str() | None) as text}, *_]}:
            return text or ""
    raise _no_completion()


def _no_completion() -> EndpointError:
    return EndpointError(
        "The endpoint's reply is no completion.", "Check base_url: it should offer /chat/completions and /completions."
    )
