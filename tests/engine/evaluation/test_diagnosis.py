from collections.abc import Sequence

import pytest

from engine.answering.verification import check_answer
from engine.evaluation.answers import judge_answer
from engine.evaluation.diagnosis import CAUSES, Diagnosis, diagnose
from engine.records import Answer, Chunk, Evidence, Hit, Prompt, Question, Ranking, Source, Trace
from engine.settings import Settings

TEXTS = ("Mars is red.", "A year takes 224.7 days.", "One turn takes 243 days.", "It is hot.")
YEAR = Question("How long is a year?", (Evidence((("venus.md", "A year takes 224.7 days"),)),))
NOBODY = Question("Who lives there?", unanswerable=True)


def ranked(name: str, ids: Sequence[int]) -> Ranking:
    return Ranking(name, tuple(Hit(rank, chunk, 1 / rank) for rank, chunk in enumerate(ids, 1)))


def trace(
    answer: str, *, fused: Sequence[int] = (), prompt: Sequence[int] = (), bm25: Sequence[int] = (), sources: int = 3
) -> Trace:
    chunks = [Chunk(at, "venus.md", 0, len(text), text) for at, text in enumerate(TEXTS)]
    shown = tuple(Source(number, chunks[chunk], "", 0) for number, chunk in enumerate(prompt, 1))
    made = Prompt("", "", shown, (), 0, 0)
    refused = answer == ""
    return Trace(
        question="",
        terms=(),
        settings=Settings(sources=sources),
        rankings={"bm25": ranked("bm25", bm25), "fused": ranked("fused", fused)},
        chunks={},
        prompt=made,
        answer=Answer(answer, "test", refused),
        checks=() if refused else check_answer(answer, made),
        timings={},
    )


@pytest.mark.parametrize(
    ("made", "piece", "expected"),
    [
        (trace("", fused=[0, 1], prompt=[0]), (), Diagnosis("cut")),
        (trace("", fused=[0, 2], prompt=[0]), {1}, Diagnosis("not_retrieved")),
        (trace("", fused=[0, 2], prompt=[0], bm25=[2, 1]), {1}, Diagnosis("below_cut")),
        (trace("", fused=[0, 2, 3, 1], prompt=[0, 2, 3]), {1}, Diagnosis("below_cut", rank=4)),
        (trace("", fused=[0, 2, 1], prompt=[0, 2]), {1}, Diagnosis("over_budget", rank=3)),
        (trace("", fused=[1, 0], prompt=[1, 0]), {1}, Diagnosis("refused", 1, 1)),
        (trace("Mars is red [1].", fused=[0, 1], prompt=[0, 1]), {1}, Diagnosis("other_sentence", 2, 2)),
        (trace("Mars is red [1].", fused=[0, 1, 2], prompt=[0, 1, 2]), {1}, Diagnosis("other_sentence", 2, 2, True)),
        (trace("A year takes 200 days [2].", fused=[0, 1], prompt=[0, 1]), {1}, Diagnosis("unsupported", 2, 2)),
    ],
    ids=lambda value: value.cause if isinstance(value, Diagnosis) else "",
)
def test_the_cause_is_the_first_stage_that_lost_the_evidence(made, piece, expected):
    assert diagnose(made, [piece]) == expected


def test_of_several_pieces_the_one_lost_first_is_named():
    made = trace("", fused=[1, 0], prompt=[1])
    assert diagnose(made, [{1}, {2}]).cause == "not_retrieved"
    assert diagnose(made, [{1}]).cause == "refused"


def test_an_answer_where_there_is_none_should_have_been_a_refusal():
    made = trace("Mars is red [1].", fused=[0], prompt=[0])
    assert judge_answer(NOBODY, made, []).diagnosis == Diagnosis("not_refused")
    assert judge_answer(NOBODY, trace(""), []).diagnosis is None


def test_a_right_answer_needs_no_diagnosis_and_without_labels_of_chunks_there_is_none():
    right = trace("A year takes 224.7 days [1].", fused=[1], prompt=[1])
    assert judge_answer(YEAR, right, [{1}]).diagnosis is None
    assert judge_answer(YEAR, trace(""), None).diagnosis is None


def test_every_cause_is_written_for_a_person_with_where_the_evidence_was():
    assert len(set(CAUSES.values())) == len(CAUSES)
    assert Diagnosis("below_cut", rank=8).text == "retrieved, but below the cut (rank 8)"
    assert Diagnosis("refused", 2, 2, middle=True).text == "in the prompt, but refused (source 2, in the middle)"


def test_figures_of_one_answer_by_hand():
    # Two sources of three are relevant, at ranks 1 and 3; two citations, one of them to a relevant source.
    both = Question(
        "?", (*YEAR.evidence, Evidence((("venus.md", "One turn takes 243 days"),))), references=("243 days",)
    )
    made = trace("A year takes 224.7 days [1]. Mars is red [2].", fused=[1, 0, 2], prompt=[1, 0, 2])
    figures = judge_answer(both, made, [{1}, {2}]).figures
    assert figures["right"] == 0, "the second piece is not stated"
    assert figures["answer_sentence"] == 1
    assert figures["context_recall"] == 1
    assert figures["context_precision"] == pytest.approx((1 + 2 / 3) / 2)
    assert figures["citation_precision"] == 1 / 2
    assert figures["faithfulness"] == 1
    # normalised: a year takes 2247 days mars is red (8 with "a": 7), 243 days (2); common: days
    assert figures["token_f1"] == pytest.approx(2 * 1 / (7 + 2))
    assert (figures["abstain_when_answerable"], figures["abstain_when_unanswerable"]) == (0, None)


def test_a_refusal_is_judged_by_what_applies_to_it():
    figures = judge_answer(NOBODY, trace(""), []).figures
    assert figures["abstain_when_unanswerable"] == 1
    assert {name for name, value in figures.items() if value is not None} == {"abstain_when_unanswerable"}
