"""Pictures of settled states: the main screen at three sizes, other states at one.

After a wanted change of looks: `pytest tests/snapshots --snapshot-update`, then look at every picture that changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from planet_tui.app import PlanetApp
from tests.planet_tui.app_driver import VENUS, make_app, settle

Compare = Callable[..., bool]
TITAN = "What is Titan's surface temperature?"


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the person's own colours and labels out of the pictures."""
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path))
    for name in ("NO_COLOR", "TEXTUAL_THEME", "LLM_BASE_URL", "LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)


def pressing(*keys: str) -> Callable[[Pilot[None]], object]:
    async def press(pilot: Pilot[None]) -> None:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)

    return press


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)])
def test_an_answered_question(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(make_app(question=VENUS), terminal_size=size, run_before=pressing("enter"))


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 50)])
def test_measured_questions(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = make_app(reader="features")
    assert snap_compare(app, terminal_size=size, run_before=pressing("escape", "f4"))


@pytest.mark.parametrize(
    ("name", "app", "size", "keys"),
    [
        ("before a question", lambda: make_app(), (120, 40), ["escape"]),
        ("a refusal", lambda: make_app(question=TITAN), (80, 24), ["enter"]),
        ("only stopwords", lambda: make_app(question="what is the"), (80, 24), ["enter"]),
        ("a ranked list", lambda: make_app(question=VENUS), (80, 24), ["enter", "2", "j"]),
        ("an explained chunk", lambda: make_app(question=VENUS), (80, 24), ["enter", "5"]),
        ("the prompt", lambda: make_app(question=VENUS), (80, 24), ["enter", "6"]),
        ("the notes", lambda: make_app(question=VENUS), (80, 24), ["enter", "7"]),
        ("a note", lambda: make_app(question=VENUS), (100, 30), ["enter", "2", "enter"]),
        ("help", lambda: make_app(), (100, 40), ["escape", "question_mark"]),
        ("light", lambda: make_app(question=VENUS, theme="light"), (120, 40), ["enter"]),
        ("very small", lambda: make_app(question=VENUS), (40, 12), ["enter"]),
        ("no such folder", lambda: make_app(Path("nowhere")), (80, 24), ["escape"]),
        ("questions measured", lambda: make_app(), (80, 24), ["escape", "f4", "2"]),
        ("recall drawn", lambda: make_app(), (80, 24), ["escape", "f4", "3"]),
        ("thresholds", lambda: make_app(reader="features"), (80, 24), ["escape", "f4", "4", "j"]),
        ("marking evidence", lambda: make_app(question=VENUS), (80, 24), ["enter", "2", "m"]),
        ("evidence marked", lambda: make_app(question=VENUS), (120, 40), ["enter"]),
        ("settings", lambda: make_app(question=VENUS, k1=1.2), (120, 40), ["enter", "f3", "j", "j"]),
        ("a value out of range", lambda: make_app(), (80, 24), ["escape", "f3", "j", "enter", "minus", "enter"]),
        ("no model set up", lambda: make_app(question=VENUS), (80, 24), ["enter", "ctrl+g"]),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_other_states(
    snap_compare: Compare, name: str, app: Callable[[], PlanetApp], size: tuple[int, int], keys: list[str]
) -> None:
    assert snap_compare(app(), terminal_size=size, run_before=pressing(*keys))


def test_an_empty_folder(snap_compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert snap_compare(make_app(Path()), terminal_size=(80, 24), run_before=pressing("escape"))
