import pytest

from engine.answering.citations import cite, leading_citations, parse_citations, strip_citations


@pytest.mark.parametrize(
    ("sentence", "numbers"),
    [
        ("Hot [1].", (1,)),
        ("Hot. [1]", (1,)),
        ("Hot [1, 2].", (1, 2)),
        ("Hot [1][2].", (1, 2)),
        ("Hot [1] and dry [3].", (1, 3)),
        ("Hot [2, 1, 2].", (2, 1)),
        ("Hot [1-3].", (1, 2, 3)),
        ("Hot [1–3].", (1, 2, 3)),
        ("Hot [1‑3].", (1, 2, 3)),
        ("Hot [1-3, 7].", (1, 2, 3, 7)),
        ("Hot [1; 2].", (1, 2)),
        ("Hot [1 and 2].", (1, 2)),
        ("Hot [1, and 2].", (1, 2)),
        ("Hot [1, 2, & 3].", (1, 2, 3)),
        ("Hot [1 to 3].", (1, 2, 3)),
        ("Hot [Source 1].", (1,)),
        ("Hot [source 1, source 3].", (1, 3)),
        ("Hot [Sources 1-3].", (1, 2, 3)),
        ("Hot [passage 2].", (2,)),
        ("Hot [Ref. 2].", (2,)),
        ("Hot [^1].", (1,)),
        ("Hot [#1].", (1,)),
        ("Hot [1], [2] and [3].", (1, 2, 3)),
        ("Hot [ 1 ].", (1,)),
        ("热［１］。", (1,)),
        ("热【1】。", (1,)),
        ("热【1，2、3】。", (1, 2, 3)),
        ("Hot 【1†L5-L7】.", (1,)),
        ("Hot [3-1].", (3, 1)),
        ("Hot [0].", (0,)),
        ("Hot [12].", (12,)),
        ("Hot.", ()),
        ("- [x] hot, [ ] dry, [n], [1a], [a1], [], [-1], [1.5], [source], [tour 1], [1 total 2]", ()),
        ("A list (1) and 1] and [1", ()),
    ],
)
def test_citations_are_read_as_people_mean_them(sentence, numbers):
    assert parse_citations(sentence) == numbers


def test_a_huge_range_is_read_as_its_two_ends():
    assert parse_citations("Hot [1-999999999].") == (1, 999999999)
    assert parse_citations("Hot [1-100].") == tuple(range(1, 101))
    assert parse_citations("Hot [1-101].") == (1, 101)


@pytest.mark.parametrize(
    ("sentence", "stripped"),
    [
        ("Hot [1].", "Hot."),
        ("Hot. [1]", "Hot."),
        ("Hot [Source 1].", "Hot."),
        ("Hot [1][2, 3] and dry【4】.", "Hot and dry."),
        ("- [x] hot", "- [x] hot"),
    ],
)
def test_stripping_takes_the_markers_and_the_space_before_them(sentence, stripped):
    assert strip_citations(sentence) == stripped


@pytest.mark.parametrize(
    ("sentence", "cited"),
    [
        ("Mars has two moons.", "Mars has two moons [7]."),
        ("Mars has two moons", "Mars has two moons [7]"),
        ("Is it?", "Is it [7]?"),
        ("What?!", "What [7]?!"),
        ("Wait...", "Wait [7]..."),
        ("火星很红。", "火星很红 [7]。"),
        ('He said "hot."', 'He said "hot [7]."'),
        ("(It is hot.)", "(It is hot [7].)"),
        ("It takes 224.7 days.", "It takes 224.7 days [7]."),
        ("1. Venus\nis hot.", "1. Venus\nis hot [7]."),
    ],
)
def test_a_citation_goes_before_the_final_full_stop(sentence, cited):
    assert cite(sentence, 7) == cited
    assert strip_citations(cited) == sentence


def test_leading_citations_measures_the_run_of_markers():
    assert leading_citations("[1] [2, 3]【4】 Hot [5].") == len("[1] [2, 3]【4】")
    assert leading_citations("Hot [5].") == 0
