"""Where sentences end, and where a full stop is no end."""

import pytest

from engine.text.sentences import sentence_spans, split_sentences

CASES = [
    ["It is hot. [1]", "Next one."],
    ["It is hot.[1]", "Next one."],
    ["It is hot. [1][2, 3]", "Next one."],
    ["It is hot [1].", "Next."],
    ["Dr. Smith met Mr. Jones, e.g. at approx. 5 km.", "He left."],
    ["See Fig. 3 and No. 5.", "No.", "It is cold."],
    ["At 5 a.m. the sun rose.", "It rose at 5 a.m.", "The sun is hot."],
    ["The U.S. Government paid.", "He lives in the U.S.", "He likes it."],
    ["J. R. R. Tolkien wrote it.", "So do I.", "He left."],
    ["Rings, moons, etc. are there.", "Rings, etc.", "Saturn too."],
    ["A Ph.D. student at St. Louis vs. a Gen. Lee."],
    ["It takes 224.7 days.", "Then 3.5 more."],
    ["Well... it is.", "Well...", "It is.", "Wait… what?"],
    ['He said "Go."', "Then he left.", '"Why?" he asked.'],
    ["(It is hot.)", "Next.", "What?!", "Yes!"],
    ["The sun.", "It sat.", "We can.", "Then we go."],
    ["notes in small letters.", "they work."],
    ["Kepler (b. 1571) was born in Weil."],
    ["1. Mercury is small.", "2. Venus is hot."],
    ["See example.com. for that.", "Use .NET here."],
    ["One sentence without an end"],
]


@pytest.mark.parametrize("sentences", CASES, ids=lambda sentences: sentences[0])
def test_a_paragraph_is_these_sentences(sentences):
    assert split_sentences(" ".join(sentences)) == sentences


def test_chinese_and_japanese_stops_need_no_space():
    text = "天气很热。真的吗？「走吧。」他说！好 吗?不好!是"
    assert split_sentences(text) == ["天气很热。", "真的吗？", "「走吧。」", "他说！", "好 吗?", "不好!", "是"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("goes on\nin lower case", ["goes on\nin lower case"]),
        ("goes on\r\nin lower case", ["goes on\r\nin lower case"]),
        ("One line\nAnother line", ["One line", "Another line"]),
        ("space at the end  \nNext", ["space at the end", "Next"]),
        ("before\n\nafter", ["before", "after"]),
        ("before\n \t\nafter", ["before", "after"]),
        ("one\n- two\n* three\n3) four\na) five", ["one", "- two", "* three", "3) four", "a) five"]),
        ("about approx.\n225 days", ["about approx.", "225 days"]),
        (" \n ", []),
        ("", []),
    ],
)
def test_line_breaks_end_sentences_unless_lower_case_goes_on(text, sentences):
    assert split_sentences(text) == sentences


def test_ranges_are_those_of_the_sentences():
    text = "  It is hot.   Is it?\n"
    assert [text[start:end] for start, end in sentence_spans(text)] == ["It is hot.", "Is it?"]
