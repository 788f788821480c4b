"""Fetch encyclopedia articles into a folder as Markdown notes, from Wikipedia or any other MediaWiki.

The first download writes corpus.lock.toml into the folder: the revision of each article and the SHA-256 of its note.
Later runs keep to those revisions and fetch only what is missing; without titles they fetch all that the lock file
names. Headings and paragraphs are kept; tables, lists, references and pictures are left out. Each note names its
source and licence.

Examples:
  planet-tui corpus ~/planets Venus Mars "Ceres (dwarf planet)"
  planet-tui corpus ~/planets                     fetch what the lock file names and is not there
  planet-tui corpus ~/planets --update            take the newest revisions
  planet-tui corpus ~/planeten Venus --language de
  planet-tui corpus ~/minerals Quartz --api https://wiki.example.org/w/api.php
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from planet_tui import __version__, paths
from planet_tui.cli.arguments import UsageError, output_path
from planet_tui.cli.output import DONE, FAILED, paint, say, warn
from planet_tui.plain import one_line

if TYPE_CHECKING:
    from engine.reading.article_folder import Outcome

WORDS = "FOLDER TITLE…"
AGENT = f"planet-tui/{__version__} (fetches articles as notes to search"
"""How the program names itself to a wiki; a way to reach the person follows."""
_SIGNS = {"fetched": "✓", "updated": "✓", "kept": "=", "changed": "!", "missing": "✗", "failed": "✗"}
_STYLES = {"✓": "green", "=": "dim", "!": "yellow", "✗": "red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    parser.add_argument("words", nargs="*", metavar=WORDS, help="where the notes go, then titles as the wiki has them")
    parser.add_argument(
        "--language", metavar="CODE", help="which Wikipedia: en, de, zh … (default: the one of the lock file, else en)"
    )
    parser.add_argument("--api", metavar="URL", help="the address of a wiki's api.php, in place of --language")
    parser.add_argument("--update", action="store_true", help="take the newest revisions and write over changed notes")
    parser.add_argument("--contact", metavar="ADDRESS", help="a mail or web address for the wiki's operators")


def run(arguments: argparse.Namespace) -> int:
    """Fetch and print a line an article; return the exit status."""
    folder, *titles = arguments.words or [""]
    if not folder:
        raise UsageError("FOLDER is missing", "Name a folder for the articles, then their titles")
    from engine.reading.article_folder import LOCK_FILE, fetch_articles, locked_api
    from engine.reading.wikipedia import Wiki

    try:
        path = Path(output_path(folder))
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"{folder}: {error}", "Name a folder for the articles") from None
    if not titles and not paths.exists(path / LOCK_FILE):
        raise UsageError(f"TITLE is missing, and {folder} has no {LOCK_FILE}", "Name at least one article")
    contact = f"; {one_line(arguments.contact)}" if arguments.contact else ""
    named = arguments.api or arguments.language
    wiki = Wiki((not named and locked_api(path)) or _api(arguments), f"{AGENT}{contact})")
    good = True
    for outcome in fetch_articles(path, titles, wiki, update=arguments.update):
        _show(outcome)
        good = good and outcome.state in ("fetched", "updated", "kept")
    return DONE if good else FAILED


def _api(arguments: argparse.Namespace) -> str:
    if arguments.api and arguments.language:
        raise UsageError("--api and --language do not go together", "The address names the wiki already")
    language = arguments.language or "en"
    if not all(part.isalnum() and part.isascii() for part in language.split("-")):
        raise UsageError(f"{language} is no language code", "Take the one in the address of that Wikipedia, such as en")
    return str(arguments.api or f"https://{language}.wikipedia.org/w/api.php")


def _show(outcome: Outcome) -> None:
    sign = _SIGNS[outcome.state]
    say(f"{paint(sign, _STYLES[sign])} {outcome.state:<8}{one_line(outcome.title)}  {one_line(outcome.file)}".rstrip())
    if outcome.detail:
        warn(f"{outcome.title}: {outcome.detail}")
