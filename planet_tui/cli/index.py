"""Make the index of a folder, or of several as one library, or bring it up to date, so that it opens at once.

Examples:
  planet-tui index ~/notes
  planet-tui index ~/notes ~/wiki         both as one library
  planet-tui index ~/notes --again        from nothing, whatever is kept
"""

from __future__ import annotations

import argparse
from time import perf_counter

from planet_tui import paths
from planet_tui.cli.arguments import add_excludes, add_options, add_reader, add_words, take_all_roots, take_settings
from planet_tui.cli.output import DONE, ProgressLine, say, warn_of
from planet_tui.jobs import open_library

WORDS = "FOLDER…"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_words(parser, WORDS, "folders of Markdown")
    add_options(parser, "max_words", "dimensions")
    add_excludes(parser)
    add_reader(parser)
    parser.add_argument("--again", action="store_true", help="make it from nothing, whatever is kept")


def run(arguments: argparse.Namespace) -> int:
    """Make the index and say how much it holds; return the exit status."""
    from engine.storage.shelf import Slot, discard

    roots = take_all_roots(arguments)
    settings = take_settings(arguments)
    slot = Slot.of(paths.cache_folder(), roots, settings, arguments.reader)
    if arguments.again:
        discard(slot.path)
    start = perf_counter()
    with ProgressLine() as report:
        library = open_library(roots, settings, reader=arguments.reader, report=report)
    warn_of(library.notices)
    say(
        f"{len(library.documents):,} notes, {len(library.chunks):,} chunks, {library.index.n_terms:,} terms, "
        f"LSA with {library.lsa.n_dims if library.lsa else 0} dimensions: {perf_counter() - start:.2f} s"
    )
    return DONE
