"""The app before its first frame: little is loaded, and what is typed is kept."""

import os
import signal
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


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals here")
def test_the_app_ends_with_its_terminal_though_nobody_tells_it(tmp_path) -> None:
    ours, theirs = os.openpty()
    app = subprocess.Popen(
        [sys.executable, "-m", "planet_tui", "--sample"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"PLANET_TUI_HOME": str(tmp_path), "TERM": "xterm-256color"},
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    os.close(theirs)
    try:
        drawn = b""
        while b"Ask your notes" not in drawn:
            drawn += os.read(ours, 65536)
        os.close(ours)
        app.wait(timeout=60)
    finally:
        app.kill()
