"""A summary is a document's leading section, and nothing below it can answer."""

from engine.evaluation.experiments.summaries import WINDOW_TOKENS, summaries
from engine.evaluation.labelled import Labelled


def test_only_what_the_leads_say_is_held(tiny: Labelled) -> None:
    """Of the two answers one stands in a lead ("with an atmosphere"), one below a heading ("Volcanoes cover it")."""
    found = summaries(tiny)
    assert (found.n_summaries, found.n_questions, found.held, found.right, found.right_document) == (3, 2, 1, 1, 2)
    assert found.fit == WINDOW_TOKENS * 3 // found.tokens


def test_the_words_are_those_of_the_leading_sections(tiny: Labelled) -> None:
    """4 of Io, 9 of Titan, 7 of Venus; a heading is no part of its section's chunk."""
    assert summaries(tiny).words == 4 + 9 + 7
