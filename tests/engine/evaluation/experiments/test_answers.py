"""One pass without a threshold says what every threshold does."""

import pytest

from engine.evaluation.answers import evaluate_answers
from engine.evaluation.experiments.answers import NEVER, THRESHOLDS, answers
from engine.evaluation.labelled import Labelled
from engine.pipeline import ask
from engine.settings import Settings


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.9])
def test_each_threshold_gives_what_asking_with_it_gives(sample: Labelled, threshold: float) -> None:
    settings = Settings(reader="coverage", threshold=threshold)
    library = sample.library(settings)
    counts = evaluate_answers(sample.questions, lambda text: ask(library, text)).counts()
    (_, outcomes), _ = answers(sample, settings, thresholds=[threshold]).lists
    found = outcomes[1]
    assert found.threshold == threshold
    assert (found.right, found.wrong, found.refused) == (counts["right"], counts["wrong"], counts["refused"])
    assert found.unanswerable_refused == counts["unanswerable_refused"]


def test_every_question_has_one_outcome_and_refusals_only_grow(sample: Labelled) -> None:
    measured = answers(sample)
    assert [name for name, _ in measured.lists] == ["fused", "BM25"]
    for _, outcomes in measured.lists:
        assert [each.threshold for each in outcomes] == [NEVER, *THRESHOLDS]
        assert {each.right + each.wrong + each.refused for each in outcomes} == {measured.n_answerable}
        assert sorted(each.refused for each in outcomes) == [each.refused for each in outcomes]
        assert outcomes[0].refused == outcomes[0].unanswerable_refused == 0


def test_its_table_and_figure_show_all_of_it(tiny: Labelled) -> None:
    measured = answers(tiny, thresholds=(0.5,))
    (table,) = measured.tables()
    assert len(table.rows) == 4
    assert table.rows[0][1] is None
    assert [len(panel.curves) for panel in measured.figure().panels] == [4, 4]
