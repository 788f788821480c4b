"""Prompt -> the answer of a hosted model, in the chat-completions format. The key comes from the environment only."""

from __future__ import annotations

from collections.abc import Mapping

from engine.answering.abstention import is_abstention
from engine.endpoints import Endpoint
from engine.errors import EndpointError
from engine.records import Answer, Prompt, ShouldStop
from engine.settings import Settings


class HostedGenerator:
    """A chat model behind an OpenAI-compatible endpoint, at temperature 0."""

    def __init__(self, endpoint: Endpoint, model: str, should_stop: ShouldStop | None = None) -> None:
        """Take the endpoint, the model's name and who may stop a request."""
        self._endpoint, self._model, self._should_stop = endpoint, model, should_stop

    def __call__(self, prompt: Prompt) -> str:
        """Return the answer's text."""
        return self.answer(prompt).text

    def answer(self, prompt: Prompt) -> Answer:
        """Send the prompt's text exactly as it is shown, and return the reply.

        Raises:
            EndpointError: see `Endpoint.post`; or the reply holds no text.
            Cancelled: `should_stop` returned true.
        """
        body = {"model": self._model, "temperature": 0, "messages": [{"role": "user", "content": prompt.text}]}
        text = self._endpoint.scrub(_content(self._endpoint.post("/chat/completions", body, self._should_stop))).strip()
        if not text:
            raise EndpointError(f"{self._model} sent an empty reply.", "Try again, or another model.")
        abstained = is_abstention(text)
        return Answer(text, self._model, abstained, "The model says so." if abstained else "")


def hosted_generator(
    base_url: str,
    api_key: str,
    model: str,
    *,
    timeout: float = 60.0,
    should_stop: ShouldStop | None = None,
    retries: int = 3,
) -> HostedGenerator:
    """Return a generator that asks a hosted model.

    Args:
        base_url: such as `http://localhost:11434/v1`.
        api_key: sent as a bearer token; empty: none.
        model: the model's name at that endpoint.
        timeout: seconds to wait for a connection and between two parts of a reply.
        should_stop: asked every 50 ms while a request runs.
        retries: most further tries after a busy or failing server.

    Raises:
        EndpointError: the address or the model is missing.
    """
    if not base_url or not model:
        missing = " and ".join(name for name, value in (("base_url", base_url), ("model", model)) if not value)
        raise EndpointError(
            f"No hosted model is set up: {missing} missing.",
            "Set base_url and model under [hosted] in the settings file (`planet-tui settings path` says where), "
            "or LLM_BASE_URL and LLM_MODEL.",
        )
    return HostedGenerator(Endpoint(base_url, api_key, timeout, retries), model, should_stop)


def api_key_from_environment(environ: Mapping[str, str]) -> str:
    """Return the key: `PLANET_TUI_API_KEY`, else `LLM_API_KEY`, else nothing.

    >>> api_key_from_environment({"PLANET_TUI_API_KEY": " ", "LLM_API_KEY": "k"})
    'k'
    """
    return environ.get("PLANET_TUI_API_KEY", "").strip() or environ.get("LLM_API_KEY", "").strip()


def hosted_settings(settings: Settings, environ: Mapping[str, str]) -> tuple[str, str, str]:
    """Return (base_url, api_key, model): the settings', else the environment's; the key only from there.

    >>> hosted_settings(Settings(model="tiny"), {"LLM_BASE_URL": "http://localhost/v1", "LLM_API_KEY": "k"})
    ('http://localhost/v1', 'k', 'tiny')
    """
    base_url = settings.base_url or environ.get("LLM_BASE_URL", "")
    return base_url, api_key_from_environment(environ), settings.model or environ.get("LLM_MODEL", "")


def _content(reply: object) -> str:
    """Return the text of a chat completion's first choice; `null`, which some send for no text, is empty."""
    match reply:
        case {"choices": [{"message": {"content": (str() | None) as text}}, *_]}:
            return text or ""
    raise EndpointError(
        "The endpoint's reply is not a chat completion.", "Check base_url: it should offer /chat/completions."
    )
