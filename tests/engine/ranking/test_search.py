from contextlib import contextmanager
from functools import reduce
from operator import add

import pytest

from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex, indexed_text
from engine.indexing.lsa import LSA
from engine.ranking.duplicates import Duplicates
from engine.ranking.search import explain, search_all
from engine.records import Chunk, Hit, Ranking
from engine.settings import Settings

TEXTS = [
    "Mars has two small moons, Phobos and Deimos.",
    "Phobos orbits Mars faster than Mars rotates.",
    "Jupiter has dozens of moons, including four large moons.",
    "The red colour of Mars comes from iron oxide dust.",
    "mars has TWO  small moons,\nPhobos and Deimos.",
]
TERMS = ["moons", "mars"]


@pytest.fixture(scope="module")
def retrievers():
    index = InvertedIndex(TEXTS)
    return BM25(index), LSA(index)


def search(retrievers, *, lsa=True, **settings):
    bm25, dense = retrievers
    return search_all(TERMS, bm25, dense if lsa else None, Settings(**settings), Duplicates(TEXTS))


def test_three_lists_come_out_and_the_fused_one_is_rrf_of_the_others_where_that_is_chosen(retrievers):
    lists = search(retrievers, rrf_c=10.0, fusion="rrf")
    assert list(lists) == [ranking.name for ranking in lists.values()] == ["bm25", "lsa", "fused"]
    for hit in lists["fused"].hits:
        ranks = [lists[name].rank_of(hit.chunk) for name in ("bm25", "lsa")]
        assert hit.score == sum(1 / (10 + rank) for rank in ranks if rank is not None)


def test_without_lsa_the_fused_list_is_in_the_order_of_bm25(retrievers):
    lists = search(retrievers, lsa=False)
    assert lists["lsa"].hits == ()
    assert lists["fused"].ids == lists["bm25"].ids == (0, 2, 1, 3)


def test_lists_are_no_deeper_than_the_setting(retrievers):
    assert {len(ranking.hits) for ranking in search(retrievers, depth=2).values()} == {2}


def test_a_text_that_stands_twice_is_shown_once_with_the_number_of_copies(retrievers):
    for ranking in search(retrievers).values():
        assert 4 not in ranking.ids
        assert {hit.chunk: hit.copies for hit in ranking.hits}[0] == 2
        assert [hit.rank for hit in ranking.hits] == list(range(1, len(ranking.hits) + 1))


def test_copies_do_not_take_the_places_of_others():
    texts = ["mars"] * 50 + ["mars dust"]
    bm25 = BM25(InvertedIndex(texts))
    found = search_all(["mars"], bm25, None, Settings(depth=2), Duplicates(texts))["bm25"]
    assert [(hit.chunk, hit.copies) for hit in found.hits] == [(0, 50), (50, 1)]


def test_the_copy_shown_is_the_one_whose_header_fits_the_question():
    def chunk(at, title):
        return Chunk(at, f"{title}.md", 0, 24, "It has no known moons.", title=title)

    chunks = [chunk(0, "Mercury"), chunk(1, "Venus"), Chunk(2, "x.md", 0, 9, "Venus spins.")]
    index = InvertedIndex(chunks)
    duplicates = Duplicates(chunk.text for chunk in chunks)
    lsa = LSA(index)
    lists = search_all(["venus", "moons"], BM25(index), lsa, Settings(), duplicates)
    for ranking in lists.values():
        assert 0 not in ranking.ids
        assert next(hit for hit in ranking.hits if hit.chunk == 1).copies == 2
    assert lists["bm25"].hits[0].score == BM25(index).scores(["venus", "moons"])[1]
    lsa_hit = next(hit for hit in lists["lsa"].hits if hit.chunk == 1)
    assert lsa_hit.score == pytest.approx(lsa.scores(["venus", "moons"])[1])


def test_texts_equal_but_for_case_accents_and_white_space_are_copies():
    duplicates = Duplicates(["Café  noir", "cafe NOIR\n", "cafe", "CAFÉ NOIR"])
    assert duplicates.first.tolist() == [0, 0, 2, 0]
    assert duplicates.copies.tolist() == [3, 3, 1, 3]
    assert Duplicates([]).first.tolist() == []


@pytest.mark.parametrize(
    ("text", "copy"),
    [
        ("It’s “hot” – very…", 'It\'s "hot" — very...'),
        ("let mut x: Vec < T >", "let  mut x: Vec<T>"),
        ("Call `main` first.", "Call main first."),
        ("Call\u200b main first.", "CALL MAIN FIRST."),
        ("−63 °C", "-63 °C"),
    ],
)
def test_typesetting_does_not_tell_copies_apart(text, copy):
    assert Duplicates([text, copy]).copies.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("It is -63 °C.", "It is 63 °C."),
        ("if a == b", "if a != b"),
        ("x + y", "x - y"),
        ("2.5 km", "25 km"),
        ("Is it hot?", "It is hot."),
        ("", "-"),
    ],
)
def test_what_means_something_else_is_no_copy(text, other):
    assert Duplicates([text, other]).copies.tolist() == [1, 1]


def test_collapsing_keeps_places_in_order():
    ranking = Ranking("bm25", tuple(Hit(rank, chunk, 9.0 - rank) for rank, chunk in enumerate((3, 1, 2, 0), 1)))
    collapsed = Duplicates(["a", "b", "c", "a"]).collapse(ranking, 3)
    assert collapsed.hits == (Hit(1, 3, 8.0, 2), Hit(2, 1, 7.0, 1), Hit(3, 2, 6.0, 1))


def test_every_stage_is_timed(retrievers):
    stages = []

    @contextmanager
    def clock(stage):
        stages.append(stage)
        yield

    search_all(TERMS, *retrievers, Settings(), Duplicates(TEXTS), clock=clock)
    assert stages == ["bm25", "lsa", "fusion"]


@pytest.mark.parametrize("fusion", ["adaptive", "rrf"])
def test_an_explanation_adds_up_to_every_score_of_the_chunk(retrievers, fusion):
    bm25, lsa = retrievers
    settings = Settings(fusion=fusion)
    lists = search(retrievers, fusion=fusion)
    for hit in lists["fused"].hits:
        why = explain(TERMS, hit.chunk, TEXTS[hit.chunk], bm25, lsa, lists, settings)
        assert why.fused == hit.score == reduce(add, (part.contribution for part in why.fusion))
        assert why.bm25 == bm25.scores(TERMS)[hit.chunk] == reduce(add, (term.contribution for term in why.terms))
        assert why.lsa == lists["lsa"].hits[lists["lsa"].rank_of(hit.chunk) - 1].score
        assert sum(share for _, share in why.lsa_terms) == pytest.approx(why.lsa)
        assert (why.k1, why.b, why.rrf_c, why.n_chunks) == (1.5, 0.75, 60, 5)
        assert why.length == bm25.index.lengths[hit.chunk]


def test_without_lsa_or_where_it_knows_no_word_the_cosine_is_not_known(retrievers):
    bm25, lsa = retrievers
    lists = search(retrievers, lsa=False)
    for dense, terms in ((None, TERMS), (lsa, ["jupiter"])):
        why = explain(terms, 2, TEXTS[2], bm25, dense, lists, Settings())
        assert (why.lsa, why.lsa_terms) == (None, ())


def test_the_header_takes_part_in_the_explanation():
    chunks = [Chunk(0, "venus.md", 0, 5, "Hot.", title="Venus"), Chunk(1, "x.md", 0, 9, "Venus, hot.")]
    index = InvertedIndex(chunks)
    bm25, lsa = BM25(index), LSA(index)
    lists = search_all(["venus"], bm25, lsa, Settings(), Duplicates(chunk.text for chunk in chunks))
    why = explain(["venus"], 0, indexed_text(chunks[0]), bm25, lsa, lists, Settings())
    assert why.terms[0].count == 1
    assert "Venus" in dict(why.lsa_terms)
