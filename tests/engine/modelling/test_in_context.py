import numpy as np
import pytest

from engine import BM25, InvertedIndex, Trigram
from engine.modelling.in_context import choose_share, read_in_context
from engine.modelling.trigram import Vocabulary, perplexity, sentence_words

PASSAGES = [
    "Phobos overtakes the turning ground beneath it and comes up in the west.",
    "Titan has a thick atmosphere, and most of that is nitrogen.",
    "Winds sort the clouds of Jupiter into pale and dark bands.",
]
TEXT = "Seen from the ground, Phobos comes up in the west. Titan has a thick atmosphere of nitrogen."


@pytest.fixture(scope="module")
def bm25():
    return BM25(InvertedIndex(PASSAGES))


@pytest.fixture(scope="module")
def memory():
    vocabulary = Vocabulary.of([*PASSAGES, TEXT])
    return Trigram(["The Sun comes up in the east. The Moon has no atmosphere."], vocabulary)


def test_every_stride_reads_the_best_passage_for_the_words_before_it(memory, bm25):
    reading = read_in_context(memory, bm25, PASSAGES, TEXT)
    words = sentence_words(TEXT)
    assert len(reading.retrieved) == -(-len(words) // 4)
    for at, passage in enumerate(reading.retrieved):
        query = " ".join(words[max(0, 4 * at - 32) : 4 * at])
        assert (passage,) == (bm25.search(query, 1).ids or (None,))


def test_the_query_holds_the_last_words_only(memory, bm25):
    reading = read_in_context(memory, bm25, PASSAGES, TEXT, query_length=4)
    # "Seen from the ground", "Phobos comes up in", "the west . Titan", "has a thick atmosphere", "of nitrogen ."
    assert reading.retrieved == (None, 0, 0, 1, 1)


def test_the_tokens_of_a_stride_are_those_of_a_model_of_its_passage(memory, bm25):
    reading = read_in_context(memory, bm25, PASSAGES, TEXT, query_length=4)
    tokens = memory.vocabulary.encode_sentences(TEXT)
    reader = Trigram([PASSAGES[1]], memory.vocabulary)
    assert reading.passage[12:16] == pytest.approx(reader.token_log_probabilities(tokens)[12:16])
    assert reading.alone == pytest.approx(memory.token_log_probabilities(tokens))


def test_before_the_first_word_there_is_nothing_to_ask_for(memory, bm25):
    reading = read_in_context(memory, bm25, PASSAGES, TEXT)
    assert reading.retrieved[0] is None
    assert reading.passage[:4].tolist() == reading.alone[:4].tolist()


def test_passages_on_the_subject_make_a_text_less_surprising(memory, bm25):
    reading = read_in_context(memory, bm25, PASSAGES, TEXT)
    assert perplexity(reading.together(0.5)) < perplexity(reading.alone)


def test_the_weight_is_the_one_of_least_perplexity_and_0_where_passages_mislead(memory, bm25):
    good = read_in_context(memory, bm25, PASSAGES, TEXT)
    share = choose_share([good])
    assert 0 < share < 1
    for other in (0, share - 0.05, share + 0.05):
        assert perplexity(good.together(share)) <= perplexity(good.together(min(max(other, 0), 0.95)))
    fluent = Trigram([TEXT] * 20, memory.vocabulary)
    assert choose_share([read_in_context(fluent, bm25, PASSAGES, TEXT)]) < share


def test_a_weight_of_0_is_the_memory_alone(memory, bm25):
    reading = read_in_context(memory, bm25, PASSAGES, TEXT)
    assert reading.together(0.0) == pytest.approx(reading.alone)


def test_together_is_the_weighted_mean(memory, bm25):
    reading = read_in_context(memory, bm25, PASSAGES, TEXT)
    mean = 0.7 * np.exp(reading.alone) + 0.3 * np.exp(reading.passage)
    assert np.exp(reading.together(0.3)) == pytest.approx(mean)


def test_a_text_without_words_has_nothing_to_predict(memory, bm25):
    reading = read_in_context(memory, bm25, PASSAGES, " \n ")
    assert reading.alone.tolist() == reading.passage.tolist() == [] and reading.retrieved == ()


@pytest.mark.parametrize("lengths", [{"stride": 0}, {"query_length": 0}])
def test_lengths_below_1_are_refused(memory, bm25, lengths):
    with pytest.raises(ValueError, match="at least 1"):
        read_in_context(memory, bm25, PASSAGES, TEXT, **lengths)
