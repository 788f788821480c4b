"""Remake the reports of docs/evaluation.md with their figures: `python docs/make_reports.py [NAME …]`.

Each report is measured with the settings a person starts with, on the labelled collections (PLANET_TUI_DATA); its table
takes the place of the one between its marks on the page, its figure is written to docs/figures. All take some minutes.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

from engine.evaluation.answers import evaluate_answers  # noqa: E402
from engine.evaluation.collection_report import collection_library, evaluate_collection  # noqa: E402
from engine.evaluation.collections import Collection, data_folder, read_collection  # noqa: E402
from engine.evaluation.confidence import calibrate  # noqa: E402
from engine.evaluation.experiments.chunking import chunking  # noqa: E402
from engine.evaluation.experiments.probes import probe_trade_off  # noqa: E402
from engine.evaluation.figures import Curve, Figure, Panel  # noqa: E402
from engine.evaluation.labelled import Labelled  # noqa: E402
from engine.evaluation.report import NAMES  # noqa: E402
from engine.evaluation.solar_system.labels import load_solar_system  # noqa: E402
from engine.evaluation.tables import Column, Table, Value, table  # noqa: E402
from engine.evaluation.tuning.search import tune_collection  # noqa: E402
from engine.pipeline import ask  # noqa: E402
from engine.records import Document, Evidence, Question  # noqa: E402
from engine.settings import Settings  # noqa: E402

PAGE = Path(__file__).with_name("evaluation.md")
FIGURES = Path(__file__).with_name("figures")
GROUPS = (
    ("scifact", "cranfield", "cisi", "hotpotqa100"),
    ("squad-v1.1-train60", "squad-v1.1-dev", "squad-v2.0-dev"),
    ("xquad/en", "xquad/de", "xquad/es", "xquad/zh"),
)
"""Collections by the panel they are drawn in."""
TUNED = ("scifact", "cranfield", "cisi", "hotpotqa100", "squad-v1.1-dev", "xquad/de")
MOST, MOST_TUNED = 800, 300
"""Questions asked of a collection, evenly spaced."""
DRAWN = "ndcg@10"
T = TypeVar("T")


class Report(NamedTuple):
    """What a report came to."""

    tables: Sequence[Table]
    figure: Figure


def data() -> Path:
    """Return where the collections are."""
    found = data_folder()
    return found if found is not None else sys.exit("PLANET_TUI_DATA names no folder with the collections")


def spaced(items: Sequence[T], most: int) -> tuple[T, ...]:
    """Return at most `most` of the items, evenly spaced."""
    return tuple(items[at * len(items) // most] for at in range(most)) if len(items) > most else tuple(items)


def some_of(name: str, most: int = MOST) -> Collection:
    """Read a collection with some of its questions."""
    collection = read_collection(data() / name)
    return replace(collection, questions=spaced(collection.questions, most))


def collections() -> Report:
    """Every retriever on every collection."""
    rows: list[list[Value]] = []
    panels = []
    for group in GROUPS:
        reports = []
        for name in group:
            collection = some_of(name)
            reports.append(evaluate_collection(collection, collection_library(collection, Settings())))
            sure = reports[-1].intervals["fused"][DRAWN]
            cells = [reports[-1].retrieval.retrievers[each][DRAWN] for each in NAMES]
            rows.append([name, len(collection.questions), *cells, f"{sure.low:.3f} to {sure.high:.3f}"])
        places = tuple(map(float, range(len(group))))
        bars = []
        for each, label in NAMES.items():
            found = [report.intervals[each][DRAWN] for report in reports]
            ends = tuple(one.low for one in found), tuple(one.high for one in found)
            bars.append(Curve("" if panels else label, places, tuple(one.mean for one in found), *ends, kind="bars"))
        categories = tuple(name.replace("squad-", "").replace("hotpotqa100", "hotpotqa") for name in group)
        panels.append(Panel("", "", DRAWN, tuple(bars), y_range=(0.0, 1.0), categories=categories))
    columns = ["collection", "questions", *(Column(each, label) for each, label in NAMES.items()), "interval of fused"]
    note = f"{DRAWN}; lists 1,000 deep; the interval is the 95% percentile bootstrap over questions."
    figure = Figure("Retrievers by collection", tuple(panels), "Lines on the bars: 95 % bootstrap intervals.")
    return Report((table("", columns, rows, note),), figure)


def labelled(name: str, most: int) -> Labelled:
    """Read a collection in the form of SQuAD as notes, a paragraph each, with some of its questions."""
    lines = map(json.loads, (data() / name / "corpus.jsonl").open(encoding="utf-8"))
    notes = {line["id"]: Document(line["id"], line["title"], line["text"]) for line in lines}
    questions = []
    for line in map(json.loads, (data() / name / "qa.jsonl").open(encoding="utf-8")):
        said = tuple(dict.fromkeys(answer["text"] for answer in line["answers"]))
        places = Evidence(tuple((line["doc"], text) for text in said))
        answerable = line.get("answerable", True)
        kept = Question(line["question"], (places,), references=said) if answerable else None
        questions.append(kept or Question(line["question"], unanswerable=True))
    return Labelled(name, dict(sorted(notes.items())), spaced(questions, most))


def answers() -> Report:
    """What every threshold does to answers and refusals, where half of the questions have no answer."""
    found = labelled("squad-v2.0-dev", MOST)
    library = found.library(Settings(reader="features"))
    measured = evaluate_answers(found.questions, lambda text: ask(library, text))
    calibration = calibrate(measured.rows)
    assert calibration is not None
    return Report(calibration.tables(), calibration.figure())


def chunkers() -> Report:
    """Recall against the words it costs, by how the ten articles are cut."""
    found = chunking(load_solar_system())
    return Report(found.tables()[:1], found.figure())


def probes() -> Report:
    """What approximate search finds of the exact neighbours, and of what is labelled."""
    found = probe_trade_off(labelled("squad-v1.1-dev", MOST))
    return Report(found.tables(), found.figure())


def tuning() -> Report:
    """What tuning on a few hundred questions brings on those left out."""
    rows: list[list[Value]] = []
    gains = []
    for name in TUNED:
        collection = some_of(name, MOST_TUNED)
        found = tune_collection(collection, collection_library(collection, Settings()))
        gain = found.figures[DRAWN]
        gains.append(gain)
        chosen = ", ".join(f"{key} {value:g}" for key, value in found.changes.items()) or "nothing"
        verdict = "use it" if found.helps else "keep what there is"
        rows.append(
            [name, gain.n, gain.before, gain.after, gain.difference, gain.low, gain.high, gain.p, chosen, verdict]
        )
    signed = [Column(name, form="+.3f") for name in ("difference", "low", "high")]
    columns = [
        "collection",
        "questions",
        "before",
        "after",
        *signed,
        Column("p", form=".4f"),
        "chosen on all",
        "advice",
    ]
    places = tuple(map(float, range(len(TUNED))))
    ends = tuple(gain.low for gain in gains), tuple(gain.high for gain in gains)
    bars = Curve("", places, tuple(gain.difference for gain in gains), *ends, kind="bars")
    names = tuple(name.replace("squad-", "").replace("hotpotqa100", "hotpotqa") for name in TUNED)
    panel = Panel("", "", f"gain in {DRAWN} on questions left out", (bars,), categories=names)
    figure = Figure("Tuned by cross-validation", (panel,), "Lines: 95 % bootstrap intervals.")
    return Report((table("", columns, rows, f"{DRAWN} of the fused list, five folds by title."),), figure)


REPORTS: dict[str, Callable[[], Report]] = {
    "report-collections": collections,
    "report-answers": answers,
    "report-chunkers": chunkers,
    "report-probes": probes,
    "report-tuning": tuning,
}
"""By the name of its marks and its figure."""


def put(page: str, name: str, report: Report) -> str:
    """Return the page with the tables of a report between its marks."""
    body = "\n\n".join(made.to_markdown(3) for made in report.tables)
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    found = re.compile(re.escape(start) + ".*?" + re.escape(end), re.DOTALL)
    assert found.search(page), f"{PAGE.name} has no marks of {name}"
    return found.sub(lambda _: f"{start}\n\n{body}\n\n{end}", page)


if __name__ == "__main__":
    for name in sys.argv[1:] or REPORTS:
        report = REPORTS[name]()
        report.figure.save(FIGURES / f"{name}.svg")
        PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), name, report), encoding="utf-8")
