"""Agreement with other libraries on the documents at hand.

Tf-idf, LSA and nDCG are compared with scikit-learn, the figures of a ranking with ir_measures. Both are optional;
they come with the extra `dev`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from engine.errors import MissingExtraError, how_to_install
from engine.evaluation.labelled import Labelled
from engine.evaluation.metrics import average_precision, ndcg, recall_at_k, reciprocal_rank
from engine.evaluation.retrieval import Judged
from engine.evaluation.tables import Column, Table, Value, table
from engine.indexing.inverted_index import indexed_text
from engine.indexing.lsa import LSA
from engine.indexing.tfidf import weight_matrix
from engine.library import Library
from engine.records import Ranking, Report
from engine.settings import Settings

DEPTH = 100


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two computations of the same are apart."""

    what: str
    """What is compared."""
    library: str
    """With what, and its version."""
    values: int
    """How many numbers were compared."""
    difference: float
    """The largest absolute difference."""


@dataclass(frozen=True, slots=True)
class Agreements:
    """All comparisons on one collection."""

    name: str
    """The collection."""
    rows: tuple[Agreement, ...]
    """In the order of the pipeline."""

    def tables(self) -> tuple[Table, ...]:
        """Return a row a comparison."""
        columns: list[Column | str] = [
            "what",
            "library",
            Column("values", form=","),
            Column("difference", "largest difference", ".1e"),
        ]
        rows: list[list[Value]] = [[row.what, row.library, row.values, row.difference] for row in self.rows]
        return (table(f"Agreement with other libraries on {self.name}", columns, rows),)


def libraries(labelled: Labelled, settings: Settings | None = None, *, report: Report | None = None) -> Agreements:
    """Compute the same with scikit-learn and ir_measures.

    Args:
        labelled: documents and questions.
        settings: how the documents are cut and analysed, and `dimensions`.
        report: told the progress of the indexing.

    Raises:
        MissingExtraError: scikit-learn or ir_measures is not installed.
    """
    sklearn, measures = _needed("sklearn"), _needed("ir_measures")
    library = labelled.library(settings or Settings(), "bm25", report)
    judged = labelled.judged(library)
    rankings = [library.bm25.search(question.text, DEPTH) for question in judged]
    theirs = f"scikit-learn {sklearn.__version__}"
    return Agreements(
        labelled.name,
        (
            *(Agreement(what, theirs, *_apart(*pair)) for what, pair in _tfidf(library, judged).items()),
            *(Agreement(what, theirs, *_apart(*pair)) for what, pair in _lsa(library).items()),
            Agreement("nDCG of every question", theirs, *_apart(*_sklearn_ndcg(judged, rankings, library))),
            *(
                Agreement(f"{what} of every question", "ir_measures", *_apart(*pair))
                for what, pair in _ir_measures(measures, judged, rankings).items()
            ),
        ),
    )


def _needed(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError:
        package = {"sklearn": "scikit-learn", "ir_measures": "ir_measures"}[name]
        raise MissingExtraError(
            f"This comparison needs {package}, which is not installed.", f"Install it: {how_to_install(package)}"
        ) from None


Pair = tuple[Any, Any]
"""Our numbers and theirs, of one shape."""


def _apart(ours: Any, theirs: Any) -> tuple[int, float]:  # noqa: ANN401
    one, other = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    return one.size, float(np.abs(one - other).max(initial=0.0))


def _tfidf(library: Library, judged: Sequence[Judged]) -> Mapping[str, Pair]:
    text = importlib.import_module("sklearn.feature_extraction.text")
    index, tfidf = library.index, library.tfidf
    vectorizer = text.TfidfVectorizer(analyzer=index.analyzer, sublinear_tf=True)
    rows = vectorizer.fit_transform([indexed_text(chunk, library.settings.headers) for chunk in library.chunks])
    theirs = rows[:, [vectorizer.vocabulary_[term] for term in index.vocabulary]].tocsr()
    theirs.sort_indices()
    ours = tfidf.matrix.sorted_indices()
    questions = [question.text for question in judged]
    return {
        "tf-idf weights": (ours.data, theirs.data),
        "tf-idf cosines of the questions": (
            np.array([tfidf.scores(question) for question in questions]),
            (vectorizer.transform(questions) @ rows.T).toarray(),
        ),
    }


def _lsa(library: Library) -> Mapping[str, Pair]:
    decomposition = importlib.import_module("sklearn.decomposition")
    index = library.index
    matrix = weight_matrix(index, library.tfidf.idf, True, keep=index.document_frequencies() >= 2)
    lsa = LSA(index, min(library.settings.dimensions or 32, min(matrix.shape) - 1))
    svd = decomposition.TruncatedSVD(lsa.n_dims, algorithm="arpack", random_state=0)
    theirs, ours = svd.fit_transform(matrix), matrix @ lsa.components
    # A dimension may point the other way: no cosine depends on its sign.
    signs = np.sign((ours * theirs).sum(axis=0))
    return {
        "LSA singular values": (lsa.singular_values, svd.singular_values_),
        "LSA coordinates, up to sign": (ours, theirs * signs),
    }


def _sklearn_ndcg(judged: Sequence[Judged], rankings: Sequence[Ranking], library: Library) -> Pair:
    metrics = importlib.import_module("sklearn.metrics")
    n_chunks = len(library.chunks)
    ours, theirs = [], []
    for question, ranking in zip(judged, rankings, strict=True):
        gains = question.gain_of
        if gains and n_chunks > 1:
            # Every chunk has a place: those that are not ranked come last, relevant ones at the very end.
            ranked = dict.fromkeys(ranking.ids)
            rest = [chunk for chunk in range(n_chunks) if chunk not in ranked]
            order = [*ranked, *sorted(rest, key=lambda chunk: gains.get(chunk, 0.0))]
            places = np.empty(n_chunks)
            places[order] = -np.arange(n_chunks)
            truth = [gains.get(chunk, 0.0) for chunk in range(n_chunks)]
            ours.append(ndcg(gains, order, 10))
            theirs.append(metrics.ndcg_score([truth], [places], k=10))
    return ours, theirs


def _ir_measures(measures: ModuleType, judged: Sequence[Judged], rankings: Sequence[Ranking]) -> Mapping[str, Pair]:
    ours: dict[str, tuple[Any, Callable[[Mapping[int, float], Sequence[int]], float]]] = {
        "recall@5": (measures.R @ 5, lambda gains, ids: recall_at_k(set(gains), ids, 5)),
        "reciprocal rank": (measures.RR, reciprocal_rank),
        "average precision": (measures.AP, average_precision),
        "nDCG@10": (measures.nDCG @ 10, lambda gains, ids: ndcg(gains, ids, 10)),
    }
    asked = [(question.gain_of, ranking.ids) for question, ranking in zip(judged, rankings, strict=True)]
    asked = [(gains, ids) for gains, ids in asked if gains]
    judgements = [
        measures.Qrel(str(at), str(chunk), round(gain))
        for at, (gains, _) in enumerate(asked)
        for chunk, gain in gains.items()
    ]
    run = [
        measures.ScoredDoc(str(at), str(chunk), -float(rank))
        for at, (_, ids) in enumerate(asked)
        for rank, chunk in enumerate(ids)
    ]
    found = {
        (str(each.measure), int(each.query_id)): each.value
        for each in measures.iter_calc([measure for measure, _ in ours.values()], judgements, run)
    }
    return {
        name: ([own(*each) for each in asked], [found[str(measure), at] for at in range(len(asked))])
        for name, (measure, own) in ours.items()
    }
