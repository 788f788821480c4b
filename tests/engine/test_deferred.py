"""What is made when it is looked at is what would have been made at once."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Library, ask
from engine.answering.prompt import assemble_prompt
from engine.answering.tokens import count_tokens
from engine.deferred import DeferredMapping, DeferredSequence
from engine.records import Chunk


@given(st.lists(st.integers()), st.slices(8))
def test_a_sequence_is_like_the_tuple_of_its_items(items: list[int], part: slice) -> None:
    deferred = DeferredSequence(len(items), items.__getitem__)
    assert deferred == tuple(items) and tuple(items) == deferred and hash(deferred) == hash(tuple(items))
    assert deferred[part] == tuple(items)[part] and list(reversed(deferred)) == items[::-1]
    assert pickle.loads(pickle.dumps(deferred)) == tuple(items)
    with pytest.raises(IndexError):
        deferred[len(items)]


@given(st.dictionaries(st.integers(), st.text()))
def test_a_mapping_is_like_the_dict_of_its_items(items: dict[int, str]) -> None:
    deferred = DeferredMapping(items, items.__getitem__)
    assert deferred == items and list(deferred) == list(items) and pickle.loads(pickle.dumps(deferred)) == items
    assert deferred.get(-(10**30)) is None and -(10**30) not in deferred


def test_each_item_is_made_once_and_not_before_it_is_wanted() -> None:
    made: list[int] = []
    squares = DeferredSequence(100, lambda at: made.append(at) or at * at)
    assert len(squares) == 100 and made == []
    assert squares[3] == squares[-97] == 9 and made == [3]


def test_only_passages_that_may_get_into_a_prompt_are_counted_until_the_others_are_looked_at() -> None:
    passages = [Chunk(at, f"{at}.md", 0, 8, f"passage{at}", f"Note {at}") for at in range(50)]
    counted: list[str] = []
    prompt = assemble_prompt("Which?", passages, sources=5, count=lambda text: counted.append(text) or len(text))
    assert len(prompt.dropped) == 45
    assert not any("passage6" in text for text in counted)
    sixth = prompt.dropped[0]
    assert (sixth.chunk.id, sixth.why) == (5, "below the 5 best")
    assert sixth.tokens == len("\n\n[5] Note 5 (5.md)\n    passage5")
    assert [item.chunk.id for item in prompt.dropped] == list(range(5, 50))


def test_a_list_that_is_changed_later_does_not_change_what_was_left_out() -> None:
    passages = [Chunk(at, f"{at}.md", 0, 1, "a", f"Note {at}") for at in range(9)]
    prompt = assemble_prompt("Which?", passages, sources=2, count=count_tokens)
    passages.clear()
    assert [item.chunk.title for item in prompt.dropped] == [f"Note {at}" for at in range(2, 9)]


def test_a_trace_can_be_stored_without_its_library() -> None:
    trace = ask(Library.open("sample_docs"), "How long is a year on Venus?")
    again = pickle.loads(pickle.dumps(trace))
    assert again.chunks == trace.chunks and again.prompt == trace.prompt
