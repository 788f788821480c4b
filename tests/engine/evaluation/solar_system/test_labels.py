"""The labels are what they say they are, and say so when the articles are another revision."""

from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest

from engine.errors import FolderError
from engine.evaluation.labelled import Labelled
from engine.evaluation.labels import find_span, load_questions
from engine.evaluation.solar_system.articles import TITLES, load_articles, write_articles
from engine.evaluation.solar_system.labels import QUESTIONS, load_solar_system
from engine.library import Library
from engine.text.analysis import contains_phrase


def test_sixty_questions_need_one_place_four_need_two_and_four_have_none() -> None:
    questions = load_questions(QUESTIONS)
    assert Counter(len(question.evidence) for question in questions) == {1: 60, 2: 4, 0: 4}
    assert len({question.text for question in questions}) == 68


def test_every_article_is_asked_about() -> None:
    questions = [question for question in load_questions(QUESTIONS) if len(question.evidence) == 1]
    asked = Counter(question.evidence[0].alternatives[0][0] for question in questions)
    assert asked.keys() == TITLES.keys()
    assert min(asked[name] for name in TITLES if name != "ceres.md") >= 5


def test_spans_are_short() -> None:
    """A piece's kindest alternative decides whether a cut loses it; the longest of all stays below 30 words."""
    pieces = [piece for question in load_questions(QUESTIONS) for piece in question.evidence]
    words = [[len(text.split()) for _, text in piece.alternatives] for piece in pieces]
    assert fmean(map(min, words)) == pytest.approx(11.3, abs=0.05)
    assert max(map(max, words)) == 29


def test_each_span_stands_in_its_article_once(articles: Labelled) -> None:
    assert articles.stale == ()
    for question in articles.questions:
        for piece in question.evidence:
            for document, text in piece.alternatives:
                assert len(find_span(articles.documents[document].text, text)) == 1, text


def test_each_answer_stands_in_a_span() -> None:
    for question in load_questions(QUESTIONS):
        if len(question.evidence) == 1:
            spans = [text for _, text in question.evidence[0].alternatives]
            assert question.references
            for reference in question.references:
                assert any(contains_phrase(span, reference) for span in spans), (question.text, reference)


def test_the_articles_hold_text_and_no_references(articles: Labelled) -> None:
    words = {name: len(document.text.split()) for name, document in articles.documents.items()}
    assert list(words) == sorted(TITLES)
    assert sum(words.values()) == pytest.approx(69_000, abs=1_000)
    for document in articles.documents.values():
        assert not {section.heading for section in document.sections} & {"References", "Links", "See also", "Notes"}
        assert not document.notices


def test_the_articles_become_a_folder_of_notes(articles: Labelled, tmp_path: Path) -> None:
    write_articles(tmp_path / "solar-system")
    again = load_solar_system(tmp_path / "solar-system")
    assert again.stale == ()
    stages = Library.stages(tmp_path / "solar-system")
    assert {name: document.text for name, document in next(stages).documents.items()} == {
        name: document.text for name, document in articles.documents.items()
    }


def test_another_revision_names_the_spans_it_lost(articles: Labelled, tmp_path: Path) -> None:
    paths = write_articles(tmp_path)
    pluto = next(path for path in paths if path.name == "pluto.md")
    pluto.write_text(pluto.read_text(encoding="utf-8").replace("6.39 Earth days", "6.4 days"), encoding="utf-8")
    (lost,) = load_solar_system(tmp_path).stale
    assert lost.path == "pluto.md"
    assert "6.39 Earth days" in lost.problem and "How long is a day on Pluto?" in lost.problem


def test_a_folder_without_an_article_says_which(tmp_path: Path) -> None:
    for name in TITLES:
        (tmp_path / name).write_text("# Text", encoding="utf-8")
    (tmp_path / "venus.md").unlink()
    with pytest.raises(FolderError, match="holds no article on Venus") as caught:
        load_articles(tmp_path)
    assert "venus.md" in caught.value.hint


def test_without_the_data_the_message_says_what_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANET_TUI_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(FolderError, match="not on this machine") as caught:
        load_articles()
    assert "PLANET_TUI_DATA" in caught.value.hint


def test_notes_named_by_title_serve_as_well(articles: Labelled, tmp_path: Path) -> None:
    for path in write_articles(tmp_path):
        path.rename(path.with_name(f"{TITLES[path.name]}.md"))
    assert load_solar_system(tmp_path).stale == ()
