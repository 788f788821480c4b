import pytest

from engine.answering.conflicts import find_conflicts
from engine.answering.verification import check_answer
from engine.evaluation.answers import cited_sentences, evaluate_answers
from engine.records import Answer, Chunk, Evidence, Prompt, Question, Source, Trace
from engine.settings import Settings

SOURCE = Source(1, Chunk(0, "venus.md", 0, 50, "One turn takes 243 days. A year takes 224.7 days."), "Venus", 9)
YEAR = Question("How long is a year?", (Evidence((("venus.md", "A year takes 224.7 days"),)),))
BOTH = Question("Which is longer?", (*YEAR.evidence, Evidence((("venus.md", "One turn takes 243 days"),))))
NOBODY = Question("Who lives there?", unanswerable=True)


def trace(text: str, abstained: bool = False) -> Trace:
    prompt = Prompt("", "", (SOURCE,), (), 0, 0)
    checks = () if abstained else check_answer(text, prompt)
    return Trace("", (), Settings(), {}, {}, prompt, Answer(text, "test", abstained), checks, {})


def outcome(question: Question, text: str, abstained: bool = False) -> str:
    report = evaluate_answers([question], lambda asked: trace(text, abstained))
    return report.rows[0].outcome


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("On Venus a YEAR takes 224.7 days [1].", "right"),
        ("It turns slowly [1]. A year takes 224.7 days [1].", "right"),
        ("224.7 days [1].", "right"),
        ("One turn takes 243 days [1].", "wrong"),
        ("A year takes 224.7 days.", "wrong"),
        ("A year takes 224.7 days [9].", "wrong"),
        ("A year takes 224 days [1].", "wrong"),
        ("A year takes 1224.7 days [1].", "wrong"),
        ("", "wrong"),
    ],
)
def test_an_answer_is_right_when_a_sentence_that_cites_a_source_says_the_span_or_a_part_of_it(
    answer: str, expected: str
):
    assert outcome(YEAR, answer) == expected


def test_a_reference_answer_will_do_too():
    referenced = Question(YEAR.text, YEAR.evidence, references=("two hundred days", "243 days"))
    assert outcome(referenced, "About 243 days [1].") == "right"
    assert outcome(referenced, "About 1,243 days [1].") == "wrong"


def test_several_pieces_all_have_to_be_said():
    assert outcome(BOTH, "One turn takes 243 days [1]. A year takes 224.7 days [1].") == "right"
    assert outcome(BOTH, "One turn takes 243 days [1].") == "wrong"
    hinted = Question(BOTH.text, BOTH.evidence, references=("243 days",))
    assert outcome(hinted, "One turn takes 243 days [1].") == "wrong"


def test_refusing_is_counted_as_such_whether_it_is_called_for_or_not():
    assert outcome(YEAR, "I don't know.", abstained=True) == "refused"
    assert outcome(NOBODY, "I don't know.", abstained=True) == "refused"
    assert outcome(NOBODY, "One turn takes 243 days [1].") == "wrong"


def test_the_counts_keep_the_three_kinds_of_question_apart():
    answers = {YEAR.text: "A year takes 224.7 days [1].", BOTH.text: "243 days [1].", NOBODY.text: ""}
    report = evaluate_answers([YEAR, BOTH, NOBODY], lambda text: trace(answers[text], text == NOBODY.text))
    assert report.counts() == {
        "answerable": 1,
        "right": 1,
        "wrong": 0,
        "refused": 0,
        "several": 1,
        "several_right": 0,
        "unanswerable": 1,
        "unanswerable_refused": 1,
    }
    assert [row.answer for row in report.rows] == list(answers.values())


def test_only_sentences_that_cite_a_source_of_the_prompt_are_judged():
    assert cited_sentences(trace("First [1]. Second. Third [2]. Fourth [2, 1].")) == ["First.", "Fourth."]


def test_facts_on_which_sources_disagree_are_counted():
    one, other = (
        Chunk(at, f"{at}.md", 0, 9, f"A year on Venus takes {days} days.") for at, days in enumerate((225, 244))
    )
    prompt = Prompt("", "", (Source(1, one, "", 9), Source(2, other, "", 9)), (), 0, 0)
    answered = Trace(
        "", (), Settings(), {}, {}, prompt, Answer("?", "test", True), (), {}, conflicts=find_conflicts(prompt)
    )
    report = evaluate_answers([YEAR, NOBODY], lambda asked: answered)
    assert [row.conflicts for row in report.rows] == [1, 1]
    assert report.conflicts == report.to_dict()["conflicts"] == 2
