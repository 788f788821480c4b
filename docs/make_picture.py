"""Remake docs/explore.png, the README's picture, from the real app: `python docs/make_picture.py` in the checkout.

Other pictures: `python docs/make_picture.py FOLDER QUESTION 80x24 OUTPUT.png [KEY …]`.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import cairosvg

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.planet_tui.app_driver import SAMPLE, VENUS, make_app, running, settle  # noqa: E402


async def draw(folder: Path, question: str, size: tuple[int, int], output: Path, keys: list[str]) -> None:
    """Ask a question, press keys, save the screen; the font is one that lies on most machines."""
    app = make_app(folder, question)
    async with running(app, size) as pilot:
        for key in ["enter", *keys]:
            await pilot.press(key)
            await settle(pilot)
        svg = app.export_screenshot(title="planet-tui").replace("Fira Code", "DejaVu Sans Mono")
    cairosvg.svg2png(bytestring=svg.encode(), write_to=str(output))


def main(arguments: list[str]) -> None:
    """Read the arguments of the command line."""
    folder, question, size, output, *keys = [
        *arguments,
        *[str(SAMPLE), VENUS, "160x50", str(ROOT / "docs" / "explore.png")][len(arguments) :],
    ]
    width, height = size.split("x")
    asyncio.run(draw(Path(folder), question, (int(width), int(height)), Path(output), keys))


if __name__ == "__main__":
    main(sys.argv[1:])
