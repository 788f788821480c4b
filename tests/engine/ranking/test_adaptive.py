from math import log

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
    closeness,
    lsa_weight,
    rarity_of,
)
from engine.ranking.duplicates import Duplicates
from engine.ranking.search import search_all
from engine.records import Fusion
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
        near = closeness(bm25.index.analyzer(TEXTS[hit.chunk]), idf)
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


def test_close_words_count_and_the_header_is_close_to_all():
    idf = {"iron": 1.0, "mars": 3.0}
    far = ["iron", *["word"] * 10, "mars"]
    assert closeness(["iron", "mars"], idf) == 1.0
    assert closeness(far, idf) == 0.75
    assert closeness(far, idf, window=12) == 1.0
    assert closeness(["iron"], idf, header=["mars"]) == 1.0
    assert closeness([], idf) == closeness(["iron"], {}) == 0.0


@given(st.lists(st.sampled_from("abcx"), max_size=30), st.integers(1, 12))
def test_closeness_is_the_best_of_every_window(terms, window):
    idf = {"a": 1.0, "b": 2.0, "c": 4.0}
    windows = [set(terms[at : at + window]) for at in range(len(terms))] or [set()]
    best = max(sum(idf[term] for term in held if term in idf) for held in windows)
    assert closeness(terms, idf, window) == best / 7


def test_the_choice_is_said_in_one_line(retrievers):
    bm25, lsa = retrievers
    assert str(Fusion("adaptive", 1.0, 0.029, 0.2, 0.6, 0.65)) == (
        "adaptive: bm25 1 + near 0.2 + lsa 0.029; rarity 0.60, lean 0.65"
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
