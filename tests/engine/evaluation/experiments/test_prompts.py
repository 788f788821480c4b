import pytest

from engine.evaluation.experiments.prompts import strategies
from engine.evaluation.experiments.routing import routing
from engine.pipeline import ask
from engine.settings import Settings


def test_a_budget_without_room_holds_no_evidence_and_one_with_room_the_recall_of_the_list(sample):
    measured = strategies(sample, Settings(), budgets=(100, 2000))
    tight = [row for row in measured.rows if row.budget == 100]
    assert all(row.recall < 0.5 and row.tokens <= 100 for row in tight)
    roomy = {row.strategy: row for row in measured.rows if row.budget == 2000}
    # With room for all five, both strategies hold the same passages: only the places differ.
    assert roomy["prefix"].recall == roomy["edges"].recall
    assert roomy["prefix"].tokens == roomy["edges"].tokens
    assert roomy["edges"].at_ends > roomy["prefix"].at_ends


def test_edges_holds_no_fewer_passages_than_prefix(sample):
    measured = strategies(sample, Settings(), budgets=(200, 300))
    for prefix, edges in zip(measured.rows[::2], measured.rows[1::2], strict=True):
        assert (prefix.strategy, edges.strategy, prefix.budget) == ("prefix", "edges", edges.budget)
        assert edges.sources >= prefix.sources and edges.recall >= prefix.recall
        assert max(prefix.tokens, edges.tokens) <= prefix.budget


def test_the_evidence_of_three_notes_is_counted_by_hand(tiny):
    # "Volcanoes cover it" is ranked second of five passages, "an atmosphere" first. In rank order one of the two stands
    # at an end; in the order 1 3 5 4 2 both do. No word of the first question stands in its sentence: it is refused.
    prefix, edges = strategies(tiny, Settings(stemming="none", reader="coverage"), budgets=(2000,)).rows
    assert (prefix.sources, prefix.recall, prefix.at_ends) == (5.0, 1.0, 0.5)
    assert (edges.sources, edges.recall, edges.at_ends) == (5.0, 1.0, 1.0)
    assert (prefix.right, prefix.wrong, prefix.refused) == (edges.right, edges.wrong, edges.refused) == (1, 0, 1)


def test_strategies_are_a_table_with_a_row_a_budget_and_strategy(sample):
    (table,) = strategies(sample, budgets=(300,)).tables()
    assert [tuple(row[:2]) for row in table.rows] == [(300, "prefix"), (300, "edges")]


def test_routing_to_more_notes_keeps_more_evidence_and_never_more_than_all(sample):
    measured = routing(sample, Settings(), routed=(1, 2, 5, 50))
    assert [row.documents for row in measured.rows] == [1, 2, 5, None]
    kept, searched = [row.kept for row in measured.rows], [row.searched for row in measured.rows]
    assert kept == sorted(kept) and searched == sorted(searched)
    assert (kept[-1], searched[-1]) == (1.0, 1.0)
    for row in measured.rows:
        for recall in row.recall.values():
            assert list(recall) == sorted(recall) and recall[-1] <= row.kept


def test_the_routed_figures_are_those_of_ask(sample):
    measured = routing(sample, Settings(), routed=(2,)).rows[0]
    settings = Settings(routing="leads", routed_documents=2)
    library = sample.library(settings)
    found = []
    for question in sample.judged(library):
        ids = ask(library, question.text).rankings["fused"].ids[:5]
        found.append(sum(not piece.isdisjoint(ids) for piece in question.pieces) / len(question.pieces))
    assert measured.recall["fused"][1] == pytest.approx(sum(found) / len(found))


def test_routing_is_a_table_with_a_row_a_number_of_notes(tiny):
    (table,) = routing(tiny, routed=(1,)).tables()
    assert [row[0] for row in table.rows] == [1, "all"]
