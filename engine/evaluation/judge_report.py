"""Verdicts of a judge beside the lexical figures, and how far the judge agrees with them and with a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import LabelsError
from engine.evaluation.answers import AnswerRow
from engine.evaluation.collection_formats import read_jsonl
from engine.evaluation.judge import Judge, Verdict, cohen_kappa
from engine.evaluation.resampling import Interval, bootstrap
from engine.evaluation.tables import Column, Table, Value, table
from engine.records import Question, Trace

YES_FROM = {"faithful": 1.0, "correct": 0.5}
"""From what value on a figure counts as yes: faithful when every statement is, correct when half of them are."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the judge agrees with another verdict on the same answers."""

    what: str
    """`faithful` or `correct`."""
    who: str
    """Whose verdict it is: `the word check`, `the labels`, `a person`."""
    kappa: float
    """Cohen's kappa, -1 to 1; 0 is chance."""
    share: float
    """Share of the answers on which both say the same, 0 to 1."""
    n: int
    """Answers that both judged."""


@dataclass(frozen=True)
class JudgeReport:
    """What a judge says of the answers of an evaluation."""

    judge: str
    """The model's name."""
    verdicts: tuple[Verdict, ...]
    """One an answer; refusals are not judged."""
    lexical: Mapping[str, float]
    """The figures of `AnswerReport`: what stands beside the judge's."""
    agreements: tuple[Agreement, ...]
    """With the word check, with the labels, and with a person where there are verdicts of one."""

    def figures(self) -> dict[str, Interval]:
        """Return the judge's figures with their intervals over answers."""
        return {
            name: bootstrap([getattr(verdict, name) for verdict in self.verdicts])
            for name in ("faithfulness", "relevance", "correctness")
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-ready dicts."""
        return {
            "judge": self.judge,
            "figures": {name: interval._asdict() for name, interval in self.figures().items()},
            "agreements": [
                {"what": each.what, "with": each.who, "kappa": each.kappa, "share": each.share, "answers": each.n}
                for each in self.agreements
            ],
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
        }

    def tables(self) -> tuple[Table, Table]:
        """Return the figures beside the lexical ones, and the agreements."""
        beside = {"faithfulness": "faithfulness", "correctness": "right"}
        rows: list[list[Value]] = [
            [name, *((i.mean, i.low, i.high) if i.n else (None,) * 3), self.lexical.get(beside.get(name, "")), i.n]
            for name, i in self.figures().items()
        ]
        unread = sum(bool(verdict.problems) for verdict in self.verdicts)
        note = f"{unread} of {len(self.verdicts)} answers could not be judged in every respect." if unread else ""
        columns = ["figure", "judge", "low", "high", "by words and labels", "answers"]
        agreements: list[list[Value]] = [
            [each.what, each.who, each.kappa, each.share, each.n] for each in self.agreements
        ]
        return (
            table(f"Judged by {self.judge}", columns, rows, note),
            table(
                "Agreement of the judge",
                [*map(Column, ("verdict", "with", "kappa")), Column("share", form=".0%"), Column("answers")],
                agreements,
            ),
        )


class Judging:
    """Judges each answer of `evaluate` as it comes: an `on_row` that keeps the verdicts.

    Attributes:
        judged: each row with its verdict; `None`: a refusal.
    """

    def __init__(self, judge: Judge, questions: Sequence[Question]) -> None:
        """Take the judge and the questions that will be asked, in their order."""
        self._judge, self._questions = judge, iter(questions)
        self.judged: list[tuple[AnswerRow, Verdict | None]] = []

    def __call__(self, row: AnswerRow, trace: Trace) -> None:
        """Judge the next answer; raise as `Judge.judge` does."""
        self.judged.append((row, self._judge.judge(next(self._questions), trace)))


def judge_report(
    judge: str,
    judged: Sequence[tuple[AnswerRow, Verdict | None]],
    lexical: Mapping[str, float],
    person: Mapping[tuple[str, str], Mapping[str, bool]] | None = None,
) -> JudgeReport:
    """Put verdicts beside the other figures.

    Args:
        judge: the model's name.
        judged: each answer with its verdict; `None`: it was not judged.
        lexical: means of `ANSWER_FIGURES`.
        person: a person's verdicts by question and answer, see `load_person`.
    """
    pairs = [(row, verdict) for row, verdict in judged if verdict is not None]
    faithful = {"faithful": "faithfulness"}
    others: list[tuple[str, Sequence[Mapping[str, bool]]]] = [
        ("the word check", [_lexical(row, faithful) for row, _ in pairs]),
        ("the labels", [_lexical(row, {"correct": "right"}) for row, _ in pairs]),
        ("a person", [(person or {}).get((row.question, verdict.answer), {}) for row, verdict in pairs]),
    ]
    verdicts = tuple(verdict for _, verdict in pairs)
    found = (_agreement(what, who, verdicts, said) for who, said in others for what in YES_FROM)
    return JudgeReport(judge, verdicts, lexical, tuple(each for each in found if each is not None))


def load_person(path: Path) -> dict[tuple[str, str], dict[str, bool]]:
    """Read a person's verdicts: JSON lines {question, answer, faithful, correct}, each of the last two if given.

    The answer is the one that was judged, without its citations, as `JudgeReport.to_dict` has it.

    Raises:
        LabelsError: the file cannot be read, or a line is not as agreed.
    """
    found: dict[tuple[str, str], dict[str, bool]] = {}
    try:
        for where, entry in read_jsonl(path, "question", "answer"):
            said = {what: entry[what] for what in YES_FROM if what in entry}
            if not said or not all(type(value) is bool for value in said.values()):
                raise LabelsError(f"{path}: {where}: faithful and correct are true or false.", "Give one or both.")
            found[str(entry["question"]), str(entry["answer"])] = said
    except OSError as error:
        raise LabelsError(f"{path} cannot be read: {error.strerror or error}.", "Name another file.") from None
    return found


def _lexical(row: AnswerRow, figures: Mapping[str, str]) -> dict[str, bool]:
    measured = {what: row.figures.get(figure) for what, figure in figures.items()}
    return {what: value >= YES_FROM[what] for what, value in measured.items() if value is not None}


def _agreement(
    what: str, who: str, verdicts: Sequence[Verdict], said: Sequence[Mapping[str, bool]]
) -> Agreement | None:
    name = {"faithful": "faithfulness", "correct": "correctness"}[what]
    values = [getattr(verdict, name) for verdict in verdicts]
    both = [
        (value >= YES_FROM[what], other[what])
        for value, other in zip(values, said, strict=True)
        if value is not None and what in other
    ]
    if not both:
        return None
    one, other = [a for a, _ in both], [b for _, b in both]
    return Agreement(what, who, cohen_kappa(one, other), sum(a == b for a, b in both) / len(both), len(both))
