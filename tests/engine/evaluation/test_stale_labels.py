from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.labels import check_labels
from engine.evaluation.stale_labels import closest_span
from engine.reading.markdown import parse_markdown
from engine.records import Evidence, Question

VENUS = parse_markdown("# Venus\n\nIt turns slowly.\n\nVenus completes an orbit every 225 *Earth* days.\n", "venus.md")


def problem(document: str, text: str) -> str:
    stale = Question("How long is a year?", (Evidence(((document, text),)),))
    [notice] = check_labels([stale], {"venus.md": VENUS})
    assert notice.path == document
    return notice.problem


def test_a_span_that_was_reworded_is_reported_with_the_place_that_comes_closest():
    said = problem("venus.md", "completes an orbit every 224.7 Earth days")
    assert said.startswith(
        "“How long is a year?”: the note no longer holds “completes an orbit every 224.7 Earth days”"
    )
    # 6 of 7 words: all but 224.7
    assert said.endswith("closest: line 5, “completes an orbit every 225 Earth days” (86% of its words)")


def test_a_span_of_which_nothing_is_left_says_so():
    assert problem("venus.md", "Phobos and Deimos are moons").endswith("nor anything like it")
    assert problem("venus.md", "…").endswith("nor anything like it")


def test_a_note_that_was_moved_or_renamed_is_looked_for():
    assert problem("old/venus.md", "It turns slowly").endswith("not there; like it: venus.md")
    assert problem("venues.md", "It turns slowly").endswith("not there; like it: venus.md")
    assert problem("pluto.md", "It turns slowly").endswith("the note is not there")


@given(st.lists(st.sampled_from(["red", "hot", "dry", "far"]), min_size=1, max_size=30), st.data())
def test_no_run_of_as_many_words_shares_more_with_the_span(words, data):
    wanted = data.draw(st.lists(st.sampled_from(["red", "hot", "dry", "cold"]), min_size=1, max_size=6))

    def share(run):
        return sum(min(run.count(word), wanted.count(word)) for word in set(wanted)) / len(wanted)

    size = len(wanted)
    best = max(share(words[max(0, end - size) : end]) for end in range(1, len(words) + 1))
    found = closest_span(" ".join(words), " ".join(wanted))
    if best < 0.5:
        assert found is None
    else:
        span, shared = found
        assert shared == best == share(" ".join(words)[span.start : span.end].split())
