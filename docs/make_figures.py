"""Draw the figures of the docs from measured values. Run from the root: python docs/make_figures.py [NAME …].

Those on the ten articles need the labelled collections (PLANET_TUI_DATA); the others need the sample notes alone.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path

from engine import BM25, InvertedIndex, analyze, check_answer, split_sentences, tokenize
from engine.answering.token_masks import TokenMasks
from engine.evaluation.experiments.answers import answers
from engine.evaluation.experiments.catalogue import EXPERIMENTS, Task
from engine.evaluation.experiments.chunking import chunking
from engine.evaluation.experiments.prompts import strategies
from engine.evaluation.experiments.retrievers import retrievers
from engine.evaluation.experiments.vectors import vectors
from engine.evaluation.figures import Curve, Figure, Panel
from engine.evaluation.labelled import Labelled, load_labelled
from engine.evaluation.report import evaluate
from engine.evaluation.report_figures import evaluation_figure
from engine.evaluation.solar_system.labels import load_solar_system
from engine.settings import Settings

FOLDER = Path(__file__).with_name("figures")
SAMPLE = Path(__file__).parents[1] / "sample_docs"
ARTICLES = Settings(max_words=100)
"""How the ten articles are cut."""


def sample() -> Labelled:
    """Return the sample notes with their questions."""
    return load_labelled(SAMPLE)


def line_map() -> Figure:
    """Where each line of a note ends up in its text."""
    note = sample().documents["venus.md"]
    lines, offsets = tuple(map(float, note.line_numbers)), tuple(map(float, note.line_offsets))
    starts = tuple(float(section.start) for section in note.sections)
    curves = (
        Curve("blocks and lines", lines, offsets, kind="points"),
        Curve("sections", tuple(float(note.line_at(int(start))) for start in starts), starts, kind="points"),
    )
    panel = Panel("", "line of venus.md", "offset in the text", curves)
    return Figure("From the source to the text", (panel,), "Front matter, blank lines and markup have no place in it.")


def words() -> Figure:
    """How much of a collection its most frequent words are, with and without stopwords."""
    text = "\n".join(document.text for document in sample().documents.values())

    def covered(label: str, terms: list[str]) -> Curve:
        counts = [count for _, count in Counter(terms).most_common()]
        shares = [total / len(terms) for total in accumulate(counts)]
        ranks = [rank for rank in (1, 2, 5, 10, 20, 50, 100, 200, 500) if rank < len(counts)] + [len(counts)]
        return Curve(label, tuple(map(float, ranks)), tuple(shares[rank - 1] for rank in ranks))

    curves = (covered("all words", tokenize(text)), covered("without stopwords", analyze(text)))
    panel = Panel("", "the k most frequent words", "share of the text", curves, log_x=True, y_range=(0.0, 1.0))
    return Figure("Words of the sample notes", (panel,))


def saturation() -> Figure:
    """BM25's factor of a term against its count, and against the length of the chunk."""
    counts = list(range(1, 21))
    equal = InvertedIndex([" ".join(["x"] * count + ["y"] * (20 - count)) for count in counts], str.split)
    lengths = list(range(5, 101, 5))
    longer = InvertedIndex([" ".join(["x"] + ["y"] * (length - 1)) for length in lengths], str.split)

    def factors(bm25: BM25, at: Sequence[float], label: str) -> Curve:
        values = tuple(bm25.explain(["x"], chunk)[0].saturation for chunk in range(bm25.index.n_chunks))
        return Curve(label, tuple(map(float, at)), values)

    by_count = tuple(factors(BM25(equal, k1), counts, f"k1 = {k1}") for k1 in (0.5, 1.2, 1.5, 3.0))
    relative = [length / longer.average_length for length in lengths]
    by_length = tuple(factors(BM25(longer, 1.5, b), relative, f"b = {b}") for b in (0.0, 0.5, 0.75, 1.0))
    panels = (
        Panel("|d| = avg", "count f", "f (k1 + 1) / (f + K)", by_count),
        Panel("f = 1, k1 = 1.5", "|d| / avg", "f (k1 + 1) / (f + K)", by_length),
    )
    return Figure("What a term counts for in BM25", panels, "Each is multiplied by the term's idf.")


def support() -> Figure:
    """How many sentences of the notes another chunk supports, by the least support that is asked for."""
    library = sample().library(Settings(), "bm25")
    found = []
    for chunk in library.chunks:
        for sentence in split_sentences(chunk.text):
            others = [
                at for at in library.bm25.search(sentence, 5).ids if library.chunks[at].document != chunk.document
            ]
            if others:
                (check, *_) = check_answer(f"{sentence.rstrip('.')} [1].", [library.chunks[others[0]]])
                found.append(check)
    steps = [step / 20 for step in range(21)]

    def reached(label: str, supports: list[float]) -> Curve:
        return Curve(label, tuple(steps), tuple(sum(s >= step for s in supports) / len(found) for step in steps))

    curves = (
        reached("by support alone", [check.support for check in found]),
        reached("with the check of numbers", [check.support for check in found if not check.missing_numbers]),
    )
    panel = Panel("", "least support asked for", "share that passes", curves, y_range=(0.0, 1.0))
    note = f"{len(found)} sentences of the sample notes, each cited to the best chunk of another note."
    return Figure("False citations that pass", (panel,), note)


def masks() -> Figure:
    """How many characters may follow at each place of a reply."""
    alphabet = [chr(code) for code in range(32, 127)]
    masked = TokenMasks([("vendor", "text", True), ("total", "number", True)], alphabet)
    reply, allowed, state = '{"vendor": "ACME", "total": 42}', [], masked.start
    for character in reply:
        allowed.append(float(masked.mask(state).sum()))
        state = masked.advance(state, alphabet.index(character))
    places = tuple(map(float, range(len(reply))))
    panel = Panel("", "character of the reply", "characters allowed", (Curve("", places, tuple(allowed), kind="bars"),))
    panel = Panel(panel.title, panel.x_label, panel.y_label, panel.curves, categories=tuple(reply.replace(" ", "␣")))
    return Figure("Constrained decoding", (panel,), f"Of {len(alphabet)} printable characters.")


def pitfalls() -> Figure:
    """The pitfalls on the ten articles."""
    outcome = EXPERIMENTS["pitfalls"].run(Task(load_solar_system, ARTICLES))
    assert outcome.figure is not None
    return outcome.figure


def grounding() -> Figure:
    """Two endings on the sample notes."""
    outcome = EXPERIMENTS["grounding"].run(Task(sample, Settings()))
    assert outcome.figure is not None
    return outcome.figure


def evaluation() -> Figure:
    """The evaluation of the sample notes."""
    labelled = sample()
    return evaluation_figure(evaluate(labelled.library(Settings()), labelled.questions), labelled)


def reader() -> Figure:
    """What the reader's probability is worth where half of the questions have no answer."""
    from measure_reader import judged

    return judged().figure()


FIGURES: dict[str, Callable[[], Figure]] = {
    "line-map": line_map,
    "words": words,
    "saturation": saturation,
    "support": support,
    "masks": masks,
    "grounding": grounding,
    "evaluation": evaluation,
    "chunking": lambda: chunking(load_solar_system()).figure(),
    "retrievers": lambda: retrievers(load_solar_system(), ARTICLES).figure(),
    "prompts": lambda: strategies(load_solar_system()).figure(),
    "answers": lambda: answers(load_solar_system(), ARTICLES).figure(),
    "vectors": lambda: vectors(n_vectors=100_000).figure(),
    "pitfalls": pitfalls,
    "reader": reader,
}
"""By file name: what is drawn. The first five take no more than arithmetic, so that a test draws them again."""


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or FIGURES:
        FIGURES[name]().save(FOLDER / f"{name}.svg")
