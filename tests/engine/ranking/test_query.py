import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ranking.query import Filter, parse_query


@pytest.mark.parametrize(
    ("typed", "words", "filters"),
    [
        ('"iron oxide"', "iron oxide", ['"iron oxide"']),
        ('Is there "iron oxide"?', "Is there iron oxide?", ['"iron oxide"']),
        ("“iron oxide” dust", "iron oxide dust", ['"iron oxide"']),
        ("moons -mars", "moons", ["-mars"]),
        ("-mars moons?", "moons?", ["-mars"]),
        ("which moons -mars?", "which moons", ["-mars"]),
        ('moons -"red planet"', "moons", ['-"red planet"']),
        ("moons tag:planet", "moons", ["tag:planet"]),
        ("tag:#planet/inner x", "x", ["tag:#planet/inner"]),
        ("x tag:🌱", "x", ["tag:🌱"]),
        ('x -tag:"two words"', "x", ['-tag:"two words"']),
        ("path:journal/2024 x", "x", ["path:journal/2024"]),
        ('path:"my notes/" x', "x", ['path:"my notes/"']),
        ("PATH:a.md Title:Venus", "", ["path:a.md", "title:Venus"]),
        ('title:"red planet", please', ", please", ['title:"red planet"']),
        ("-well-known x", "x", ["-well-known"]),
        ('"a" "b"', "a b", ['"a"', '"b"']),
        ('"-mars"', "-mars", ['"-mars"']),
        ('"tag:x"', "tag:x", ['"tag:x"']),
        ('  two   spaces "x  y"', "two spaces x y", ['"x y"']),
    ],
)
def test_operators_are_taken_out_and_the_words_of_a_phrase_stay(typed, words, filters):
    query = parse_query(typed)
    assert (query.text, query.words) == (typed, words)
    assert [str(one) for one in query.filters] == filters


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " \n",
        "How long is a year on Venus?",
        "a well-known, long-period comet",
        "does it fall to -5 degrees - or -40?",
        "Mars - the red planet",
        "--json",
        '5" disk',
        '5" and 6" disks',
        'say "hello',
        '"',
        '""',
        '"?!"',
        '-"…"',
        "-",
        "-?",
        "tag:",
        "tag: planet",
        "path:?",
        "title:?!",
        "subtitle:x stage:x http://tag:x",
        "mytag:x",
        "don't 'quote' me",
        "x-tag:y",
    ],
)
def test_everything_else_is_text_as_typed(typed):
    query = parse_query(typed)
    assert (query.words, query.filters) == (typed, ())


def test_a_filter_knows_what_it_is():
    wanted = (
        Filter("phrase", "a b"),
        Filter("phrase", "c", excluded=True),
        Filter("word", "d", excluded=True),
        Filter("path", "e", excluded=True),
        Filter("tag", "f g"),
    )
    assert parse_query('"a b" -"c" -d -path:e tag:"f g"').filters == wanted


@given(st.text(alphabet='ab -":“”#/*?. 5\n\ud800é金', max_size=40) | st.text(max_size=40))
def test_any_text_can_be_taken_apart_and_a_filter_written_out_reads_the_same(text):
    query = parse_query(text)
    assert query.filters or query.words == text
    for one in query.filters:
        assert parse_query(str(one)).filters == (one,)
    written = " ".join(str(one) for one in query.filters)
    assert parse_query(written).filters == query.filters
