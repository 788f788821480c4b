import json
from pathlib import Path

import pytest

from engine.errors import LabelsError
from engine.evaluation.collections import data_folder, read_collection

NEEDS_DATA = pytest.mark.skipif(data_folder() is None, reason="the labelled collections are not on this machine")


def write_lines(path: Path, *entries: object) -> None:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_lines(
        tmp_path / "corpus.jsonl",
        {"id": "m", "title": "Mars", "text": "Red."},
        {"id": "v", "title": "Venus", "text": "Hot."},
    )
    return tmp_path


def found(folder: Path):
    return [(question.id, question.text, question.gains) for question in read_collection(folder).questions]


def test_queries_and_judgements_name_texts_by_their_place(folder):
    write_lines(folder / "queries.jsonl", {"id": "1", "text": "Which is hot?"}, {"id": "2", "text": "Not judged?"})
    (folder / "qrels.tsv").write_text("1\tv\t2\n1\tm\t1\n", encoding="utf-8")
    collection = read_collection(folder)
    assert collection.texts == ("Mars\nRed.", "Venus\nHot.")
    assert [source.id for source in collection.sources] == ["m", "v"]
    assert found(folder) == [("1", "Which is hot?", {1: 2, 0: 1})]


def test_a_text_judged_worthless_is_not_relevant(folder):
    write_lines(folder / "queries.jsonl", {"id": "1", "text": "Which?"}, {"id": "2", "text": "None?"})
    (folder / "qrels.tsv").write_text("1\tv\t1\n1\tm\t0\n2\tm\t-1\n", encoding="utf-8")
    assert found(folder) == [("1", "Which?", {1: 1})]


def test_beir_has_underscores_a_header_and_a_folder_of_splits(tmp_path):
    write_lines(tmp_path / "corpus.jsonl", {"_id": "m", "text": "Red."}, {"_id": "v", "title": "Venus", "text": "Hot."})
    write_lines(tmp_path / "queries.jsonl", {"_id": "q", "text": "Which is red?"})
    (tmp_path / "qrels").mkdir()
    for split, text in (("train", "v"), ("test", "m")):
        lines = f"query-id\tcorpus-id\tscore\nq\t{text}\t1\n"
        (tmp_path / "qrels" / f"{split}.tsv").write_text(lines, encoding="utf-8")
    assert found(tmp_path) == [("q", "Which is red?", {0: 1})]


def test_questions_and_answers_make_the_answering_text_relevant(folder):
    write_lines(
        folder / "qa.jsonl",
        {"id": "q", "question": "Which is red?", "doc": "m", "answers": []},
        {"id": "n", "question": "Which is cold?", "doc": "m", "answers": [], "answerable": False},
    )
    assert found(folder) == [("q", "Which is red?", {0: 1})]


TOPICS = """
<top>
<num> Number: 301 <title> hot planets
<desc> Description: which planets are hot?
</top>
<top><num>302</num><title>red &amp; dusty</title></top>
"""
DOCUMENTS = """<DOC><DOCNO> D-1 </DOCNO><TITLE>Venus</TITLE><TEXT>Hot &lt;464&gt; <P>and dry.</P></TEXT></DOC>
<DOC>
<DOCNO>D-2</DOCNO>
<TEXT>Red.</TEXT>
</DOC>"""


def test_trec_documents_topics_and_four_columns(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "planets").write_text(DOCUMENTS, encoding="utf-8")
    (tmp_path / "topics.301-302").write_text(TOPICS, encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("301 0 D-1 2\n301 0 D-2 0\n302 0 D-2 1\n", encoding="utf-8")
    collection = read_collection(tmp_path)
    assert collection.texts == ("Venus\nHot <464> and dry.", "\nRed.")
    assert found(tmp_path) == [("301", "hot planets", {0: 2}), ("302", "red & dusty", {1: 1})]


def test_topics_may_be_lines_beside_json_texts(folder):
    (folder / "a.topics").write_text("7\twhat is red\n", encoding="utf-8")
    (folder / "a.qrels").write_text("7 0 m 1\n", encoding="utf-8")
    assert found(folder) == [("7", "what is red", {0: 1})]


def squad(*questions: dict[str, object]) -> dict[str, object]:
    paragraphs = [{"context": "Red.", "qas": questions}, {"context": "Dusty.", "qas": []}]
    return {"version": "2.0", "data": [{"title": "Planet_Mars", "paragraphs": paragraphs}]}


def test_squad_paragraphs_are_texts_and_what_has_no_answer_is_left_out(tmp_path):
    asked = {"id": "q", "question": "Which colour?", "answers": [{"text": "Red", "answer_start": 0}]}
    impossible = {"id": "n", "question": "How far?", "answers": [], "is_impossible": True}
    (tmp_path / "dev.json").write_text(json.dumps(squad(asked, impossible)), encoding="utf-8")
    for path in (tmp_path, tmp_path / "dev.json"):
        assert read_collection(path).texts == ("Planet Mars\nRed.", "Planet Mars\nDusty.")
        assert found(path) == [("q", "Which colour?", {0: 1})]


QUERY = '{"id": "1", "text": "Which?"}\n'


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({}, "holds no collection"),
        ({"a.json": "{}", "b.json": "{}"}, r"several JSON files; name one: a\.json, b\.json"),
        ({"a.json": "{}"}, r"a\.json is not in SQuAD's form"),
        ({"a.json": "[[["}, r"a\.json is not in SQuAD's form"),
        ({"corpus.jsonl": "{"}, r"corpus\.jsonl, line 1: it is not JSON"),
        ({"corpus.jsonl": "\n[]"}, r"corpus\.jsonl, line 2: it has no text"),
        ({"corpus.jsonl": '{"text": "a"}'}, "line 1: it has no id"),
        ({"corpus.jsonl": QUERY + QUERY, "queries.jsonl": QUERY, "qrels.tsv": ""}, "'1' is the name of two"),
        ({"corpus.jsonl": QUERY}, "holds no file of topics"),
        ({"corpus.jsonl": QUERY, "topics.a": "1\ta", "topics.b": "1\ta"}, "holds several files of topics"),
        ({"corpus.jsonl": QUERY, "topics": "1 a"}, "topics, line 1: a topic is an id, a tab"),
        ({"corpus.jsonl": QUERY, "topics": "<top><num>1</top>"}, "topics, topic 1: it has no <num> or no <title>"),
        ({"corpus.jsonl": QUERY, "queries.jsonl": QUERY}, "holds no file of qrels"),
        ({"corpus.jsonl": QUERY, "queries.jsonl": QUERY, "qrels.tsv": "1\t1\t1\n1\t1\tx"}, r"qrels\.tsv, line 2"),
        ({"corpus.jsonl": QUERY, "queries.jsonl": QUERY, "qrels.tsv": "1\t1\t1\n1 1"}, r"qrels\.tsv, line 2"),
        ({"corpus.jsonl": QUERY, "queries.jsonl": QUERY, "qrels.tsv": "1\tpluto\t1"}, "there is no text 'pluto'"),
        ({"corpus.jsonl": QUERY, "queries.jsonl": QUERY, "qrels.tsv": "9\t1\t1"}, "line 1: there is no question '9'"),
        ({"questions.jsonl": "{}"}, "questions about a folder of notes"),
        ({"a.trec": "<DOC>no name</DOC>"}, r"a\.trec, document 1: it has no <DOCNO>"),
    ],
)
def test_what_is_no_collection_is_one_clear_error(tmp_path, files, complaint):
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(LabelsError, match=complaint) as caught:
        read_collection(tmp_path)
    assert caught.value.hint


def test_judgements_of_what_is_not_there_are_counted(folder):
    write_lines(folder / "queries.jsonl", {"id": "q", "text": "Which is red?"})
    (folder / "qrels.tsv").write_text("q\tm\t1\nq\tpluto\t1\nx\tm\t1\nx\tv\t0\nq\tceres\t0\n")
    collection = read_collection(folder)
    [question] = collection.questions
    lost = len(collection.texts)
    assert question.gains == {0: 1, lost: 1} and collection.sources[lost].id == "pluto"
    assert [notice.problem for notice in collection.notices] == [
        "2 judgements of questions that are not asked",
        "1 judgements of texts that are not there",
    ]


def test_a_folder_that_is_not_there_is_one_clear_error(tmp_path):
    with pytest.raises(LabelsError, match="is not there"):
        read_collection(tmp_path / "gone")


def test_the_folder_is_the_one_the_environment_names(monkeypatch, tmp_path):
    monkeypatch.setenv("PLANET_TUI_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.setenv("PLANET_TUI_DATA", str(tmp_path / "gone"))
    assert data_folder() is None


@NEEDS_DATA
@pytest.mark.parametrize(
    ("name", "n_texts", "n_questions"),
    [
        ("cranfield", 1400, 225),
        ("cisi", 1460, 76),
        ("scifact", 5183, 809),
        ("hotpotqa100", 994, 100),
        ("squad-v1.1-dev", 1055, 5033),
        ("squad-v2.0-dev", 578, 2876),
        ("xquad/zh", 240, 1190),
    ],
)
def test_a_real_collection_has_the_size_it_is_known_for(name, n_texts, n_questions):
    collection = read_collection(data_folder() / name)
    assert (len(collection.texts), len(collection.questions)) == (n_texts, n_questions)
