"""A library and its labelled questions -> the weights of the fusion that suit them, and an honest figure of the gain.

1. Each question is searched once for each pair of k1 and b; what any weights make of its lists is arithmetic
   (`lists.py`), so that a whole grid is measured.
2. The questions are cut into folds by note (`folds.py`). The settings for a fold are chosen on the others: those of
   the best mean nDCG@10, if they beat the untouched ones by more than one standard error of the difference, else the
   untouched ones (the one-standard-error rule of Breiman et al., "Classification and regression trees", 1984).
3. What every question gets under the settings that were chosen without it is compared with what it has now
   (`resampling.compare_paired`). The settings offered are those chosen on all questions, by the same rule.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from engine.errors import LabelsError
from engine.evaluation.collection_report import judged_texts, subjects_of
from engine.evaluation.collections import Collection
from engine.evaluation.labels import relevant_chunks, subfolder_of, within
from engine.evaluation.metrics import dcg
from engine.evaluation.report import apart, judged_questions, notes_of
from engine.evaluation.resampling import compare_paired
from engine.evaluation.retrieval import FIGURES, Judged, figures_of
from engine.evaluation.stepping import stepping
from engine.evaluation.tuning.folds import grouped_folds
from engine.evaluation.tuning.lists import Ranks, find_lists
from engine.evaluation.tuning.record import Tuning
from engine.library import Library
from engine.records import Question, Report, ShouldStop
from engine.settings import Settings

CUT = 10
"""Depth of the nDCG that settings are chosen by."""
FOLDS = 5
TUNING_DEPTH = 100
"""Places of a list where texts are ranked 1,000 deep otherwise: more of them do not reach the first ten."""
FEWEST = 10
"""Questions below which nothing is tuned."""

K1, B = (0.9, 1.2, 1.5, 2.0), (0.4, 0.75)
LSA, NEAR = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0), (0.0, 1.0, 2.0, 4.0)
"""The grid. BM25's own weight stays: a list depends on the ratios alone."""

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Measured:
    """One question under every candidate."""

    judged: Judged
    relevant: tuple[int, ...]
    ranks: Ranks
    """(n_candidates, n_relevant)"""

    def figures(self, candidate: int) -> dict[str, float]:
        """Return each of `FIGURES` under one candidate: what stands between the relevant chunks is no matter."""
        ranks = self.ranks[candidate].tolist()
        ids = [-1] * max(ranks, default=0)
        for chunk, rank in zip(self.relevant, ranks, strict=True):
            if rank:
                ids[rank - 1] = chunk
        return figures_of(self.judged, ids)


def tune(
    library: Library,
    questions: Sequence[Judged],
    groups: Sequence[Hashable],
    *,
    n_folds: int = FOLDS,
    as_asked: bool = True,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> Tuning:
    """Tune k1, b and the weights of the fusion on labelled questions by cross-validation.

    Args:
        library: as `report.apart` gives it where copies are labelled.
        questions: each with at least one piece of evidence.
        groups: one a question; questions of one group are never on both sides of a fold.
        n_folds: at most.
        as_asked: as in `report.searches`.
        report: told the progress.
        should_stop: asked before each question.

    Raises:
        LabelsError: there are too few questions, or they are all of one group.
        Cancelled: `should_stop` returned true.
    """
    if len(questions) < FEWEST or len(set(groups)) < 2:
        raise LabelsError(
            f"Too few to tune on: questions {len(questions)}, notes they are about {len(set(groups))}.",
            f"Label at least {FEWEST} questions, about two notes or more.",
        )
    candidates = grid(library.settings)
    measured = _measure(library, questions, candidates, as_asked, report, should_stop)
    values = np.stack([_ndcg(each) for each in measured], axis=1)
    folds = grouped_folds(groups, n_folds)
    chosen = [choose(values[:, folds != fold]) for fold in range(folds.max() + 1)]
    before = [each.figures(0) for each in measured]
    after = [each.figures(chosen[fold]) for each, fold in zip(measured, folds.tolist(), strict=True)]
    return Tuning(
        before=library.settings,
        after=candidates[choose(values)],
        chosen=tuple(candidates[at] for at in chosen),
        figures={name: compare_paired([row[name] for row in before], [row[name] for row in after]) for name in FIGURES},
        n_questions=len(questions),
        n_groups=len(set(groups)),
        n_candidates=len(candidates),
    )


def tune_library(
    library: Library,
    questions: Sequence[Question],
    *,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> Tuning:
    """Tune on a library's labelled questions, in folds by the note of their first evidence; raise as `tune`.

    Args:
        library: what is searched.
        questions: labelled; those without an answer have no say.
        report: told the progress.
        should_stop: asked before each question.
    """
    folder = subfolder_of(questions, library.documents.keys())
    questions = [within(folder, question) for question in questions]
    pieces = [relevant_chunks(question, library.chunks, library.documents) for question in questions]
    judged, notes = judged_questions(questions, pieces), notes_of(questions)
    return tune(apart(library), judged, notes, report=report, should_stop=should_stop)


def tune_collection(
    collection: Collection,
    library: Library,
    *,
    report: Report | None = None,
    should_stop: ShouldStop | None = None,
) -> Tuning:
    """Tune on a collection, in folds by the title of the most relevant text; raise as `tune`.

    Args:
        collection: with its sources.
        library: made of it by `collection_library`; lists are `TUNING_DEPTH` deep here.
        report: told the progress.
        should_stop: asked before each question.
    """
    shallow = apart(library.with_settings(library.settings.replace(depth=TUNING_DEPTH)))
    judged, subjects = judged_texts(collection, library), subjects_of(collection)
    return tune(shallow, judged, subjects, as_asked=False, report=report, should_stop=should_stop)


def grid(settings: Settings) -> list[Settings]:
    """Return the settings that are tried: the untouched ones first, then those that differ least from them."""
    pairs = {(settings.k1, settings.b), *product(K1, B)}
    near = {settings.near_weight, *NEAR} if settings.fusion == "adaptive" else {settings.near_weight}
    tried = [
        settings.replace(k1=k1, b=b, lsa_weight=lsa, near_weight=close)
        for (k1, b), lsa, close in product(sorted(pairs), sorted({settings.lsa_weight, *LSA}), sorted(near))
    ]
    return sorted(tried, key=lambda one: _distance(one, settings))


def choose(values: Values) -> int:
    """Return the candidate of the best mean, or 0, the untouched one, where that is within one standard error of it.

    Args:
        values: (n_candidates, n_questions) a figure of each question under each candidate, higher is better.

    >>> choose(np.array([[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 1.0]])), choose(np.array([[0.0, 0.5], [1.0, 0.0]]))
    (1, 0)
    """
    best = int(values.mean(axis=1).argmax())
    gain = values[best] - values[0]
    return best if len(gain) > 1 and gain.mean() > gain.std(ddof=1) / sqrt(len(gain)) else 0


def _measure(
    library: Library,
    questions: Sequence[Judged],
    candidates: Sequence[Settings],
    as_asked: bool,
    report: Report | None,
    should_stop: ShouldStop | None,
) -> list[_Measured]:
    """Rank the relevant chunks of every question under every candidate, with one search a pair of k1 and b."""
    pairs: dict[tuple[float, float], list[int]] = {}
    for at, one in enumerate(candidates):
        pairs.setdefault((one.k1, one.b), []).append(at)
    parts = [(library.with_settings(candidates[places[0]]), places) for places in pairs.values()]
    measured = []
    for question in stepping(questions, "tuning", report, should_stop):
        relevant = tuple(question.gain_of)
        ranks = np.zeros((len(candidates), len(relevant)), np.int32)
        for part, places in parts:
            lists = find_lists(part, question.text, as_asked=as_asked)
            ranks[places] = lists.ranks([candidates[at] for at in places], relevant)
        measured.append(_Measured(question, relevant, ranks))
    return measured


def _ndcg(measured: _Measured) -> Values:
    """Return nDCG at `CUT` under every candidate, (n_candidates,)."""
    gains = measured.judged.gain_of
    ideal = dcg(sorted(gains.values(), reverse=True), CUT)
    counted = (measured.ranks > 0) & (measured.ranks <= CUT)
    worth = np.array([gains[chunk] for chunk in measured.relevant])
    found: Values = (counted * worth / np.log2(np.maximum(measured.ranks, 1) + 1)).sum(axis=1)
    return found / ideal if ideal > 0 else found


def _distance(one: Settings, settings: Settings) -> tuple[int, float]:
    names = ("k1", "b", "lsa_weight", "near_weight")
    steps = [abs(getattr(one, name) - getattr(settings, name)) for name in names]
    return sum(step > 0 for step in steps), sum(steps)
