"""What a cut loses is what the formula says on average, and every strategy is measured on the same labels."""

import pytest

from engine.chunking.windows import cut_probability
from engine.evaluation.cuts import cut_counts, pieces_of
from engine.evaluation.experiments.chunking import DEPTHS, chunking, pieces_cut
from engine.evaluation.labelled import Labelled
from engine.settings import Settings


def test_windows_cut_on_average_what_the_formula_says(sample: Labelled) -> None:
    """Over every place at which the first window may start, each piece is cut as often as its probability says."""
    note = sample.documents["venus.md"]
    words = note.text.split()
    span, window = 7, 20
    inside = range(window, len(words) - window - span)
    cut = sum(at // window != (at + span - 1) // window for at in inside)
    assert cut / len(inside) == pytest.approx(cut_probability(span, window), abs=0.01)


def test_an_overlap_of_the_longest_span_cuts_nothing(sample: Labelled) -> None:
    longest = max(
        len(text.split()) for question in sample.questions for e in question.evidence for _, text in e.alternatives
    )
    library = sample.library(Settings(chunker="windows", max_words=40, overlap_words=longest), "bm25")
    assert pieces_cut(sample.judged(library)) == 0


def test_all_strategies_are_measured(sample: Labelled) -> None:
    measured = chunking(sample, sizes=(20, 60))
    assert [each.name for each in measured.strategies] == [
        "windows 60",
        "windows 60, overlap 15",
        "sentences 20",
        "sentences 60",
        "structure 60",
        "sections",
    ]
    for each in measured.strategies:
        assert sorted(each.words) == list(each.words)
        assert sorted(each.recall) == list(each.recall)
        assert each.recall[DEPTHS.index(5)] == each.figures["recall@5"]
        assert (each.pieces_cut_expected is None) == ("windows" not in each.name)
        assert each.n_chunks * each.mean_words >= 2000
    whole = list(pieces_of(sample.questions, sample.documents))
    for each, overlap in zip(measured.strategies, (0, 15), strict=False):
        (count,) = cut_counts(sample.documents, whole, [(60, overlap)])
        assert (each.pieces_cut, each.pieces_cut_expected) == (count.counted, count.expected)
    assert {(each.max_words) for each in measured.headers} == {20, 60}


def test_headers_find_what_a_chunk_does_not_name(tiny: Labelled) -> None:
    """ "Volcanoes cover it." names no Io: without its header no term of "What covers Io?" leads to it."""
    (headers,) = chunking(tiny, Settings(stemming="none"), sizes=(6,)).headers
    assert headers.nameless == 1
    assert headers.with_headers["recall@3"] > headers.without["recall@3"]
