from math import log2

import pytest

from engine.evaluation.retrieval import CUTS, FIGURES, Judged, evaluate_retrieval
from engine.records import Hit, Ranking


def ranked(*ids: int) -> Ranking:
    return Ranking("test", tuple(Hit(rank, chunk, 1.0 / rank) for rank, chunk in enumerate(ids, 1)))


def judged(*pieces: set[int], text: str = "?", gains: tuple[float, ...] = ()) -> Judged:
    return Judged(text, tuple(frozenset(piece) for piece in pieces), gains)


def test_one_question_by_hand():
    # Relevant: 7 or 8 for the first piece, 9 for the second. Ranked: 1 8 2 9 7.
    report = evaluate_retrieval([judged({7, 8}, {9})], {"r": lambda text: ranked(1, 8, 2, 9, 7)})
    figures = report.retrievers["r"]
    assert [figures[f"recall@{k}"] for k in CUTS] == [0, 0.5, 1, 1]
    assert figures["mrr"] == 1 / 2
    assert figures["map"] == pytest.approx((1 / 2 + 2 / 4 + 3 / 5) / 3)
    ideal = 1 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert figures["ndcg@10"] == pytest.approx((1 / log2(3) + 1 / log2(5) + 1 / log2(6)) / ideal)
    assert report.n_pieces == 2


def test_recall_is_the_mean_over_questions_of_the_share_of_their_pieces():
    # (1/1 + 1/2) / 2 = 0.75, where pooling the pieces would give 2/3.
    questions = [judged({2, 3}, text="a"), judged({3}, {4}, text="b")]
    report = evaluate_retrieval(questions, {"r": lambda text: ranked(2, 3)})
    assert report.retrievers["r"]["recall@3"] == 0.75


def test_a_piece_that_no_chunk_holds_counts_as_not_found():
    report = evaluate_retrieval([judged({1}, set()), judged(set())], {"r": lambda text: ranked(1)})
    figures = report.retrievers["r"]
    assert figures["recall@10"] == (0.5 + 0) / 2
    assert figures["mrr"] == figures["ndcg@10"] == figures["map"] == 0.5
    assert report.rows[1].first_relevant == {"r": None}


def test_a_chunk_gains_what_its_best_piece_gains():
    question = judged({1, 2}, {2, 3}, gains=(1.0, 3.0))
    assert question.gain_of == {1: 1.0, 2: 3.0, 3: 3.0}
    best = evaluate_retrieval([question], {"r": lambda text: ranked(2, 3, 1)})
    assert best.retrievers["r"]["ndcg@10"] == 1.0


def test_every_question_keeps_where_each_retriever_found_it():
    places = {"a": ranked(5, 1), "b": ranked(1, 5)}
    report = evaluate_retrieval(
        [judged({1}, text="a"), judged({1}, text="b")],
        {"good": lambda text: places[text], "blind": lambda text: ranked()},
    )
    assert [row.question for row in report.rows] == ["a", "b"]
    assert [dict(row.first_relevant) for row in report.rows] == [{"good": 2, "blind": None}, {"good": 1, "blind": None}]
    assert [row.figures["good"]["mrr"] for row in report.rows] == [0.5, 1.0]
    assert set(report.retrievers["blind"].values()) == {0.0}


def test_nothing_to_judge_gives_zeros():
    report = evaluate_retrieval([], {"r": lambda text: ranked(1)})
    assert report.retrievers["r"] == dict.fromkeys(FIGURES, 0.0)
