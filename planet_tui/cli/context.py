"""Let the hosted model write a line about every chunk, which it is then indexed with.

A line says in a sentence or two what its chunk is about and where it stands in its note. Every chunk that has no
line yet costs one request; lines are kept, so that a second run, or one after an interruption, asks for the missing
ones only. Notes are sent to the endpoint of the settings.

Examples:
  planet-tui context ~/notes
  planet-tui context ~/notes --output ~/lines --max-words 100
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from planet_tui import paths
from planet_tui.cli.arguments import add_excludes, add_options, add_words, output_path, take_all_roots, take_settings
from planet_tui.cli.ask import hosted
from planet_tui.cli.output import DONE, ProgressLine, say, warn_of
from planet_tui.plain import one_line

WORDS = "FOLDER…"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_words(parser, WORDS, "folders of Markdown")
    add_options(parser, "max_words")
    add_excludes(parser)
    parser.add_argument(
        "--output",
        type=output_path,
        metavar="DIR",
        help="where the lines are kept (default: a folder of the model's in the cache)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the missing lines and say where they are; return the exit status."""
    roots = take_all_roots(arguments)
    settings = take_settings(arguments)
    generator = hosted(settings)

    from engine.answering.hosted import hosted_address
    from engine.chunking.contextual import ContextLines, model_folder, write_context
    from engine.chunking.corpus import chunker_for
    from engine.reading.folder import load_markdown_folder

    _, model = hosted_address(settings, os.environ)
    default = model_folder(paths.cache_folder() / "context", model)
    kept = ContextLines(Path(arguments.output) if arguments.output else default)
    with ProgressLine() as report:
        found = load_markdown_folder(roots, max_file_mb=settings.max_file_mb, report=report)
        written = write_context(
            found.documents,
            chunker_for(settings),
            lambda prompt: generator.answer(prompt).text,
            kept,
            report=report,
        )
    warn_of(found.notices)
    lines = "line" if written == 1 else "lines"
    say(f"{written:,} {lines} written by {one_line(model)}, kept in {one_line(str(kept.folder))}")
    say("To index with them, put this into the settings file, under [chunking]:")
    say(f"  context_lines = {toml_text(str(kept.folder))}")
    return DONE


def toml_text(text: str) -> str:
    """Return a text as TOML writes it.

    >>> toml_text("a b")
    '"a b"'
    """
    import tomli_w

    return tomli_w.dumps({"a": text}).removeprefix("a = ").strip()
