"""Measure analyzers: `python docs/measure_text.py` prints the tables of docs/text.md.

Needs the labelled collections (see `engine.evaluation.collections`).
"""

from __future__ import annotations

import sys
import tarfile
from collections import defaultdict
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1]))

from engine.evaluation.collections import Collection, data_folder, read_collection  # noqa: E402
from engine.evaluation.metrics import ndcg  # noqa: E402
from engine.evaluation.tables import Column, Table, table  # noqa: E402
from engine.indexing.bm25 import BM25  # noqa: E402
from engine.indexing.inverted_index import InvertedIndex  # noqa: E402
from engine.text.analysis import Analyzer  # noqa: E402
from engine.text.languages import detect_language  # noqa: E402

QUESTIONS = 4_000


def main() -> None:
    """Print every table as Markdown."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("The labelled collections are not here; PLANET_TUI_DATA names their folder.")
    for measured in (languages(folder), identifiers(folder), detection(folder)):
        print(measured.to_markdown(level=3) + "\n")  # noqa: T201


def languages(folder: Path) -> Table:
    """Return nDCG@10 of BM25 on the same questions in several languages, by analyzer."""
    rows = []
    for code, language in (("en", "english"), ("de", "german"), ("es", "spanish"), ("zh", "chinese")):
        collection = read_collection(folder / "xquad" / code)
        stemming = language if language != "chinese" else "none"
        analyzers = (Analyzer(), Analyzer(stopwords=language), Analyzer(stemming, language))
        rows.append([language, *(quality(collection, analyzer) for analyzer in analyzers)])
    columns = ["language", "english stopwords", "own stopwords", "and stemming"]
    return table("XQuAD: 240 paragraphs, 1,190 questions, nDCG@10 of BM25", columns, rows)


def identifiers(folder: Path) -> Table:
    """Return nDCG@10 of BM25 without and with terms for names."""
    rows = []
    for name in ("squad-v1.1-train60", "scifact"):
        collection = read_collection(folder / name)
        rows.append([name, quality(collection, Analyzer()), quality(collection, Analyzer(identifiers=True))])
    columns = ["collection", Column("off", form=".4f"), Column("on", form=".4f")]
    return table("`identifiers` on collections of prose, nDCG@10 of BM25", columns, rows)


def quality(collection: Collection, analyzer: Analyzer) -> float:
    """Return nDCG@10 of BM25 over the first questions."""
    bm25 = BM25(InvertedIndex(collection.texts, analyzer))
    return fmean(ndcg(asked.gains, bm25.search(asked.text, 10).ids, 10) for asked in collection.questions[:QUESTIONS])


def detection(folder: Path) -> Table:
    """Return the language told for each folder of the tldr pages, which are short and full of commands."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    with tarfile.open(folder / "vaults" / "tldr.tar.xz") as archive:
        for member in archive:
            pages = next((part for part in Path(member.name).parts if part.startswith("pages")), "")
            file = archive.extractfile(member) if pages and member.name.endswith(".md") else None
            if file is not None:
                texts[pages].append(file.read().decode())
    rows = [[pages, len(found), detect_language(found)] for pages, found in sorted(texts.items())]
    return table("tldr pages: the language told for each folder", ["folder", "pages", "told"], rows)


if __name__ == "__main__":
    main()
