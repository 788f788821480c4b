"""Measure the ten articles on the Solar System: `python docs/measure_solar_system.py`.

Rewrites what stands below the mark in docs/solar-system.md. Needs the articles (see that page).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from engine.evaluation.experiments.answers import NEVER, Answers, Outcomes, answers  # noqa: E402
from engine.evaluation.experiments.chunking import Chunking, Strategy, chunking  # noqa: E402
from engine.evaluation.experiments.grounding import GroundingDemo, grounding  # noqa: E402
from engine.evaluation.experiments.grounding_tables import grounding_tables  # noqa: E402
from engine.evaluation.experiments.libraries import Agreements, libraries  # noqa: E402
from engine.evaluation.experiments.probes import ProbeTradeOff, probe_trade_off  # noqa: E402
from engine.evaluation.experiments.retrievers import FIGURES, Retrievers, retrievers  # noqa: E402
from engine.evaluation.experiments.summaries import Summaries, summaries  # noqa: E402
from engine.evaluation.experiments.vectors import VectorSearch, vectors  # noqa: E402
from engine.evaluation.labelled import Labelled  # noqa: E402
from engine.evaluation.solar_system.facts import COMPARISON, RECALL, SOURCES  # noqa: E402
from engine.evaluation.solar_system.labels import load_solar_system  # noqa: E402
from engine.evaluation.tables import Column, Table, Value, table  # noqa: E402
from engine.settings import Settings  # noqa: E402

PAGE = Path(__file__).with_name("solar-system.md")
MARK = "<!-- Everything below is written by measure_solar_system.py -->"
SETTINGS = Settings(stemming="none", max_words=100, dimensions=128)

REFERENCE = {
    "BM25": (0.523, 0.719, 0.828, 0.883, 0.930, 0.672, 0.675),
    "tf-idf": (0.469, 0.688, 0.781, 0.859, 0.930, 0.620, 0.625),
    "LSA-32": (None, None, 0.508, None, None, None, None),
    "LSA-128": (0.445, 0.625, 0.703, 0.805, 0.914, 0.568, 0.577),
    "RRF": (0.555, 0.742, 0.766, 0.891, 0.945, 0.674, 0.689),
}
"""What the same design reached elsewhere: each of `FIGURES`."""


@dataclass(frozen=True)
class Measured:
    """All that the page shows."""

    labelled: Labelled
    retrievers: Retrievers
    chunking: Chunking
    answers: Answers
    summaries: Summaries
    probes: ProbeTradeOff
    drawn: VectorSearch
    grounding: GroundingDemo
    agreement: Agreements


def main() -> None:
    """Measure, and write the page anew."""
    labelled = load_solar_system()
    for notice in labelled.stale:
        print(f"{notice.path}: {notice.problem}", file=sys.stderr)  # noqa: T201
    measured = Measured(
        labelled,
        retrievers(labelled, SETTINGS),
        chunking(labelled, SETTINGS),
        answers(labelled, SETTINGS),
        summaries(labelled, SETTINGS),
        probe_trade_off(labelled, SETTINGS, lists=16),
        vectors(),
        grounding(labelled.library(SETTINGS.replace(sources=SOURCES)), RECALL, COMPARISON),
        libraries(labelled, SETTINGS),
    )
    parts = [each.to_markdown(level=3) for each in tables(measured)]
    head = PAGE.read_text(encoding="utf-8").split(MARK)[0]
    PAGE.write_text(f"{head}{MARK}\n\n" + "\n\n".join(parts) + "\n", encoding="utf-8")


def tables(measured: Measured) -> Iterator[Table]:
    """Yield the tables of the page, in order."""
    yield articles(measured.labelled)
    yield beside_the_reference(measured.retrievers)
    yield shapes(measured)
    yield from measured.retrievers.tables()[1:3]
    yield from measured.chunking.tables()
    yield from measured.answers.tables()
    yield from measured.summaries.tables()
    yield from measured.probes.tables()
    yield from measured.drawn.tables()
    yield from grounding_tables(measured.grounding)
    yield from measured.agreement.tables()


def articles(labelled: Labelled) -> Table:
    """Return a row an article."""
    rows = [
        [document.id, document.title, len(document.text.split()), len(document.sections), asked(labelled, document.id)]
        for document in labelled.documents.values()
    ]
    columns = ["document", "article", Column("words", form=","), "sections", "pieces of evidence first in it"]
    total: list[Value] = ["", "all", *(sum(row[at] for row in rows) for at in (2, 3, 4))]  # type: ignore[misc]
    return table("The articles", columns, [*rows, total])


def asked(labelled: Labelled, document: str) -> int:
    """Return how many pieces of evidence have their first span in a document."""
    return sum(piece.alternatives[0][0] == document for each in labelled.questions for piece in each.evidence)


def beside_the_reference(found: Retrievers) -> Table:
    """Return our figures and those of the reference, row by row."""
    rows: list[list[Value]] = []
    for name, figures in found.figures.items():
        rows.append([name, "here", *(figures[figure] for figure in FIGURES)])
        if name in REFERENCE:
            rows.append(["", "reference", *REFERENCE[name]])
    title = f"Retrievers on sentence chunks of 100 words ({found.n_chunks:,} chunks, {found.n_questions} questions)"
    return table(title, ["retriever", "", *FIGURES], rows)


def shapes(measured: Measured) -> Table:
    """Return what the reference found, what is found here, and whether it is the same."""
    rows = [[claim, reference, here, "yes" if holds else "no"] for claim, reference, here, holds in claims(measured)]
    return table("What the reference found, and whether it holds here", ["claim", "reference", "here", "holds"], rows)


def claims(measured: Measured) -> Iterator[tuple[str, str, str, bool]]:
    """Yield claim, the reference's figures, ours, and whether ours bear the claim out."""
    yield from claims_on_retrievers(measured.retrievers)
    yield from claims_on_chunking(measured.chunking, measured.retrievers)
    yield from claims_on_answers(measured.answers, measured.summaries)
    yield from claims_on_grounding(measured.grounding)
    yield from claims_on_vectors(measured.drawn)
    first, last = measured.probes.rows[0], measured.probes.rows[-1]
    recalls = [row.recall for row in measured.probes.rows]
    yield (
        "One IVF probe finds most of the exact first ten; the labelled recall@5 hardly depends on the probes",
        "75%; 0.70 to 0.73",
        f"{first.found:.0%}; {min(recalls):.2f} to {max(recalls):.2f}",
        first.found > 0.5 and last.recall - min(recalls) < 0.05,
    )


def claims_on_retrievers(found: Retrievers) -> Iterator[tuple[str, str, str, bool]]:
    """Yield what is said of ranking."""
    bm25, tfidf, fused = (found.figures[name] for name in ("BM25", "tf-idf", "RRF"))
    small, large = found.figures["LSA-32"], found.figures["LSA-128"]

    def each(figure: str) -> str:
        return " > ".join(f"{row[figure]:.3f}" for row in (bm25, tfidf, large))

    for figure, reference in (("recall@5", "0.828 > 0.781 > 0.703"), ("mrr", "0.672 > 0.620 > 0.568")):
        holds = bm25[figure] > tfidf[figure] > large[figure]
        yield f"BM25 before tf-idf before LSA-128, {figure}", reference, each(figure), holds
    yield (
        "LSA-32 finds much less than LSA-128, recall@5",
        "0.508, 0.703",
        f"{small['recall@5']:.3f}, {large['recall@5']:.3f}",
        small["recall@5"] < large["recall@5"],
    )
    cuts = [figure for figure in FIGURES if figure.startswith("recall")]
    lost = [figure for figure in cuts if fused[figure] < bm25[figure]]
    yield (
        "The fusion finds more than BM25 at every depth but 5",
        "less at recall@5",
        f"less at {', '.join(lost)}" if lost else "less nowhere",
        lost in ([], ["recall@5"]),
    )
    yield (
        "… and has the higher MRR",
        "0.674, 0.672",
        f"{fused['mrr']:.3f}, {bm25['mrr']:.3f}",
        fused["mrr"] > bm25["mrr"],
    )
    yield (
        "It moves the first relevant chunk up for more questions than down",
        "16 up, 13 down",
        f"{len(found.up)} up, {len(found.down)} down",
        len(found.up) > len(found.down),
    )
    total, division = found.score_sum, found.length_division
    yield (
        "A sum of raw scores is BM25 for most questions: its first five are BM25's",
        "62.5%; scores to 26.0, cosines to 0.93",
        f"{total.same:.1%}; scores to {total.largest_bm25:.1f}, cosines to {total.largest_cosine:.2f}",
        total.same > 0.5,
    )
    yield (
        "Without length division tf-idf on sections finds less, recall@5",
        "0.820, then 0.672",
        f"{division.recall_with:.3f}, then {division.recall_without:.3f}",
        division.recall_without < division.recall_with,
    )
    yield (
        "… because longer sections come first, words of the first five",
        "419, then 653; all 357",
        f"{division.words_with:.0f}, then {division.words_without:.0f}; all {division.words_all:.0f}",
        division.words_without > division.words_with,
    )


def claims_on_chunking(found: Chunking, ranked: Retrievers) -> Iterator[tuple[str, str, str, bool]]:
    """Yield what is said of cutting."""
    ways = {each.name: each for each in found.strategies}
    plain, overlapping, sections = ways["windows 100"], ways["windows 100, overlap 25"], ways["sections"]
    yield (
        "Windows of 100 words cut few pieces, about as many as the formula says",
        "3, formula 4.7",
        f"{plain.pieces_cut}, formula {plain.pieces_cut_expected:.1f}",
        abs(plain.pieces_cut - (plain.pieces_cut_expected or 0.0)) <= 4,
    )
    yield (
        "An overlap of 25 cuts none and finds more, recall@5",
        "none; 0.648, then 0.703",
        f"{overlapping.pieces_cut}; {plain.figures['recall@5']:.3f}, then {overlapping.figures['recall@5']:.3f}",
        overlapping.pieces_cut == 0 and overlapping.figures["recall@5"] > plain.figures["recall@5"],
    )
    best = max(found.strategies, key=lambda each: each.figures["recall@10"])
    at = sections.words[4]
    yield (
        "Sections find most at 10, for about 2,000 words in five of them",
        "recall@10 0.984; 2,000 words",
        f"recall@10 {sections.figures['recall@10']:.3f}; {at:,.0f} words",
        best is sections and 1_000 < at < 3_000,
    )
    for words in (250, 500, 1_000):
        found_at = {name: recall_at_words(each, words) for name, each in ways.items()}
        winner = max(found_at, key=lambda name: found_at[name])
        yield (
            f"For {words:,} words of prompt, sentence chunks of 50 to 100 words find most",
            "they do",
            f"{winner} {found_at[winner]:.3f}, sentences 100 {found_at['sentences 100']:.3f}",
            winner in ("sentences 50", "sentences 60", "sentences 100", "structure 100"),
        )
    short, long = found.headers
    gains = [each.with_headers["recall@5"] - each.without["recall@5"] for each in found.headers]
    for each, reference in ((short, "0.672, without 0.594"), (long, "0.828, without 0.781")):
        yield (
            f"Headers find more, chunks of {each.max_words} words, recall@5",
            reference,
            f"{each.with_headers['recall@5']:.3f}, without {each.without['recall@5']:.3f}",
            each.with_headers["recall@5"] > each.without["recall@5"],
        )
    yield "… most of all for short chunks", "+0.078, +0.047", f"{gains[0]:+.3f}, {gains[1]:+.3f}", gains[0] > gains[1]
    yield (
        "… and cost recall@1 at 100 words",
        "0.523, without 0.555",
        f"{long.with_headers['recall@1']:.3f}, without {long.without['recall@1']:.3f}",
        long.with_headers["recall@1"] < long.without["recall@1"],
    )


def claims_on_answers(found: Answers, leads: Summaries) -> Iterator[tuple[str, str, str, bool]]:
    """Yield what is said of quoted answers."""
    lists = dict(found.lists)
    fused, bm25 = at(lists["fused"], NEVER), at(lists["BM25"], NEVER)
    yield (
        "Never refusing, more than half of the questions of one piece are answered right",
        "34 of 60, with BM25 or fused",
        f"{bm25.right} with BM25, {fused.right} fused",
        min(bm25.right, fused.right) > 30,
    )
    half = at(lists["fused"], 0.5)
    yield (
        "Threshold 0.5 refuses most of the unanswerable",
        "3 of 4; answers 48, right 30",
        f"{half.unanswerable_refused} of 4; answers {half.right + half.wrong}, right {half.right}",
        half.unanswerable_refused >= 3,
    )
    most = max(each.unanswerable_refused for each in lists["fused"])
    yield (
        "Higher thresholds refuse no more of them",
        "3 of 4 at most",
        f"{most} of 4 at most",
        most == half.unanswerable_refused,
    )
    yield (
        "The summaries hold few of the answers",
        "11 of 60, 6 answered right",
        f"{leads.held} of 60, {leads.right} answered right",
        leads.held < 20,
    )
    yield (
        "BM25 over them picks the right article for two thirds",
        "41 of 60",
        f"{leads.right_document} of 60",
        leads.right_document >= 40,
    )


def claims_on_vectors(found: VectorSearch) -> Iterator[tuple[str, str, str, bool]]:
    """Yield what is said of synthetic vectors."""
    shares = {one.name: {row.probes: row.found for row in one.rows} for one in found.sets}
    near, far = shares["clustered"], shares["independent"]
    yield (
        "Of 100,000 clustered vectors 8 of 256 probes find most of the exact first ten, 64 nearly all",
        "77% (another set: 76%), 96%",
        f"{near[8]:.0%}, {near[64]:.0%}",
        near[8] > 0.7 and near[64] > 0.9,
    )
    yield (
        "Of independent ones they find far less",
        "28%, 79%",
        f"{far[8]:.0%}, {far[64]:.0%}",
        far[8] < 0.4 and far[64] < near[64],
    )


def claims_on_grounding(found: GroundingDemo) -> Iterator[tuple[str, str, str, bool]]:
    """Yield what is said of memory and sources."""
    memory, swap = found.memory, found.swap
    check = memory.wrong.check
    yield (
        "From memory a trigram model gives Pluto the day of Mercury, 176 Earth days",
        "it does, three to one",
        f"“{memory.recall.stem} {memory.wrong.text}”, {10**-memory.memory_odds:,.0f} to one",
        "176" in memory.wrong.text and memory.memory_odds < 0,
    )
    yield (
        "… and the check catches it",
        "support 0.67, 176 in no source",
        f"support {check.support:.2f}, not in the source: {', '.join(check.missing_numbers)}",
        not check.supported and "176" in check.missing_numbers,
    )
    yield (
        "Given the sources it prefers the right one by orders of magnitude",
        "4 to 5",
        f"{memory.token_odds:.1f} under RAG-Token, {memory.sequence_odds:.1f} under RAG-Sequence",
        min(memory.token_odds, memory.sequence_odds) > 3,
    )
    yield (
        "RAG-Token gives a sentence of two sources far more than RAG-Sequence does",
        "about 800 times",
        f"{swap.token_over_sequence:,.0f} times",
        swap.token_over_sequence > 100,
    )
    yield (
        "… and the sentence with the numbers exchanged a good part of what it gives the right one",
        "half",
        f"{swap.token_swap:.2f}",
        swap.token_swap > 0.25,
    )


def at(outcomes: Sequence[Outcomes], threshold: float) -> Outcomes:
    """Return the outcome under a threshold."""
    return next(each for each in outcomes if each.threshold == threshold)


def recall_at_words(strategy: Strategy, words: float) -> float:
    """Return the recall that so many words of prompt buy, between two measured depths in proportion."""
    points = [(0.0, 0.0), *zip(strategy.words, strategy.recall, strict=True)]
    for (before, low), (after, high) in zip(points, points[1:], strict=False):
        if before <= words <= after:
            return low + (high - low) * (words - before) / (after - before)
    return points[-1][1]


if __name__ == "__main__":
    main()
