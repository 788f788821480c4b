from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.answering.prompt import assemble_prompt, build_prompt
from engine.answering.versions import are_versions, newer_first, version_notes
from engine.library import Library
from engine.pipeline import ask
from engine.records import Chunk
from engine.settings import Settings

TEXT = "The annual fee of the tea club is {} euros and it is paid in spring by every member."


def chunk(at, document, date, text, title="Fees", section=""):
    return Chunk(at, document, 0, len(text), text, title, section, date=date)


OLD = chunk(0, "2023.md", "2023-01-01", TEXT.format(5))
NEW = chunk(1, "2024.md", "2024-01-01", TEXT.format(7))
OTHER = chunk(2, "jam.md", "2022-01-01", "Jam is boiled for ten minutes with as much sugar.", "Jam")


def test_passages_of_one_title_or_nearly_one_text_and_other_dates_are_versions():
    assert are_versions(OLD, NEW) and are_versions(NEW, OLD)
    assert are_versions(replace(OLD, title="Old rules"), NEW)
    assert are_versions(
        chunk(0, "a.md", "2023-01-01", "Five.", "Tea", "Fees"), chunk(1, "b.md", "2024-01-01", "Seven.", "Tea", "Fees")
    )


def test_other_texts_dates_or_the_same_note_are_none():
    assert not are_versions(OLD, OTHER)
    assert not are_versions(OLD, replace(NEW, date=OLD.date))
    assert not are_versions(OLD, replace(NEW, date=None))
    assert not are_versions(OLD, replace(NEW, document=OLD.document))
    # Two notes that are only called alike.
    assert not are_versions(replace(OTHER, title="Fees"), OLD)
    assert not are_versions(replace(OTHER, title=""), replace(OLD, title="", text="Other words."))


def test_an_alias_is_a_name():
    first = chunk(0, "a.md", "2023-01-01", "The fee is five.", "Club rules", "Fees")
    second = chunk(1, "b.md", "2024-01-01", "Members pay seven.", "Statutes", "Fees")
    assert not are_versions(first, second)
    assert are_versions(first, second, {"b.md": ("Club Rules",)})


def test_the_older_points_to_the_newest():
    newest = chunk(3, "2025.md", "2025-01-01", TEXT.format(8))
    assert version_notes([OLD, OTHER, NEW, newest]) == ["older version of [4]", "", "older version of [4]", ""]


def test_the_label_and_the_record_say_so_and_tokens_count_it():
    prompt = assemble_prompt("What is the fee?", [OLD, NEW])
    assert [source.version for source in prompt.sources] == ["older version of [2]", ""]
    assert "[1] Fees (2023.md, 2023-01-01, older version of [2])\n" in prompt.text
    tokens = sum(source.tokens for source in prompt.sources)
    assert prompt.tokens == prompt.instruction_tokens + prompt.question_tokens + tokens


def test_a_note_on_versions_never_takes_a_prompt_over_its_budget():
    whole = assemble_prompt("What is the fee?", [OLD, NEW]).tokens
    tight = assemble_prompt("What is the fee?", [OLD, NEW], budget=whole - 1)
    assert len(tight.sources) == 1 and tight.tokens <= whole - 1


def test_newer_first_moves_versions_on_the_places_they_held():
    newest = chunk(3, "2025.md", "2025-01-01", TEXT.format(8))
    assert newer_first([OLD, OTHER, NEW, newest]) == [newest, OTHER, NEW, OLD]
    assert newer_first([NEW, OTHER, OLD]) == [NEW, OTHER, OLD]


CHUNKS = st.lists(
    st.tuples(
        st.sampled_from("abcd"), st.none() | st.sampled_from(["2023-01-01", "2024-01-01"]), st.sampled_from("xyz")
    ).map(lambda parts: chunk(0, parts[0], parts[1], TEXT.format(parts[2]), parts[2])),
    max_size=25,
)


@given(CHUNKS)
def test_newer_first_loses_nothing_and_doing_it_twice_changes_nothing_more(ranked):
    once = newer_first(ranked)
    assert sorted(map(repr, once)) == sorted(map(repr, ranked))
    assert [note for note in version_notes(once[:20]) if note and int(note.split("[")[1][:-1]) > 20] == []


def test_prefer_newer_is_off_and_puts_the_newer_first_when_on(tmp_path):
    assert build_prompt("fee?", [OLD, NEW], Settings()).sources[0].chunk == OLD
    assert build_prompt("fee?", [OLD, NEW], Settings(prefer_newer=True)).sources[0].chunk == NEW
    for year, fee in ((2023, "5 euros, yes the annual fee"), (2024, "7 euros")):
        (tmp_path / f"{year}.md").write_text(
            f"---\ntitle: Rules {year}\naliases: [Rules]\ndate: {year}-01-01\n---\n## Fee\n\nThe annual fee is {fee}.\n"
        )
    (tmp_path / "jam.md").write_text("# Jam\n\nBoil it.\n")
    answers = {}
    for prefer in (False, True):
        library = Library.open(tmp_path, Settings(prefer_newer=prefer))
        assert library.aliases("2023.md") == ("Rules",)
        trace = ask(library, "What is the annual fee, yes?")
        answers[prefer] = [(source.chunk.document, source.version) for source in trace.prompt.sources][:2]
    assert answers[False] == [("2023.md", "older version of [2]"), ("2024.md", "")]
    assert answers[True] == [("2024.md", ""), ("2023.md", "older version of [1]")]
