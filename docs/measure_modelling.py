"""Measure the models of docs/probability-model.md: `python docs/measure_modelling.py`.

Rewrites what stands below the mark on that page. Needs the labelled collections and the articles on the Solar System
(see `engine.evaluation.collections` and docs/solar-system.md); takes about ten minutes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from engine.evaluation.collections import data_folder, read_collection  # noqa: E402
from engine.evaluation.experiments.grounding import Comparison, GroundingDemo, Recall, grounding  # noqa: E402
from engine.evaluation.experiments.language_models import Parts, language_models  # noqa: E402
from engine.evaluation.experiments.query_training import QueryTraining, query_training  # noqa: E402
from engine.evaluation.labelled import load_labelled  # noqa: E402
from engine.evaluation.retrieval import Judged  # noqa: E402
from engine.evaluation.solar_system.labels import load_solar_system  # noqa: E402
from engine.evaluation.tables import Column, Table, Value, table  # noqa: E402
from engine.indexing.inverted_index import InvertedIndex  # noqa: E402
from engine.indexing.lsa import LSA  # noqa: E402
from engine.settings import Settings  # noqa: E402

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_name("probability-model.md")
MARK = "<!-- Everything below is written by measure_modelling.py -->"
PLUTO = Recall("How long is Pluto's rotation period?", "A day on Pluto lasts about", "6.39 Earth days")
MOONS = Comparison(sentence="Saturn has {} known moons and Jupiter {}.", facts=("83", "80"))
COLLECTIONS = {"cranfield": 1, "scifact": 1, "squad-v1.1-train60": 8}
"""Every how manieth question is asked."""


def main() -> None:
    """Measure, and write the page anew."""
    folder = data_folder()
    if folder is None:
        raise SystemExit("The labelled collections are not here; PLANET_TUI_DATA names their folder.")
    library = load_solar_system().library(Settings(max_words=100, dimensions=128))
    parts = [
        articles(grounding(library, PLUTO, MOONS)),
        training(list(trained(folder))),
        *language_models(parts_of(folder, "squad-v1.1-train60", 400), parts_of(folder, "scifact", 200)).tables(),
    ]
    head = PAGE.read_text(encoding="utf-8").split(MARK)[0]
    body = "\n\n".join(part.to_markdown(level=3) for part in parts)
    PAGE.write_text(f"{head}{MARK}\n\n{body}\n", encoding="utf-8")


def articles(demo: GroundingDemo) -> Table:
    """Return both demonstrations on ten articles, beside what the same design reached elsewhere."""
    memory, swap = demo.memory, demo.swap
    caught = (
        f"support {memory.wrong.check.support:.2f}, not in the source: {', '.join(memory.wrong.check.missing_numbers)}"
    )
    rows: list[list[Value]] = [
        [f"from memory, “{memory.recall.stem} …”", memory.wrong.text, "176 Earth days"],
        ["from memory, wrong over right", f"{10**-memory.memory_odds:,.0f}", "3"],
        ["RAG-Sequence, right over wrong, orders of magnitude", f"{memory.sequence_odds:.1f}", "4 to 5"],
        ["the check of the wrong answer", caught, "support 0.67, no 176"],
        ["two sources, RAG-Token over RAG-Sequence", f"{swap.token_over_sequence:,.0f}", "about 800"],
        ["swapped over right, RAG-Token", f"{swap.token_swap:.1f}", "0.5"],
        ["swapped over right, RAG-Sequence", f"{swap.sequence_swap:.1f}", None],
    ]
    sentence = swap.comparison.sentence.format(*swap.comparison.facts)
    note = f"{memory.recall.question} {swap.comparison.question} “{sentence}”"
    return table("Ten articles on the Solar System", ["what", "here", "elsewhere"], rows, note)


def trained(folder: Path) -> Iterator[QueryTraining]:
    """Yield every collection and split; both splits train on as many questions, so that only the split differs."""
    sample = load_labelled(ROOT / "sample_docs")
    notes = sample.library(Settings(), "bm25")
    sets = [("sample notes", LSA(notes.index), sample.judged(notes))]
    for name, step in COLLECTIONS.items():
        collection = read_collection(folder / name)
        asked = collection.questions[::step]
        sets.append(
            (name, LSA(InvertedIndex(collection.texts)), tuple(judged(each.text, each.gains) for each in asked))
        )
    for name, lsa, questions in sets:
        apart = query_training(name, lsa, questions, "other texts")
        yield query_training(name, lsa, questions, "other questions", most=apart.n_trained)
        yield apart


def training(measured: list[QueryTraining]) -> Table:
    """Return recall at 10 and MRR before and after, one row a collection and split."""
    columns: list[Column | str] = ["collection", "texts", "questions", "trained on", "about", "figure"]
    columns += ["before", "after", Column("difference", form="+.3f"), "low", "high", Column("p", form=".4f")]
    rows: list[list[Value]] = [
        [each.name, each.n_texts, each.n_questions, each.n_trained, each.split, figure, *values(each, figure)]
        for each in measured
        for figure in ("recall@10", "mrr")
    ]
    note = (
        "LSA alone, its default dimensions; five folds, each question asked once by a map that never saw it. “about "
        "other texts”: no training question shares a relevant text with it. low, high: 95 % bootstrap interval."
    )
    return table("Training the question, on questions held out", columns, rows, note)


def values(each: QueryTraining, figure: str) -> list[Value]:
    """Return the cells of one figure."""
    found = each.figures[figure]
    return [found.before, found.after, found.difference, found.low, found.high, found.p]


def judged(text: str, gains: dict[int, float]) -> Judged:
    """Return a collection's question, each relevant text a piece of its own."""
    relevant = {place: gain for place, gain in gains.items() if gain > 0}
    return Judged(text, tuple(frozenset({place}) for place in relevant), tuple(relevant.values()))


def parts_of(folder: Path, name: str, n_texts: int) -> Parts:
    """Return texts spread evenly over a collection, parted."""
    texts = read_collection(folder / name).texts
    return Parts.of(name, texts[:: len(texts) // n_texts])


if __name__ == "__main__":
    main()
