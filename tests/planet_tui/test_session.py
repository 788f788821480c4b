"""What outlives a keystroke: the history and the numbers of requests."""

import os

import pytest

from planet_tui.session import HISTORY_LENGTH, History, Requests


def test_control_characters_in_the_history_file_reach_no_terminal(tmp_path):
    path = tmp_path / "history.txt"
    path.write_bytes(b"moons \x1b]0;owned\x07\nred\tplanet \xe2\x80\xae\xff\n")
    history = History(path)
    assert history.step(-1) == "red planet \ufffd\ufffd"
    assert history.step(-1) == "moons \ufffd]0;owned\ufffd"


def test_questions_are_kept_up_to_a_number(tmp_path):
    path = tmp_path / "state" / "history.txt"
    history = History(path)
    for number in range(HISTORY_LENGTH + 3):
        history.add(f"question {number}")
    again = History(path)
    assert [again.step(-1) for _ in range(HISTORY_LENGTH + 1)][-2:] == ["question 3", None]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_its_place_is_neither_read_nor_written(tmp_path):
    path = tmp_path / "history.txt"
    os.mkfifo(path)
    history = History(path)
    history.add("What moons?")
    assert history.step(-1) == "What moons?"


def test_only_the_newest_request_that_nobody_stopped_is_wanted():
    requests = Requests()
    first, stopped = requests.start()
    assert requests.is_wanted(first) and not stopped()
    second, _ = requests.start()
    assert stopped() and not requests.is_wanted(first) and requests.is_wanted(second)
    requests.stop()
    assert not requests.is_wanted(second) and requests.is_current(second)
