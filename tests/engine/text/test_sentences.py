"""Where a sentence ends, and where a full stop does not end one."""

import pytest

from engine.text.sentences import sentence_spans, split_sentences

BORDER = "|"


@pytest.mark.parametrize(
    "marked",
    [
        "It is hot. |It is dry.",
        "One sentence without an end",
        "Dr. Io met Prof. Rhea. |They agreed.",
        "Some gases, e.g. methane, freeze. |Others, i.e. helium, do not.",
        "See Fig. 3 and Fig. A of vol. 2, pp. 3-5. |It shows it.",
        "It takes approx. 88 days. |Then again.",
        "At 5 a.m. it rises. |At 6 p.m. |The sky is dark.",
        "The U.S. Navy saw it in the U.S. |The U.K. did not.",
        "Ice, dust etc. |Rock is rarer. |Ice, dust etc. are rare.",
        "Smith et al. (2020) say so. |No. 5 is alive. |No. |It is not.",
        "All orbit the Sun. |Mercury is closest to the sun. |It is small.",
        "It flew on Sat. 5 Jan. 2020 and sat. |It fell in Jan. |Then it rose.",
        "J. R. R. Tolkien and A. A. Milne wrote. |They did.",
        "It needs vitamin C. |It has none.",
        "It takes 224.7 days. |It is 3.5 km wide. |In 1990. |Then 1991.",
        "It has version 1.2.3. |Visit example.com. |Go.",
        "Wait... what? |Well… |Yes... |And so… then it went.",
        "What?! |Really!! |Is it? |Wow! |Yes.",
        'He said "Go." |She went. |“Go!” he said. |“Go.” |He went.',
        "(It is hot.) |It is not [very]. |(Done?) |Yes.",
        "3. Jupiter is big. |4. Saturn is light.",
        "I saw it. |5 moons exist.",
        "It is hot.[1] |It is cold. [2] |It is [3]. |Done [4].",
        "It is hot. [1, 2] |It is cold.[1][2] |It is dry. [1–3] |Done.【4】 |Yes.",
        "火星很红。|它很小！|是吗？|「好。」|他说。",
        "とても暑い。[1]|寒い｡",
        "¿Qué? |¡Sí! |Vale.",
        "Это так. |Вот т.д. и всё.",
    ],
)
def test_sentences_end_where_a_reader_says(marked: str) -> None:
    text = marked.replace(BORDER, "")
    assert split_sentences(text) == [part.strip() for part in marked.split(BORDER)]


@pytest.mark.parametrize(
    "marked",
    [
        "A paragraph\n\n|another, without full stops",
        "a paragraph\n \t\n|another in small letters",
        "A hard-wrapped line\ngoes on in small letters\n  and on. |Then ends.",
        "Ein langer Satz\nüber alles, длинное\nпредложение.",
        "- an item\n|- another\n|* a third\n|1. a fourth",
        "a) first\n|b) second",
        "Mercury\n|Venus\n|Earth",
        "A heading\n|The text. |It goes\non.",
    ],
)
def test_a_line_break_ends_a_sentence_unless_the_next_line_goes_on(marked: str) -> None:
    text = marked.replace(BORDER, "")
    assert split_sentences(text) == [part.strip() for part in marked.split(BORDER)]


@pytest.mark.parametrize("text", ["", " ", "\n\n\t\n", "\u00a0\u3000"])
def test_nothing_has_no_sentences(text: str) -> None:
    assert sentence_spans(text) == []


def test_spans_are_ranges_of_the_text() -> None:
    assert sentence_spans("  It is hot.  Is it? ") == [(2, 12), (14, 20)]


@pytest.mark.parametrize("text", ["...", ".", "?!", "。", '."', ". . .", "…"])
def test_stops_alone_are_kept(text: str) -> None:
    assert "".join(split_sentences(text)) == text.replace(" ", "")
