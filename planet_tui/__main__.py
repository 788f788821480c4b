"""`planet-tui`, and `python -m planet_tui`: the door to the app and the command line."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.roots import Roots

# Before anything imports NumPy: one core for the numbers, so that the other draws and answers keys.
for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_variable, "1")
# What changed is drawn within 1/120 s, so that lists follow a key sooner; read by Textual when it is imported.
os.environ.setdefault("TEXTUAL_FPS", "120")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the app or a command; return the exit status."""
    from planet_tui import cli

    return cli.run(sys.argv[1:] if argv is None else argv, open_app)


def open_app(roots: Roots | None) -> int:
    """Open the app on folders; `None`: those opened last, else the bundled notes."""
    from engine.errors import EngineError

    # Textual reads keys from standard input and draws on standard error.
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)):
        raise EngineError("The app needs a terminal", '`planet-tui ask FOLDER "question"` works without one')
    # What is loaded now stays: looking for garbage in it would only delay the first frame, after which the app
    # turns this on again.
    gc.disable()
    try:
        from planet_tui.app import run

        return run(roots)
    finally:
        gc.enable()


if __name__ == "__main__":
    sys.exit(main())
