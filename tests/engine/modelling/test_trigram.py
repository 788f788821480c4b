import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Trigram
from engine.modelling.decoding import After, beam_search
from engine.modelling.trigram import END, UNKNOWN, Vocabulary, grounded, perplexity
from engine.records import Chunk

SATS = "The cat sat. The dog sat."
texts = st.lists(st.lists(st.sampled_from("abcde."), max_size=20).map(" ".join), max_size=4)


def by_counting(streams, size, context, word):
    """The formula, read aloud: one dictionary a level."""
    p = 1 / size
    for n in (0, 1, 2):
        counts = Counter()
        for stream in streams:
            padded = [END, END, *stream]
            for at in range(2, len(padded)):
                if padded[at - n : at] == context[len(context) - n :]:
                    counts[padded[at]] += 1
        if counts:
            p = (counts[word] + len(counts) * p) / (counts.total() + len(counts))
    return p


def test_the_worked_example():
    model = Trigram([SATS])
    assert model.vocabulary.words == ("</s>", "<unk>", "the", "cat", "sat", "dog")
    the, cat = model.vocabulary.encode("the cat")
    # 8 tokens of 5 kinds, 6 in the vocabulary: p(the) = (2 + 5/6) / 13, p(cat) = (1 + 5/6) / 13.
    # After "the": cat, dog, so p(cat|the) = (1 + 2 p(cat)) / 4; after the end and "the" the same two once more.
    p_cat = (1 + 5 / 6) / 13
    after_the = (1 + 2 * p_cat) / 4
    assert math.exp(model.log_probabilities([the])[cat]) == pytest.approx((1 + 2 * after_the) / 4)
    # "dog the" is new, so that "the" alone decides.
    dog = model.vocabulary.ids["dog"]
    assert math.exp(model.log_probabilities([dog, the])[cat]) == pytest.approx(after_the)
    # After a word that never stood there, the single words decide.
    assert math.exp(model.log_probabilities([the, UNKNOWN])[the]) == pytest.approx((2 + 5 / 6) / 13)


@given(texts, st.lists(st.sampled_from("abcdez"), min_size=2, max_size=2))
def test_it_is_the_interpolation_of_counts_level_by_level(texts, context):
    model = Trigram(texts)
    streams = [model.vocabulary.encode_sentences(text) for text in texts]
    before = model.vocabulary.encode(" ".join(context))
    got = np.exp(model.log_probabilities(before))
    assert got.sum() == pytest.approx(1)
    size = len(model.vocabulary)
    assert got.tolist() == pytest.approx([by_counting(streams, size, before, word) for word in range(size)])


@given(texts, st.lists(st.sampled_from("abcdez"), max_size=12), st.integers(0, 12))
def test_a_text_at_once_is_the_text_token_by_token(texts, words, cut):
    model = Trigram(texts)
    tokens = model.vocabulary.encode(" ".join(words))
    context, rest = tokens[:cut], tokens[cut:]
    one_by_one = [model.log_probabilities(tokens[: cut + at])[token] for at, token in enumerate(rest)]
    assert model.token_log_probabilities(rest, context).tolist() == pytest.approx(one_by_one)


def test_texts_do_not_run_into_each_other():
    model = Trigram(["one two", "three four"])
    two, three = model.vocabulary.encode("two three")
    one, four = model.vocabulary.encode("one four")
    assert model.log_probabilities([one, two])[END] == max(model.log_probabilities([one, two]))
    assert model.log_probabilities([])[three] == pytest.approx(model.log_probabilities([])[one])
    assert model.log_probabilities([three])[four] == pytest.approx(model.log_probabilities([one])[two])


def test_greedy_decoding_says_the_text_it_was_trained_on():
    model = Trigram(["Venus completes an orbit every 224.7 days."] * 3)
    [said] = beam_search(After(model, model.vocabulary.encode("Venus completes")), END, width=1)
    assert model.vocabulary.decode(said.tokens) == "an orbit every 224.7 days" and said.ended


def test_a_text_it_was_trained_on_is_less_surprising_than_another():
    model = Trigram(
        ["The Sun comes up in the east. The Moon comes up later."], Vocabulary.of(["sun comes up east the in"])
    )
    seen = model.vocabulary.encode("the sun comes up in the east")
    assert perplexity(model.token_log_probabilities(seen)) < perplexity(model.token_log_probabilities(seen[::-1]))


def test_rare_words_are_one_unknown_word():
    vocabulary = Vocabulary.of(["a a b"], min_count=2)
    assert vocabulary.words == ("</s>", "<unk>", "a")
    assert vocabulary.encode("a b c") == [2, UNKNOWN, UNKNOWN]
    assert vocabulary.decode([2, UNKNOWN, END]) == "a <unk>"
    assert len(vocabulary) == 3


def test_a_word_that_is_spelled_like_a_token_of_ours_is_a_word():
    vocabulary = Vocabulary.of(["</s> <unk>"])
    assert [vocabulary.words[token] for token in vocabulary.encode("</s> <unk>")] == ["s", "unk"]


def test_sources_before_it_change_what_it_expects_and_it_keeps_its_memory():
    memory = Trigram(["A day on Mars lasts 24 hours. A day on Venus lasts 117 days."])
    context = memory.vocabulary.encode("a day on venus lasts")
    hours, days = memory.vocabulary.ids["24"], memory.vocabulary.ids["117"]
    after = grounded(memory, [Chunk(0, "venus.md", 0, 0, "A day on Venus lasts 117 days.")], share=0.25)
    sources = Trigram(["A day on Venus lasts 117 days."], memory.vocabulary)
    mixed = 0.75 * np.exp(memory.log_probabilities(context)) + 0.25 * np.exp(sources.log_probabilities(context))
    assert np.exp(after.log_probabilities(context)) == pytest.approx(mixed)
    gain = after.log_probabilities(context) - memory.log_probabilities(context)
    assert gain[days] > 0 > gain[hours]


@pytest.mark.parametrize("nothing", [[], [""], ["  \n"], ["..."]])
def test_a_model_of_nothing_expects_everything_alike(nothing):
    model = Trigram(nothing, Vocabulary.of(["a b"]))
    assert model.n_tokens == 0
    assert np.exp(model.log_probabilities([2])).tolist() == pytest.approx([0.25] * 4)
    assert np.exp(model.token_log_probabilities([2, 3])).tolist() == pytest.approx([0.25] * 2)
    assert Trigram(nothing).log_probabilities([]).tolist() == pytest.approx([math.log(0.5)] * 2)


def test_no_token_is_no_surprise():
    assert Trigram([SATS]).token_log_probabilities([]).tolist() == []


@pytest.mark.parametrize("text", ["\ud800 a \x00 b", "火星には衛星が二つある。", "e\u0301 1,014 a" * 50, "\n\n\t"])
def test_any_text_can_be_learned_from(text):
    model = Trigram([text, "a b"])
    tokens = model.vocabulary.encode_sentences(text)
    assert UNKNOWN not in tokens
    assert np.exp(model.log_probabilities(tokens)).sum() == pytest.approx(1)
    assert np.isfinite(model.token_log_probabilities(tokens)).all()
