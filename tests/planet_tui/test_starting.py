"""The app before its first frame: little is loaded, and what is typed is kept."""

import subprocess
import sys

import pytest

LATER = ("numpy", "engine.records", "engine.library", "planet_tui.screens.panes", "planet_tui.widgets.lines", "hashlib")


@pytest.mark.parametrize("module", ["planet_tui.cli", "planet_tui.app"])
def test_what_the_first_frame_does_not_show_is_not_loaded_for_it(module: str) -> None:
    program = f"import sys, {module}; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, encoding="utf-8").stdout
    assert not set(LATER) & set(said.split())


def test_records_are_the_same_wherever_they_are_imported_from() -> None:
    from engine import notices, records

    assert records.Notice is notices.Notice
