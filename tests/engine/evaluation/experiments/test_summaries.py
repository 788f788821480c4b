"""A summary is a document's leading section, and nothing below it can answer."""

from engine.evaluation.experiments.summaries import WINDOW_TOKENS, summaries
from engine.evaluation.labelled import Labelled
from engine.reading.markdown import parse_markdown
from engine.records import Evidence, Question


def test_only_what_the_leads_say_is_held(tiny: Labelled) -> None:
    """Of the two answers one stands in a lead ("with an atmosphere"), one below a heading ("Volcanoes cover it")."""
    found = summaries(tiny)
    assert (found.n_summaries, found.n_questions, found.held, found.right, found.right_document) == (3, 2, 1, 1, 2)
    assert found.fit == WINDOW_TOKENS * 3 // found.tokens


def test_the_words_are_those_of_the_leading_sections(tiny: Labelled) -> None:
    """4 of Io, 9 of Titan, 7 of Venus; a heading is no part of its section's chunk."""
    assert summaries(tiny).words == 4 + 9 + 7


def test_notes_that_are_not_ascii_are_shortened_as_well() -> None:
    note = parse_markdown("# Ève\n\nÈve est né ici – là.\n\n## Après\n\nRien.", "eve.md")
    question = Question("Où est né Ève?", (Evidence((("eve.md", "né ici"),)),))
    found = summaries(Labelled("une note", {"eve.md": note}, (question,)))
    assert (found.words, found.held, found.right_document) == (6, 1, 1)
