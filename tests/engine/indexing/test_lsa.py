import numpy as np
import pytest

from engine.errors import Cancelled
from engine.indexing import lsa as lsa_module
from engine.indexing.inverted_index import InvertedIndex
from engine.indexing.lsa import LSA, default_dimensions

# Two subjects; "satellite" and "moon" never share a chunk, but keep the same company.
SKY = [
    "moon orbit planet crater",
    "satellite orbit planet crater",
    "moon planet orbit",
    "satellite planet orbit gravity",
    "bread flour oven",
    "bread oven yeast flour",
    "yeast flour dough",
    "dough oven bread",
]


@pytest.fixture(scope="module")
def sky():
    return LSA(InvertedIndex(SKY, str.split), 2)


def test_words_that_keep_the_same_company_lie_close(sky):
    found = sky.search("satellite", 4)
    assert set(found.ids) == {0, 1, 2, 3}
    assert all(hit.score > 0.9 for hit in found.hits)
    near = dict(sky.nearest_terms("moon", 9))
    assert near["moon"] == pytest.approx(1)
    assert near["satellite"] > 0.9 > 0.3 > near["bread"]


def test_nearest_terms_come_best_first_and_as_many_as_asked_for(sky):
    near = sky.nearest_terms("bread", 3)
    assert near[0][0] == "bread"
    assert [cosine for _, cosine in near] == sorted((cosine for _, cosine in near), reverse=True)
    assert len(near) == 3


def test_embeddings_and_queries_are_unit_vectors(sky):
    assert np.linalg.norm(sky.embeddings, axis=1).tolist() == pytest.approx([1] * len(SKY))
    assert np.linalg.norm(sky.embed("moon bread")) == pytest.approx(1)
    assert sky.embeddings.shape == (8, 2)


def test_singular_values_fall(sky):
    assert sky.singular_values[0] >= sky.singular_values[1] > 0


def test_a_chunk_asked_with_its_own_words_has_cosine_1(sky):
    assert sky.scores(SKY[0])[0] == pytest.approx(1)


def test_only_terms_in_two_chunks_or_more_take_part(sky):
    # "gravity" stands in one chunk
    assert not sky.embed("gravity").any()
    assert sky.search("gravity").hits == ()
    assert "gravity" not in dict(sky.nearest_terms("moon", 99))
    assert sky.components.shape == (10, 2)


def test_a_question_of_unknown_words_has_no_place_and_no_hits(sky):
    assert sky.embed("quasar").tolist() == [0, 0]
    assert sky.search("quasar").hits == ()
    assert sky.nearest_terms("quasar") == []
    assert sky.contributions("moon", "quasar") == []


def test_contributions_name_the_terms_that_bring_a_chunk_near(sky):
    terms = sky.contributions("satellite", SKY[0])
    assert {term for term, _ in terms} == {"moon", "orbit", "planet", "crater"}
    assert sum(share for _, share in terms) == pytest.approx(sky.scores("satellite")[0])
    assert [share for _, share in terms] == sorted((share for _, share in terms), reverse=True)


@pytest.mark.parametrize(
    ("texts", "dimensions"),
    [
        ([], 0),
        (["mars moon"], 0),
        (["mars", "venus"], 0),
        (["the", "of", "and"], 0),
        (["mars moon", "mars sun"], 1),
        (["mars moon"] * 3, 1),
        (["mars moon", "mars sun", "moon sun"], 3),
    ],
)
def test_a_collection_too_small_for_32_dimensions_has_as_many_as_it_allows(texts, dimensions):
    lsa = LSA(InvertedIndex(texts))
    assert lsa.n_dims == dimensions
    assert lsa.embeddings.shape == (len(texts), dimensions)
    assert bool(lsa.search("mars").hits) is (dimensions > 0)
    assert bool(lsa.nearest_terms("mars")) is (dimensions > 0)
    assert lsa.scores("mars").shape == (len(texts),)


def test_a_chunk_without_known_words_stays_at_the_origin():
    lsa = LSA(InvertedIndex(["mars moon", "mars moon", "the"]))
    assert lsa.embeddings[2].tolist() == [0]
    assert lsa.scores("mars")[2] == 0


def test_dimensions_grow_with_the_collection_and_are_128_where_it_is_large():
    # 5 √1,000 = 158.1, to the nearest 32: 160
    assert [default_dimensions(n) for n in (0, 1, 57, 1_000, 19_999)] == [32, 32, 32, 160, 256]
    assert {default_dimensions(n) for n in (20_000, 10_000_000)} == {128}


def test_the_first_dimensions_are_a_fit_in_so_many(many_texts):
    index = InvertedIndex(many_texts)
    few, many = LSA(index, 8), LSA(index, 20).truncated(8)
    assert many.n_dims == 8 and many.singular_values == pytest.approx(few.singular_values, rel=1e-6)
    assert many.embeddings == pytest.approx(few.embeddings, abs=1e-6)
    assert many.embed(many_texts[0]) == pytest.approx(few.embed(many_texts[0]), abs=1e-6)


def test_the_randomised_path_agrees_with_the_exact_one(monkeypatch, sky):
    monkeypatch.setattr(lsa_module, "EXACT_UP_TO", 0)
    approximate = LSA(InvertedIndex(SKY, str.split), 2)
    assert approximate.embeddings.dtype == np.float32
    assert approximate.singular_values.tolist() == pytest.approx(sky.singular_values.tolist(), rel=1e-4)
    assert approximate.scores("satellite").tolist() == pytest.approx(sky.scores("satellite").tolist(), abs=1e-4)
    assert approximate.search("satellite", 4).ids == sky.search("satellite", 4).ids


@pytest.mark.parametrize("exact_up_to", [0, 10**9])
def test_fitting_reports_and_can_be_stopped(monkeypatch, exact_up_to, many_texts):
    monkeypatch.setattr(lsa_module, "EXACT_UP_TO", exact_up_to)
    index, reports = InvertedIndex(many_texts), []
    LSA(index, 20, report=reports.append)
    assert reports
    assert {report.stage for report in reports} == {"LSA"}

    asked = iter([False] * 5)
    with pytest.raises(Cancelled):
        LSA(index, 20, should_stop=lambda: next(asked, True))
