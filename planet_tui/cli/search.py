"""List passages as PATH:LINE, best first, for editors and scripts.

Each line holds the place, the score, the note's title with the section, and how the passage starts, with two
spaces between them. The exit status is 0 also when nothing was found.

Examples:
  planet-tui search ~/notes "rings of saturn"
  planet-tui search ~/notes "rings of saturn" --retriever bm25 --results 3
  planet-tui search ~/notes 'budget tag:work -path:archive/ "next year"'
  planet-tui search ~/notes "next year" --also ~/wiki
  planet-tui search --sample "rings" --json

Filters: "exact phrase", -word, path:, tag:, title:, and each of these with - in front.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from engine.records import Ranking
from planet_tui.cli.arguments import (
    add_folders,
    add_options,
    add_reader,
    add_words,
    take_question,
    take_roots,
    take_settings,
)
from planet_tui.cli.output import DONE, ProgressLine, excerpt, paint, place, say, say_json, warn, warn_of
from planet_tui.jobs import open_library
from planet_tui.plain import one_line

if TYPE_CHECKING:
    from engine.library import Library

WORDS = "FOLDER QUERY"
RETRIEVERS = ("fused", "bm25", "lsa", "tfidf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words and options."""
    add_words(parser, WORDS, "a folder of Markdown, then the query; `-` reads it from standard input")
    parser.add_argument(
        "--retriever", choices=RETRIEVERS, default="fused", help="which ranked list to print (default %(default)s)"
    )
    add_options(parser, "results", "max_words", "dimensions", "lists", "probes", "routing", "sources", "threshold")
    add_folders(parser)
    add_reader(parser)
    parser.add_argument("--json", action="store_true", help="print the hits as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Search and print; return the exit status."""
    roots, words = take_roots(arguments)
    query = take_question(words)

    with ProgressLine() as report:
        library = open_library(roots, take_settings(arguments), reader=arguments.reader, report=report)
    ranking, warnings = _rank(library, query, arguments.retriever)
    warn_of(library.notices)
    for warning in warnings:
        warn(warning)
    if arguments.json:
        say_json({"query": query, "retriever": ranking.name, "hits": _as_dicts(library, ranking)})
    else:
        _show(library, ranking)
    return DONE


def _rank(library: Library, query: str, retriever: str) -> tuple[Ranking, tuple[str, ...]]:
    """Return the list and what a person should know about it."""
    from engine.pipeline import find, warnings

    settings = library.settings
    found = find(library, query)
    hits = found.rankings["fused"].hits
    if found.terms and retriever == "tfidf":
        hits = library.duplicates.search(
            lambda k: library.tfidf.search(found.terms, k, allowed=found.allowed), settings.results
        ).hits
    elif found.terms:
        hits = found.rankings[retriever].hits
    return Ranking(retriever, hits[: settings.results]), warnings(library, found)


def _as_dicts(library: Library, ranking: Ranking) -> list[dict[str, Any]]:
    rows = ((hit, library.chunks[hit.chunk]) for hit in ranking.hits)
    return [
        {
            "rank": hit.rank,
            "score": hit.score,
            "path": str(library.roots.path_of(chunk.document)),
            "line": chunk.line,
            "title": chunk.title,
            "section": chunk.section,
            "text": chunk.text,
            "copies": hit.copies,
        }
        for hit, chunk in rows
    ]


def _show(library: Library, ranking: Ranking) -> None:
    if not ranking.hits:
        warn("Nothing was found", "Try other words, or --retriever lsa, which also finds related ones")
    for hit in ranking.hits:
        chunk = library.chunks[hit.chunk]
        where = paint(place(library.roots.path_of(chunk.document), chunk.line), "bold")
        copies = f"  ({hit.copies} copies)" if hit.copies > 1 else ""
        header = one_line(chunk.header)
        say(f"{where}  {hit.score:.4f}  {header}{copies}  {paint(excerpt(chunk.text), 'dim')}")
