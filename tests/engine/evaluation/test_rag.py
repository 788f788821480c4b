import pytest

from engine.evaluation.rag import rag_report


def record(**changes):
    blank = {"answerable": True, "gold": set(), "retrieved": [], "abstained": False, "claims": []}
    return blank | changes


RECORDS = [
    record(gold={"a", "b"}, retrieved=["a", "x", "b"], claims=[True, True]),
    record(gold={"c"}, retrieved=["x", "c"], claims=[True, False, False]),
    record(gold={"d"}, retrieved=["x"], abstained=True),
    record(answerable=False, retrieved=["x"], abstained=True),
    record(answerable=False, retrieved=["y"], claims=[False]),
]


def test_worked_example():
    assert rag_report(RECORDS, k=2) == {
        "context_recall": pytest.approx((1 / 2 + 1 + 0) / 3),
        "faithfulness": pytest.approx((1 + 1 / 3 + 0) / 3),
        "abstain_when_unanswerable": 1 / 2,
        "abstain_when_answerable": pytest.approx(1 / 3),
    }


def test_k_cuts_what_counts_as_context():
    assert rag_report(RECORDS[:1], k=1)["context_recall"] == 0.5
    assert rag_report(RECORDS[:1], k=3)["context_recall"] == 1


def test_an_empty_set_gives_0():
    assert set(rag_report([], k=5).values()) == {0.0}
    only = rag_report([record(answerable=False, abstained=True)], k=5)
    assert (only["context_recall"], only["faithfulness"], only["abstain_when_answerable"]) == (0, 0, 0)


def test_ids_may_be_pairs_and_the_records_tuples():
    made = record(gold=[("venus.md", 3)], retrieved=(("venus.md", 3), ("mars.md", 1)), claims=(True,))
    assert rag_report((made,), k=1)["context_recall"] == 1


def test_a_record_that_lacks_a_key_is_named():
    with pytest.raises(ValueError, match="record 1 has no claims"):
        rag_report([record(), {key: value for key, value in record().items() if key != "claims"}], k=1)
