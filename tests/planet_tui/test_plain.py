"""Nothing from outside reaches the terminal as a command, and offsets stay true."""

import re

from hypothesis import given
from hypothesis import strategies as st

from planet_tui.plain import REPLACEMENT, one_line, plain

DANGEROUS = [
    *range(0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    0x061C,
    0x200E,
    0x200F,
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    0xD800,
    0xDFFF,
]

texts = st.text(st.one_of(st.characters(codec=None), st.sampled_from([chr(code) for code in DANGEROUS])))


def test_every_dangerous_character_becomes_one_replacement():
    for code in DANGEROUS:
        assert plain(f"a{chr(code)}b") == f"a{REPLACEMENT}b", hex(code)


def test_ordinary_text_is_untouched():
    text = "Tab\tand line\nfeed, café, 太阳系, 🪐, [/] [bold]x[/bold], a\N{ZERO WIDTH JOINER}b"
    assert plain(text) == text


@given(texts)
def test_length_is_kept_and_nothing_dangerous_is_left(text):
    safe = plain(text)
    assert len(safe) == len(text)
    assert not {ord(character) for character in safe} & set(DANGEROUS)
    assert plain(safe) == safe
    safe.encode("utf-8")


@given(texts)
def test_one_line_is_one_line(text):
    line = one_line(text)
    assert len(line) == len(text)
    assert not re.search(r"[\n\t]", line)


def test_a_window_title_sequence_is_shown_not_obeyed():
    assert "\x1b" not in plain("\x1b]0;owned\x07") and plain("\x1b]0;owned\x07").endswith(f"]0;owned{REPLACEMENT}")
