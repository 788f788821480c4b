import json

import pytest

from engine.evaluation.collections import data_folder, read_collection


def write_lines(path, *entries):
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    write_lines(
        tmp_path / "corpus.jsonl",
        {"id": "m", "title": "Mars", "text": "Red."},
        {"id": "v", "title": "Venus", "text": "Hot."},
    )
    return tmp_path


def test_queries_and_judgements_name_texts_by_their_place(folder):
    write_lines(folder / "queries.jsonl", {"id": "1", "text": "Which is hot?"}, {"id": "2", "text": "Not judged?"})
    (folder / "qrels.tsv").write_text("1\tv\t2\n1\tm\t1\n", encoding="utf-8")
    collection = read_collection(folder)
    assert collection.texts == ("Mars\nRed.", "Venus\nHot.")
    assert [(question.text, question.gains) for question in collection.questions] == [("Which is hot?", {1: 2, 0: 1})]


def test_questions_and_answers_make_the_answering_text_relevant(folder):
    write_lines(folder / "qa.jsonl", {"id": "q", "question": "Which is red?", "doc": "m", "answers": []})
    assert [(question.text, question.gains) for question in read_collection(folder).questions] == [
        ("Which is red?", {0: 1})
    ]


def test_a_judgement_of_a_text_that_is_not_there_is_an_error(folder):
    write_lines(folder / "queries.jsonl", {"id": "1", "text": "Which?"})
    (folder / "qrels.tsv").write_text("1\tpluto\t1\n", encoding="utf-8")
    with pytest.raises(KeyError, match="pluto"):
        read_collection(folder)


def test_the_folder_is_the_one_the_environment_names(monkeypatch, tmp_path):
    monkeypatch.setenv("PLANET_TUI_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.setenv("PLANET_TUI_DATA", str(tmp_path / "gone"))
    assert data_folder() is None


def test_a_real_collection_has_the_size_it_is_known_for():
    folder = data_folder()
    if folder is None:
        pytest.skip("the labelled collections are not on this machine")
    cranfield = read_collection(folder / "cranfield")
    assert (len(cranfield.texts), len(cranfield.questions)) == (1400, 225)
