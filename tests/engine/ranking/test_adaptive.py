from functools import reduce
from math import log
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.indexing.bm25 import BM25
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA
from engine.ranking.adaptive import (
    NEAR,
    Scoring,
    choose_fusion,
    lsa_weight,
    rarity_of,
)
from engine.ranking.closeness import nearness
from engine.ranking.duplicates import Duplicates
from engine.ranking.search import search_all
from engine.records import Chunk, Fusion, Ranking
from engine.settings import Settings

TEXTS = [
    "Mars has two small moons, Phobos and Deimos.",
    "Phobos orbits Mars faster than Mars rotates.",
    "Jupiter has dozens of moons, including four large moons.",
    "The red colour of Mars comes from iron oxide dust.",
]
TERMS = ["moons", "mars"]


@pytest.fixture(scope="module")
def retrievers():
    index = InvertedIndex(TEXTS)
    return BM25(index), LSA(index)


def text_of(chunk):
    return "", TEXTS[chunk]


def test_bm25_counts_as_a_share_of_what_no_chunk_can_pass(retrievers):
    # idf moons ln 2, mars ln(5/3.5); k1 + 1 = 2.5. d1 scores 1.0875.
    bm25, _ = retrievers
    most = 2.5 * (log(2) + log(5 / 3.5))
    assert bm25.most(TERMS) == pytest.approx(most)
    [part] = Scoring(TERMS, bm25, None, [], Fusion("adaptive")).parts(0)
    assert part.score == pytest.approx(1.0875 / most, abs=5e-5)


def test_words_of_no_chunk_do_not_lower_the_share(retrievers):
    bm25, _ = retrievers
    assert bm25.most([*TERMS, "pluto"]) == bm25.most(TERMS)
    assert rarity_of([*TERMS, "pluto"], bm25) == rarity_of(TERMS, bm25)


def test_rarity_is_the_mean_idf_over_that_of_a_term_of_one_chunk(retrievers):
    bm25, _ = retrievers
    assert rarity_of(["dust"], bm25) == pytest.approx(1.0)
    assert rarity_of(TERMS, bm25) == pytest.approx((log(2) + log(5 / 3.5)) / 2 / log(5 / 1.5))
    assert rarity_of(["pluto"], bm25) == rarity_of([], bm25) == 1.0


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 2))
def test_lsa_counts_less_the_rarer_the_words_and_the_worse_it_does_here(one, other, lean):
    rare, common = max(one, other), min(one, other)
    assert 0 <= lsa_weight(rare, lean) <= lsa_weight(common, lean) <= 3
    assert lsa_weight(common, lean / 2) <= lsa_weight(common, lean)


def test_the_fused_score_is_the_weighted_sum_and_ranks_all_that_a_list_holds(retrievers):
    bm25, lsa = retrievers
    lists = search_all(TERMS, bm25, lsa, Settings(), Duplicates(TEXTS), text_of=text_of)
    fusion = choose_fusion(TERMS, bm25, lsa, Settings())
    assert fusion.near == NEAR and fusion.lsa > 0
    assert {hit.chunk for hit in lists["fused"].hits} == {*lists["bm25"].ids, *lists["lsa"].ids}
    shares = bm25.scores(TERMS) / bm25.most(TERMS)
    idf = {term: bm25.idf(term) for term in TERMS}
    for hit in lists["fused"].hits:
        near = nearness(bm25.index.analyzer(TEXTS[hit.chunk]), idf)
        expected = shares[hit.chunk] + NEAR * near + fusion.lsa * lsa.scores(TERMS)[hit.chunk]
        assert hit.score == pytest.approx(expected)


def test_the_parts_of_a_chunk_add_up_to_its_score_to_the_last_bit(retrievers):
    bm25, lsa = retrievers
    lists = search_all(TERMS, bm25, lsa, Settings(), Duplicates(TEXTS), text_of=text_of)
    pair, fusion = (lists["bm25"], lists["lsa"]), choose_fusion(TERMS, bm25, lsa, Settings())
    for hit in lists["fused"].hits:
        total = 0.0
        for part in Scoring(TERMS, bm25, lsa, pair, fusion, text_of).parts(hit.chunk):
            assert part.contribution == part.weight * part.score
            total += part.contribution
        assert total == hit.score


def test_words_of_title_and_section_count_as_if_they_stood_there_twice_more():
    chunks = [
        Chunk(0, "mars.md", 0, 9, "It is red dust.", title="Mars"),
        Chunk(1, "b.md", 0, 9, "Mars of old."),
        Chunk(2, "c.md", 0, 9, "Dust."),
    ]
    bm25 = BM25(InvertedIndex(chunks))
    lists = (bm25.search(["mars", "dust"]), Ranking("lsa"))
    fusion = choose_fusion(["mars", "dust"], bm25, None, Settings())
    scoring = Scoring(["mars", "dust"], bm25, None, lists, fusion, lambda chunk: (chunks[chunk].header, ""))
    gained = {part.ranking: part.score for part in scoring.parts(0)}["header"]
    # f of mars is 1, in the header; at three times f (k1 + 1)/(f + K) is 7.5/(3 + K) in place of 2.5/(1 + K).
    norm = 1.5 * (1 - 0.75 + 0.75 * 3 / 2)
    expected = bm25.idf("mars") * (7.5 / (3 + norm) - 2.5 / (1 + norm)) / bm25.most(["mars", "dust"])
    assert gained == pytest.approx(expected)
    assert {part.ranking: part.score for part in scoring.parts(1)}["header"] == 0.0


def long_notes(chunks):
    """Two notes of two passages each, of which the lists show all, and say they have a hundred."""
    return (chunks // 2).astype(np.int32), np.full(len(chunks), 100, np.int32)


def note_scores(texts, terms, note_of, headers=("", "", "", "")):
    bm25 = BM25(InvertedIndex(texts))
    lists, fusion = (bm25.search(terms), Ranking("lsa")), choose_fusion(terms, bm25, None, Settings())
    scoring = Scoring(terms, bm25, None, lists, fusion, lambda at: (headers[at], texts[at]), note_of=note_of)
    for hit in scoring.ranking().hits:
        assert hit.score == reduce(add, (part.contribution for part in scoring.parts(hit.chunk)))
    return bm25, [{part.ranking: part.score for part in scoring.parts(chunk)} for chunk in range(len(texts))]


def test_a_passage_of_a_long_note_is_lent_the_terms_that_its_note_holds_elsewhere():
    bm25, scores = note_scores(["mars dust", "mars iron", "mars moon", "venus"], ["mars", "iron"], long_notes)
    # own = min(1, 10 / 100); the first passage holds mars as well as the second and lacks its iron
    iron = bm25.scores(["iron"])[1] / bm25.most(["mars", "iron"])
    assert [each["note"] for each in scores] == pytest.approx([0.9 * iron, 0.0, 0.0, 0.9 * scores[2]["bm25"]])


def test_a_passage_makes_room_for_other_notes_when_others_of_its_note_stand_above():
    _, scores = note_scores(["mars dust", "mars iron", "mars moon", "venus"], ["mars", "iron"], long_notes)
    assert [each["crowd"] for each in scores] == pytest.approx([0.9 / 5, 0.0, 0.0, 0.9 / 5])


def test_a_header_counts_ten_passages_in_all():
    texts, headers = ["mars dust", "iron", "mars moon", "venus"], ["mars"] * 4
    _, short = note_scores(texts, ["mars", "dust"], lambda chunks: (chunks // 2, np.full(len(chunks), 10)), headers)
    _, long = note_scores(texts, ["mars", "dust"], lambda chunks: (chunks // 2, np.full(len(chunks), 40)), headers)
    assert long[0]["header"] == pytest.approx(short[0]["header"] / 4)
    idf = {term: BM25(InvertedIndex(texts)).idf(term) for term in ("mars", "dust")}
    without, with_it = nearness(["mars", "moon"], idf), nearness(["mars", "moon"], idf, ["mars"])
    assert long[2]["near"] == pytest.approx((3 * without + with_it) / 4)


@given(st.lists(st.sampled_from(["mars dust", "iron mars", "dust", "venus", "mars mars moon"]), min_size=1, max_size=8))
def test_notes_of_ten_passages_and_fewer_rank_as_if_each_passage_stood_alone(texts):
    bm25 = BM25(InvertedIndex(texts))
    lists, fusion = (bm25.search(TERMS), Ranking("lsa")), choose_fusion(TERMS, bm25, None, Settings())

    def one_note(chunks):
        return np.zeros(len(chunks), np.int32), np.full(len(chunks), len(texts))

    together, alone = (
        Scoring(TERMS, bm25, None, lists, fusion, lambda at: ("mars", texts[at]), note_of=note_of).ranking()
        for note_of in (one_note, None)
    )
    assert together == alone


def test_the_choice_is_said_in_one_line(retrievers):
    bm25, lsa = retrievers
    assert str(Fusion("adaptive", 1.0, 0.029, 0.45, 0.6, 0.65, header=1.0, note=0.3, crowd=-0.2)) == (
        "adaptive: bm25 1 + near 0.45 + header 1 + note 0.3 - crowd 0.2 + lsa 0.029; rarity 0.60, lean 0.65"
    )
    assert str(choose_fusion(TERMS, bm25, lsa, Settings(fusion="rrf", lsa_weight=0.5))) == "rrf: bm25 1 + lsa 0.5"


def test_weights_of_the_settings_scale_the_choice(retrievers):
    bm25, lsa = retrievers
    plain = choose_fusion(TERMS, bm25, lsa, Settings())
    scaled = choose_fusion(TERMS, bm25, lsa, Settings(bm25_weight=2.0, lsa_weight=0.5, near_weight=0.0))
    assert (scaled.bm25, scaled.lsa, scaled.near) == (2.0, plain.lsa / 2, 0.0)
    alone = Settings(lsa_weight=0.0, near_weight=0.0)
    lists = search_all(TERMS, bm25, lsa, alone, Duplicates(TEXTS), text_of=text_of)
    assert lists["fused"].ids == lists["bm25"].ids


def test_another_encoder_is_fused_by_ranks(retrievers):
    bm25, lsa = retrievers

    class Other(type(lsa).__mro__[1]):
        embeddings = np.eye(4)

        def embed(self, query):
            return np.eye(4)[0]

    assert choose_fusion(TERMS, bm25, Other(), Settings()).method == "rrf"


def test_a_question_of_unknown_words_gives_an_empty_list(retrievers):
    bm25, lsa = retrievers
    lists = search_all(["pluto"], bm25, lsa, Settings(), Duplicates(TEXTS), text_of=text_of)
    assert lists["fused"].hits == ()
    fusion = choose_fusion(["pluto"], bm25, lsa, Settings())
    assert Scoring(["pluto"], bm25, lsa, [lists["bm25"], lists["lsa"]], fusion, text_of).ranking().hits == ()
