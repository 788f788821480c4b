"""A report of `evaluate` -> its tables, and from these the forms a person or a program reads."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from engine.errors import OutputError
from engine.evaluation.collection_report import CollectionReport
from engine.evaluation.diagnosis import CAUSES
from engine.evaluation.report import NAMES, EvaluationReport
from engine.evaluation.resampling import LEVEL, Interval
from engine.evaluation.retrieval import FIGURES
from engine.evaluation.tables import Column, Table, Value, escape_markdown, table
from engine.settings import Settings
from engine.writing import write_whole

ENDINGS = (".md", ".csv", ".json")
"""Kinds of file a report can be saved as."""


def summary(report: EvaluationReport) -> str:
    """Return in one line what was measured."""
    return f"{report.n_questions} questions, {report.retrieval.n_pieces} pieces of evidence, {report.n_chunks} chunks"


def retrieval_table(retrievers: Mapping[str, Mapping[str, float]], title: str = "") -> Table:
    """Return the figures of each retriever, one row each."""
    rows: list[list[Value]] = [
        [NAMES.get(name, name), *(row[figure] for figure in FIGURES)] for name, row in retrievers.items()
    ]
    return table(title, ["retriever", *FIGURES], rows)


def answer_lines(report: EvaluationReport) -> list[str]:
    """Return in sentences how the answers came out and where the others were lost."""
    counts, causes = report.answers.counts(), report.answers.causes()
    lines = [
        f"Of {counts['answerable']} questions that one passage answers: "
        f"{counts['right']} right, {counts['wrong']} wrong, {counts['refused']} refused."
    ]
    if counts["several"]:
        lines.append(f"Of {counts['several']} that need several passages: {counts['several_right']} right.")
    if counts["unanswerable"]:
        lines.append(
            f"Of {counts['unanswerable']} that the notes cannot answer: {counts['unanswerable_refused']} refused."
        )
    lost = [f"{causes[cause]} {words}" for cause, words in CAUSES.items() if causes[cause]]
    if report.answers.conflicts:
        n_questions = sum(row.conflicts > 0 for row in report.answers.rows)
        lines.append(f"Sources give different numbers {report.answers.conflicts} times, in {n_questions} questions.")
    if lost:
        lines += ["", "Where the others were lost:", *(f"  {line}" for line in lost)]
    if causes["middle"]:
        lines.append(f"Of the evidence that was in the prompt, {causes['middle']} stood in the middle of it.")
    return lines


def answer_table(report: EvaluationReport) -> Table:
    """Return each figure of the answers with its interval and the questions it is a mean over."""
    return interval_table({"": report.answers.intervals}, "Answers")


def interval_table(intervals: Mapping[str, Mapping[str, Interval]], title: str = "Every figure") -> Table:
    """Return every figure with its interval, one row each; a group without a name gets no column."""
    rows: list[list[Value]] = [
        [*([NAMES.get(group, group)] if group else []), name, *(interval if interval.n else (None, None, None, 0))]
        for group, figures in intervals.items()
        for name, interval in figures.items()
    ]
    columns = ["figure", "mean", "low", "high", "questions"]
    note = f"low to high: {LEVEL:.0%} percentile bootstrap interval over questions."
    return table(title, columns if "" in intervals else ["group", *columns], rows, note)


def calibration_tables(report: EvaluationReport) -> tuple[Table, ...]:
    """Return what each threshold would do and how true the probabilities are; empty: there are none."""
    return report.calibration.tables() if report.calibration else ()


def lost_table(report: EvaluationReport) -> Table:
    """Return each question that went wrong, why, and what was answered."""
    rows = [(row.question, row.diagnosis.text, row.answer) for row in report.answers.rows if row.diagnosis]
    return table("Questions that went wrong", ["question", "why", "answer"], rows)


def question_table(report: EvaluationReport) -> Table:
    """Return the rank of the first relevant chunk in each list, one row a question; empty: it is not in the list."""
    names = list(report.retrieval.retrievers)
    rows = [(row.question, *(row.first_relevant[name] for name in names)) for row in report.retrieval.rows]
    columns = [Column("question"), *(Column(name, NAMES.get(name, name)) for name in names)]
    return table("Rank of the first relevant chunk", columns, rows)


def settings_table(settings: Settings) -> Table:
    """Return the settings that figures were measured with."""
    rows = [(name, str(value)) for name, value in settings.to_public_dict().items()]
    return table("Settings", ["setting", "value"], rows)


def to_text(report: EvaluationReport, verbose: bool = False) -> str:
    """Return the report for a terminal; `verbose` adds every interval and each question that went wrong."""
    parts = [summary(report), retrieval_table(report.retrieval.retrievers).to_text(), "\n".join(answer_lines(report))]
    parts += [made.to_text() for made in calibration_tables(report)[: None if verbose else 1]]
    if verbose:
        lost = [
            f"{row.question}\n  {row.diagnosis.text}\n  {row.answer}" for row in report.answers.rows if row.diagnosis
        ]
        parts += [interval_table(report.intervals).to_text(), *(["Questions that went wrong", *lost] if lost else [])]
    return "\n\n".join(parts)


def to_markdown(report: EvaluationReport) -> str:
    """Return the whole report as a Markdown page."""
    # A list in Markdown stands between blank lines.
    sentences = re.sub(r"((?:\n  .+)+)", r"\n\1\n", "\n".join(answer_lines(report))).replace("\n  ", "\n- ")
    tables = (*calibration_tables(report), lost_table(report), question_table(report), settings_table(report.settings))
    return "\n\n".join(
        [
            f"# Evaluation\n\n{summary(report)}.",
            retrieval_table(report.retrieval.retrievers, "Retrieval").to_markdown(),
            answer_table(report).to_markdown(),
            sentences,
            *(made.to_markdown() for made in tables if made.rows),
            interval_table(report.intervals).to_markdown() + "\n",
        ]
    )


def collection_text(report: CollectionReport, verbose: bool = False) -> str:
    """Return the report on a collection for a terminal; `verbose` adds every interval."""
    parts = [collection_summary(report), retrieval_table(report.retrieval.retrievers).to_text()]
    return "\n\n".join([*parts, *([interval_table(report.intervals).to_text()] if verbose else [])])


def collection_markdown(report: CollectionReport) -> str:
    """Return the report on a collection as a Markdown page."""
    tables = (
        retrieval_table(report.retrieval.retrievers, "Retrieval"),
        interval_table(report.intervals),
        settings_table(report.settings),
    )
    parts = [f"# Evaluation of {escape_markdown(report.name)}", f"{escape_markdown(collection_summary(report))}."]
    return "\n\n".join([*parts, *(made.to_markdown() for made in tables)]) + "\n"


def collection_summary(report: CollectionReport) -> str:
    """Return in one line what was measured."""
    return f"{report.name}: {len(report.retrieval.rows)} questions, {report.n_texts} texts"


def save_report(report: EvaluationReport | CollectionReport, path: Path | str) -> Path:
    """Write the report as Markdown, CSV (every figure with its interval) or JSON, by the file's ending.

    Raises:
        OutputError: the ending is another one, or the file cannot be written.
    """
    ending = check_report_ending(path).suffix.lower()
    if ending == ".csv":
        return write_whole(path, interval_table(report.intervals).to_csv())
    if ending == ".md":
        page = to_markdown(report) if isinstance(report, EvaluationReport) else collection_markdown(report)
        return write_whole(path, page)
    return write_whole(path, json.dumps(report.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def check_report_ending(path: Path | str) -> Path:
    """Return a report's path; raise `OutputError` when its ending is none of `ENDINGS`."""
    if Path(path).suffix.lower() not in ENDINGS:
        name = Path(path).name
        raise OutputError(f"{name}: a report is not written in that form.", f"End it in {' or '.join(ENDINGS)}.")
    return Path(path)
