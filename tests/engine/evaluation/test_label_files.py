import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import LabelsError, OutputError
from engine.evaluation.label_files import append_question, replace_question, to_toml
from engine.evaluation.labels import load_questions
from engine.records import Evidence, Question
from planet_tui import paths

YEAR = Question(
    "How long is a year on “Venus”?",
    (Evidence((("venus.md", 'every "224.7" days'), ("planets/é.md", "225\\days\n"))), Evidence((("sun.md", "sun"),))),
    references=("224.7 days", "225"),
    gains=(2.0, 0.5),
)
TITAN = Question("How hot is Titan?", unanswerable=True)


def test_what_is_appended_is_read_back_as_it_was(tmp_path: Path):
    path = tmp_path / "labels" / "mine.toml"
    append_question(path, YEAR)
    append_question(path, TITAN)
    assert load_questions(path) == (YEAR, TITAN)


def test_what_a_person_wrote_stays_as_it_is(tmp_path: Path):
    path = tmp_path / "questions.toml"
    written = "# my questions\n" + to_toml(TITAN).rstrip("\n") + " # no final line break"
    path.write_text(written, encoding="utf-8")
    append_question(path, YEAR)
    assert path.read_text("utf-8").startswith(written)
    assert load_questions(path) == (TITAN, YEAR)


TEXT = st.text(min_size=1).filter(str.strip)


@given(TEXT, st.lists(st.lists(st.tuples(st.text(), TEXT), min_size=1, max_size=3), min_size=1, max_size=3))
def test_any_text_survives_the_trip(tmp_path_factory, text, pieces):
    path = tmp_path_factory.mktemp("labels") / "a.toml"
    question = Question(text, tuple(Evidence(tuple(piece)) for piece in pieces))
    append_question(path, question)
    assert load_questions(path) == (question,)


def test_a_lone_surrogate_does_not_spoil_the_file(tmp_path: Path):
    append_question(tmp_path / "a.toml", Question("odd \ud800 text", unanswerable=True))
    assert load_questions(tmp_path / "a.toml")[0].text.startswith("odd ")


def test_several_writers_lose_nothing(tmp_path: Path):
    path = tmp_path / "a.toml"
    asked = [Question(f"Question {number}?", unanswerable=True) for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda question: append_question(path, question), asked))
    assert sorted(question.text for question in load_questions(path)) == sorted(question.text for question in asked)


def test_the_same_question_is_not_written_twice(tmp_path: Path):
    append_question(tmp_path / "a.toml", TITAN)
    before = (tmp_path / "a.toml").read_bytes()
    with pytest.raises(LabelsError, match="already holds “How hot is Titan"):
        append_question(tmp_path / "a.toml", TITAN)
    assert (tmp_path / "a.toml").read_bytes() == before


def test_a_file_of_something_else_is_left_alone(tmp_path: Path):
    path = tmp_path / "settings.toml"
    path.write_text("theme = 'dark'\n", encoding="utf-8")
    with pytest.raises(LabelsError, match="unknown key 'theme'"):
        append_question(path, TITAN)
    assert path.read_text("utf-8") == "theme = 'dark'\n"


@pytest.mark.parametrize("question", [Question(" ", unanswerable=True), Question("Why?")])
def test_what_is_no_question_is_refused(tmp_path: Path, question: Question):
    with pytest.raises(LabelsError):
        append_question(tmp_path / "a.toml", question)
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_one_clear_error(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        append_question(tmp_path / "file" / "a.toml", TITAN)


def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch):
    path = tmp_path / "a.toml"
    append_question(path, TITAN)
    before = path.read_bytes()

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        append_question(path, YEAR)
    assert path.read_bytes() == before


def write_lines(path: Path, *entries: object) -> Path:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


def test_json_lines_of_questions_and_answers_are_labels_too(tmp_path: Path):
    answers = [{"text": "243 days"}, {"text": "243"}, {"text": "243 days"}]
    path = write_lines(
        tmp_path / "a.jsonl",
        {"question": "How long is a day?", "doc": "venus.md", "answers": answers},
        {"question": "Who lives there?", "doc": "venus.md", "answers": [], "answerable": False},
    )
    day, nobody = load_questions(path)
    assert day.evidence == (Evidence((("venus.md", "243 days"), ("venus.md", "243"))),)
    assert day.references == ("243 days", "243")
    assert nobody == Question("Who lives there?", unanswerable=True)


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ({"question": "Why?"}, "line 1: it has no doc"),
        ({"question": "Why?", "doc": "a.md"}, "no text or no answers"),
        ({"question": "Why?", "doc": "a.md", "answers": "b"}, "of the wrong kind"),
        ({"question": 3, "doc": "a.md", "answers": []}, "of the wrong kind"),
        ({"question": "Why?", "doc": "a.md", "answers": [{"text": " "}, 3]}, "no text or no answers"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, entry: dict[str, object], complaint: str):
    with pytest.raises(LabelsError, match=complaint):
        load_questions(write_lines(tmp_path / "a.jsonl", entry))


def test_each_folder_has_a_file_of_its_own_in_the_user_s_data(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("PLANET_TUI_HOME", str(tmp_path / "home"))
    one, other = (paths.labels_file(tmp_path / name / "notes") for name in ("a", "b"))
    assert one != other and one.parent == other.parent == tmp_path / "home" / "data" / "labels"
    assert one == paths.labels_file(tmp_path / "a" / ".." / "a" / "notes")


@given(st.lists(TEXT, min_size=1, max_size=5, unique=True), st.data())
def test_any_question_can_be_replaced_or_taken_out_and_the_others_stay(tmp_path_factory, texts, data):
    path = tmp_path_factory.mktemp("labels") / "a.toml"
    asked = [Question(text, (Evidence((("a.md", text),)),)) for text in texts]
    for question in asked:
        append_question(path, question)
    chosen = data.draw(st.sampled_from(range(len(asked))))
    after = Question(asked[chosen].text, unanswerable=True)
    replace_question(path, asked[chosen], after)
    assert load_questions(path) == (*asked[:chosen], after, *asked[chosen + 1 :])
    replace_question(path, after, None)
    rest = (*asked[:chosen], *asked[chosen + 1 :])
    assert load_questions(path) == rest if rest else not path.exists()


def test_a_question_that_somebody_edited_is_not_touched(tmp_path: Path):
    path = tmp_path / "a.toml"
    append_question(path, YEAR)
    edited = path.read_text("utf-8").replace("224.7 days", "225 days")
    path.write_text(edited, encoding="utf-8")
    with pytest.raises(LabelsError, match="otherwise than it was marked"):
        replace_question(path, YEAR, None)
    longer = Question(TITAN.text, unanswerable=True, references=("x",))
    append_question(path, longer)
    with pytest.raises(LabelsError, match="otherwise"):  # its lines go on after those of the other
        replace_question(path, TITAN, None)
    with pytest.raises(LabelsError):
        replace_question(tmp_path / "gone.toml", YEAR, None)


def test_a_person_s_comments_around_a_question_stay(tmp_path: Path):
    path = tmp_path / "a.toml"
    path.write_text("# mine\n\n" + to_toml(TITAN) + "\n" + to_toml(YEAR) + "# end\n", encoding="utf-8")
    replace_question(path, TITAN, None)
    assert path.read_text("utf-8") == "# mine\n\n" + to_toml(YEAR) + "# end\n"
