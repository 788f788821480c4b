import logging
import sys
import traceback

import pytest

from engine.errors import KeyringError, MissingExtraError
from engine.keys import ENTRY, SERVICE, api_key, key_from_environment, key_from_keyring, store_key

keyring = pytest.importorskip("keyring")
errors = pytest.importorskip("keyring.errors")
KEY = "sk-a-very-secret-key"


class InMemory(keyring.backend.KeyringBackend):
    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Locked(InMemory):
    def get_password(self, service: str, username: str) -> str | None:
        raise errors.KeyringLocked(KEY)

    def set_password(self, service: str, username: str, password: str) -> None:
        raise RuntimeError(f"cannot keep {password}")


@pytest.fixture
def use(monkeypatch):
    before = keyring.get_keyring()
    yield lambda backend: (keyring.set_keyring(backend), backend)[1]
    keyring.set_keyring(before)


@pytest.mark.parametrize(
    ("environ", "key"),
    [
        ({}, ""),
        ({"LLM_API_KEY": "b"}, "b"),
        ({"PLANET_TUI_API_KEY": "a", "LLM_API_KEY": "b"}, "a"),
        ({"PLANET_TUI_API_KEY": "  ", "LLM_API_KEY": "b"}, "b"),
        ({"PLANET_TUI_API_KEY": "a\n"}, "a"),
        ({"OPENAI_API_KEY": "c"}, ""),
    ],
)
def test_the_key_of_the_environment_is_ours_else_the_common_one(environ, key):
    assert key_from_environment(environ) == key


def test_the_environment_goes_before_the_keyring(use):
    use(InMemory()).kept[SERVICE, ENTRY] = "kept"
    assert api_key({"LLM_API_KEY": "set"}) == "set"
    assert api_key({}) == "kept"


def test_a_key_is_stored_read_replaced_and_removed(use):
    backend = use(InMemory())
    store_key(f" {KEY}\n")
    assert backend.kept == {("planet-tui", "api-key"): KEY}
    assert key_from_keyring() == KEY
    store_key("another")
    assert key_from_keyring() == "another"
    store_key("")
    assert (key_from_keyring(), backend.kept) == ("", {})
    store_key("")


def test_a_keyring_that_is_locked_is_no_key_and_an_error_only_for_who_stores(use, caplog):
    caplog.set_level(logging.DEBUG)
    use(Locked())
    assert key_from_keyring() == ""
    with pytest.raises(KeyringError) as caught:
        store_key(KEY)
    assert "PLANET_TUI_API_KEY" in caught.value.hint
    assert KEY not in "".join(traceback.format_exception(caught.value)) + caught.value.hint + caplog.text


def test_without_the_package_there_is_no_key_and_storing_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert key_from_keyring() == ""
    with pytest.raises(MissingExtraError) as caught:
        store_key(KEY)
    assert "-m pip install keyring" in caught.value.hint
