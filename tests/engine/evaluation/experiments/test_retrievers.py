"""The figures are those of `evaluate`; the moves, the sum and the missing division are what they are called."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from engine.evaluation.experiments.mistakes import length_division, score_sum, vector_lengths
from engine.evaluation.experiments.retrievers import CUTS, FIGURES, retrievers
from engine.evaluation.labelled import Labelled
from engine.evaluation.report import evaluate
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.tfidf import Tfidf
from engine.settings import Settings
from engine.text.analysis import analyze


def test_the_figures_are_those_of_an_evaluation(sample: Labelled) -> None:
    settings = Settings(dimensions=32)
    measured = retrievers(sample, settings, dimensions=(16, 32))
    report = evaluate(sample.library(settings), sample.questions)
    assert list(measured.figures) == ["BM25", "tf-idf", "LSA-16", "LSA-32", "RRF"]
    for ours, name in (("BM25", "bm25"), ("tf-idf", "tfidf"), ("LSA-32", "lsa"), ("RRF", "rrf")):
        theirs = report.retrieval.retrievers[name]
        shared = [figure for figure in FIGURES if figure in theirs]
        assert len(shared) >= 6
        assert [measured.figures[ours][k] for k in shared] == pytest.approx([theirs[k] for k in shared], abs=1e-12)


def test_recall_never_falls_with_depth(sample: Labelled) -> None:
    for row in retrievers(sample, dimensions=(8,)).figures.values():
        assert sorted(row[f"recall@{k}"] for k in CUTS) == [row[f"recall@{k}"] for k in CUTS]


def test_moves_go_the_way_they_say(sample: Labelled) -> None:
    measured = retrievers(sample, dimensions=(8,))
    last = 10**9
    assert measured.up and measured.down
    assert all((move.fused or last) < (move.bm25 or last) for move in measured.up)
    assert all((move.fused or last) > (move.bm25 or last) for move in measured.down)
    assert {move.question for move in measured.up}.isdisjoint(move.question for move in measured.down)
    assert len(measured.up) + len(measured.down) <= measured.n_questions


def test_the_comparison_is_of_the_two_lists(sample: Labelled) -> None:
    measured = retrievers(sample, dimensions=(8,))
    for name, pair in measured.fusion.items():
        assert pair.before == pytest.approx(measured.figures["BM25"][name])
        assert pair.after == pytest.approx(measured.figures["RRF"][name])
        assert pair.low <= pair.difference <= pair.high
        assert (pair.n, 0 < pair.p <= 1) == (measured.n_questions, True)


def test_a_sum_with_cosines_of_zero_is_bm25(sample: Labelled) -> None:
    library = sample.library(Settings(), "lsa")

    class Silent:
        def scores(self, question: str) -> np.ndarray:
            return np.zeros(len(library.chunks))

    questions = [question.text for question in sample.answerable]
    assert score_sum(library, Silent(), questions).same == 1.0
    real = score_sum(library, library.lsa, questions)
    assert 0 < real.same <= 1
    assert real.largest_bm25 == max(float(library.bm25.scores(text).max()) for text in questions)
    assert real.largest_cosine <= 1 + 1e-12


def test_vector_lengths_are_those_of_scikit_learn(sample: Labelled) -> None:
    texts = [document.text for document in sample.documents.values()]
    rows = TfidfVectorizer(analyzer=analyze, sublinear_tf=True, norm=None).fit_transform(texts)
    expected = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    assert vector_lengths(Tfidf(InvertedIndex(texts))) == pytest.approx(expected, rel=1e-12)


def test_without_the_division_longer_sections_come_first(sample: Labelled) -> None:
    found = length_division(sample, Settings())
    assert found.words_without > found.words_with
    assert 0 <= found.recall_without <= 1


def test_its_tables_and_figure_hold_every_retriever(tiny: Labelled) -> None:
    measured = retrievers(tiny, dimensions=(2,))
    figures, fusion, moves, _ = measured.tables()
    assert [row[0] for row in fusion.rows] == list(FIGURES)
    assert (
        [row[0] for row in figures.rows]
        == list(measured.figures)
        == [c.label for c in measured.figure().panels[0].curves]
    )
    assert len(moves.rows) == len(measured.up) + len(measured.down)
